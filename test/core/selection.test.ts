import { describe, expect, it } from 'vitest';
import { select } from '../../core/selection.js';
import type { Status } from '../../core/values.js';
import { runOf, taskOf } from '../support/run-values.js';
import { carryOn, ledgerOf, listed, planned, says, until } from '../support/steps.js';

/** Seed 002 §1: the first task in written order with no entry at all, whose dependencies are all done or no_op. */
describe('the next task', () => {
  // Seed 002 §1.
  it('is the first in written order that waits for nothing', () => {
    const run = runOf([taskOf('T3', { dependsOn: ['T1'] }), taskOf('T2'), taskOf('T1')]);
    expect(carryOn(run).ledger.map((entry) => entry.task)).toEqual(['T2', 'T1', 'T3']);
  });

  it('may wait for what held already as for what was done', () => {
    const run = carryOn(runOf([taskOf('T1'), taskOf('T2', { dependsOn: ['T1'] })]), { before: { T1: 'holds' } });
    expect(ledgerOf(run)).toEqual(['T1 no_op verified | holds', 'T2 done verified | holds']);
  });

  it('is never one that waits for what was only claimed (A03)', () => {
    const run = runOf([taskOf('T1'), taskOf('T2', { dependsOn: ['T1'] })]);
    expect(listed(carryOn(run, {}, until('observe', 'after')))).toEqual(['look after T1']);
  });

  // Seed 002 §5.
  it('comes only when the entry before it is written (R5)', () => {
    const run = carryOn(runOf([taskOf('T1'), taskOf('T2')]), {}, until('record'));
    expect(listed(run)).toEqual(['record entry', 'look before T2']);
  });
});

// Seed 002 §1.
describe('a dependent of unfinished work is not begun: the gate comes first (J06)', () => {
  it.each<Status>(['partial', 'blocked', 'failed'])('%s', (status) => {
    const tasks = [taskOf('T1'), taskOf('T2', { dependsOn: ['T1'] }), taskOf('T3', { dependsOn: ['T2'] })];
    const claim = status === 'partial' ? {} : { blocker: 'a-wall' };
    const hands = { ends: { T1: [says(status, claim)] } };
    expect(listed(carryOn(runOf(tasks), hands, until('replan')))).toEqual(['planner replan']);
    const end = carryOn(runOf(tasks), { ends: { T1: [says(status, claim)] } });
    expect([end.ledger.map((entry) => entry.task), end.plan.tasks.map((task) => task.id)]).toEqual([['T1'], ['T2', 'T3']]);
  });

  it('and is begun once what continues that work is done', () => {
    const heir = taskOf('T3', { states: 'promise of T1', checks: ['file: out-T1'], continues: 'T1' });
    const plan = planned(2, heir, taskOf('T2', { dependsOn: ['T3'] }));
    const tasks = [taskOf('T1'), taskOf('T2', { dependsOn: ['T1'] })];
    const run = carryOn(runOf(tasks), { ends: { T1: [says('partial')] }, planned: [plan] });
    expect(run.ledger.map((entry) => `${entry.task} ${entry.status}`)).toEqual(['T1 partial', 'T3 done', 'T2 done']);
  });
});

it('nothing is selected that has an entry, whatever the entry says', () => {
  const run = carryOn(runOf([taskOf('T1')]));
  const again = { ...run, outcome: null, closing: false, plan: { ...run.plan, tasks: [taskOf('T2')] } };
  expect(select(again, run.clock).active.map(({ task }) => task.id)).toEqual(['T2']);
  expect(again.plan.tasks.some((task) => run.ledger.some((entry) => entry.task === task.id))).toBe(false);
});
