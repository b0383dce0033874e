import { advance, nextMoves } from '../../core/run.js';
import type { Answer, Message, Move, Run } from '../../core/values.js';
import { violations } from '../../core/violations.js';
import type { PersonAct } from './paper-script.js';
import type { PaperWorld } from './paper-world.js';

/**
 * Carries a run out on paper, one step at a time and always in the same order: looks and writes first, then performers
 * and planners, and time passes last. What is listed is made, what comes back goes into `advance`; nothing else decides.
 */
export interface Step {
  before: Run;
  after: Run;
  /** null: a person did something to the world. */
  input: Answer | Message | null;
  move: Move | null;
  words?: string;
}

const STEPS_MAX = 400;
export const STEP_MS = 60_000;
const ORDER: Move['is'][][] = [['record', 'observe', 'read'], ['dispatch', 'replan'], ['wait']];

export interface World {
  readonly files: Map<string, string>;
  /** Nobody can look at these. */
  readonly hidden: Set<string>;
  /** null where only a person can answer. */
  make(move: Move, run: Run, at: number): Answer | null;
}

export class Driver<W extends World = PaperWorld> {
  readonly steps: Step[] = [];
  private readonly pending: PersonAct[];

  constructor(
    public run: Run,
    readonly world: W,
    people: PersonAct[] = [],
    private readonly plan: string = '',
  ) {
    this.pending = [...people];
  }

  /** Until nothing is left to do. */
  carryOut(): void {
    for (let steps = 0; steps < STEPS_MAX; steps++) if (!this.step()) return;
    throw new Error('the run goes on for ever');
  }

  /** One act of a person, or one move. false: nothing is left. */
  step(): boolean {
    const act = this.pending[0];
    if (act !== undefined && isTime(this.run, act.when)) {
      this.pending.shift();
      this.act(act);
      return true;
    }
    const move = nextOf(this.run);
    const answer = move === null ? null : this.world.make(move, this.run, this.timeOf(move));
    if (move === null || answer === null) return false;
    this.take(answer, move);
    return true;
  }

  private timeOf(move: Move): number {
    return move.is === 'wait' ? Math.max(this.run.clock, move.until) : this.run.clock + STEP_MS;
  }

  private act(act: PersonAct): void {
    const made = /^makes (\S+)$/.exec(act.does)?.[1];
    const hidden = /^hides (\S+)$/.exec(act.does)?.[1];
    if (hidden !== undefined) this.world.hidden.add(hidden);
    if (made === undefined && hidden === undefined) {
      this.take(messageOf(act, { at: this.run.clock + STEP_MS, number: this.steps.length, plan: this.plan }), null);
      return;
    }
    if (made !== undefined) this.world.files.set(made, 'x');
    this.steps.push({ before: this.run, after: this.run, input: null, move: null, words: `${act.by}: ${act.does}` });
  }

  take(input: Answer | Message, move: Move | null): void {
    const before = this.run;
    this.run = advance(before, input);
    const broken = violations(this.run);
    if (broken.length > 0) throw new Error(broken.join('; '));
    this.steps.push({ before, after: this.run, input, move });
  }
}

/** What is made next: of what may run together, always the same. */
export function nextOf(run: Run): Move | null {
  const moves = nextMoves(run);
  for (const kinds of ORDER) {
    const now = moves.filter((move) => kinds.includes(move.is));
    if (now.length > 0) return now.sort((a, b) => untilOf(a) - untilOf(b))[0] ?? null;
  }
  return null;
}

function untilOf(move: Move): number {
  return move.is === 'wait' ? move.until : 0;
}

/** The moments at which people act, by what is listed or recorded. */
function isTime(run: Run, when: string): boolean {
  const moves = nextMoves(run);
  const [, task, is] = /^([\w@]+) is (asked|dispatched|recorded|limited)$/.exec(when) ?? [];
  switch (is) {
    case 'asked':
      return run.questions.some((question) => question.kind !== 'resolve' && question.task === task);
    case 'dispatched':
      return moves.some((move) => move.is === 'dispatch' && move.attempt.task.id === task);
    case 'recorded':
      return run.ledger.some((entry) => entry.task === task && !run.writes.some((write) => 'seq' in write && write.seq === entry.seq));
    case 'limited':
      return run.active.some((attempt) => attempt.task.id === task && attempt.stage === 'limited');
  }
  switch (when) {
    case 'the run waits':
      return (
        run.questions.some((question) => question.kind === 'resolve') && moves.every((move) => move.is === 'person' || move.is === 'wait')
      );
    case 'the planner is asked':
      return moves.some((move) => move.is === 'replan');
    case 'the report is written':
      return moves.some((move) => move.is === 'record' && move.write.is === 'report');
    case 'nothing moves':
      return moves.length === 0 && run.outcome === null;
    case 'the run is closed':
      return run.outcome !== null;
    default:
      throw new Error(`nobody knows when: ${when}`);
  }
}

interface Moment {
  at: number;
  number: number;
  plan: string;
}

function messageOf({ by, does }: PersonAct, { at, number, plan }: Moment): Message {
  const head = { id: `act-${number}`, by, at };
  const rules: [RegExp, (found: string[]) => Message][] = [
    [
      /^attests (\w+) (yes|no|partly)(?:; now true: ([^;]+))?(?:; unexpected: ([^;]+))?$/,
      ([task = '', happened = '', nowTrue, unexpected]) => ({
        ...head,
        name: 'attest',
        task,
        happened: happened === 'yes' || happened === 'no' ? happened : 'partly',
        ...(nowTrue === undefined ? {} : { nowTrue }),
        ...(unexpected === undefined ? {} : { unexpected }),
      }),
    ],
    [
      /^decides (\S+) (approve|reject)(?:; because ([^;]+))?(?:; shown plan (\d+))?$/,
      ([gate = '', decision = '', reason, shown]) => ({
        ...head,
        name: 'decide',
        gate,
        decision: decision === 'approve' ? 'approve' : 'reject',
        ...(reason === undefined ? {} : { reason }),
        ...(shown === undefined ? {} : { shown: Number(shown) }),
      }),
    ],
    [
      /^resolves (\S+): ([^;]+)(?:; check: (.+))?$/,
      ([blocker = '', resolution = '', check]) => ({
        ...head,
        name: 'resolve',
        blocker,
        resolution,
        ...(check === undefined ? {} : { check }),
      }),
    ],
    [/^tells the (\w+): (.+)$/, ([to = '', text = '']) => ({ ...head, name: 'message', to, text })],
    [/^gives a plan$/, () => ({ ...head, name: 'replan', plan })],
    [/^pauses$/, () => ({ ...head, name: 'pause' })],
    [/^resumes$/, () => ({ ...head, name: 'resume' })],
    [/^stops(?:: (.+))?$/, ([reason = '']) => ({ ...head, name: 'stop', reason })],
  ];
  for (const [rule, make] of rules) {
    const found = rule.exec(does);
    if (found !== null) return make(found.slice(1));
  }
  throw new Error(`nobody knows how to act: ${does}`);
}
