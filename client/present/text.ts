/**
 * Words on a terminal. Titles, questions and reasons were written by others (a plan, an agent, a person), so that everything
 * that steers a terminal is taken out before it is shown.
 */

/** Escape sequences (CSI, OSC, single ones), then what is left of control characters. */
const ESCAPES = /\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)|\u001b\[[0-?]*[ -/]*[@-~]|\u001b[@-_]|\u009b[0-?]*[ -/]*[@-~]/g;
/** Also the marks that turn the direction of writing around. */
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

/** Many lines, harmless on a terminal. */
export function harmless(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(ESCAPES, '').replace(CONTROLS, '');
}

/** One line, harmless on a terminal. */
export function oneLine(text: string): string {
  return harmless(text).replace(/\s+/g, ' ').trim();
}

const WIDE: readonly (readonly [number, number])[] = [
  [0x1100, 0x115f],
  [0x231a, 0x231b],
  [0x23e9, 0x23ec],
  [0x2614, 0x2615],
  [0x26a1, 0x26a1],
  [0x2705, 0x2705],
  [0x274c, 0x274c],
  [0x2e80, 0x303e],
  [0x3041, 0x33ff],
  [0x3400, 0x4dbf],
  [0x4e00, 0x9fff],
  [0xa000, 0xa4cf],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe30, 0xfe6f],
  [0xff00, 0xff60],
  [0xffe0, 0xffe6],
  [0x1f300, 0x1f64f],
  [0x1f680, 0x1f6ff],
  [0x1f900, 0x1faff],
  [0x20000, 0x3fffd],
];

const ZERO_WIDTH = /^[\p{Mn}\p{Me}\p{Cf}]$/u;

function widthOf(character: string): number {
  if (ZERO_WIDTH.test(character)) return 0;
  const code = character.codePointAt(0) ?? 0;
  return WIDE.some(([from, to]) => code >= from && code <= to) ? 2 : 1;
}

/** Columns that a text without escape sequences takes. */
export function columnsOf(text: string): number {
  let columns = 0;
  for (const character of text) columns += widthOf(character);
  return columns;
}

/** At most so many columns; what was cut is marked. */
export function cut(text: string, columns: number): string {
  if (columnsOf(text) <= columns) return text;
  if (columns < 1) return '';
  let kept = '';
  let taken = 0;
  for (const character of text) {
    const width = widthOf(character);
    if (taken + width > columns - 1) break;
    kept += character;
    taken += width;
  }
  return `${kept.trimEnd()}…`;
}

/** Whole words in lines of at most so many columns; a word that is longer is cut into pieces. */
export function wrapped(text: string, columns: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ').flatMap((one) => piecesOf(one, columns))) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (columnsOf(longer) > columns && line !== '') lines.push(line);
    line = columnsOf(longer) > columns ? word : longer;
  }
  return [...lines, line];
}

function piecesOf(word: string, columns: number): string[] {
  const pieces = [''];
  for (const character of word) {
    const last = pieces.at(-1) ?? '';
    if (last !== '' && columnsOf(last + character) > columns) pieces.push(character);
    else pieces[pieces.length - 1] = last + character;
  }
  return pieces;
}

/** Exactly so many columns, cut or filled up. */
export function fit(text: string, columns: number): string {
  const short = cut(text, columns);
  return short + ' '.repeat(Math.max(0, columns - columnsOf(short)));
}

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** `4s`, `3m 07s`, `2h 05m`, `3d 04h`: two units are enough to judge how long something takes. */
export function elapsed(ms: number): string {
  const past = Math.max(0, ms);
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0');
  if (past < MINUTE_MS) return `${Math.floor(past / SECOND_MS)}s`;
  if (past < HOUR_MS) return `${Math.floor(past / MINUTE_MS)}m ${two((past % MINUTE_MS) / SECOND_MS)}s`;
  if (past < DAY_MS) return `${Math.floor(past / HOUR_MS)}h ${two((past % HOUR_MS) / MINUTE_MS)}m`;
  return `${Math.floor(past / DAY_MS)}d ${two((past % DAY_MS) / HOUR_MS)}h`;
}

/** Between an ISO time and another; empty where the first is unknown. */
export function elapsedSince(iso: string | null, now: number): string {
  const from = iso === null ? Number.NaN : Date.parse(iso);
  return Number.isNaN(from) ? '' : elapsed(now - from);
}

export function count(n: number, one: string, many = `${one}s`): string {
  return `${n} ${n === 1 ? one : many}`;
}

/** A cost is shown as far as it is known; unknown is never shown as 0, and an estimate is called one. */
export function costWords(cost: { usd: number | null; tokens: number | null; estimatedUsd: number | null; unknown: boolean }): string {
  // Of a sum of nothing nobody knows whether anything was said.
  const isSaid = cost.usd !== null && (cost.usd > 0 || (!cost.unknown && cost.estimatedUsd === null));
  const known = [
    ...(cost.usd !== null && isSaid ? [`$${cost.usd.toFixed(2)}`] : []),
    ...(cost.estimatedUsd === null ? [] : [`about $${cost.estimatedUsd.toFixed(2)} estimated`]),
    ...(cost.tokens === null ? [] : [`${grouped(cost.tokens)} tokens`]),
  ];
  const nothingSaid = cost.usd === 0 && cost.estimatedUsd === null && (cost.tokens ?? 0) === 0;
  if (known.length === 0 || (cost.unknown && nothingSaid)) return cost.unknown ? 'unknown' : 'none';
  return cost.unknown ? `${known.join(', ')}, and some unknown` : known.join(', ');
}

/** `1,234,567`. By hand: the first use of the language's own formatter costs every command a tenth of its start. */
function grouped(whole: number): string {
  return String(Math.round(whole)).replace(/\B(?=(?:\d{3})+$)/g, ',');
}

/** Quoted for a shell, so that a shown command can be pasted. */
export function quoted(argument: string): string {
  return /^[A-Za-z0-9_./:@%+=-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", `'\\''`)}'`;
}
