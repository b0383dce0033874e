import { describe, expect, it } from 'vitest';
import { tokenOf } from '../../core/attempt.js';
import { LIMITS_DEFAULT } from '../../core/limits.js';
import type { Pipeline } from '../../core/methods/pipeline-values.js';
import { advance, nextMoves } from '../../core/run.js';
import type { Answer, Message, Move, Run, Task } from '../../core/values.js';
import { violations } from '../../core/violations.js';
import { Dice } from '../support/dice.js';
import { fc } from '../support/fast-check.js';
import { pipelineRun } from '../support/pipeline-values.js';
import { PipelineWitness } from '../support/pipeline-witness.js';
import { answerTo, randomPipeline, randomPipelineMessage } from '../support/random-pipeline.js';
import { POLICY } from '../support/run-values.js';

/**
 * Any pipeline, any blocks, verdicts, artifacts, losses and messages, stale, doubled and out of order: the bounds hold,
 * nothing is done without a delivery, nothing is approved by absence, and the ledger alone says at every moment what is
 * left to do.
 */
const STEPS_MAX = 400;
const RUNS = Number(process.env.DONEWHEN_RANDOM_RUNS ?? 10_000);
const RUNS_TIMEOUT_MS = 600_000;

class Play {
  run: Run;
  at = 0;
  private readonly witness: PipelineWitness;
  private readonly past: Answer[] = [];
  private readonly policy: Run['policy'];
  private readonly limits: Run['limits'];

  constructor(
    private readonly dice: Dice,
    private readonly pipeline: Pipeline,
  ) {
    this.policy = { ...POLICY, planner: dice.oneIn(2), onBlocked: dice.pick('report', 'wait'), finalSweep: !dice.oneIn(4) };
    this.limits = { ...LIMITS_DEFAULT, parallel: 1 + dice.roll(3), dispatches: dice.pick(200, 200, 4) };
    this.run = pipelineRun(pipeline.steps, { policy: this.policy, limits: this.limits });
    this.witness = new PipelineWitness(pipeline);
    this.check('opened');
  }

  take(input: Answer | Message): void {
    const before = this.run;
    if ('move' in input) this.witness.answered(before, input);
    this.run = advance(before, input);
    if ('move' in input) this.past.push(input);
    else this.witness.said(input, before, this.run);
    this.check(JSON.stringify(input), before);
  }

  private check(words: string, before?: Run): void {
    const moved = before === undefined || before.ledger !== this.run.ledger || before.plan !== this.run.plan;
    const found = [...violations(this.run), ...(moved ? [...this.witness.objections(this.run), ...this.forgotten()] : [])];
    if (found.length > 0) throw new Error(`${words}: ${found.join('; ')}`);
  }

  /** Opened from the entries alone, the run has the same left to do, the same criteria and the same outcome to come. */
  private forgotten(): string[] {
    const { ledger } = this.run;
    if (ledger.some(({ gates }) => gates.at(-1)?.is === 'required')) return [];
    const again = pipelineRun(this.pipeline.steps, {
      entries: ledger.map(recorded),
      policy: this.policy,
      limits: this.limits,
      at: this.at,
    });
    const left = ({ plan: { version, tasks } }: Run) =>
      JSON.stringify([version, tasks.map((task) => ({ ...task, dependsOn: open(task, tasks) }))]);
    return left(again) === left(this.run) ? [] : [`resumed, ${left(again)} is left, not ${left(this.run)}`];
  }

  carryOn(): void {
    const { dice } = this;
    for (let step = 0; step < STEPS_MAX && !dice.empty && this.run.outcome === null; step++) {
      this.at += dice.roll(3) * 500;
      const input = this.next();
      if (input !== null) this.take(input);
      if (dice.oneIn(7)) this.run = JSON.parse(JSON.stringify(this.run)) as Run;
    }
  }

  private next(): Answer | Message | null {
    const { dice, run, at } = this;
    const moves = nextMoves(run).filter((move) => move.is !== 'wait' || dice.oneIn(8));
    const stale = this.past[dice.roll(Math.max(1, this.past.length))];
    const kind = dice.roll(12);
    if (kind === 0 || moves.every(({ is }) => is === 'person')) return randomPipelineMessage(dice, run, at);
    if (kind === 1 && stale !== undefined) return { ...stale, at };
    const move = moves[dice.roll(moves.length)];
    return move === undefined ? null : answerTo(dice, this.pipeline, move, at);
  }

  /** Whatever the answers are from here on, it comes to an end. */
  settleDown(): void {
    if (this.run.paused !== null) this.take({ id: 'unpause', by: 'ana', at: this.at, name: 'resume' });
    for (let step = 0; this.run.outcome === null; step++) {
      if (step > 10 * STEPS_MAX) throw new Error('the pipeline goes on for ever');
      const moves = nextMoves(this.run);
      const move = moves.find(({ is }) => is !== 'person' && is !== 'wait') ?? moves.find(({ is }) => is === 'wait');
      if (move === undefined) throw new Error(`nothing is listed and the run is open: ${JSON.stringify(this.run)}`);
      if (move.is === 'wait') this.at = Math.max(this.at, move.until);
      const answer = answerTo(new Dice(step, 100), this.pipeline, move, this.at);
      if (answer !== null) this.take(answer);
    }
  }
}

/** Of what a task waits for, what is still to be done. */
function open({ dependsOn }: Task, tasks: Task[]): string[] {
  return dependsOn.filter((id) => tasks.some((task) => task.id === id));
}

/** What LEDGER.md has no line for does not come back. */
function recorded({ sha256: _sha256, ...entry }: Run['ledger'][number]): Run['ledger'][number] {
  return entry;
}

describe('any pipeline, whatever is answered', () => {
  it(
    'keeps its bounds and the invariants, calls nothing done that was not delivered, and comes to an end',
    () => {
      const outcomes = new Map<string, number>();
      const property = fc.property(fc.integer(), fc.integer({ min: 20, max: 1500 }), (seed, rolls) => {
        const dice = new Dice(seed, rolls);
        const one = new Play(dice, randomPipeline(dice));
        one.carryOn();
        one.settleDown();
        outcomes.set(String(one.run.outcome), (outcomes.get(String(one.run.outcome)) ?? 0) + 1);
      });
      fc.assert(property, { numRuns: RUNS });
      // A property over runs that all end alike shows little.
      if (RUNS >= 1000) expect([...outcomes.keys()].sort()).toEqual(['BLOCKED', 'COMPLETED', 'FAILED', 'PARTIAL']);
    },
    RUNS_TIMEOUT_MS,
  );
});

/** A world that answers each attempt always alike, whoever asks: what a supervisor's outcome by its token is in the real one. */
class SteadyWorld {
  constructor(
    private readonly seed: number,
    private readonly pipeline: Pipeline,
  ) {}

  /** null: nothing is left that anybody can answer. */
  next(run: Run, at: number): Answer | Message | null {
    const question = run.questions[0];
    if (question !== undefined && question.kind !== 'resolve') return this.said(question, at);
    const move = nextMoves(run).find(({ is }) => is !== 'person');
    if (move === undefined) return null;
    const name = 'attempt' in move ? `${tokenOf(move.attempt)} ${move.is === 'observe' ? move.when : move.is}` : move.is;
    return this.answer(move, name, at);
  }

  /** What is unclear is asked again until it is clear. */
  private answer(move: Move, name: string, at: number): Answer | null {
    const answer = answerTo(this.dice(name), this.pipeline, move, at);
    return answer?.is === 'unclear' ? this.answer(move, `${name}!`, at) : answer;
  }

  private said({ kind, task = '' }: Run['questions'][number], at: number): Message {
    const head = { id: `to ${kind} ${task}`, by: 'ana', at };
    const approves = this.dice(`${kind} ${task}`).oneIn(2);
    if (kind === 'attest') return { ...head, name: 'attest', task, happened: approves ? 'yes' : 'no' };
    return { ...head, name: 'decide', gate: task, decision: approves ? 'approve' : 'reject', reason: `not ${task}` };
  }

  private dice(name: string): Dice {
    return new Dice(
      [...name].reduce((sum, letter) => (Math.imul(sum, 31) + (letter.codePointAt(0) ?? 0)) | 0, this.seed),
      1000,
    );
  }
}

/** `crashes`: after so many steps the history is gone, and the run goes on from its entries. */
function carriedOut(seed: number, crashes: ReadonlySet<number>): { record: unknown; outcome: Run['outcome'] } {
  const pipeline = randomPipeline(new Dice(seed, 1000));
  const opening = { policy: { ...POLICY, planner: false, finalSweep: false } };
  const world = new SteadyWorld(seed, pipeline);
  let run = pipelineRun(pipeline.steps, opening);
  for (let step = 0; step < 10 * STEPS_MAX; step++) {
    const input = world.next(run, step * 1000);
    if (run.outcome !== null || input === null) return { record: run.ledger.map(kept), outcome: run.outcome };
    run = advance(run, input);
    if (crashes.has(step)) run = pipelineRun(pipeline.steps, { ...opening, entries: run.ledger.map(recorded), at: step * 1000 });
  }
  throw new Error('the pipeline goes on for ever');
}

function kept({ task, status, label, blocker, verdict, delivery, askedBy, planVersion, gates }: Run['ledger'][number]) {
  return { task, status, label, blocker, verdict, delivery, askedBy, planVersion, gates: gates.map((gate) => ({ ...gate, at: 0 })) };
}

describe('a pipeline whose history is lost, however often and wherever', () => {
  it(
    'comes to the same entries and the same outcome from its ledger alone',
    () => {
      const property = fc.property(
        fc.integer(),
        fc.array(fc.integer({ min: 0, max: 120 }), { minLength: 1, maxLength: 6 }),
        (seed, crashes) => {
          expect(carriedOut(seed, new Set(crashes))).toEqual(carriedOut(seed, new Set()));
        },
      );
      fc.assert(property, { numRuns: RUNS });
    },
    RUNS_TIMEOUT_MS,
  );
});
