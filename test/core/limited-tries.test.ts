import { describe, expect, it } from 'vitest';
import { LIMIT_LOOKS_MINUTES, LIMIT_RESET_MS_MIN, LIMITS_DEFAULT, limitLookAt, MINUTE_MS } from '../../core/limits.js';
import { advance, nextMoves } from '../../core/run.js';
import type { Answer, Cost, End, Limits, Planned, Run } from '../../core/values.js';
import { runOf, seen, taskOf } from '../support/run-values.js';
import { carryOn, checked, type Hands, isMove, ledgerOf, listed, planned, reply, says, told, until } from '../support/steps.js';

/** An agent that says again and again that it is limited, and costs something each time. */
const PAST = Date.parse('2020-12-01T09:00:00Z');
const NOW = Date.parse('2026-12-01T09:00:00Z');
const ONE_USD: Cost = { usd: 1, tokens: 1000 };
const TRIES_MAX = 20;

const limitsOf = (more: Partial<Limits>) => ({ ...LIMITS_DEFAULT, ...more });
const openedWith = (limits: Partial<Limits>, tasks = [taskOf('T1')]) => runOf(tasks, { limits: limitsOf(limits), at: NOW });

type Said = Extract<Answer, { is: 'ended' | 'planned' | 'observed' }>;
type Body = Said extends infer S ? (S extends Said ? Omit<S, 'move' | 'at'> : never) : never;

/** The one who is asked now answers that it is limited until a time that is past; then what follows, up to the next try or the end. */
function limited(run: Run, is: 'dispatch' | 'replan' | 'observe', cost: Cost, hands: Hands = {}): Run {
  const move = nextMoves(run).find(isMove(is));
  const answers: Record<typeof is, Body> = {
    dispatch: { is: 'ended', end: { is: 'limited', until: PAST, why: 'usage limit' } },
    replan: { is: 'planned', planned: { is: 'limited', until: PAST, why: 'usage limit' } },
    observe: { is: 'observed', observation: { ...seen([], 'holds'), limited: { until: PAST, why: 'usage limit' } } },
  };
  const answered = checked(advance(run, { move: move?.id ?? '', at: run.clock + 1000, cost, ...answers[is] } as Answer));
  return carryOn(answered, hands, (one) => nextMoves(one).some((listedMove) => listedMove.is === is && one !== answered));
}

/** How long each wait was, in minutes, and the run when no try follows any more. */
function triedOut(run: Run, is: 'dispatch' | 'replan' | 'observe', cost: Cost, hands: Hands = {}): { tries: number; end: Run } {
  let one = run;
  let tries = 0;
  for (; tries < TRIES_MAX && nextMoves(one).some(isMove(is)); tries++) one = limited(one, is, cost, hands);
  return { tries, end: one };
}

it('a reset that is past is as unknown as none, one nearer than a minute after the first time too; a later one is believed', () => {
  const looks = [1, 2, 3, 4, 5].map((leg) => (limitLookAt({ until: PAST, leg }, NOW) - NOW) / MINUTE_MS);
  const near = [1, 2].map((leg) => limitLookAt({ until: NOW + LIMIT_RESET_MS_MIN - 1, leg }, NOW) - NOW);
  const far = [1, 2].map((leg) => limitLookAt({ until: NOW + LIMIT_RESET_MS_MIN, leg }, NOW) - NOW);
  expect({ looks, near, far }).toEqual({
    looks: [...LIMIT_LOOKS_MINUTES, 60],
    near: [LIMIT_RESET_MS_MIN - 1, 15 * MINUTE_MS],
    far: [LIMIT_RESET_MS_MIN, LIMIT_RESET_MS_MIN],
  });
});

describe('of an agent that is limited again and again', () => {
  it('every try is paid for, and none follows when the money is used up', () => {
    const { tries, end } = triedOut(carryOn(openedWith({ costUsd: 3, dispatches: 2 }), {}, until('dispatch')), 'dispatch', ONE_USD);
    expect([tries, end.spent.usd, end.spent.dispatches, ledgerOf(end), end.outcome]).toEqual([
      3,
      3,
      1,
      ['T1 blocked verified (budget-cost) | required → exhausted'],
      'BLOCKED',
    ]);
    expect([end.ledger[0]?.cost, end.ledger[0]?.text?.unresolved]).toEqual([
      { usd: 3, tokens: 3000 },
      ['limits.costUsd: 3 is used up: donewhen resolve demo budget-cost --resolution TEXT --by NAME grants it once more'],
    ]);
  });

  it('the tokens count alike', () => {
    const { tries, end } = triedOut(carryOn(openedWith({ tokens: 1500 }), {}, until('dispatch')), 'dispatch', ONE_USD);
    expect([tries, ledgerOf(end)]).toEqual([2, ['T1 blocked verified (budget-tokens) | required → exhausted']]);
  });

  it('the waits between the tries grow', () => {
    let one = carryOn(openedWith({ costUsd: null }), {}, until('dispatch'));
    const pauses: number[] = [];
    for (let leg = 1; leg <= 5; leg++) {
      const before = one.clock;
      one = limited(one, 'dispatch', ONE_USD);
      pauses.push(Math.floor((one.clock - before) / MINUTE_MS));
    }
    expect(pauses).toEqual([5, 15, 30, 60, 60]);
  });

  it('no try follows where others spent the money while it waited', () => {
    const tasks = [taskOf('T1', { writes: ['a'] }), taskOf('T2', { writes: ['b'] })];
    const sent = carryOn(openedWith({ costUsd: 3 }, tasks), {}, until('dispatch'));
    const waiting = limited(sent, 'dispatch', ONE_USD);
    const second = nextMoves(waiting).find(isMove('dispatch'));
    const spent = advance(waiting, {
      move: second?.id ?? '',
      at: waiting.clock + 1,
      is: 'ended',
      end: says('done'),
      cost: { usd: 5, tokens: 1 },
    });
    expect(ledgerOf(carryOn(spent))).toEqual(['T2 done verified | holds', 'T1 blocked verified (budget-cost) | required → exhausted']);
  });

  it('one grant of the budget sends the same work once more, under the next id', () => {
    const run = { ...openedWith({ costUsd: 1 }), policy: { ...openedWith({}).policy, onBlocked: 'wait' as const } };
    const { end } = triedOut(carryOn(run, {}, until('dispatch')), 'dispatch', ONE_USD);
    const granted = told(end, { name: 'resolve', blocker: 'budget-cost', resolution: 'raised' });
    expect([reply(granted), ledgerOf(carryOn(granted)).at(-1)]).toEqual([
      'applied: T1 is reopened on the word of ana',
      'T2 done verified | holds',
    ]);
  });
});

it('a verifier that is limited again and again stops its task when the money is used up, before anybody was sent', () => {
  const run = openedWith({ costUsd: 2 }, [taskOf('T1', { checks: [] })]);
  const { tries, end } = triedOut(run, 'observe', ONE_USD);
  expect([tries, end.spent.dispatches, ledgerOf(end)]).toEqual([2, 0, ['T1 blocked unverified (budget-cost) | required → exhausted']]);
});

describe('of a planner that is limited again and again', () => {
  const failing: Hands = { ends: { T1: [says('failed', { blocker: 'a-wall' })] } };
  const asked = (more: Partial<Limits>, hands: Hands = failing) => carryOn(openedWith(more), hands, until('replan'));

  it('no ask follows when the money is used up: the gate exhausts for that, and the run is blocked', () => {
    const { tries, end } = triedOut(asked({ costUsd: 2 }), 'replan', ONE_USD);
    const gate = end.ledger[0]?.gates.at(-1);
    expect([tries, ledgerOf(end), gate?.is === 'exhausted' && [gate.blocker, gate.why], end.outcome]).toEqual([
      2,
      ['T1 failed verified (a-wall) | required → exhausted'],
      ['budget-cost', 'limits.costUsd: 2 is used up, and the planner was at its usage limit'],
      'BLOCKED',
    ]);
  });

  it('a grant of the budget asks it again', () => {
    const waits = asked({ costUsd: 2 });
    const { end } = triedOut({ ...waits, policy: { ...waits.policy, onBlocked: 'wait' } }, 'replan', ONE_USD);
    const granted = told(end, { name: 'resolve', blocker: 'budget-cost', resolution: 'raised' });
    const heir = taskOf('T2', { states: 'promise of T1', checks: ['file: out-T1'], reopens: 'T1' });
    expect([listed(granted), granted.spent.usd, ledgerOf(carryOn(granted, { planned: [planned(2, heir)] }))]).toEqual([
      ['planner replan'],
      0,
      ['T1 failed verified (a-wall) | required → exhausted → reopened 2', 'T2 done verified | holds'],
    ]);
  });

  it('where it was only asked whether the plan holds, the plan that stands goes on', () => {
    const news: Hands = { ends: { T1: [says('done', { deviation: 'another way' })] } };
    const { tries, end } = triedOut(asked({ costUsd: 2 }, news), 'replan', ONE_USD);
    expect([tries, ledgerOf(end), end.outcome]).toEqual([2, ['T1 done verified | holds'], 'COMPLETED']);
  });
});

describe('of a planner that is to be asked when the money is used up', () => {
  /** The task fails, or ends another way than it was told to, for all the money that there was. */
  function spent(end: End): Run {
    const sent = carryOn(openedWith({ costUsd: 2 }), {}, until('dispatch'));
    const move = nextMoves(sent).find(isMove('dispatch'));
    const ended = advance(sent, { move: move?.id ?? '', at: sent.clock + 1, is: 'ended', end, cost: { usd: 2, tokens: null } });
    return carryOn(ended);
  }
  const FAILS = says('failed', { blocker: 'a-wall' });

  it('it is not: the gate exhausts for that, and the run is blocked', () => {
    const run = spent(FAILS);
    const gate = run.ledger[0]?.gates.at(-1);
    expect([ledgerOf(run), gate?.is === 'exhausted' && [gate.blocker, gate.why], run.outcome]).toEqual([
      ['T1 failed verified (a-wall) | required → exhausted'],
      ['budget-cost', 'limits.costUsd: 2 is used up, and the planner was not asked'],
      'BLOCKED',
    ]);
  });

  it('where it was only to say whether the plan holds, the plan that stands goes on, noted', () => {
    const run = spent(says('done', { deviation: 'another way' }));
    expect([ledgerOf(run), run.ledger[0]?.gates, run.outcome]).toEqual([
      ['T1 done verified | holds'],
      [{ is: 'holds', at: expect.any(Number), note: 'limits.costUsd: 2 is used up, and the planner was not asked' }],
      'COMPLETED',
    ]);
  });

  it('whose plan was refused is not asked once more', () => {
    const asking = carryOn(openedWith({ costUsd: 1 }), { ends: { T1: [FAILS] } }, until('replan'));
    const move = nextMoves(asking).find(isMove('replan'));
    const planned: Planned = { is: 'unreadable', problems: ['there is no plan in it'] };
    const run = carryOn(advance(asking, { move: move?.id ?? '', at: asking.clock + 1, is: 'planned', planned, cost: ONE_USD }));
    const gate = run.ledger[0]?.gates.at(-1);
    expect([gate?.is === 'exhausted' && [gate.blocker, gate.why], run.outcome]).toEqual([
      ['budget-cost', "limits.costUsd: 1 is used up, and the planner's plan was refused: there is no plan in it"],
      'BLOCKED',
    ]);
  });
});
