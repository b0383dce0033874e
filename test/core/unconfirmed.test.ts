import { describe, expect, it } from 'vitest';
import { advance, nextMoves } from '../../core/run.js';
import type { Discovery, Planned, Run, Task } from '../../core/values.js';
import { runOf, seen, taskOf } from '../support/run-values.js';
import { carryOn, isMove, ledgerOf, planned, says, told, until } from '../support/steps.js';

/** R10, seed 002 §7: what nobody confirmed never redraws the strategy; at most it adds one task that finds out. */
const RUMOUR: Discovery = { label: 'reported, unconfirmed', fact: 'the moon table has 7 rows' };
const FACT: Discovery = { label: 'verified', fact: 'the port is 5433', check: 'file: config.yml contains "5433"' };

/** T1 is done and brought this along; T2 and T3 are still to be done. */
function afterNews(discovered: Discovery[], claim: Parameters<typeof says>[1] = {}): Run {
  const tasks = [taskOf('T1'), taskOf('T2', { dependsOn: ['T1'] }), taskOf('T3')];
  const looking = carryOn(runOf(tasks), { ends: { T1: [says('done', claim)] } }, until('observe', 'after'));
  const move = nextMoves(looking).find(isMove('observe'));
  const observation = { ...seen(['file: out-T1'], 'holds'), discovered };
  const looked = advance(looking, { move: move?.id ?? '', at: looking.clock + 1, is: 'observed', observation });
  return carryOn(looked, {}, until('replan'));
}

/** What the planner's answer leads to: which problems it is asked again with, or how the gate of T1 went. */
function answered(run: Run, answer: Planned): string[] {
  const ask = nextMoves(run).find(isMove('replan'));
  const next = advance(run, { move: ask?.id ?? '', at: run.clock + 1, is: 'planned', planned: answer });
  return next.planning === null ? ledgerOf(next) : next.planning.problems;
}

const T2 = taskOf('T2', { dependsOn: ['T1'] });
const T3 = taskOf('T3');
const findsOut = (more: Partial<Task> = {}) => taskOf('T4', { checks: ['run: count-rows moon => prints "7"'], ...more });
const MAY = 'what is [reported, unconfirmed] may add one task that finds out, and everything else stays as it is';

// Seed 002 §7.
describe('a plan that only unconfirmed discoveries drive', () => {
  it('may add one task that finds out, and later tasks may wait for it', () => {
    const waits = { ...T2, dependsOn: ['T1', 'T4'] };
    expect(answered(afterNews([RUMOUR]), planned(2, findsOut(), waits, T3))).toEqual(['T1 done verified | required → done 2']);
  });

  it('may leave everything as it is', () => {
    expect(answered(afterNews([RUMOUR]), planned(2, T2, T3))).toEqual(['T1 done verified | required → done 2']);
  });

  it.each<[string, Task[], string[]]>([
    ['adds two tasks', [findsOut(), taskOf('T5'), T2, T3], [`T4, T5 are new; ${MAY}`]],
    [
      'puts another task in the place of one',
      [findsOut({ restates: T3.states, checks: T3.checks }), T2],
      [`T3 is changed or gone; ${MAY}`],
    ],
    ['gives a task to somebody else', [{ ...T2, performer: 'human' }, T3], [`T2 is changed or gone; ${MAY}`]],
    ['adds a check to a task', [{ ...T2, checks: [...T2.checks, 'run: npm test'] }, T3], [`T2 is changed or gone; ${MAY}`]],
    ['frees a task from what it waits for', [{ ...T2, dependsOn: [] }, T3], [`T2 is changed or gone; ${MAY}`]],
    ['changes the order', [T3, T2], [`the order of T2, T3 is changed; ${MAY}`]],
  ])('is refused where it %s', (_what, tasks, problems) => {
    expect(answered(afterNews([RUMOUR]), planned(2, ...tasks))).toEqual(problems);
  });

  it('is refused where it says in other words what is to be done', () => {
    const plan = planned(2, T2, T3);
    const reworded = plan.is === 'plan' ? { ...plan, plan: { ...plan.plan, reworded: ['T3'] } } : plan;
    expect(answered(afterNews([RUMOUR]), reworded)).toEqual([`T3 is changed or gone; ${MAY}`]);
  });

  it('and that is refused every time ends with the plan that stands: a rumour ends no run', () => {
    const wild = planned(2, T3);
    const run = carryOn(afterNews([RUMOUR]), { planned: [wild, wild, wild] }, (one) => one.planning === null);
    const [gate] = run.ledger[0]?.gates ?? [];
    expect([ledgerOf(run), gate?.is === 'holds' && gate.note]).toEqual([
      ['T1 done verified | holds'],
      expect.stringMatching(/^the planner's plan was refused: .*; what drove it is not confirmed, and the plan goes on$/),
    ]);
  });

  it('and NO VALID PLAN because of it is noted, and the plan goes on', () => {
    expect(answered(afterNews([RUMOUR]), { is: 'none', reason: 'seven rows are too many' })).toEqual(['T1 done verified | holds']);
  });
});

describe('the strategy may be redrawn', () => {
  const other = planned(2, taskOf('T4', { restates: T3.states, states: 'the rest of it', checks: T3.checks }), T2);

  it.each<[string, Run]>([
    ['by a discovery that was confirmed', afterNews([RUMOUR, FACT])],
    ['by a deviation that the performer declares beside it', afterNews([RUMOUR], { deviation: 'another format' })],
    ['by what is left unresolved beside it', afterNews([RUMOUR], { unresolved: ['the index'] })],
  ])('%s', (_why, run) => {
    expect(answered(run, other)).toEqual(['T1 done verified | required → done 2']);
  });

  it('by an attempt that failed beside it', () => {
    const tasks = [taskOf('T1'), T2, T3];
    const failing = carryOn(runOf(tasks), { ends: { T1: [says('failed', { blocker: 'a-wall' })] } }, until('observe', 'after'));
    const move = nextMoves(failing).find(isMove('observe'));
    const observation = { ...seen(['file: out-T1'], 'disproved'), discovered: [RUMOUR] };
    const looked = advance(failing, { move: move?.id ?? '', at: failing.clock + 1, is: 'observed', observation });
    const run = carryOn(looked, {}, until('replan'));
    const plan = planned(2, taskOf('T4', { states: 'promise of T1', checks: ['file: out-T1'], continues: 'T1' }), T3, {
      ...T2,
      dependsOn: ['T4'],
    });
    expect(answered(run, plan)).toEqual(['T1 failed verified (a-wall) | required → done 2']);
  });

  it('by a person, whatever was reported', () => {
    const run = carryOn(told(afterNews([RUMOUR]), { name: 'replan', plan: '# PLAN' }), { read: other }, (one) => one.proposed === null);
    expect(run.plan.tasks.map((task) => task.id)).toEqual(['T4', 'T2']);
  });
});
