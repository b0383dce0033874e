import { type Field, type FieldRules, fieldNames, type Item, idsOf, isNothing, itemsOf, knownFields, PARTS_MAX, textOf } from './fields.js';
import type { EntryHeading } from './ledger-heading.js';
import { oneLine } from './lines.js';
import { errorAt, type Place, type Problem } from './problem.js';

const LISTS =
  'Done when, Restates, State delta, Evidence, Discovered, Unresolved, Risk, User action, Deviation, Artifacts, Metrics, Critical issues, Next inputs';
const LINES =
  'Plan version, Covers, Undoes, Verification, Blocker, Continues, Reopens, Asked by, Verdict, Attempt, Cost, Gate blocker, Gate note, Debt, Resolution, Gate';

export const ENTRY_RULES: FieldRules = { known: knownFields(`${LISTS}, ${LINES}`), prose: new Set(), short: fieldNames(LINES) };

/** The fields of one entry, and what is wrong with them. */
export interface EntryBlock {
  file: string;
  heading: EntryHeading;
  line: number;
  fields: Map<string, Field>;
  problems: Problem[];
}

export function textIn(block: EntryBlock, name: string): string | undefined {
  const field = block.fields.get(name);
  const value = field === undefined ? '' : textOf(field);
  return value === '' ? undefined : value;
}

export function itemsIn(block: EntryBlock, name: string): string[] {
  return placedItemsIn(block, name)
    .map((item) => item.text)
    .filter((item) => !isNothing(item));
}

export function placedItemsIn(block: EntryBlock, name: string): Item[] {
  const field = block.fields.get(name);
  return field === undefined ? [] : notTooMany(block, name, itemsOf(field));
}

export function idsIn(block: EntryBlock, name: string): string[] {
  const field = block.fields.get(name);
  return field === undefined ? [] : notTooMany(block, name, idsOf(field));
}

export function notTooMany<T>(block: EntryBlock, name: string, parts: T[]): T[] {
  if (parts.length <= PARTS_MAX) return parts;
  block.problems.push(
    errorAt(placeOf(block, name), `${name} of ${block.heading.task} holds more than ${PARTS_MAX} items, which no entry does`),
  );
  return [];
}

export function placeOf(block: EntryBlock, name: string): Place {
  return { file: block.file, line: block.fields.get(name)?.line ?? block.line };
}

/** In one line; undefined where it says that there is nothing. */
export function wordsIn(block: EntryBlock, name: string): string | undefined {
  const said = oneLine(textIn(block, name) ?? '');
  return isNothing(said) ? undefined : said;
}
