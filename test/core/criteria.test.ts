import { describe, expect, it } from 'vitest';
import { type Contract, criteriaOf, outcomeOf } from '../../core/criteria.js';
import { ASKS_MAX } from '../../core/limits.js';
import { advance } from '../../core/run.js';
import type { Entry, GateRecord, Run, Status, Task } from '../../core/values.js';
import { POLICY, runOf, taskOf } from '../support/run-values.js';
import { carryOn, honest, says } from '../support/steps.js';

/** R20: what a run came to is a total function of its entries and criteria. */
const PLAN: Contract = { criteria: null };
const spec = (...criteria: [string, string[] | null][]): Contract => ({ criteria: criteria.map(([id, through]) => ({ id, through })) });

const EXHAUSTED: GateRecord = { is: 'exhausted', blocker: 'x', why: '', final: false, at: 1 };
const HOLDS: GateRecord = { is: 'holds', at: 1 };

function entry(task: string, status: Status, more: Partial<Entry> = {}): Entry {
  const settled = status === 'done' || status === 'no_op';
  return {
    seq: 1,
    task,
    title: task,
    status,
    label: 'verified',
    planVersion: 1,
    attempt: 1,
    performer: 'mine',
    covers: [],
    states: `promise of ${task}`,
    checks: [],
    observed: settled ? 'holds' : 'disproved',
    asOf: 1,
    gates: [settled ? HOLDS : EXHAUSTED],
    cost: { usd: 0, tokens: 0 },
    startedAt: 0,
    endedAt: 0,
    text: null,
    ...more,
  };
}

/** A run that came to these entries, with these tasks left in its plan. */
function cameTo(entries: Entry[], left: Task[] = []): Run {
  const run = runOf([]);
  return { ...run, ledger: entries.map((one, at) => ({ ...one, seq: at + 1 })), plan: { ...run.plan, tasks: left } };
}

function states(run: Run, contract: Contract): string[] {
  return criteriaOf(run, contract).map(
    (one) => `${one.id} ${one.state} ${one.label}${one.by.length > 0 ? ` by ${one.by.join(', ')}` : ''}`,
  );
}

describe('without a SPEC every promise is a criterion, under the id of the task that first stated it', () => {
  it('done and no_op satisfy it', () => {
    expect(states(cameTo([entry('T1', 'done'), entry('T2', 'no_op')]), PLAN)).toEqual([
      'T1 satisfied verified by T1',
      'T2 satisfied verified by T2',
    ]);
  });

  it('what was taken over as done without evidence does not satisfy it (R4)', () => {
    const run = { ...runOf([]), ledger: [entry('T9', 'done', { covers: ['AC-001'], unshown: true })] };
    expect([criteriaOf(run, spec(['AC-001', null])), outcomeOf(run, spec(['AC-001', null]))]).toEqual([
      [{ id: 'AC-001', state: 'unverifiable', label: 'unverified', by: ['T9'] }],
      'PARTIAL',
    ]);
  });

  it('a continuation takes the place of what it continues', () => {
    const run = cameTo([entry('T1', 'failed'), entry('T2', 'done', { continues: 'T1', states: 'the rest' })]);
    expect(states(run, PLAN)).toEqual(['T1 satisfied verified by T2']);
  });

  it('a chain of continuations is followed to its end', () => {
    const run = cameTo([
      entry('T1', 'failed'),
      entry('T2', 'partial', { continues: 'T1', states: 'the rest' }),
      entry('T3', 'done', { continues: 'T2', states: 'the last of it' }),
    ]);
    expect(states(run, PLAN)).toEqual(['T1 satisfied verified by T3']);
  });

  it('a remainder in two parts is satisfied when both are', () => {
    const half = entry('T2', 'done', { continues: 'T1', states: 'one half' });
    const other = (status: Status) => entry('T3', status, { continues: 'T1', states: 'the other half' });
    expect([other('done'), other('failed')].map((one) => states(cameTo([entry('T1', 'partial'), half, one]), PLAN))).toEqual([
      ['T1 satisfied verified by T2, T3'],
      ['T1 unsatisfied verified by T2, T3'],
    ]);
  });

  it('the same words under another id, or Restates, carry an open promise on', () => {
    const same = entry('T2', 'done', { states: 'promise of T1' });
    const restated = entry('T2', 'done', { states: 'in other words', restates: 'promise of T1' });
    expect([same, restated].map((one) => states(cameTo([entry('T1', 'failed'), one]), PLAN))).toEqual([
      ['T1 satisfied verified by T2'],
      ['T1 satisfied verified by T2'],
    ]);
  });

  it('what a sweep found undone is unsatisfied until it is mended', () => {
    const undone = [entry('T1', 'done'), entry('F1', 'failed', { undoes: 'T1', states: 'promise of T1' })];
    const mended = entry('T2', 'done', { continues: 'F1', states: 'promise of T1' });
    expect([undone, [...undone, mended]].map((entries) => states(cameTo(entries), PLAN))).toEqual([
      ['T1 unsatisfied verified by F1'],
      ['T1 satisfied verified by T2'],
    ]);
  });

  it('a task without an entry is open', () => {
    expect(states(cameTo([entry('T1', 'done')], [taskOf('T2')]), PLAN)).toEqual(['T1 satisfied verified by T1', 'T2 open unverified']);
  });
});

describe('with a SPEC its criteria count, through Covers', () => {
  it('one is satisfied when every task that covers it is done', () => {
    const contract = spec(['AC-001', null]);
    const one = entry('T1', 'done', { covers: ['AC-001'] });
    const two = (status: Status) => entry('T2', status, { covers: ['AC-001', 'AC-002'] });
    expect([two('no_op'), two('failed')].map((second) => states(cameTo([one, second]), contract))).toEqual([
      ['AC-001 satisfied verified by T1, T2'],
      ['AC-001 unsatisfied verified by T1, T2'],
    ]);
  });

  it('a Must FR stands for all ACs that name it', () => {
    const contract = spec(['AC-001', null], ['AC-002', null], ['FR-001', ['AC-001', 'AC-002']]);
    const run = cameTo([entry('T1', 'done', { covers: ['AC-001'] })], [taskOf('T2', { covers: ['AC-002'] })]);
    expect(states(run, contract)).toEqual(['AC-001 satisfied verified by T1', 'AC-002 open unverified', 'FR-001 open unverified by T1']);
  });

  it('a Must FR that no AC names counts by its own Covers', () => {
    expect(states(cameTo([entry('T1', 'done', { covers: ['FR-002'] })]), spec(['FR-002', []]))).toEqual([
      'FR-002 satisfied verified by T1',
    ]);
  });

  it('a criterion that nothing covers is open, whatever else is done (A06)', () => {
    const run = cameTo([entry('T1', 'done', { covers: ['AC-001'] })]);
    expect([states(run, spec(['AC-001', null], ['AC-002', null])), outcomeOf(run, spec(['AC-001', null], ['AC-002', null]))]).toEqual([
      ['AC-001 satisfied verified by T1', 'AC-002 open unverified'],
      'PARTIAL',
    ]);
  });

  it('a task that covers none counts by its own promise', () => {
    const run = cameTo([entry('T1', 'done', { covers: ['AC-001'] }), entry('T2', 'failed')]);
    expect(states(run, spec(['AC-001', null]))).toEqual(['AC-001 satisfied verified by T1', 'T2 unsatisfied verified by T2']);
  });
});

// Seed 002 §4.
describe('a criterion is as sure as its weakest evidence', () => {
  it.each([
    ['verified and attested', [entry('T1', 'done'), entry('T2', 'done', { label: 'attested' })], 'satisfied attested'],
    ['done but unverified, which nothing may write (R4)', [entry('T1', 'done', { label: 'unverified' })], 'unsatisfied unverified'],
    ['seen not to hold', [entry('T1', 'partial')], 'unsatisfied verified'],
    ['failed without a look', [entry('T1', 'failed', { observed: null, label: 'unverified' })], 'unsatisfied unverified'],
    ['not observable', [entry('T1', 'partial', { observed: 'unobservable', label: 'unverified' })], 'unverifiable unverified'],
    ['blocked before anybody looked', [entry('T1', 'blocked', { observed: null, label: 'unverified' })], 'unverifiable unverified'],
  ])('%s', (_title, entries, words) => {
    const covering = entries.map((one) => ({
      ...one,
      covers: ['AC-001'],
      observed: one.label === 'unverified' && one.status === 'done' ? ('disproved' as const) : one.observed,
    }));
    expect(criteriaOf(cameTo(covering), spec(['AC-001', null])).map((one) => `${one.state} ${one.label}`)).toEqual([words]);
  });
});

describe('the outcome is the first that fits', () => {
  const cases: [string, Entry[], Task[], string][] = [
    ['everything held already', [entry('T1', 'no_op'), entry('T2', 'no_op')], [], 'NO_OP'],
    ['an empty plan', [], [], 'NO_OP'],
    ['everything is done', [entry('T1', 'done'), entry('T2', 'no_op')], [], 'COMPLETED'],
    ['a failure that was mended', [entry('T1', 'failed', { gates: [] }), entry('T2', 'done', { continues: 'T1' })], [], 'COMPLETED'],
    ['a blocked task', [entry('T1', 'done'), entry('T2', 'blocked')], [], 'BLOCKED'],
    ['a blocked task beside a failed one', [entry('T1', 'failed'), entry('T2', 'blocked')], [], 'BLOCKED'],
    [
      'a blocked task that somebody routed around',
      [entry('T1', 'blocked', { gates: [] }), entry('T2', 'done', { continues: 'T1' })],
      [],
      'COMPLETED',
    ],
    ['one seen not to hold, no way left', [entry('T1', 'done'), entry('T2', 'partial')], [], 'FAILED'],
    ['one seen not to hold, its gate still required', [entry('T1', 'failed', { gates: [{ is: 'required', at: 1 }] })], [], 'PARTIAL'],
    ['one that nobody could observe', [entry('T1', 'partial', { observed: 'unobservable', label: 'unverified' })], [], 'PARTIAL'],
    ['work that is left', [entry('T1', 'done')], [taskOf('T2')], 'PARTIAL'],
    ['nothing was begun', [], [taskOf('T1')], 'PARTIAL'],
    ['all done over an exhausted gate', [entry('T1', 'done', { gates: [EXHAUSTED] })], [], 'PARTIAL'],
  ];

  it.each(cases)('%s', (_title, entries, left, outcome) => {
    expect(outcomeOf(cameTo(entries, left), PLAN)).toBe(outcome);
  });

  it('a whole log of good entries is not the goal: only criteria count (A15)', () => {
    const run = cameTo([entry('T1', 'done', { covers: ['AC-001'] }), entry('T2', 'done', { covers: ['AC-001'] })]);
    expect(outcomeOf(run, spec(['AC-001', null], ['AC-009', null]))).toBe('PARTIAL');
  });
});

describe('the look before closing', () => {
  const two = () => runOf([taskOf('T1'), taskOf('T2')]);

  it('runs each check behind what is satisfied once more, where something happened since', () => {
    const run = carryOn(two(), {}, (one) => one.sweep !== null);
    expect([run.sweep?.asOf, carryOn(run).outcome]).toEqual([2, 'COMPLETED']);
  });

  // Seed 002 Resuming.
  it('is left out where nothing happened since', () => {
    expect(carryOn(runOf([taskOf('T1')]), {}, (one) => one.sweep !== null).outcome).toBe('COMPLETED');
  });

  it('can be switched off', () => {
    const run = carryOn(runOf([taskOf('T1'), taskOf('T2')], { policy: { ...POLICY, finalSweep: false } }), {
      sweep: { 'file: out-T1': 'disproved' },
    });
    expect([run.outcome, run.ledger.length]).toEqual(['COMPLETED', 2]);
  });

  // Seed 002 §5.
  it('finds what a later task broke: an entry of its own, and no COMPLETED', () => {
    const run = carryOn(two(), { sweep: { 'file: out-T1': 'disproved' } });
    expect([run.ledger.at(-1)?.task, run.ledger.at(-1)?.undoes, run.ledger.at(-1)?.text?.stateDelta, run.outcome]).toEqual([
      'F1',
      'T1',
      ['what T1 made true no longer holds: file: out-T1 (disproved)'],
      'FAILED',
    ]);
  });

  it('gives its entry an id that no task has', () => {
    const run = carryOn(runOf([taskOf('F1'), taskOf('T2')]), { sweep: { 'file: out-F1': 'disproved' } });
    expect(run.ledger.map((one) => one.task)).toEqual(['F1', 'T2', 'F2']);
  });

  it('asks nobody again for a human check', () => {
    const nice = taskOf('T1', { checks: ['human: is it nice?'], performer: 'human' });
    const run = carryOn(runOf([nice, taskOf('T2')]), {}, (one) => one.questions.length > 0);
    expect(run.questions[0]?.ask).toBe('Part T1 — is it nice?');
  });

  it('that cannot see a check again closes the run, and keeps which it was for the report (R11)', () => {
    const run = carryOn(two(), { sweep: { 'file: out-T1': 'unobservable' } });
    const unseen = [{ check: 'file: out-T1', saw: 'unobservable' }];
    expect([run.outcome, run.swept]).toEqual(['COMPLETED', { checks: 1, broken: 0, unseen, unseenInAll: 1 }]);
  });

  it('that could not be made at all is said as well', () => {
    let run = carryOn(two(), {}, (one) => one.sweep !== null);
    for (let asked = 0; asked < ASKS_MAX; asked++)
      run = advance(run, { move: run.sweep?.move ?? '', at: run.clock + 1, is: 'unclear', counts: true });
    const unseen = [{ check: 'file: out-T1', saw: 'the look could not be made' }];
    expect([run.swept, carryOn(run).outcome]).toEqual([{ checks: 1, broken: 0, unseen, unseenInAll: 1 }, 'COMPLETED']);
  });

  it('does not happen before an end that is not COMPLETED', () => {
    const run = carryOn(two(), { ends: { T1: [honest], T2: [says('blocked', { blocker: 'no-key' })] } }, (one) => one.sweep !== null);
    expect([run.sweep, run.outcome]).toEqual([null, 'BLOCKED']);
  });
});
