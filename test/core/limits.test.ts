import { describe, expect, it } from 'vitest';
import {
  addCost,
  budgetReached,
  grantAgain,
  HOUR_MS,
  LIMIT_LOOKS_MINUTES,
  LIMITS_DEFAULT,
  MINUTE_MS,
  NOTHING_SPENT,
  spend,
} from '../../core/limits.js';
import { phaseOf } from '../../core/phase.js';
import { planningToken } from '../../core/planning.js';
import { advance, nextMoves } from '../../core/run.js';
import type { Budget, Cost, End, Observation, Planned, Run, Spent } from '../../core/values.js';
import { runOf, seen, taskOf } from '../support/run-values.js';
import { carryOn, type Hands, isMove, ledgerOf, listed, planned, says, told, until } from '../support/steps.js';

const run = runOf([]);
const withSpent = (spent: Partial<Spent>, limits: Partial<Run['limits']> = {}): Run => ({
  ...run,
  limits: { ...LIMITS_DEFAULT, ...limits },
  spent: { ...NOTHING_SPENT, ...spent },
});

it('there is a default for everything that could go on for ever (D02)', () => {
  expect(LIMITS_DEFAULT).toEqual({
    parallel: 1,
    taskMinutes: 60,
    runHours: 24,
    dispatches: 200,
    costUsd: 25,
    tokens: null,
    checkMinutes: 10,
    waitDays: 30,
  });
});

describe('a budget is reached at its number', () => {
  const cases: [string, Run, Budget | null][] = [
    ['nothing spent', withSpent({}), null],
    ['one dispatch less', withSpent({ dispatches: 199 }), null],
    ['dispatches', withSpent({ dispatches: 200 }), 'dispatches'],
    ['hours', withSpent({ activeMs: 24 * HOUR_MS }), 'hours'],
    ['money', withSpent({ usd: 25 }), 'cost'],
    ['no limit on money', withSpent({ usd: 1000 }, { costUsd: null }), null],
    ['tokens', withSpent({ tokens: 10 }, { tokens: 10 }), 'tokens'],
    ['no limit on tokens', withSpent({ tokens: 1e9 }), null],
  ];

  it.each(cases)('%s', (_title, one, budget) => {
    expect(budgetReached(one)).toBe(budget);
  });
});

describe('what is not known is unknown, never 0 (D12)', () => {
  it('an agent that does not say what it cost makes the sum unknown', () => {
    const once = spend(run, { usd: 0.25, tokens: 900 });
    const twice = spend(once, { usd: null, tokens: null });
    expect([once.spent, twice.spent]).toEqual([
      { ...NOTHING_SPENT, usd: 0.25, tokens: 900 },
      { ...NOTHING_SPENT, usd: 0.25, tokens: 900, unknown: true },
    ]);
  });

  it('two costs of which none is known are not known', () => {
    expect([
      addCost({ usd: null, tokens: null }, { usd: null, tokens: 5 }),
      addCost({ usd: 1, tokens: null }, { usd: null, tokens: null }),
    ]).toEqual([
      { usd: null, tokens: 5 },
      { usd: 1, tokens: null },
    ]);
  });

  it('an entry costs what its agent said, nothing where nobody was sent, and otherwise nobody knows', () => {
    const cost = (hands: Hands, said?: Cost) => {
      const sent = carryOn(runOf([taskOf('T1')]), hands, (one) =>
        listed(one).some((line) => line.startsWith('dispatch') || line.includes('report')),
      );
      const move = nextMoves(sent).find(isMove('dispatch'));
      const ended =
        move === undefined
          ? sent
          : advance(sent, {
              move: move.id,
              at: sent.clock,
              is: 'ended',
              end: { is: 'exited', code: 0 },
              ...(said === undefined ? {} : { cost: said }),
            });
      return carryOn(ended, { after: { T1: ['holds'] } }).ledger[0]?.cost;
    };
    expect([cost({}, { usd: 0.5, tokens: null }), cost({}), cost({ before: { T1: 'holds' } })]).toEqual([
      { usd: 0.5, tokens: null },
      { usd: null, tokens: null },
      { usd: 0, tokens: 0 },
    ]);
  });

  it('an estimate is kept apart: it counts toward no limit, and what is estimated is not unknown', () => {
    const cheap = { ...run, limits: { ...run.limits, costUsd: 1 } };
    const estimated = spend(spend(cheap, { usd: null, tokens: 900, estimatedUsd: 7.1 }), { usd: 0.5, tokens: 1, estimatedUsd: 0.2 });
    expect([estimated.spent, budgetReached(estimated)]).toEqual([{ ...NOTHING_SPENT, usd: 0.5, tokens: 901, estimatedUsd: 7.3 }, null]);
    expect(spend(estimated, { usd: 0.5, tokens: null, estimatedUsd: 1 }).spent).toEqual({
      ...NOTHING_SPENT,
      usd: 1,
      tokens: 901,
      estimatedUsd: 8.3,
      unknown: true,
    });
  });

  it('an estimate is added to estimates alone', () => {
    expect([
      addCost({ usd: null, tokens: 5, estimatedUsd: 0.1 }, { usd: null, tokens: null, estimatedUsd: 0.2 }),
      addCost({ usd: 1, tokens: null }, { usd: null, tokens: 5, estimatedUsd: 0.2 }),
    ]).toEqual([
      { usd: null, tokens: 5, estimatedUsd: 0.3 },
      { usd: 1, tokens: 5, estimatedUsd: 0.2 },
    ]);
  });

  it('sums of money read as they were written', () => {
    expect(spend(spend(run, { usd: 0.1, tokens: 0 }), { usd: 0.2, tokens: 0 }).spent.usd).toBe(0.3);
  });

  it('the cost of an answer that comes too late is booked all the same', () => {
    const late = advance(run, { move: 'm999', at: 1, is: 'ended', end: { is: 'lost' }, cost: { usd: 2, tokens: 7 } });
    expect([late.spent.usd, late.spentInAll.tokens, late.active]).toEqual([2, 7, []]);
  });
});

it.each([
  ['dispatches', { dispatches: 0 }],
  ['hours', { activeMs: 0 }],
  ['cost', { usd: 0 }],
  ['tokens', { tokens: 0 }],
] as const)('a raise of %s grants that one alone', (budget, renewed) => {
  const spent: Spent = { dispatches: 1, usd: 2, tokens: 3, unknown: true, activeMs: 4 };
  expect(grantAgain(spent, budget)).toEqual({ ...spent, ...renewed });
});

describe('a usage limit (K01, K08)', () => {
  const limited = (until_: number | null): End => ({ is: 'limited', until: until_, why: 'usage limit' });
  const waiting = (end: End, more = {}) => carryOn(runOf([taskOf('T1')], more), { ends: { T1: [end] } }, until('wait'));

  it('is waited for as long as the agent says, with nothing running', () => {
    const one = waiting(limited(500_000));
    expect([listed(one), nextMoves(one).find(isMove('wait'))?.until]).toEqual([['wait'], 500_000]);
  });

  it('of unknown length is looked at after growing pauses (K07)', () => {
    let one = runOf([taskOf('T1')]);
    const pauses: number[] = [];
    for (let leg = 0; leg < 6; leg++) {
      one = carryOn(one, { ends: { T1: [limited(null)] } }, until('wait'));
      const wait = nextMoves(one).find(isMove('wait'));
      pauses.push(((wait?.until ?? 0) - one.clock) / MINUTE_MS);
      one = advance(one, { move: wait?.id ?? '', at: wait?.until ?? 0, is: 'elapsed' });
    }
    expect(pauses).toEqual([...LIMIT_LOOKS_MINUTES, 60, 60]);
  });

  it('consumes no attempt and no dispatch, and its next leg has a token of its own (R13)', () => {
    const one = waiting(limited(500_000));
    const resumed = carryOn(one, {}, until('dispatch'));
    const last = carryOn(resumed);
    expect([listed(resumed), last.spent.dispatches, last.ledger[0]?.attempt, ledgerOf(last)]).toEqual([
      ['dispatch T1#1.2'],
      1,
      1,
      ['T1 done verified | holds'],
    ]);
  });

  it('that lasts longer than a wait may is blocked: nobody answered', () => {
    const limits = { ...LIMITS_DEFAULT, waitDays: 1 };
    let one = runOf([taskOf('T1')], { limits });
    for (let leg = 0; leg < 100 && one.outcome === null; leg++) one = carryOn(one, { ends: { T1: [limited(null)] } });
    expect([ledgerOf(one), one.outcome]).toEqual([['T1 blocked verified (no-answer) | required → exhausted'], 'BLOCKED']);
  });

  it('takes no slot, but keeps what it writes for itself', () => {
    const tasks = [taskOf('T1', { writes: ['a/**'] }), taskOf('T2', { writes: ['a/b'] }), taskOf('T3', { writes: ['c'] })];
    const one = carryOn(runOf(tasks), { ends: { T1: [limited(500_000)] } }, (now) => listed(now).includes('dispatch T3#1.1'));
    expect(listed(one)).toEqual(['wait', 'dispatch T3#1.1']);
  });
});

describe('a usage limit of the verifier, before the work', () => {
  const limited = { ...seen([], 'holds'), limited: { until: 900_000, why: 'the verifier: weekly' } };
  const prose = taskOf('T1', { checks: [] });
  const lookedAt = (one: Run, observation: Observation) =>
    advance(one, { move: nextMoves(one).find(isMove('observe'))?.id ?? '', at: one.clock + 1, is: 'observed', observation });
  const waiting = () => lookedAt(runOf([prose, taskOf('T2', { dependsOn: ['T1'] })]), limited);

  it('is waited for with nothing running, and the look is made again: no attempt, no dispatch (R13)', () => {
    const over = carryOn(waiting(), {}, until('observe'));
    expect([listed(waiting()), phaseOf(waiting()), listed(over), over.active[0]?.leg]).toEqual([
      ['wait'],
      'limited',
      ['look before T1'],
      1,
    ]);
    const sent = lookedAt(over, { ...seen(['file: out'], 'disproved'), compiled: ['file: out'] });
    expect([listed(sent), sent.spent.dispatches]).toEqual([['dispatch T1#1.1'], 1]);
  });

  it('is dropped by a stop, and by a new plan, as work that was not begun', () => {
    expect(told(waiting(), { name: 'stop' }).ledger).toEqual([]);
    const read = planned(2, taskOf('T1', { checks: ['file: out'] }), taskOf('T2', { dependsOn: ['T1'] }));
    const replanned = carryOn(told(waiting(), { name: 'replan', plan: '# PLAN' }), { read }, (one) => one.plan.version === 2);
    expect(replanned.active.map(({ task, stage }) => [task.checks, stage])).toEqual([[['file: out'], 'checking']]);
  });

  it('that lasts longer than a wait may leaves the task without a check, and it is sent all the same', () => {
    const one = waiting();
    const late = { ...one, clock: 31 * 24 * HOUR_MS };
    const sent = lookedAt(advance(late, { move: nextMoves(one)[0]?.id ?? '', at: late.clock, is: 'elapsed' }), limited);
    expect([listed(sent), ledgerOf(carryOn(sent))[0]]).toEqual([['dispatch T1#1.1'], 'T1 partial unverified | required → exhausted']);
  });
});

describe('a usage limit of the planner', () => {
  const limited = (until_: number | null): Planned => ({ is: 'limited', until: until_, why: 'usage limit' });
  const failing = () => ({ ends: { T1: [says('failed', { blocker: 'a' })] } });
  const heir = taskOf('T2', { states: 'promise of T1', checks: ['file: out-T1'], continues: 'T1' });

  it('is waited for, uses up no refusal, and the same question is asked under a token of its own (R13)', () => {
    const bad: Planned = { is: 'unreadable', problems: ['prose'] };
    const hands: Hands = { ...failing(), planned: [limited(900_000), bad, limited(null), bad, planned(2, heir)] };
    const waiting = carryOn(runOf([taskOf('T1')]), hands, until('wait'));
    const token = (one: Run) => (one.planning === null ? '' : planningToken(one, one.planning));
    expect([listed(waiting), phaseOf(waiting), nextMoves(waiting).find(isMove('wait'))?.until]).toEqual([['wait'], 'limited', 900_000]);
    const asked = carryOn(waiting, hands, until('replan'));
    expect([listed(asked), token(asked) === token(waiting), asked.planning?.refusals]).toEqual([['planner replan'], false, 0]);
    expect(ledgerOf(carryOn(asked, hands))).toEqual(['T1 failed verified (a) | required → done 2', 'T2 done verified | holds']);
  });

  it('of unknown length is looked at after growing pauses, no longer than a wait may last', () => {
    const limits = { ...LIMITS_DEFAULT, waitDays: 1 };
    let one = runOf([taskOf('T1')], { limits });
    const pauses: number[] = [];
    for (let leg = 0; leg < 100 && one.outcome === null; leg++) {
      one = carryOn(one, { ...failing(), planned: [limited(null)] }, until('wait'));
      const wait = nextMoves(one).find(isMove('wait'));
      if (wait === undefined) break;
      pauses.push((wait.until - one.clock) / MINUTE_MS);
      one = advance(one, { move: wait.id, at: wait.until, is: 'elapsed' });
    }
    const gate = one.ledger[0]?.gates.at(-1);
    expect([pauses.slice(0, 5), gate?.is === 'exhausted' && gate.why]).toEqual([
      [5, 15, 30, 60, 60],
      'the planner is at its usage limit for 1 days: usage limit',
    ]);
  });

  it('where it was only asked whether the plan holds, ends with the plan that stands', () => {
    const limits = { ...LIMITS_DEFAULT, waitDays: 1 };
    const news = { ends: { T1: [says('done', { deviation: 'another way' })] } };
    let one = runOf([taskOf('T1')], { limits });
    for (let leg = 0; leg < 100 && one.outcome === null; leg++)
      one = carryOn(one, { ...news, planned: Array.from({ length: 100 }, () => limited(null)) });
    expect([ledgerOf(one), one.outcome]).toEqual([['T1 done verified | holds'], 'COMPLETED']);
  });

  it('is waited for over a pause, after which it is asked; a stop drops it', () => {
    const waiting = carryOn(runOf([taskOf('T1')]), { ...failing(), planned: [limited(900_000)] }, until('wait'));
    const paused = told(waiting, { name: 'pause' });
    const over = carryOn(paused);
    expect([listed(paused), listed(over), listed(told(over, { name: 'resume' }))]).toEqual([['wait'], [], ['planner replan']]);
    expect(carryOn(told(waiting, { name: 'stop' })).outcome).toBe('PARTIAL');
  });
});

describe('hours count the time in which the run works', () => {
  const hour = (one: Run, at = HOUR_MS) =>
    advance(one, { move: 'nothing', at: one.clock + at, is: 'elapsed' }).spent.activeMs - one.spent.activeMs;

  it('work counts; waits for a person, usage limits and pauses do not', () => {
    const working = carryOn(runOf([taskOf('T1')]), {}, until('dispatch'));
    const asked = carryOn(runOf([taskOf('T1', { performer: 'human' })]), {}, until('person'));
    const limited = carryOn(runOf([taskOf('T1')]), { ends: { T1: [{ is: 'limited', until: 1e9, why: 'usage limit' }] } }, until('wait'));
    const paused = carryOn(advance(runOf([taskOf('T1')]), { id: 'p', by: 'ana', at: 0, name: 'pause' }));
    expect([working, asked, limited, paused].map((one) => hour(one))).toEqual([HOUR_MS, 0, 0, 0]);
  });

  it('a clock that goes back counts nothing', () => {
    const working = carryOn(runOf([taskOf('T1')]), {}, until('dispatch'));
    expect(hour(working, -HOUR_MS)).toBe(0);
  });
});

it('an activity that keeps failing by itself ends somewhere: looks count as none, a dispatch as refused (B09)', () => {
  const fail = (one: Run, is: 'dispatch' | 'observe' | 'replan', times: number): Run => {
    let current = one;
    for (let count = 0; count < times; count++) {
      const move = nextMoves(current).find((listedMove) => listedMove.is === is);
      current = advance(current, { move: move?.id ?? '', at: current.clock, is: 'unclear', counts: true });
    }
    return current;
  };
  const looked = fail(runOf([taskOf('T1')]), 'observe', 20);
  const sent = fail(carryOn(looked, {}, until('dispatch')), 'dispatch', 20);
  const judged = carryOn(sent, { after: { T1: ['disproved'] } }, until('replan'));
  const asked = carryOn(fail(judged, 'replan', 20));
  expect([listed(looked), listed(sent), ledgerOf(asked), asked.ledger[0]?.gates.at(-1)]).toEqual([
    ['dispatch T1#1.1'],
    ['look after T1'],
    ['T1 blocked verified (dispatch-failing) | required → exhausted'],
    expect.objectContaining({ why: 'the planner could not be asked; the worker log says why' }),
  ]);
});

it('a look before closing that got lost is asked for again', () => {
  const two = carryOn(runOf([taskOf('T1'), taskOf('T2')]), {}, (one) => one.sweep !== null);
  const lost = advance(two, { move: two.sweep?.move ?? '', at: two.clock, is: 'unclear', counts: false });
  const move = nextMoves(lost).find(isMove('observe'));
  const found = advance(lost, { move: move?.id ?? '', at: lost.clock, is: 'observed', observation: seen(['file: out-T1'], 'disproved') });
  expect([listed(lost), lost.sweep?.move === two.sweep?.move, ledgerOf(found).at(-1)]).toEqual([
    ['look sweep'],
    false,
    'F1 failed verified (undone-t1) | required',
  ]);
});
