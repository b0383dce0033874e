/** The lines of a text, and which of them belong to a fenced block: those are content, whatever they look like (E14, E17). */
export interface Source {
  lines: string[];
  /** 1 for a fence and for what stands between two fences. */
  fenced: Uint8Array;
  /** Index of a fence that nothing closes. */
  openFence: number | null;
}

/** Without a byte order mark, with LF alone; the separators of Unicode are spaces, as `.` in a pattern stops at them. */
export function normalised(text: string): string {
  const start = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  return withLineFeeds(start).replace(/[\u2028\u2029]/g, ' ');
}

/** By splitting, which a text of nothing but line ends does not make slow. */
export function withLineFeeds(text: string): string {
  return text.includes('\r') ? text.split('\r\n').join('\n').split('\r').join('\n') : text;
}

export function sourceOf(text: string): Source {
  const lines = normalised(text).split('\n');
  const fenced = new Uint8Array(lines.length);
  if (!mayFence(text)) return { lines, fenced, openFence: null };
  let open: { fence: Fence; index: number } | null = null;
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] ?? '';
    // A fence in a list item ends with its item.
    if (open !== null && open.fence.container > 0 && indentOf(line) < open.fence.container) open = null;
    const fence: Fence | null = open === null ? openingIn(line) : fenceOf(line, open.fence.container);
    if (open !== null || fence !== null) fenced[index] = 1;
    if (open === null) open = fence === null ? null : { fence, index };
    else if (fence !== null && closes(fence, open.fence)) open = null;
  }
  return { lines, fenced, openFence: open?.index ?? null };
}

/** How far a line is indented; a blank one belongs to whatever is open. */
function indentOf(line: string): number {
  const at = line.search(/\S/);
  return at < 0 ? Number.POSITIVE_INFINITY : at;
}

const LIST_MARK = /^ {0,3}(?:[-*+]|\d{1,9}[.)]) {1,4}(?=[`~]{3})/;

function openingIn(line: string): Fence | null {
  if (!mayFence(line)) return null;
  const mark = LIST_MARK.exec(line)?.[0].length ?? 0;
  const fence = fenceOf(line, mark);
  return fence === null ? null : { ...fence, container: mark };
}

export interface Fence {
  mark: '`' | '~';
  length: number;
  indent: number;
  /** What follows the marks: a language, or nothing. */
  info: string;
  /** Columns of the list item that it stands in; 0: in none. */
  container: number;
}

const INDENT_MAX = 3;
const MARKS_MIN = 3;

/** A fence of backticks or tildes from a column on, indented by at most three spaces. */
export function fenceOf(line: string, from = 0): Fence | null {
  let start = from;
  while (start - from < INDENT_MAX && line.charAt(start) === ' ') start++;
  const mark = line.charAt(start);
  if (mark !== '`' && mark !== '~') return null;
  let end = start;
  while (line.charAt(end) === mark) end++;
  if (end - start < MARKS_MIN) return null;
  const info = line.slice(end).trim();
  // A backtick after the marks makes it a code span in a line of prose.
  if (mark === '`' && info.includes('`')) return null;
  return { mark, length: end - start, indent: start - from, info, container: 0 };
}

/** Most texts hold no fence, and that is cheap to see. */
export function mayFence(text: string): boolean {
  return text.includes('```') || text.includes('~~~');
}

export function closes(fence: Fence, opening: Fence): boolean {
  return fence.info === '' && fence.mark === opening.mark && fence.length >= opening.length;
}

/** In one line, without surrounding space: how a text is compared, and written where a line must stay one line. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** Lines to text, without blank lines at either end. */
export function joined(lines: readonly string[]): string {
  let from = 0;
  let to = lines.length;
  while (from < to && isBlank(lines[from])) from++;
  while (to > from && isBlank(lines[to - 1])) to--;
  return lines
    .slice(from, to)
    .map((line) => line.trimEnd())
    .join('\n')
    .trim();
}

export function isBlank(line: string | undefined): boolean {
  return line === undefined || line.trim() === '';
}
