/** What all readers of JSON lines share. A line that is torn, foreign or no JSON says nothing; it never ends the reading. */
export type Fields = Readonly<Record<string, unknown>>;

const NO_FIELDS: Fields = {};
/** A text of an agent longer than this is read from its end: the answer stands there. */
const KEPT_CHARS_MAX = 512 * 1024;

/** Line by line, so that a long log is not held twice. */
export function* linesIn(text: string): Generator<string> {
  for (let at = 0; at < text.length; ) {
    const end = text.indexOf('\n', at);
    yield text.slice(at, end < 0 ? text.length : end);
    at = end < 0 ? text.length : end + 1;
  }
}

/** The JSON object that a line is; null for any other line. */
export function jsonIn(line: string): Fields | null {
  const text = line.trim();
  if (!text.startsWith('{') || !text.endsWith('}')) return null;
  const value = parsed(text);
  return isFields(value) ? value : null;
}

/** The value that a text is; undefined: it is no JSON. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function fieldsOf(value: unknown): Fields {
  return isFields(value) ? value : NO_FIELDS;
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** null: it is no amount, and unknown is not 0. */
export function amountOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : null;
}

/** The sum of what is known; null: nothing of it is. */
export function sumOf(values: readonly unknown[]): number | null {
  const known = values.map(amountOf).filter((amount) => amount !== null);
  return known.length === 0 ? null : known.reduce((sum, amount) => sum + amount, 0);
}

export function joined(before: string, more: string): string {
  const text = before === '' ? more : `${before}\n\n${more}`;
  return text.length > KEPT_CHARS_MAX ? text.slice(-KEPT_CHARS_MAX) : text;
}

/** For one line of a heartbeat or a note. */
export function firstLine(text: string): string {
  return text.trim().split('\n', 1)[0]?.replace(/\s+/g, ' ').trim().slice(0, 300) ?? '';
}

/** The last line of a standard error that is no noise of the agent. */
export function lastWords(stderr: string, noise: RegExp): string {
  const lines = stderr
    .slice(-16_384)
    .replace(/\x1b\[[0-9;]*m/g, '')
    .split('\n')
    .filter((line) => line.trim() !== '' && !noise.test(line));
  return firstLine(lines.at(-1) ?? '');
}
