import { parseDuration } from './duration.js';
import {
  type Field,
  type FieldRules,
  fieldNames,
  fieldsOf,
  type Item,
  idsOf,
  isNothing,
  itemsOf,
  knownFields,
  labelsInside,
  PARTS_MAX,
  textOf,
} from './fields.js';
import { closes, fenceOf, oneLine, type Source } from './lines.js';
import { didYouMean } from './nearest.js';
import { pathProblem } from './paths.js';
import { errorAt, type Problem, warningAt } from './problem.js';
import { unspanned } from './quoting.js';

const HEADER_LINES = 'Spec, Plan version, Status, Highest task ID reserved';
const TASK_LINES = 'Covers, Depends on, Continues, Reopens, Root, Performer, Writes, Timeout, Repeatable';

export const HEADER_RULES: FieldRules = {
  known: knownFields(`Goal, Replanned because, Already true because, Evidence, Checks, ${HEADER_LINES}`),
  prose: new Set(),
  short: fieldNames(HEADER_LINES),
};

export const TASK_RULES: FieldRules = {
  known: knownFields(`Reasoning, Task, Done when, Verify by, Checks, Restates, Run, ${TASK_LINES}`),
  prose: fieldNames('Reasoning, Task'),
  short: fieldNames(TASK_LINES),
};

/** The fields of one block of a plan, each at most once, with what is wrong about their names. */
export interface Block {
  file: string;
  /** Of its heading. */
  line: number;
  /** `T4`, or `The plan`. */
  owner: string;
  fields: Map<string, Field>;
  unknown: { name: string; value: string }[];
  stray: string[];
  problems: Problem[];
}

export interface BlockRange {
  file: string;
  from: number;
  to: number;
  owner: string;
}

/** Of one block; more of them are one fault. */
const UNKNOWN_SAID_MAX = 20;

export function readBlock(source: Source, range: BlockRange, rules: FieldRules): Block {
  const { file, owner } = range;
  const { known, unknown, stray, cutAt } = fieldsOf(source, range.from, range.to, rules);
  const fields = new Map<string, Field>();
  const problems: Problem[] = [];
  if (cutAt !== null) problems.push(errorAt({ file, line: cutAt }, `${owner} has more than ${PARTS_MAX} fields; split it`));
  for (const field of known) {
    const first = fields.get(field.name);
    const words = `${owner} has a second "${field.name}"; the first is in line ${first?.line}`;
    if (first === undefined) fields.set(field.name, field);
    else problems.push(errorAt({ file, line: field.line }, words));
    const inside = rules.prose.has(field.name) ? labelsInside(field, rules, UNKNOWN_SAID_MAX) : [];
    const asRead = `it is read as part of "${field.name}" of ${owner}`;
    for (const { name, line } of inside) problems.push(warningAt({ file, line }, `${notKnown(name, rules)}; ${asRead}`));
  }
  const asKept = `${owner} keeps it, and nothing reads it (indent the line if it belongs to the field above)`;
  for (const { name, line } of unknown.slice(0, UNKNOWN_SAID_MAX))
    problems.push(warningAt({ file, line }, `${notKnown(name, rules)}; ${asKept}`));
  const [first] = stray;
  if (first !== undefined && owner !== 'The plan') {
    const words = `"${oneLine(first.text).slice(0, 60)}" belongs to no field of ${owner}; it is kept, and nothing reads it`;
    problems.push(warningAt({ file, line: first.line }, words));
  }
  const kept = unknown.map((field) => ({ name: field.name, value: textOf(field) }));
  return { file, line: range.from, owner, fields, unknown: kept, stray: stray.map(({ text }) => text), problems };
}

function notKnown(name: string, rules: FieldRules): string {
  return `"${name}" is no known field${didYouMean(name, [...rules.known.values()]).replace(/\?$/, '')}`;
}

export function textIn(block: Block, name: string): string | undefined {
  const field = block.fields.get(name);
  const text = field === undefined ? '' : textOf(field);
  return text === '' ? undefined : text;
}

export function itemsIn(block: Block, name: string): Item[] {
  const field = block.fields.get(name);
  if (field === undefined) return [];
  const items = notTooMany(block, name, itemsOf(field));
  return items.length === 1 && isNothing(items[0]?.text ?? '') ? [] : items;
}

export function idsIn(block: Block, name: string): string[] {
  const field = block.fields.get(name);
  return field === undefined ? [] : notTooMany(block, name, idsOf(field));
}

function notTooMany<T>(block: Block, name: string, parts: T[]): T[] {
  if (parts.length <= PARTS_MAX) return parts;
  refuse(block, name, `holds more than ${PARTS_MAX} items; split it`);
  return [];
}

/** One id, or none. */
export function idIn(block: Block, name: string): string | undefined {
  const ids = idsIn(block, name);
  if (ids.length > 1) refuse(block, name, `names ${ids.join(' and ')}; one id is meant`);
  return ids[0];
}

export function lineOf(block: Block, name: string): number {
  return block.fields.get(name)?.line ?? block.line;
}

/** An error at the place of a field of this block. */
export function refuse(block: Block, name: string, words: string): void {
  block.problems.push(errorAt({ file: block.file, line: lineOf(block, name) }, `${name} of ${block.owner} ${words}`));
}

export function durationIn(block: Block, name: string): number | undefined {
  const text = textIn(block, name);
  if (text === undefined) return undefined;
  const read = parseDuration(text);
  if ('ms' in read) return read.ms;
  refuse(block, name, read.wrong);
  return undefined;
}

export function yesOrNo(block: Block, name: string): boolean {
  const text = (textIn(block, name) ?? 'yes').toLowerCase().replace(/\.$/, '');
  if (text !== 'yes' && text !== 'no') refuse(block, name, `is "${oneLine(text).slice(0, 40)}"; write yes or no`);
  return text !== 'no';
}

/** Globs separated by commas or bullets; a comma within braces belongs to its pattern. undefined: not said. */
export function globsIn(block: Block, name: string): string[] | undefined {
  if (!block.fields.has(name)) return undefined;
  const written = itemsIn(block, name)
    .flatMap((item) => splitGlobs(item.text))
    .filter((glob) => !isNothing(glob));
  const globs = notTooMany(block, name, written);
  for (const glob of globs) {
    const wrong = pathProblem(glob);
    if (wrong !== null) refuse(block, name, `names ${glob.slice(0, 60)}, which ${wrong}`);
  }
  return [...new Set(globs)];
}

function splitGlobs(text: string): string[] {
  const globs: string[] = [];
  let depth = 0;
  let current = '';
  for (const letter of text) {
    if (letter === '{') depth++;
    if (letter === '}') depth--;
    if (letter === ',' && depth <= 0) {
      globs.push(current);
      current = '';
    } else current += letter;
  }
  return [...globs, current].map((glob) => unspanned(glob.trim())).filter((glob) => glob !== '');
}

/** The command of an inline task: as written, in one code span, or in one fenced block. */
export function commandIn(block: Block, name: string): string | undefined {
  const text = textIn(block, name);
  if (text === undefined) return undefined;
  const lines = text.split('\n');
  const opening = fenceOf(lines[0] ?? '');
  const closing = fenceOf(lines.at(-1) ?? '');
  const fenced = lines.length > 2 && opening !== null && closing !== null && closes(closing, opening);
  return fenced ? lines.slice(1, -1).join('\n').trim() : unspanned(text);
}
