import { isBlank, joined, mayFence, type Source } from './lines.js';

/** A `Name: value` at the start of a line, with the lines that its value wraps onto. */
export interface Field {
  name: string;
  /** From 1. */
  line: number;
  /** The first line is what follows the colon. */
  value: string[];
}

export interface FieldRules {
  /** By lower-case name, the name as it is written. */
  known: ReadonlyMap<string, string>;
  /** Prose whose own lines may look like unknown fields (`Note: …`): they stay part of it. */
  prose: ReadonlySet<string>;
  /** One line, or wrapped without a blank one: what follows a blank line is not theirs. */
  short: ReadonlySet<string>;
}

export interface Fields {
  known: Field[];
  unknown: Field[];
  /** Lines that belong to no field. */
  stray: { line: number; text: string }[];
  /** The line from which on nothing was read, because there are too many fields. */
  cutAt: number | null;
}

/** Of the fields of one section, and of the items of one list: more than anybody writes or reads. */
export const PARTS_MAX = 10_000;

const LABEL = /^([A-Za-z][A-Za-z-]*(?: [A-Za-z-]+){0,4}):[ \t]*(.*)$/;
/** An unknown field has a short name, capitalised, and a space after its colon; anything longer is a sentence with a colon in it. */
const UNKNOWN_LABEL = /^[A-Z][A-Za-z-]*(?: [A-Za-z-]+)?:(?:[ \t]|$)/;
const BOLD_LABEL = /^\*\*([A-Za-z -]{1,40})(?::\*\*|\*\*:)[ \t]*(.*)$/;

/** `Goal, Plan version` */
export function fieldNames(names: string): ReadonlySet<string> {
  return new Set(names.split(', '));
}

export function knownFields(names: string): ReadonlyMap<string, string> {
  return new Map([...fieldNames(names)].map((name) => [name.toLowerCase(), name]));
}

/** The fields between two line indexes. Only a line outside fences that starts at its first column can begin one. */
export function fieldsOf(source: Source, from: number, to: number, rules: FieldRules): Fields {
  const fields: Fields = { known: [], unknown: [], stray: [], cutAt: null };
  let open: Field | null = null;
  let isSaid = false;
  for (let index = from; index < to; index++) {
    const text = source.lines[index] ?? '';
    const label = source.fenced[index] === 1 ? null : labelOf(text, rules);
    if (label !== null && (open === null || label.known || !rules.prose.has(open.name))) {
      if (fields.known.length + fields.unknown.length >= PARTS_MAX) return { ...fields, cutAt: index + 1 };
      open = { name: label.name, line: index + 1, value: [label.rest] };
      (label.known ? fields.known : fields.unknown).push(open);
      isSaid = !isBlank(label.rest);
      continue;
    }
    const blank = isBlank(text);
    if (open !== null && blank && isSaid && rules.short.has(open.name)) open = null;
    else if (open !== null) {
      open.value.push(text);
      isSaid ||= !blank;
    } else if (!blank) fields.stray.push({ line: index + 1, text });
  }
  return fields;
}

/** The first unknown labels inside a prose value, for a warning: they were read as part of it. */
export function labelsInside(field: Field, rules: FieldRules, atMost: number): { name: string; line: number }[] {
  const found: { name: string; line: number }[] = [];
  for (let index = 1; index < field.value.length && found.length < atMost; index++) {
    const label = labelOf(field.value[index] ?? '', rules);
    if (label !== null && !label.known) found.push({ name: label.name, line: field.line + index });
  }
  return found;
}

/** Whether such a line, in the value of `field` and outside fences, would be read as a field of its own. */
export function endsValue(text: string, field: string, rules: FieldRules): boolean {
  const label = labelOf(text, rules);
  return label !== null && (label.known || !rules.prose.has(field));
}

function labelOf(text: string, rules: FieldRules): { name: string; rest: string; known: boolean } | null {
  if (!text.includes(':')) return null;
  const first = text.charCodeAt(0);
  if (first === 42) {
    const bold = BOLD_LABEL.exec(text);
    const name = bold === null ? undefined : rules.known.get((bold[1] ?? '').toLowerCase());
    return name === undefined ? null : { name, rest: bold?.[2] ?? '', known: true };
  }
  const match = LABEL.exec(text);
  if (match === null) return null;
  const written = match[1] ?? '';
  const name = rules.known.get(written.toLowerCase());
  if (name === undefined && !UNKNOWN_LABEL.test(text)) return null;
  return { name: name ?? written, rest: match[2] ?? '', known: name !== undefined };
}

export function textOf(field: Field): string {
  return joined(field.value);
}

/** `—`, `-`, `none`, `n/a` and nothing all say that there is nothing. */
export function isNothing(text: string): boolean {
  return /^(?:[—–-]+|none\.?|n\/a|nothing)?$/i.test(text.trim());
}

export interface Item {
  line: number;
  text: string;
}

const BULLET = /^\s{0,8}(?:[-*+•]|\d{1,3}[.)])(?:\s+(.*)|$)/;

export function isBullet(line: string): boolean {
  return BULLET.test(line);
}

/** Around a list it is dropped: no item begins so. */
export function isFenceLine(line: string): boolean {
  return mayFence(line) && /^\s*(?:`{3,}|~{3,})/.test(line);
}

/**
 * The items of a list value, each with its wrapped lines joined by a space. What stands after the colon is the first item;
 * a fence around the list is dropped. One more than `PARTS_MAX` says that there are too many.
 */
export function itemsOf(field: Field): Item[] {
  const items: { line: number; parts: string[] }[] = [];
  for (let index = 0; index < field.value.length && items.length <= PARTS_MAX; index++) {
    const text = field.value[index] ?? '';
    if (isBlank(text) || isFenceLine(text)) continue;
    const bullet = BULLET.exec(text);
    const last = items.at(-1);
    if (bullet !== null) items.push({ line: field.line + index, parts: [(bullet[1] ?? '').trim()] });
    else if (last === undefined) items.push({ line: field.line + index, parts: [text.trim()] });
    else last.parts.push(text.trim());
  }
  return items.map(({ line, parts }) => ({ line, text: parts.join(' ').trim() })).filter((item) => item.text !== '');
}

/** Ids separated by commas, spaces or bullets: `FR-004, AC-002`. */
export function idsOf(field: Field): string[] {
  const text = itemsOf(field)
    .map((item) => item.text)
    .join(', ');
  if (isNothing(text)) return [];
  const words = text.split(/[\s,;]+/).filter((word) => word !== '' && !/^(?:and|&)$/i.test(word));
  const ids = words.slice(0, PARTS_MAX + 1).map(bareId);
  return [...new Set(ids.filter((word) => word !== ''))];
}

/** Without the marks that prose puts around an id. */
function bareId(word: string): string {
  return word.length > 100 ? word : word.replace(/^[`([]+|[`)\].]+$/g, '');
}
