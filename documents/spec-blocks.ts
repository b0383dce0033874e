import { isBlank, type Source } from './lines.js';

/** A row, bullet or heading of SPEC.md that defines an id. */
export interface Definition {
  id: string;
  /** From 1. */
  line: number;
  /** Ids in the brackets after the id, or in other cells of its row. */
  refs: string[];
  /** The cell under a heading that says priority, or a word in brackets. */
  priority: string | null;
  /** Its words, without the id. */
  text: string;
}

const ID = /^(?:FR|BR|AC|SM|NFR)-[A-Z0-9](?:[A-Z0-9-]{0,30}[A-Z0-9])?(?![A-Za-z0-9-])/;
const IDS = /\b(?:FR|BR|AC|SM|NFR)-[A-Z0-9](?:[A-Z0-9-]{0,30}[A-Z0-9])?(?![A-Za-z0-9-])/g;
const PRIORITY_HEADING = /^(?:priority|prio|priorit[àée]|prioridade|prioridad|priorit[äa]t|moscow)$/i;

/** More than any contract that somebody reads. */
export const DEFINITIONS_MAX = 20_000;

/** The definitions between two line indexes, in order; of too many, one more than may be. */
export function definitionsIn(source: Source, from: number, to: number): Definition[] {
  const found: Definition[] = [];
  let priorityColumn: number | null = null;
  let open: Definition | null = null;
  for (let index = from; index < to && found.length <= DEFINITIONS_MAX; index++) {
    const line = source.lines[index] ?? '';
    const isContent = source.fenced[index] === 1;
    const cells = isContent ? null : cellsOf(line);
    if (cells !== null) {
      open = null;
      const at = cells.findIndex((cell) => PRIORITY_HEADING.test(cell));
      const row = definitionInRow(cells, index + 1, priorityColumn);
      if (row !== null) found.push(row);
      else if (at >= 0) priorityColumn = at;
      continue;
    }
    priorityColumn = null;
    const defined: Definition | null = isContent ? null : definitionInLine(line, index + 1);
    if (defined !== null) found.push(defined);
    if (defined !== null) open = defined;
    else if (open !== null && continues(line)) open.text += ` ${line.trim()}`;
    else open = null;
  }
  return found;
}

/** A wrapped line of a bullet: anything but a blank line, another bullet or a heading. */
function continues(line: string): boolean {
  return !isBlank(line) && !/^(?:#{1,6}\s|\s{0,3}(?:[-*+]|\d{1,3}[.)])\s)/.test(line);
}

/** The cells of a line of a table, without emphasis; null for any other line. */
function cellsOf(line: string): string[] | null {
  const row = line.trim();
  if (!row.startsWith('|')) return null;
  const inner = row.endsWith('|') && row.length > 1 ? row.slice(1, -1) : row.slice(1);
  const cells: string[] = [];
  let cell = '';
  for (let index = 0; index < inner.length; index++) {
    const letter = inner.charAt(index);
    if (letter === '\\' && inner.charAt(index + 1) === '|') {
      cell += '|';
      index++;
    } else if (letter === '|') {
      cells.push(plain(cell));
      cell = '';
    } else cell += letter;
  }
  return [...cells, plain(cell)];
}

function definitionInRow(cells: readonly string[], line: number, priorityColumn: number | null): Definition | null {
  const at = cells.findIndex((cell) => ID.test(cell));
  const cell = cells[at] ?? '';
  const id = ID.exec(cell)?.[0];
  if (id === undefined || cell.slice(id.length).trim() !== '') return null;
  const others = cells.filter((_, column) => column !== at && column !== priorityColumn);
  return {
    id,
    line,
    refs: idsIn(others.join(' ')).filter((ref) => ref !== id),
    priority: priorityColumn === null ? (cells.find((word) => PRIORITY_WORD.test(word)) ?? null) : (cells[priorityColumn] ?? ''),
    text: others.filter((word) => word !== '' && !PRIORITY_WORD.test(word)).join(' — '),
  };
}

const PRIORITY_WORD = /^(?:must|should|could|won't|wont|may)$/i;
const MARKS = /^\s{0,8}(?:#{1,6}\s+|(?:[-*+]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?)/;

/** `- AC-001 (FR-001, BR-002): Given …`: an id at the start of a bullet or heading, followed by a bracket, colon or dash. */
function definitionInLine(line: string, number: number): Definition | null {
  const marks = MARKS.exec(line)?.[0];
  if (marks === undefined) return null;
  const words = plain(line.slice(marks.length).replace(/\*\*|__/g, ''));
  const id = ID.exec(words)?.[0];
  if (id === undefined) return null;
  let rest = words.slice(id.length).trimStart();
  let inBrackets = '';
  if (rest.startsWith('(')) {
    const end = rest.indexOf(')');
    inBrackets = end < 0 ? rest.slice(1) : rest.slice(1, end);
    rest = end < 0 ? '' : rest.slice(end + 1).trimStart();
  }
  const said = /^(?:[:—–]|-(?=\s))\s*/.exec(rest)?.[0];
  if (inBrackets === '' && said === undefined && !marks.includes('#')) return null;
  const priority = inBrackets
    .split(/[,;]/)
    .map((word) => word.trim())
    .find((word) => PRIORITY_WORD.test(word));
  return { id, line: number, refs: idsIn(inBrackets), priority: priority ?? null, text: rest.slice((said ?? '').length) };
}

function plain(text: string): string {
  return text
    .trim()
    .replace(/^(?:\*\*|__|`)|(?:\*\*|__|`)$/g, '')
    .trim();
}

export function idsIn(text: string): string[] {
  return [...new Set([...text.matchAll(IDS)].map((match) => match[0]))];
}

export interface SpecSection {
  /** Indexes of its first line and of the line after it, without its heading. */
  from: number;
  to: number;
}

/** The section under a heading whose words match, up to the next heading of its level or above. */
export function sectionUnder(source: Source, words: RegExp): SpecSection | null {
  for (let index = 0; index < source.lines.length; index++) {
    const level = headingLevel(source, index);
    if (level === 0) continue;
    const title = (source.lines[index] ?? '').replace(/^#{1,6}\s+/, '').replace(/^\d{1,3}(?:\.\d{1,3}){0,3}[.)]?\s+/, '');
    if (!words.test(plain(title))) continue;
    let to = index + 1;
    while (to < source.lines.length && (headingLevel(source, to) === 0 || headingLevel(source, to) > level)) to++;
    return { from: index + 1, to };
  }
  return null;
}

function headingLevel(source: Source, index: number): number {
  if (source.fenced[index] === 1) return 0;
  return /^(#{1,6})\s/.exec(source.lines[index] ?? '')?.[1]?.length ?? 0;
}
