import type { RunState } from '../run-state.js';
import { type Row, rowsOf } from './rows.js';
import { askedLines, factLines, headline, type Screen, tableLines } from './status.js';
import { count, cut, elapsed, oneLine, wrapped } from './text.js';

/** The bottom line keeps free, so that a terminal never scrolls. */
const SPARE_ROWS = 1;
const TASK_ROWS_MIN = 3;

export interface LiveScreen extends Screen {
  rows: number;
  /** When the watching began. */
  since: number;
  /** Why the run does not go on, or why nothing new is heard, if that is so. */
  trouble: string | null;
}

/** One picture of a running run that fits the terminal; what does not fit is counted, and questions are never left out. */
export function liveFrame(state: RunState | null, screen: LiveScreen): string {
  const foot = screen.colors.quiet(cut(footWords(screen), screen.columns));
  if (state === null) return [...wrapped(screen.trouble ?? 'The run begins.', screen.columns), foot].join('\n');
  const trouble = screen.trouble === null ? [] : ['', ...wrapped(screen.trouble, screen.columns).map(screen.colors.waiting)];
  const tail = [...askedLines(state, screen), ...trouble, '', foot];
  const height = Math.max(1, screen.rows - SPARE_ROWS);
  const full = [headline(state, screen), ...factLines(state, screen)];
  const head = height - full.length - tail.length > TASK_ROWS_MIN ? full : [headline(state, screen)];
  const room = height - head.length - tail.length - 1;
  const rows = rowsOf(state, screen.now);
  const table = room < TASK_ROWS_MIN || rows.length === 0 ? [] : ['', ...foldedTable(rows, room, screen)];
  return within([...head, ...table, ...tail], height, `… \`donewhen waiting ${oneLine(state.run)}\` shows the rest`).join('\n');
}

/** More questions than the terminal has lines are not dropped in silence. */
function within(lines: string[], height: number, more: string): string[] {
  return lines.length <= height ? lines : [...lines.slice(0, height - 1), more];
}

function footWords(screen: LiveScreen): string {
  return `watching for ${elapsed(screen.now - screen.since)} · Ctrl-C leaves; the run is kept`;
}

/** The rows around what happens now; settled ones above and later ones below are counted. */
export function foldedTable(rows: Row[], room: number, screen: Screen): string[] {
  if (rows.length <= room) return tableLines(rows, screen);
  const busy = rows.findIndex((row) => row.mood === 'working' || row.mood === 'waiting');
  const next = rows.findIndex((row) => row.mood === 'quiet');
  const focus = busy >= 0 ? busy : next >= 0 ? next : rows.length - 1;
  const shown = Math.max(1, room - 2);
  const from = Math.min(Math.max(0, focus - Math.floor(shown / 3)), rows.length - shown);
  const above = rows.slice(0, from);
  const below = rows.slice(from + shown);
  return [
    ...(above.length === 0 ? [] : [screen.colors.quiet(`… ${foldedWords(above)} above`)]),
    ...tableLines(rows.slice(from, from + shown), screen),
    ...(below.length === 0 ? [] : [screen.colors.quiet(`… ${foldedWords(below)} below`)]),
  ];
}

/** What went wrong is never hidden in a bare number. */
function foldedWords(rows: Row[]): string {
  const bad = rows.filter((row) => row.mood === 'bad').length;
  return `${count(rows.length, 'task')}${bad === 0 ? '' : `, ${bad} not done,`}`;
}
