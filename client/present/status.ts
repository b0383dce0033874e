import type { LedgerEntry, RunState } from '../run-state.js';
import type { Colors, Paint } from './colors.js';
import { limitWords, type Mood, progressWords, type Row, rowsOf } from './rows.js';
import { columnsOf, costWords, count, cut, fit, oneLine } from './text.js';
import { blockerOf, resolveCommand, waitingLines } from './waiting.js';

export interface Screen {
  now: number;
  columns: number;
  colors: Colors;
}

export function paintOf(colors: Colors, mood: Mood): Paint {
  switch (mood) {
    case 'good':
      return colors.good;
    case 'bad':
      return colors.bad;
    case 'waiting':
      return colors.waiting;
    case 'working':
      return colors.strong;
    case 'quiet':
      return colors.quiet;
  }
}

/** `donewhen status`: one screen about a run. `trouble`: what keeps it from going on; never cut, as the way out stands at its end. */
export function statusScreen(state: RunState, screen: Screen, trouble: string[] = []): string {
  return [
    headline(state, screen),
    ...factLines(state, screen),
    ...trouble.map(screen.colors.bad),
    '',
    ...tableLines(rowsOf(state, screen.now), screen),
    ...openLines(state, screen),
    ...foundLines(state),
    ...askedLines(state, screen),
  ].join('\n');
}

export function headline(state: RunState, screen: Screen): string {
  const { colors } = screen;
  if (state.outcome !== null || state.phase === 'closed') {
    const good = state.outcome === 'COMPLETED' || state.outcome === 'NO_OP';
    const words = `${state.outcome ?? 'closed without an outcome'}${state.stopped === null ? '' : ', stopped'}`;
    return `${colors.strong(oneLine(state.run))}  ${(good && state.stopped === null ? colors.good : colors.bad)(words)}`;
  }
  return `${colors.strong(oneLine(state.run))}  ${state.phase === 'waiting' ? colors.waiting('waiting for a person') : state.phase}`;
}

/** Somebody works, and nobody has said yet what it costs. */
function isFirstUnderWay({ active, cost }: RunState): boolean {
  const works = active.some(({ stage, performer }) => stage === 'dispatching' && performer !== 'human' && performer !== 'inline');
  return works && (cost.usd ?? 0) === 0 && (cost.tokens ?? 0) === 0 && cost.estimatedUsd === null;
}

export function factLines(state: RunState, screen: Screen): string[] {
  if (state.plan.version === 0) return ['the plan is being read'];
  const facts = [`plan version ${state.plan.version}`, progressWords(state), count(state.dispatches, 'dispatch', 'dispatches')].join(' · ');
  // What is unknown of a cost must not be cut off.
  const cost = `cost ${isFirstUnderWay(state) ? 'not known yet' : costWords(state.cost)}`;
  const together = `${facts} · ${cost}`;
  return [
    ...(state.plan.goal === '' ? [] : [cut(`Goal: ${oneLine(state.plan.goal)}`, screen.columns)]),
    ...(columnsOf(together) <= screen.columns ? [together] : [cut(facts, screen.columns), cut(cost, screen.columns)]),
    ...plannerLine(state, screen),
    ...actLine('Stopped', state.stopped, screen),
    ...(state.phase === 'closed' ? [] : actLine('Paused', state.paused, screen)),
  ];
}

function plannerLine({ planner }: RunState, { now, columns, colors }: Screen): string[] {
  if (planner === null) return [];
  return [colors.waiting(cut(`The planner is at its usage limit, ${limitWords(planner, now)}`, columns))];
}

function actLine(what: string, act: { by: string; reason: string } | null, screen: Screen): string[] {
  if (act === null) return [];
  const reason = act.reason === '' ? '' : `: ${oneLine(act.reason)}`;
  return [cut(`${what} by ${oneLine(act.by)}${reason}`, screen.columns)];
}

const GAP = 2;
const TITLE_COLUMNS_MIN = 12;

/** What is left of long words where a terminal is too narrow for them whole. */
const NARROW = { task: 12, state: 18, detail: 28, performer: 14, time: 9 };
const COLUMNS = ['task', 'state', 'detail', 'title', 'performer', 'time'] as const;

/** Columns as wide as their content where that fits; else long words are cut, the title gives way, then the performer is left out. */
export function tableLines(rows: Row[], screen: Screen): string[] {
  const whole = (column: (typeof COLUMNS)[number]) => Math.max(0, ...rows.map((row) => columnsOf(oneLine(row[column]))));
  const fits = COLUMNS.reduce((sum, column) => sum + whole(column) + GAP, -GAP) <= screen.columns;
  const widest = (column: keyof typeof NARROW) => (fits ? whole(column) : Math.min(NARROW[column], whole(column)));
  const width = { task: widest('task'), state: widest('state'), detail: widest('detail'), time: widest('time') };
  const performer = widest('performer');
  const fixed = [width.task, width.state, width.detail, width.time].reduce((sum, each) => sum + (each === 0 ? 0 : each + GAP), 0);
  const roomy = screen.columns - fixed - performer - GAP >= TITLE_COLUMNS_MIN + GAP;
  const room = Math.max(TITLE_COLUMNS_MIN, screen.columns - fixed - (roomy ? performer + GAP : 0));
  const title = Math.min(room, whole('title'));
  return rows.map((row) => {
    const cells = [
      { text: row.task, columns: width.task },
      { text: row.state, columns: width.state, paint: paintOf(screen.colors, row.mood) },
      { text: row.detail, columns: width.detail },
      { text: row.title, columns: title },
      ...(roomy ? [{ text: row.performer, columns: performer, paint: screen.colors.quiet }] : []),
      { text: row.time, columns: width.time },
    ].filter((cell) => cell.columns > 0);
    const line = cells.map((cell) => (cell.paint ?? same)(fit(oneLine(cell.text), cell.columns)));
    return line.join(' '.repeat(GAP)).trimEnd();
  });
}

function same(text: string): string {
  return text;
}

/** What keeps a run from being complete: criteria that are not satisfied, and what only a person can do. */
export function openLines(state: RunState, screen: Screen): string[] {
  const open = state.criteria.filter((criterion) => criterion.state !== 'satisfied');
  const actions = personLines(state);
  const satisfied = state.criteria.length - open.length;
  return [
    ...(state.criteria.length === 0 ? [] : ['', `${satisfied} of ${count(state.criteria.length, 'criterion', 'criteria')} satisfied`]),
    ...open.map((criterion) => {
      const by = criterion.by.length === 0 ? 'no entry shows it' : criterion.by.join(', ');
      return cut(`  ${criterion.id} ${criterion.state} (${by})`, screen.columns);
    }),
    ...(actions.length === 0 ? [] : ['', 'Only a person can:', ...actions.map((action) => cut(`  ${action}`, screen.columns))]),
  ];
}

/** What was resolved is done with; of an exhausted gate the command that reopens it, unless its words or a question say it. */
function personLines(state: RunState): string[] {
  const told = state.ledger.filter((entry) => !isReopened(entry)).flatMap((entry) => entry.userAction.map(oneLine));
  const asked = state.waiting.flatMap(({ kind, task }) => (kind === 'resolve' ? [task] : []));
  const resolves = state.ledger.flatMap((entry) => {
    if (entry.gates.at(-1) !== 'replan exhausted' || asked.includes(entry.task)) return [];
    const blocker = entry.gateBlocker ?? entry.blocker ?? entry.task;
    const command = resolveCommand(state.run, blocker);
    if (told.some((words) => words.includes(command))) return [];
    return [`${command}  (once ${oneLine(blocker)} is gone from the way of ${entry.task})`];
  });
  return [...new Set([...told, ...resolves])];
}

/** Of finished work, what a person has to do stands all the same. */
function isReopened({ status, gates }: LedgerEntry): boolean {
  return status !== 'done' && status !== 'no_op' && gates.at(-1)?.startsWith('replan reopened') === true;
}

/** Never adopted in silence, never lost: a person decides what becomes of them. */
function foundLines(state: RunState): string[] {
  if (state.found.length === 0) return [];
  return ['', 'Written by somebody else and saved beside:', ...state.found.map((file) => `  ${oneLine(file)}`)];
}

export function askedLines(state: RunState, screen: Screen): string[] {
  if (state.waiting.length === 0) return [];
  const items = state.waiting.map((waiting) => ({ run: state.run, waiting, blocker: blockerOf(state, waiting) }));
  return ['', 'Waiting:', ...waitingLines(items, screen)];
}
