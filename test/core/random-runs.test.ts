import { describe, expect, it } from 'vitest';
import { LIMITS_DEFAULT } from '../../core/limits.js';
import { advance, nextMoves } from '../../core/run.js';
import type { Answer, Message, Run } from '../../core/values.js';
import { violations } from '../../core/violations.js';
import { Dice } from '../support/dice.js';
import { fc } from '../support/fast-check.js';
import { answerTo, contractOf, randomMessage, randomPlan } from '../support/random-world.js';
import { POLICY, runOf } from '../support/run-values.js';
import { Witness } from '../support/witness.js';

/**
 * Any sequence of answers and messages, stale, doubled and out of order, by performers, planners and people who say
 * anything, keeps R1–R20, and what the run calls satisfied was seen. Dice pick what comes next; fast-check prints the seed
 * of a failure and finds its shortest run.
 */
const STEPS_MAX = 400;
const RUNS = Number(process.env.DONEWHEN_RANDOM_RUNS ?? 10_000);
const RUNS_TIMEOUT_MS = 600_000;

function opened(dice: Dice): Run {
  const policy = {
    planner: !dice.oneIn(4),
    onBlocked: dice.pick<'report' | 'wait'>('report', 'wait'),
    askPlanner: dice.pick<'mechanical' | 'on-news' | 'always'>('on-news', 'mechanical', 'always'),
    finalSweep: !dice.oneIn(5),
  };
  const limits = { ...LIMITS_DEFAULT, parallel: 1 + dice.roll(3), dispatches: dice.pick(200, 3, 6) };
  const tasks = randomPlan(dice);
  return checked(runOf(tasks, { input: contractOf(tasks), policy: { ...POLICY, ...policy }, limits }), 'opened');
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
    if (later === entry) return;
    expect({ ...later, gates: [], sha256: '' }).toEqual({ ...entry, gates: [], sha256: '' });
    expect(later?.gates.length).toBeGreaterThanOrEqual(entry.gates.length);
  });
}

/** One run under one pair of eyes. */
class Play {
  run: Run;
  at = 0;
  readonly witness: Witness;
  private readonly past: Answer[] = [];
  private readonly sent = new Set<string>();

  constructor(private readonly dice: Dice) {
    this.run = opened(dice);
    this.witness = new Witness(this.run);
  }

  take(input: Answer | Message, words: string): void {
    if ('move' in input) this.witness.answered(this.run, input);
    const next = checked(advance(this.run, input), words);
    checkAppendOnly(this.run, next);
    if ('move' in input) this.past.push(input);
    else {
      this.witness.said(input, next);
      this.sent.add(input.id);
    }
    this.run = next;
  }

  /** Whatever the dice say, until they are spent. */
  carryOn(): void {
    const { dice } = this;
    for (let step = 0; step < STEPS_MAX && !dice.empty && this.run.outcome === null; step++) {
      this.at += dice.roll(3) * 500;
      const input = this.next();
      if (input === null) continue;
      this.take(input, JSON.stringify(input));
      if (dice.oneIn(7)) this.run = JSON.parse(JSON.stringify(this.run)) as Run;
    }
  }

  private next(): Answer | Message | null {
    const { dice, run, at, past } = this;
    const listed = nextMoves(run);
    const patient = listed.filter((move) => move.is !== 'wait' || dice.oneIn(8));
    const moves = patient.length > 0 ? patient : listed;
    const kind = dice.roll(14);
    const stale = past[dice.roll(Math.max(1, past.length))];
    const move = moves[dice.roll(Math.max(1, moves.length))];
    if (kind === 0) return randomMessage(dice, run, at);
    if (kind === 1 && stale !== undefined) return { ...stale, at };
    return move === undefined ? null : answerTo(dice, run, move, at);
  }

  /** Answers whatever is listed, honestly enough to end, so that every run closes. */
  settleDown(): void {
    if (this.run.paused !== null) this.take({ id: 'unpause', by: 'ana', at: this.at, name: 'resume' }, 'settling');
    for (let step = 0; step < STEPS_MAX && this.run.outcome === null; step++) {
      const moves = nextMoves(this.run);
      const move = moves.find((one) => one.is !== 'person' && one.is !== 'wait') ?? moves.find((one) => one.is === 'wait');
      if (move === undefined) throw new Error(`nothing is listed and the run is open: ${JSON.stringify(this.run)}`);
      const head = { move: move.id, at: move.is === 'wait' ? Math.max(this.at, move.until) : this.at };
      this.at = head.at;
      const answer = answerTo(new Dice(step, 100), this.run, move, this.at);
      if (answer === null) throw new Error('unexpected');
      this.take(move.is === 'replan' ? { ...head, is: 'planned', planned: { is: 'none', reason: 'enough' } } : answer, 'settling');
    }
  }

  end(): Run {
    const unanswered = [...this.sent].filter((id) => !this.run.handled.some((one) => one.id === id));
    if (unanswered.length > 0) throw new Error(`R12: ${unanswered.join(', ')} got no answer`);
    const objections = this.witness.objections(this.run);
    if (objections.length > 0) throw new Error(objections.join('; '));
    return this.run;
  }
}

function play(seed: number, rolls: number): Run {
  const one = new Play(new Dice(seed, rolls));
  one.carryOn();
  one.settleDown();
  return one.end();
}

describe('any sequence of answers and messages', () => {
  // Seed 002 The loop, §5, §6, §7, §8, §4.
  it(
    'keeps the invariants, calls nothing satisfied that nobody confirmed, gives up no promise, and comes to an end',
    () => {
      const outcomes = new Map<string, number>();
      const property = fc.property(fc.integer(), fc.integer({ min: 20, max: 1500 }), (seed, rolls) => {
        const { outcome } = play(seed, rolls);
        expect(outcome).not.toBeNull();
        outcomes.set(String(outcome), (outcomes.get(String(outcome)) ?? 0) + 1);
      });
      fc.assert(property, { numRuns: RUNS });
      // A property over runs that all end alike shows little.
      if (RUNS >= 1000) expect([...outcomes.keys()].sort()).toEqual(['BLOCKED', 'COMPLETED', 'FAILED', 'NO_OP', 'PARTIAL']);
    },
    RUNS_TIMEOUT_MS,
  );
});
