import { describe, expect, it } from 'vitest';
import { runJson } from '../../core/run-json.js';
import type { Entry, GateRecord, Policy, Run } from '../../core/values.js';
import { POLICY, planOf, runOf, taskOf } from '../support/run-values.js';
import { carryOn, ledgerOf, told } from '../support/steps.js';

/** A run that takes over the ledger of an earlier execution. */
const HOLDS: GateRecord = { is: 'holds', at: 0 };
const EXHAUSTED: GateRecord = { is: 'exhausted', blocker: 'no-key', why: '', final: false, at: 0 };

function entryOf(task: string, more: Partial<Entry> = {}): Entry {
  return {
    seq: 1,
    task,
    title: `Part ${task}`,
    status: 'done',
    label: 'verified',
    planVersion: 1,
    attempt: 1,
    performer: 'mine',
    covers: [],
    states: `promise of ${task}`,
    checks: [`file: out-${task}`],
    observed: 'holds',
    asOf: 0,
    gates: [HOLDS],
    cost: { usd: 0.25, tokens: 900 },
    startedAt: 0,
    endedAt: 0,
    text: null,
    ...more,
  };
}

const blocked = (task: string, more: Partial<Entry> = {}) =>
  entryOf(task, { status: 'blocked', observed: 'disproved', blocker: 'no-key', gates: [EXHAUSTED], ...more });
const totals = (entries: Entry[]) => {
  const { dispatches, cost } = runJson(runOf([], { entries, plan: planOf() }), 'donewhen-demo');
  return { dispatches, cost };
};

describe('the totals of a run', () => {
  it('are over all entries of its ledger, also those of earlier executions', () => {
    expect(totals([entryOf('T1'), entryOf('T2', { cost: { usd: 0.5, tokens: 100 } })])).toEqual({
      dispatches: 2,
      cost: { usd: 0.75, tokens: 1000, unknown: false },
    });
  });

  it('count nobody who was never sent, and keep apart what nobody said', () => {
    const nobody = { usd: null, tokens: null };
    expect([
      totals([entryOf('T1', { status: 'no_op', cost: nobody }), entryOf('T2', { performer: 'human', cost: nobody })]),
      totals([entryOf('T1', { cost: nobody })]),
      totals([blocked('T1')]),
    ]).toEqual([
      { dispatches: 0, cost: { usd: 0, tokens: 0, unknown: false } },
      { dispatches: 1, cost: { usd: 0, tokens: 0, unknown: true } },
      // A planner was asked about it, and an entry does not say what that cost.
      { dispatches: 1, cost: { usd: 0.25, tokens: 900, unknown: true } },
    ]);
  });
});

describe('what holds before the work', () => {
  const lastOf = (run: Run) => [ledgerOf(run).at(-1), run.ledger.at(-1)?.text?.words];

  it('after a ledger that breaks off may be unrecorded work of its run (B01)', () => {
    const run = runOf([], { entries: [entryOf('T1')], plan: planOf(taskOf('T1'), taskOf('T2')) });
    expect(lastOf(carryOn(run, { before: { T2: 'holds' } }))).toEqual([
      'T2 done verified | holds',
      ['reconstructed after an interruption: an earlier run may have done it without recording'],
    ]);
  });

  it('after a run that ended exhausted and was resolved was there, for nothing was interrupted', () => {
    const policy: Policy = { ...POLICY, planner: false, onBlocked: 'wait' };
    const closed = runOf([], { entries: [blocked('T1')], plan: planOf(), policy });
    const resolved = told(closed, { name: 'resolve', blocker: 'no-key', resolution: 'the key is there' });
    expect(lastOf(carryOn(resolved, { before: { T2: 'holds' } }))).toEqual([
      'T2 no_op verified | holds',
      ['it held before anybody was sent'],
    ]);
  });
});
