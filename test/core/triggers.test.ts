import { describe, expect, it } from 'vitest';
import { advance, nextMoves } from '../../core/run.js';
import type { Discovery, End, LookResult, Run } from '../../core/values.js';
import { POLICY, runOf, seen, taskOf } from '../support/run-values.js';
import { carryOn, honest, isMove, ledgerOf, listed, planned, says, told, until, written } from '../support/steps.js';

/** Seed 002 §7: what asks the planner. Each line of its list, as it reaches the gate. */
interface Trigger {
  end?: End;
  after?: LookResult;
  discovered?: Discovery[];
}

/** T1 ends so, T2 is still to be done: what is asked of the world once T1 is written down. */
function after({ end = honest, after: is = 'holds', discovered = [] }: Trigger, policy = POLICY): Run {
  const tasks = [taskOf('T1'), taskOf('T2', { dependsOn: ['T1'] })];
  const looking = carryOn(runOf(tasks, { policy }), { ends: { T1: [end] } }, until('observe', 'after'));
  const move = nextMoves(looking).find(isMove('observe'));
  const observation = { ...seen(['file: out-T1'], is), discovered };
  return written(advance(looking, { move: move?.id ?? '', at: looking.clock + 1, is: 'observed', observation }));
}

const fact = (words: string): Discovery[] => [{ label: 'verified', fact: words, check: 'file: a' }];

// Seed 002 §6, §7.
describe('the planner must write a new plan', () => {
  it.each<[string, Trigger]>([
    ['the task returned partial', { end: says('partial', { unresolved: ['the rest'] }), after: 'disproved' }],
    ['the task returned blocked', { end: says('blocked', { blocker: 'no-key' }), after: 'disproved' }],
    ['the task returned failed', { end: says('failed', { blocker: 'a-wall' }), after: 'disproved' }],
    ['a postcondition failed, whatever was claimed', { end: honest, after: 'disproved' }],
    ['something that was expected is not there', { end: says('blocked', { blocker: 'no-such-table' }), after: 'unobservable' }],
    ['the task is impossible as written', { end: says('failed', { blocker: 'impossible-as-written' }), after: 'disproved' }],
  ])('%s', (_words, trigger) => {
    expect(listed(after(trigger))).toEqual(['planner replan']);
  });
});

// Seed 002 §7.
describe('the planner is asked whether the plan still holds', () => {
  it.each<[string, Trigger]>([
    ['a fact that was confirmed may make a later task wrong', { discovered: fact('the table that T2 reads is gone') }],
    ['a shorter valid path was found', { discovered: fact('the tool makes out-T2 by itself') }],
    ['a new constraint surfaced', { discovered: fact('the service takes ten requests a minute') }],
    ['a deviation changed what later tasks can assume', { end: says('done', { deviation: 'TTL 60 s instead of 300 s' }) }],
    ['something is left unresolved', { end: says('done', { unresolved: ['the reporting path'] }) }],
    ['the claim and the checks disagree', { end: says('failed', { blocker: 'a-wall' }) }],
  ])('%s', (_words, trigger) => {
    expect(listed(after(trigger))).toEqual(['planner holds?']);
  });

  it('and may then shorten or change the way to what is not begun', () => {
    const run = after({ discovered: fact('the tool makes out-T2 by itself') });
    const shorter = planned(2, taskOf('T3', { states: 'the tool has run', restates: 'promise of T2', checks: ['file: out-T2'] }));
    expect(ledgerOf(carryOn(run, { planned: [shorter] }))).toEqual(['T1 done verified | required → done 2', 'T3 done verified | holds']);
  });

  it('after every task where gate.askPlanner is always, and never where it is mechanical', () => {
    const news = { end: says('done', { deviation: 'another way' }) };
    expect(listed(after({}, { ...POLICY, askPlanner: 'always' }))).toEqual(['planner holds?']);
    expect(listed(after(news, { ...POLICY, askPlanner: 'mechanical' }))).toEqual(['look before T2']);
  });
});

// Seed 002 §7.
describe('otherwise the plan holds, and that is written down', () => {
  it('after a task that simply went well', () => {
    const run = after({});
    expect([ledgerOf(run), listed(run)]).toEqual([['T1 done verified | holds'], ['look before T2']]);
  });
});

// Seed 002 §7.
it('mid-task: nothing else is begun in a plan that is known to be wrong', () => {
  const tasks = [taskOf('T1', { writes: ['a'] }), taskOf('T2', { writes: ['b'] }), taskOf('T3', { writes: ['c'] })];
  const limits = { ...runOf([]).limits, parallel: 2 };
  const ends = { T1: [says('blocked', { blocker: 'would-drop-table', userAction: ['say whether it may be dropped'] })] };
  const run = carryOn(runOf(tasks, { limits }), { ends }, until('replan'));
  expect([run.ledger.map(({ task }) => task), run.plan.tasks.map(({ id }) => id)]).toEqual([['T1', 'T2'], ['T3']]);
});

// Seed 002 §7.
it('a criterion that no task covers is refused before anything starts, and in every later plan (R19)', () => {
  const tasks = [taskOf('T1', { covers: ['AC-1'] }), taskOf('T2', { covers: ['AC-2'] })];
  const input = {
    criteria: [
      { id: 'AC-1', through: null },
      { id: 'AC-2', through: null },
    ],
    noOp: null,
  };
  const run = carryOn(runOf(tasks, { input }), { ends: { T1: [says('failed', { blocker: 'a' })] } }, until('replan'));
  const heir = taskOf('T3', { states: 'promise of T1', checks: ['file: out-T1', 'file: out-T2'], covers: ['AC-1'], continues: 'T1' });
  const ask = nextMoves(run).find(isMove('replan'));
  const next = advance(run, { move: ask?.id ?? '', at: run.clock, is: 'planned', planned: planned(2, heir) });
  expect(next.planning?.problems).toEqual([expect.stringMatching(/^AC-2 would be covered by nothing/), expect.stringContaining('T2')]);
});

it('a person may give a new plan whatever the gate says', () => {
  const run = told(after({}), { name: 'replan', plan: '# PLAN' });
  const next = carryOn(run, { read: planned(2, taskOf('T2'), taskOf('T3')) }, (one) => one.proposed === null);
  expect(next.plan.tasks.map(({ id }) => id)).toEqual(['T2', 'T3']);
});
