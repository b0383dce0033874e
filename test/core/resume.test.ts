import { describe, expect, it } from 'vitest';
import { advance, nextMoves } from '../../core/run.js';
import type { Entry, GateRecord, Planned, Policy, Run, Task } from '../../core/values.js';
import { POLICY, planOf, runOf, seen, taskOf } from '../support/run-values.js';
import { carryOn, checked, ledgerOf, listed, planned, says, told, until, written } from '../support/steps.js';

/** Seed 002, Resuming and Exit: a run that is opened from PLAN.md and LEDGER.md alone. */
const HOLDS: GateRecord = { is: 'holds', at: 0 };
const REQUIRED: GateRecord = { is: 'required', at: 0 };
const EXHAUSTED: GateRecord = { is: 'exhausted', blocker: 'x', why: '', final: false, at: 0 };

/** An entry as it is read from a ledger: of its gates only the last is there, and nothing has a time. */
function entryOf(task: string, more: Partial<Entry> = {}): Entry {
  const status = more.status ?? 'failed';
  const settled = status === 'done' || status === 'no_op';
  return {
    seq: 1,
    task,
    title: `Part ${task}`,
    status,
    label: 'verified',
    planVersion: 1,
    attempt: 1,
    performer: 'mine',
    covers: [],
    states: `promise of ${task}`,
    checks: [`file: out-${task}`],
    observed: settled ? 'holds' : 'disproved',
    ...(status === 'blocked' || status === 'failed' ? { blocker: 'x' } : {}),
    asOf: 0,
    gates: [],
    cost: { usd: null, tokens: null },
    startedAt: 0,
    endedAt: 0,
    text: null,
    ...more,
  };
}

const done = (task: string, more: Partial<Entry> = {}) => entryOf(task, { status: 'done', gates: [HOLDS], ...more });

function resumed(entries: Entry[], plan: { version: number; tasks: Task[] }, policy: Partial<Policy> = {}): Run {
  const run = runOf([], { entries, plan: { ...planOf(...plan.tasks), version: plan.version }, policy: { ...POLICY, ...policy } });
  return checked(run);
}

/** What continues T1, by name. */
const t2 = (more: Partial<Task> = {}) => taskOf('T2', { states: 'promise of T1', checks: ['file: out-T1'], continues: 'T1', ...more });

/** What is done first: the gate, in the words of the ledger, and what is asked of the world then. */
function first(run: Run): { gates: string[]; next: string[] } {
  return { gates: ledgerOf(run).map((line) => line.split(' | ')[1] ?? ''), next: listed(written(run)) };
}

describe('the gate of the last entry is missing: it runs now', () => {
  // Seed 002 Resuming.
  // Seed 002 §5.
  it('done: the plan holds, and the next task is looked at', () => {
    const run = resumed([done('T1', { gates: [] })], { version: 1, tasks: [taskOf('T1'), taskOf('T2')] });
    expect(first(run)).toEqual({ gates: ['holds'], next: ['look before T2'] });
  });

  it.each(['partial', 'blocked', 'failed'] as const)('%s: a replan is required and the planner is asked', (status) => {
    const run = resumed([entryOf('T1', { status })], { version: 1, tasks: [taskOf('T1'), taskOf('T2')] });
    expect(first(run)).toEqual({ gates: ['required'], next: ['planner replan'] });
  });

  // Seed 002 §5.
  it('the third attempt of a lineage: exhausted, by the count in the ledger (D01)', () => {
    const lineage = [
      entryOf('T1', { gates: [{ is: 'done', version: 2, at: 0 }] }),
      entryOf('T2', { continues: 'T1', planVersion: 2, blocker: 'y', gates: [{ is: 'done', version: 3, at: 0 }] }),
      entryOf('T3', { continues: 'T2', planVersion: 3, blocker: 'z' }),
    ];
    const run = resumed(lineage, { version: 3, tasks: [] });
    expect(first(run)).toEqual({ gates: ['done 2', 'done 3', 'required → exhausted'], next: ['record report'] });
  });

  it('the same blocker as the task that it continues: exhausted', () => {
    const lineage = [entryOf('T1', { gates: [{ is: 'done', version: 2, at: 0 }] }), entryOf('T2', { continues: 'T1', planVersion: 2 })];
    expect(first(resumed(lineage, { version: 2, tasks: [] })).gates).toEqual(['done 2', 'required → exhausted']);
  });
});

describe('replan required', () => {
  // Seed 002 Resuming.
  it('and a newer plan: the replan was done, only the gate was left open', () => {
    const run = resumed([entryOf('T1', { gates: [REQUIRED] })], { version: 2, tasks: [t2()] });
    expect(first(run)).toEqual({ gates: ['required → done 2'], next: ['look before T2'] });
  });

  // Seed 002 Resuming.
  it('and the same plan: the planner is asked now', () => {
    const run = resumed([entryOf('T1', { gates: [REQUIRED] })], { version: 1, tasks: [taskOf('T1')] });
    expect(first(run)).toEqual({ gates: ['required'], next: ['planner replan'] });
  });

  it('and the same plan, on a done entry: the planner is asked all the same, and the gate never goes back to holds (R9)', () => {
    const run = resumed([done('T1', { gates: [REQUIRED] })], { version: 1, tasks: [taskOf('T1'), taskOf('T2')] });
    const next = carryOn(run, { planned: [planned(2, taskOf('T3'), taskOf('T2'))] });
    expect([first(run), ledgerOf(next)[0]]).toEqual([
      { gates: ['required'], next: ['planner replan'] },
      'T1 done verified | required → done 2',
    ]);
  });

  it('on a done entry without a planner is exhausted: nobody can answer it', () => {
    const run = resumed([done('T1', { gates: [REQUIRED] })], { version: 1, tasks: [taskOf('T1')] }, { planner: false });
    expect([first(run).gates, carryOn(run).outcome]).toEqual([['required → exhausted'], 'PARTIAL']);
  });

  it('resolved by a person the run goes on, and what is done is not done again', () => {
    const run = resumed(
      [done('T1', { gates: [REQUIRED] })],
      { version: 1, tasks: [taskOf('T1'), taskOf('T2')] },
      { planner: false, onBlocked: 'wait' },
    );
    const last = carryOn(told(carryOn(run), { name: 'resolve', blocker: 'T1', resolution: 'it is fine' }));
    expect([ledgerOf(last), last.outcome]).toEqual([
      ['T1 done verified | required → exhausted → reopened 1', 'T2 done verified | holds'],
      'COMPLETED',
    ]);
  });

  it('beside an exhausted entry: it exhausts with it, and a done one does not hold either', () => {
    const entries = [done('T1', { gates: [REQUIRED] }), entryOf('T2', { gates: [EXHAUSTED] })];
    expect(first(resumed(entries, { version: 1, tasks: [] })).gates).toEqual(['required → exhausted', 'exhausted']);
  });
});

describe('replan exhausted', () => {
  // Seed 002 §5, Resuming.
  it('and a newer plan: the run was reopened, and the record keeps that it was exhausted', () => {
    const run = resumed([entryOf('T1', { gates: [EXHAUSTED] })], { version: 2, tasks: [t2({ continues: undefined, reopens: 'T1' })] });
    expect(first(run)).toEqual({ gates: ['exhausted → reopened 2'], next: ['look before T2'] });
  });

  // Seed 002 Resuming.
  it('and the same plan: the run is terminal, nobody is sent, and it is reported', () => {
    const run = resumed([entryOf('T1', { gates: [EXHAUSTED] })], { version: 1, tasks: [taskOf('T1'), taskOf('T2')] });
    expect([first(run), carryOn(run).outcome]).toEqual([{ gates: ['exhausted'], next: ['record report'] }, 'FAILED']);
  });

  it('after an earlier reopening is terminal again: the newer episode is exhausted too', () => {
    const entries = [
      entryOf('T1', { gates: [{ is: 'reopened', version: 2, at: 0 }] }),
      entryOf('T2', { reopens: 'T1', planVersion: 2, gates: [EXHAUSTED] }),
    ];
    const run = resumed(entries, { version: 2, tasks: [taskOf('T3')] });
    expect([first(run), carryOn(run).outcome]).toEqual([{ gates: ['reopened 2', 'exhausted'], next: ['record report'] }, 'FAILED']);
  });

  it('and the same plan, but a person says that the blocker is gone: the planner is asked for a reopening', () => {
    const run = resumed([entryOf('T1', { gates: [EXHAUSTED] })], { version: 1, tasks: [taskOf('T1')] });
    const reopened = told(run, { name: 'resolve', blocker: 'x', resolution: 'it is there now' });
    const last = carryOn(reopened, { planned: [planned(2, t2({ continues: undefined, reopens: 'T1' }))] });
    expect([listed(carryOn(reopened, {}, until('replan'))), ledgerOf(last), last.outcome]).toEqual([
      ['planner replan'],
      ['T1 failed verified (x) | exhausted → reopened 2', 'T2 done verified | holds'],
      'COMPLETED',
    ]);
  });

  // Seed 002 Resuming.
  it('a resolution whose check does not hold reopens nothing', () => {
    const run = resumed([entryOf('T1', { gates: [EXHAUSTED] })], { version: 1, tasks: [taskOf('T1')] });
    const asked = told(run, { name: 'resolve', blocker: 'x', resolution: 'it is there now', check: 'test -s key' });
    const last = carryOn(asked, { resolution: 'disproved' });
    expect([last.handled.map((one) => [one.applied, one.reason]), ledgerOf(last), last.outcome]).toEqual([
      [[false, 'its check does not hold: run: test -s key']],
      ['T1 failed verified (x) | exhausted'],
      'FAILED',
    ]);
  });
});

describe('a closed gate is left alone', () => {
  it.each([
    ['plan holds', done('T1')],
    ['replan done', entryOf('T1', { gates: [{ is: 'done', version: 2, at: 0 }] })],
    ['replan reopened', entryOf('T1', { gates: [{ is: 'reopened', version: 2, at: 0 }] })],
  ] as const)('%s', (_title, entry) => {
    const run = resumed([entry], { version: 2, tasks: [t2({ continues: undefined, reopens: undefined })] });
    expect([run.writes, listed(run)]).toEqual([[], ['look before T2']]);
  });
});

describe('then the first task without an entry, after a look (seed 002 §2)', () => {
  // Seed 002 §1, Resuming, Anti-patterns.
  it('what has an entry is never dispatched again (R2, B01)', () => {
    const run = resumed([done('T1')], { version: 1, tasks: [taskOf('T1'), taskOf('T2')] });
    expect(run.plan.tasks.map((task) => task.id)).toEqual(['T2']);
  });

  // Seed 002 §2, Resuming.
  it('what holds already may be our own unrecorded work: done, reconstructed', () => {
    const run = carryOn(resumed([done('T1')], { version: 1, tasks: [taskOf('T2')] }), { before: { T2: 'holds' } });
    expect([ledgerOf(run), run.ledger[1]?.text?.words]).toEqual([
      ['T1 done verified | holds', 'T2 done verified | holds'],
      ['reconstructed after an interruption: an earlier run may have done it without recording'],
    ]);
  });

  it('a run that has no ledger knows that nobody was sent: no_op', () => {
    expect(ledgerOf(carryOn(resumed([], { version: 1, tasks: [taskOf('T1')] }), { before: { T1: 'holds' } }))).toEqual([
      'T1 no_op verified | holds',
    ]);
  });

  // Seed 002 §2.
  it('unless the folder of the run shows that an attempt began: then it is done, reconstructed', () => {
    const run = resumed([], { version: 1, tasks: [taskOf('T1')] });
    const observation = { ...seen(['file: out-T1'], 'holds'), attempted: true };
    const shown = advance(run, { move: nextMoves(run)[0]?.id ?? '', at: 1, is: 'observed', observation });
    expect(ledgerOf(shown)).toEqual(['T1 done verified | holds']);
  });

  // R8: an earlier performer can write into the folder of the next attempt.
  it.each([
    ['done', says('done'), 'failed'],
    ['limited for a year', { is: 'limited', until: 9e12, why: 'full' } as const, 'failed'],
  ])('what such an attempt said is not taken: %s', (_words, end, status) => {
    const run = resumed([], { version: 1, tasks: [taskOf('T1')] });
    const observation = { ...seen(['file: out-T1'], 'disproved'), attempted: true };
    const begun = advance(run, { move: nextMoves(run)[0]?.id ?? '', at: 1, is: 'observed', observation });
    const ended = carryOn(begun, { ends: { T1: [end] }, after: { T1: ['disproved'] } });
    expect([ended.ledger[0]?.status, ended.ledger[0]?.text?.words]).toEqual([
      status,
      ['files of this attempt stood there before it was begun: what they say is not taken', 'no claim was returned'],
    ]);
  });

  it('several open gates are one question to the planner', () => {
    const run = resumed([entryOf('T1', { gates: [REQUIRED] }), entryOf('T2', { status: 'partial' })], { version: 1, tasks: [] });
    expect([run.planning?.triggers, first(run).next]).toEqual([[1, 2], ['planner replan']]);
  });

  it('a task that a replan kept belongs to the newer plan: its open gate is not taken for a finished replan', () => {
    const limits = { ...runOf([]).limits, parallel: 2 };
    const tasks = [taskOf('T1', { writes: [] }), taskOf('T2', { writes: [], performer: 'human' })];
    const open = carryOn(runOf(tasks, { limits }), { ends: { T1: [says('failed', { blocker: 'y' })] } }, until('replan'));
    const rest = taskOf('T3', { states: 'promise of T1', checks: ['file: out-T1'], continues: 'T1', writes: [] });
    const kept = carryOn(
      open,
      { planned: [planned(2, rest, tasks[1] as Task)] },
      (run) => run.ledger.length === 2 && run.writes.length === 0,
    );
    const failed = carryOn(told(kept, { name: 'attest', task: 'T2', happened: 'no' }), {}, until('replan'));
    expect(failed.ledger.map((entry) => [entry.task, entry.planVersion, entry.gates.at(-1)?.is])).toEqual([
      ['T1', 1, 'done'],
      ['T3', 2, 'holds'],
      ['T2', 2, 'required'],
    ]);
  });
});

describe('every exit goes through the report (R5)', () => {
  const reported = (run: Run) => {
    const before = carryOn(run, {}, (one) => one.writes.some((write) => write.is === 'report'));
    return [listed(before), carryOn(before).outcome];
  };

  // Seed 002 §8.
  it('every task is done or no_op', () => {
    const run = resumed([done('T1')], { version: 1, tasks: [] });
    expect(reported(run)).toEqual([['record report'], 'COMPLETED']);
  });

  // Seed 002 §8.
  it('the plan has no task, because the goal held already', () => {
    const noOp = { because: 'the file is there', evidence: ['ls → there'], checks: [] };
    const run = runOf([], { input: { criteria: null, noOp } });
    expect(reported(run)).toEqual([['record report'], 'NO_OP']);
  });

  it('the same with a SPEC, whose criteria the checks of the header observed', () => {
    const noOp = { because: 'the file is there', evidence: [], checks: ['file: out'] };
    const run = runOf([], { input: { criteria: [{ id: 'AC-001', through: null }], noOp } });
    expect(reported(run)).toEqual([['record report'], 'NO_OP']);
  });

  it('a criterion that nothing observed is not met by a plan that says so', () => {
    const noOp = { because: 'trust me', evidence: [], checks: [] };
    const run = runOf([], { input: { criteria: [{ id: 'AC-001', through: null }], noOp } });
    expect(reported(run)).toEqual([['record report'], 'PARTIAL']);
  });

  // Seed 002 §8.
  it('a task is blocked and no plan can route around it', () => {
    const run = resumed([entryOf('T1', { status: 'blocked' })], { version: 1, tasks: [] });
    expect(carryOn(run, { planned: [{ is: 'none', reason: 'no key' }] }).outcome).toBe('BLOCKED');
  });

  // Seed 002 §8.
  it('the plan cannot be repaired without changing the contract', () => {
    const softer: Planned = planned(2, taskOf('T2', { states: 'somebody tried', continues: 'T1' }));
    const run = carryOn(resumed([entryOf('T1')], { version: 1, tasks: [] }), { planned: [softer, softer, softer] });
    expect([ledgerOf(run), run.outcome]).toEqual([['T1 failed verified (x) | required → exhausted'], 'FAILED']);
  });

  // Seed 002 §8.
  it('a person asks to stop', () => {
    const run = told(resumed([done('T1')], { version: 1, tasks: [taskOf('T2'), taskOf('T3')] }), { name: 'stop', reason: 'enough' });
    expect(reported(run)).toEqual([['record report'], 'PARTIAL']);
  });
});
