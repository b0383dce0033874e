import { advance, nextMoves } from '../../core/run.js';
import type { Answer, End, LookResult, Message, Move, Planned, Run, Task } from '../../core/values.js';
import { violations } from '../../core/violations.js';
import { claimOf, NOTHING_SEEN, seen } from './run-values.js';

/** What the world answers in a test of the core; what is not said happens in the most ordinary way. */
export interface Hands {
  /** One for each dispatch of a task, in order; the last one stays. Default: it claims done. */
  ends?: Record<string, End[]>;
  /** Before the work. Default: disproved. */
  before?: Record<string, LookResult>;
  /** After each dispatch. Default: what an honest claim says. */
  after?: Record<string, LookResult[]>;
  /** The planner's answers, in order. Default: there is no valid plan. */
  planned?: Planned[];
  /** Of each check, in the look before closing. Default: holds. */
  sweep?: Record<string, LookResult>;
  resolution?: LookResult;
  /** A plan that a person gave. */
  read?: Planned;
}

const STEPS_MAX = 500;
/** How long everything takes. */
const STEP_MS = 1000;

export const honest: End = { is: 'answered', claim: claimOf('done'), code: 0 };
export const lie: End = honest;

export function says(status: 'done' | 'partial' | 'blocked' | 'failed' | 'no_op', more: Partial<ReturnType<typeof claimOf>> = {}): End {
  return { is: 'answered', claim: claimOf(status, more), code: 0 };
}

export function isMove<K extends Move['is']>(is: K): (move: Move) => move is Extract<Move, { is: K }> {
  return (move): move is Extract<Move, { is: K }> => move.is === is;
}

export function planned(version: number, ...tasks: Task[]): Planned {
  return {
    is: 'plan',
    plan: { version, goal: 'The files are there.', tasks, sha256: `plan-${version}`, because: 'it went wrong', noOp: false },
  };
}

/** Answers one move; null for a person, who answers by a message. */
export function answerOf(run: Run, move: Move, hands: Hands): Answer | null {
  const head = { move: move.id, at: move.is === 'wait' ? Math.max(run.clock + STEP_MS, move.until) : run.clock + STEP_MS };
  switch (move.is) {
    case 'observe':
      return { ...head, is: 'observed', observation: observationOf(move, hands) };
    case 'dispatch':
      return { ...head, is: 'ended', end: move.cut ? { is: 'cut' } : take(hands.ends?.[move.attempt.task.id], honest) };
    case 'wait':
      return { ...head, is: 'elapsed' };
    case 'person':
      return null;
    case 'replan':
      return { ...head, is: 'planned', planned: hands.planned?.shift() ?? { is: 'none', reason: 'nothing is left to try' } };
    case 'read':
      return { ...head, is: 'planned', planned: hands.read ?? { is: 'unreadable', problems: ['prose'] } };
    case 'record':
      return { ...head, is: 'recorded', sha256: `sha-${move.id}` };
  }
}

function take<T>(list: T[] | undefined, otherwise: T): T {
  if (list === undefined || list.length === 0) return otherwise;
  const first = list[0] ?? otherwise;
  if (list.length > 1) list.shift();
  return first;
}

function observationOf(move: Extract<Move, { is: 'observe' }>, hands: Hands) {
  if (move.when === 'sweep') {
    const looks = move.looks.map(({ check }) => ({
      check,
      is: hands.sweep?.[check] ?? ('holds' as const),
      saw: hands.sweep?.[check] ?? 'holds',
    }));
    return { ...NOTHING_SEEN, looks };
  }
  if (move.when === 'resolution') return seen([move.check], hands.resolution ?? 'holds');
  const { task, end } = move.attempt;
  if (move.when === 'before') return seen(task.checks, hands.before?.[task.id] ?? 'disproved', 'absent');
  const told = end?.is === 'answered' && end.claim.status === 'done';
  const attested = end?.is === 'attested' && end.happened === 'yes';
  const is = take(hands.after?.[task.id], told || attested ? 'holds' : 'disproved');
  return seen(task.checks, is, is === 'holds' ? 'there' : 'absent');
}

/** Looks and writes come first, then what performers and planners say; time passes last, and never over a person's head. */
const ORDER: Move['is'][][] = [['record', 'observe', 'read'], ['dispatch', 'replan'], ['wait']];

function nextOf(moves: Move[]): Move | undefined {
  const isAsked = moves.some((move) => move.is === 'person');
  return ORDER.flatMap((kinds) => moves.filter((move) => kinds.includes(move.is) && !(isAsked && move.is === 'wait'))).at(0);
}

/** Answers what is listed until nothing is that answers by itself, or `until` holds. */
export function carryOn(run: Run, hands: Hands = {}, until: (run: Run) => boolean = () => false): Run {
  let current = run;
  for (let steps = 0; steps < STEPS_MAX; steps++) {
    const move = nextOf(nextMoves(current));
    const answer = move === undefined || until(current) ? null : answerOf(current, move, hands);
    if (answer === null) return current;
    current = checked(advance(current, answer));
  }
  throw new Error('the run goes on for ever');
}

/** Until a move of this kind is listed. */
export function until(is: Move['is'], when?: 'before' | 'after' | 'sweep' | 'resolution'): (run: Run) => boolean {
  return (run) => nextMoves(run).some((move) => move.is === is && (when === undefined || (move.is === 'observe' && move.when === when)));
}

/** Writes what waits to be written, up to the report. */
export function written(run: Run): Run {
  const next = (one: Run) => nextMoves(one).find((move) => move.is === 'record' && move.write.is !== 'report');
  let current = run;
  for (let move = next(current); move !== undefined; move = next(current))
    current = checked(advance(current, { move: move.id, at: current.clock + STEP_MS, is: 'recorded', sha256: `sha-${move.id}` }));
  return current;
}

export function checked(run: Run): Run {
  const broken = violations(run);
  if (broken.length > 0) throw new Error(broken.join('; '));
  return run;
}

type Body<M> = M extends Message ? Omit<M, 'id' | 'by' | 'at'> : never;

let messages = 0;

/** A person's act, one second later, under a fresh id unless one is given. */
export function told(run: Run, body: Body<Message> & { id?: string; by?: string }): Run {
  messages++;
  return checked(advance(run, { id: `msg-${messages}`, by: 'ana', ...body, at: run.clock + STEP_MS } as Message));
}

/** The answer that the last act got. */
export function reply(run: Run): string {
  const last = run.handled.at(-1);
  return last === undefined ? 'no answer' : `${last.applied ? 'applied' : 'refused'}: ${last.reason}`;
}

/** The ledger in one line an entry: status, label, blocker, gates. */
export function ledgerOf(run: Run): string[] {
  return run.ledger.map((entry) => {
    const gates = entry.gates.map((gate) => ('version' in gate ? `${gate.is} ${gate.version}` : gate.is)).join(' → ');
    return `${entry.task} ${entry.status} ${entry.label}${entry.blocker === undefined ? '' : ` (${entry.blocker})`} | ${gates}`;
  });
}

/** What is asked of the world now, in words. */
export function listed(run: Run): string[] {
  return nextMoves(run).map(wordsOf);
}

function wordsOf(move: Move): string {
  switch (move.is) {
    case 'observe':
      return move.when === 'before' || move.when === 'after' ? `look ${move.when} ${move.attempt.task.id}` : `look ${move.when}`;
    case 'dispatch':
      return `dispatch ${move.token}${move.cut ? ' cut' : ''}`;
    case 'wait':
      return 'wait';
    case 'person':
      return `${move.question.kind} ${move.question.task ?? move.question.gate ?? ''}`;
    case 'replan':
      return `planner ${move.question}`;
    case 'read':
      return 'read';
    case 'record':
      return `record ${move.write.is}`;
  }
}
