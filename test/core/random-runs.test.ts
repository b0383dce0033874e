import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LIMITS_DEFAULT } from '../../core/limits.js';
import { advance, nextMoves } from '../../core/run.js';
import type { Answer, Claim, End, Look, LookResult, Message, Move, Planned, Run, Task } from '../../core/values.js';
import { violations } from '../../core/violations.js';
import { claimOf, NOTHING_SEEN, POLICY, runOf, taskOf } from '../support/run-values.js';

/**
 * Any sequence of answers and messages, stale, doubled and out of order, keeps R1–R20. Dice pick
 * what comes next and what it says; fast-check prints the seed of a failure and finds its shortest run.
 */
const STEPS_MAX = 400;
const RUNS = Number(process.env.DONEWHEN_RANDOM_RUNS ?? 1500);

/** Numbers from a seed (mulberry32), so that a failing run is told by its seed and its length. */
class Dice {
  private left: number;
  constructor(
    private state: number,
    rolls: number,
  ) {
    this.left = rolls;
  }
  get empty(): boolean {
    return this.left <= 0;
  }
  roll(sides: number): number {
    this.left--;
    this.state = (this.state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % sides;
  }
  pick<T>(...options: [T, ...T[]]): T {
    return options[this.roll(options.length)] ?? options[0];
  }
}

function randomPlan(dice: Dice): Task[] {
  const count = 1 + dice.roll(4);
  return Array.from({ length: count }, (_, index) => {
    const id = `T${index + 1}`;
    const dependsOn = index > 0 && dice.roll(3) === 0 ? [`T${1 + dice.roll(index)}`] : [];
    const checks = dice.pick(
      [`file: out-${id}`],
      [`file: out-${id}`, 'run: npm test'],
      ['human: is it nice?'],
      [`file: out-${id}`, 'human: is it nice?'],
      [],
    );
    const writes = dice.pick<string[] | null>(null, null, [`src/${id}/**`], []);
    const more = { dependsOn, checks, writes, performer: dice.pick('mine', 'mine', 'inline', 'human'), repeatable: dice.roll(4) !== 0 };
    return taskOf(id, more);
  });
}

/** Most looks come out as the moment suggests; some do not, some bring nothing back. */
function randomLooks(dice: Dice, checks: string[], likely: LookResult): Look[] {
  return checks
    .filter((check) => !check.startsWith('human:') && dice.roll(20) !== 0)
    .map((check) => ({
      check,
      is: dice.pick<LookResult>(likely, likely, likely, likely, likely, 'holds', 'disproved', 'unobservable'),
      saw: 'seen',
    }));
}

function likelyLook(move: Extract<Move, { is: 'observe' }>): LookResult {
  if (move.when !== 'after') return move.when === 'before' ? 'disproved' : 'holds';
  const end = move.attempt.end;
  return end?.is === 'answered' && end.claim.status === 'done' ? 'holds' : 'disproved';
}

function randomEnd(dice: Dice, at: number): End {
  const status = dice.pick<Claim['status']>('done', 'done', 'done', 'partial', 'blocked', 'failed', 'no_op');
  const blocker = dice.pick<string | undefined>(undefined, 'a-wall', 'another-wall');
  const honest: End = { is: 'answered', claim: claimOf('done'), code: 0 };
  return dice.pick<End>(
    honest,
    honest,
    honest,
    honest,
    { is: 'answered', claim: claimOf(status, blocker === undefined ? {} : { blocker }), code: 0 },
    { is: 'answered', claim: claimOf(status, { unresolved: ['something'] }), code: 1 },
    { is: 'exited', code: dice.roll(3) },
    { is: 'signalled', signal: 'SIGKILL' },
    { is: 'lost' },
    { is: 'timeout' },
    { is: 'limited', until: dice.pick(null, at + 1000), why: 'usage limit' },
    { is: 'cut' },
  );
}

function randomPlanned(dice: Dice, run: Run): Planned {
  const version = run.plan.version + dice.pick(1, 1, 1, 1, 0, 2);
  const highest = [...run.ledger, ...run.plan.tasks.map((task) => ({ task: task.id }))].reduce(
    (max, one) => Math.max(max, Number(/^T(\d+)/.exec(one.task)?.[1] ?? 0)),
    0,
  );
  const continued = new Set(run.ledger.flatMap((entry) => [entry.continues, entry.reopens, entry.undoes]));
  const open = run.ledger.filter((entry) => !['done', 'no_op'].includes(entry.status) && !continued.has(entry.task));
  const heirs = open.map((entry, index) =>
    taskOf(`T${highest + 1 + index}`, {
      states: dice.roll(6) === 0 ? 'somebody tried' : entry.states,
      checks: dice.roll(6) === 0 ? ['run: true'] : entry.checks,
      ...heirOf(dice, run, entry.task),
    }),
  );
  const survivors =
    dice.roll(6) === 0
      ? []
      : run.plan.tasks.map((task) => ({ ...task, dependsOn: task.dependsOn.filter((id) => !open.some((entry) => entry.task === id)) }));
  return dice.pick<Planned>(
    { is: 'plan', plan: { version, goal: 'g', tasks: [...heirs, ...survivors], sha256: `plan-${version}`, noOp: false } },
    { is: 'plan', plan: { version, goal: 'g', tasks: [...heirs, ...survivors], sha256: `plan-${version}`, noOp: false } },
    { is: 'plan', plan: { version, goal: 'g', tasks: [], sha256: 'no', noOp: true } },
    { is: 'none', reason: 'nothing' },
    { is: 'holds', reason: 'fine' },
    { is: 'unreadable', problems: ['prose'] },
  );
}

/** A planner may forget to say what it goes on with, or say it where it may not. */
function heirOf(dice: Dice, run: Run, task: string): Partial<Task> {
  const slip = dice.roll(10);
  if (slip === 0) return {};
  return (run.planning?.reopening.includes(task) ?? false) === slip > 1 ? { reopens: task } : { continues: task };
}

function answerTo(dice: Dice, run: Run, move: Move, at: number): Answer | null {
  const head = { move: move.id, at };
  if (dice.roll(25) === 0 && move.is !== 'person') return { ...head, is: 'unclear', counts: dice.roll(2) === 0 };
  const cost = dice.pick({ usd: 0.1, tokens: 10 }, { usd: null, tokens: null });
  switch (move.is) {
    case 'observe': {
      const checks =
        move.when === 'sweep' ? move.looks.map((look) => look.check) : move.when === 'resolution' ? [move.check] : move.attempt.task.checks;
      return { ...head, is: 'observed', observation: { ...NOTHING_SEEN, looks: randomLooks(dice, checks, likelyLook(move)) } };
    }
    case 'dispatch':
      return { ...head, is: 'ended', end: move.cut && dice.roll(2) === 0 ? { is: 'cut' } : randomEnd(dice, at), cost };
    case 'wait':
      return { ...head, is: 'elapsed' };
    case 'replan':
    case 'read':
      return { ...head, is: 'planned', planned: randomPlanned(dice, run), cost };
    case 'record':
      return { ...head, is: 'recorded', sha256: `sha-${move.id}` };
    case 'person':
      return null;
  }
}

function randomMessage(dice: Dice, run: Run, at: number): Message {
  const id = `msg-${dice.roll(60)}`;
  const who = { id, by: 'ana', at, ...(dice.roll(8) === 0 ? { shown: dice.roll(3) } : {}) };
  const task = `T${1 + dice.roll(6)}`;
  const blocker = dice.pick(run.ledger.at(-1)?.blocker ?? 'x', 'a-wall', 'budget-dispatches', task);
  const asked = run.questions.find((question) => question.kind === 'attest')?.task ?? task;
  return dice.pick<Message>(
    { ...who, name: 'attest', task: asked, happened: 'yes' },
    { ...who, name: 'attest', task: asked, happened: 'yes' },
    { ...who, name: 'attest', task, happened: dice.pick('yes', 'no', 'partly') },
    { ...who, name: 'attest', task, happened: 'yes' },
    { ...who, name: 'resolve', blocker, resolution: 'done', ...(dice.roll(2) === 0 ? { check: 'test -s key' } : {}) },
    { ...who, name: 'decide', gate: blocker, decision: dice.pick('approve', 'reject') },
    { ...who, name: 'replan', plan: '# PLAN' },
    { ...who, name: 'message', to: 'performer', text: 'hello' },
    { ...who, name: 'pause' },
    { ...who, name: 'resume' },
    { ...who, name: 'resume' },
    ...(dice.roll(6) === 0 ? [{ ...who, name: 'stop' } as Message] : []),
  );
}

/** Answers whatever is listed, honestly enough to end; used once the dice are spent, so that every run closes. */
function settleDown(run: Run, at: number): Run {
  let current = run;
  if (current.paused !== null) current = advance(current, { id: 'unpause', by: 'ana', at, name: 'resume' });
  for (let step = 0; step < STEPS_MAX && current.outcome === null; step++) {
    const moves = nextMoves(current);
    const move = moves.find((one) => one.is !== 'person' && one.is !== 'wait') ?? moves.find((one) => one.is === 'wait');
    if (move === undefined) throw new Error(`nothing is listed and the run is open: ${JSON.stringify(current)}`);
    const answer = answerTo(new Dice(step, 100), current, move, at);
    if (answer === null) throw new Error('unexpected');
    current = checked(
      advance(current, move.is === 'replan' ? { move: move.id, at, is: 'planned', planned: { is: 'none', reason: 'enough' } } : answer),
      'settling',
    );
  }
  return current;
}

function checked(run: Run, words: string): Run {
  const broken = violations(run);
  if (broken.length > 0) throw new Error(`${words}: ${broken.join('; ')}`);
  return run;
}

/** Entries are only ever appended, and what they say of the past never changes (R9). */
function checkAppendOnly(before: Run, after: Run): void {
  before.ledger.forEach((entry, index) => {
    const later = after.ledger[index];
    expect({ ...later, gates: [], sha256: '' }).toEqual({ ...entry, gates: [], sha256: '' });
    expect(later?.gates.length).toBeGreaterThanOrEqual(entry.gates.length);
  });
}

function play(seed: number, rolls: number): Run {
  const dice = new Dice(seed, rolls);
  const policy = {
    planner: dice.roll(4) !== 0,
    onBlocked: dice.pick<'report' | 'wait'>('report', 'wait'),
    askPlanner: dice.pick<'mechanical' | 'on-news' | 'always'>('on-news', 'mechanical', 'always'),
    finalSweep: dice.roll(5) !== 0,
  };
  const limits = { ...LIMITS_DEFAULT, parallel: 1 + dice.roll(3), dispatches: dice.pick(200, 3, 6) };
  let run = checked(runOf(randomPlan(dice), { policy: { ...POLICY, ...policy }, limits }), 'opened');
  const past: Answer[] = [];
  const sent = new Set<string>();
  let at = 0;
  for (let step = 0; step < STEPS_MAX && !dice.empty && run.outcome === null; step++) {
    at += dice.roll(3) * 500;
    const listed = nextMoves(run);
    const patient = listed.filter((move) => move.is !== 'wait' || dice.roll(8) === 0);
    const moves = patient.length > 0 ? patient : listed;
    const kind = dice.roll(14);
    const stale = past[dice.roll(Math.max(1, past.length))];
    const move = moves[dice.roll(Math.max(1, moves.length))];
    const input =
      kind === 0
        ? randomMessage(dice, run, at)
        : kind === 1 && stale !== undefined
          ? { ...stale, at }
          : move === undefined
            ? null
            : answerTo(dice, run, move, at);
    if (input === null) continue;
    const next = checked(advance(run, input), JSON.stringify(input));
    checkAppendOnly(run, next);
    if ('name' in input) sent.add(input.id);
    else past.push(input);
    run = dice.roll(7) === 0 ? (JSON.parse(JSON.stringify(next)) as Run) : next;
  }
  const closed = run.outcome === null ? settleDown(run, at) : run;
  const unanswered = [...sent].filter((id) => !closed.handled.some((one) => one.id === id));
  if (unanswered.length > 0) throw new Error(`R12: ${unanswered.join(', ')} got no answer`);
  return closed;
}

describe('any sequence of answers and messages', () => {
  it('keeps the invariants and comes to an end', () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer({ min: 20, max: 1500 }), (seed, rolls) => {
        expect(play(seed, rolls).outcome).not.toBeNull();
      }),
      { numRuns: RUNS },
    );
  }, 120_000);
});
