import type { ActiveAttempt, LedgerEntry, RunState, UsageLimit } from '../run-state.js';
import { count, cut, elapsed, elapsedSince, oneLine } from './text.js';

/** How a row is meant, for its colour and for what may be folded away on a small screen. */
export type Mood = 'good' | 'bad' | 'working' | 'waiting' | 'quiet';

/** A task as a line: what is known of it, now. */
export interface Row {
  task: string;
  state: string;
  detail: string;
  title: string;
  performer: string;
  time: string;
  mood: Mood;
}

const SETTLED = ['done', 'no_op'];
const WHY_COLUMNS_MAX = 40;

/** Entries in the order in which they were written, then what is left of the plan in its written order. */
export function rowsOf(state: RunState, now: number): Row[] {
  const written = new Set(state.ledger.map((entry) => entry.task));
  const settled = new Set(state.ledger.filter((entry) => SETTLED.includes(entry.status)).map((entry) => entry.task));
  const left = state.plan.tasks.filter((task) => !written.has(task.id));
  return [
    ...state.ledger.map((entry) => rowOfEntry(entry)),
    ...left.map((task): Row => {
      const active = state.active.find((attempt) => attempt.task === task.id);
      const base = { task: task.id, title: oneLine(task.title), performer: task.performer };
      if (active !== undefined) return { ...base, ...stageOf(active, now), time: elapsedSince(active.startedAt, now) };
      const open = task.dependsOn.filter((id) => !settled.has(id));
      if (state.phase === 'closed') return { ...base, state: 'not done', detail: 'never started', time: '', mood: 'bad' };
      return { ...base, state: open.length > 0 ? `after ${open.join(', ')}` : 'ready', detail: '', time: '', mood: 'quiet' };
    }),
  ];
}

function rowOfEntry(entry: LedgerEntry): Row {
  const good = SETTLED.includes(entry.status);
  const from = entry.startedAt === null ? Number.NaN : Date.parse(entry.startedAt);
  const to = entry.endedAt === null ? Number.NaN : Date.parse(entry.endedAt);
  return {
    task: entry.task,
    state: entry.status,
    detail: good ? judgedWords(entry) : (entry.blocker ?? entry.verification),
    title: oneLine(entry.title),
    performer: entry.performer,
    time: Number.isNaN(to - from) ? '' : elapsed(to - from),
    mood: good ? (isOpposed(entry) ? 'waiting' : 'good') : 'bad',
  };
}

const UNOPPOSED = ['APPROVED', 'PASS', 'N/A'];

/** A review is done when it was delivered, whatever it says: its verdict stands beside. */
function judgedWords({ verification, verdict }: LedgerEntry): string {
  return verdict === null || verdict === 'N/A' ? verification : `${verification}, ${oneLine(verdict)}`;
}

function isOpposed({ verdict }: LedgerEntry): boolean {
  return verdict !== null && !UNOPPOSED.includes(verdict);
}

function stageOf(active: ActiveAttempt, now: number): Pick<Row, 'state' | 'detail' | 'mood'> {
  const detail = active.attempt > 1 ? `attempt ${active.attempt}` : '';
  switch (active.stage) {
    case 'dispatching':
      return { state: 'working', detail, mood: 'working' };
    case 'limited':
      return { state: 'usage limit', detail: limitWords(active, now), mood: 'waiting' };
    case 'handedOver':
      return { state: 'with a person', detail, mood: 'waiting' };
    case 'asking':
      return { state: 'asks a person', detail, mood: 'waiting' };
    default:
      return { state: active.stage === '' ? 'working' : active.stage, detail, mood: 'working' };
  }
}

/** Until when, as far as that is known, and why. */
export function limitWords({ until, why }: UsageLimit, now: number): string {
  const end = until === null ? Number.NaN : Date.parse(until);
  const words = Number.isNaN(end) ? 'until an unknown time' : `goes on in ${elapsed(end - now)}`;
  return why === '' ? words : `${words}: ${cut(oneLine(why), WHY_COLUMNS_MAX)}`;
}

/** `2 of 3 tasks done`; what a replan replaced is told apart, as it is neither done nor still to do. */
export function progressWords(state: RunState): string {
  const written = new Set(state.ledger.map((entry) => entry.task));
  const left = state.plan.tasks.filter((task) => !written.has(task.id)).length;
  const done = state.ledger.filter((entry) => SETTLED.includes(entry.status)).length;
  const replaced = state.ledger.filter(isReplaced).length;
  const words = `${done} of ${count(state.ledger.length - replaced + left, 'task')} done`;
  return replaced === 0 ? words : `${words}, ${replaced} replaced`;
}

function isReplaced({ status, gates }: RunState['ledger'][number]): boolean {
  return !SETTLED.includes(status) && /^replan (?:done|reopened)/.test(gates.at(-1) ?? '');
}
