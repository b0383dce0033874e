import { describe, expect, it } from 'vitest';
import { LIMITS_DEFAULT, NOTHING_SPENT, spentBefore } from '../../core/limits.js';
import { advance, nextMoves } from '../../core/run.js';
import { runJson } from '../../core/run-json.js';
import type { Entry, Run } from '../../core/values.js';
import { POLICY, runOf, taskOf } from '../support/run-values.js';
import { carryOn, isMove, ledgerOf, says, told } from '../support/steps.js';

/** A budget stopped a task before anybody was sent: that is no dispatch, costs nothing, and is nobody's attempt. */
const policy = { ...POLICY, planner: false, onBlocked: 'wait' as const };
const opened = () => runOf([taskOf('T1'), taskOf('T2')], { limits: { ...LIMITS_DEFAULT, dispatches: 1 }, policy });

/** T1 is done and its agent says what it cost; of T2 nobody hears. */
function stopped(): Run {
  const sent = carryOn(opened(), {}, (one) => nextMoves(one).some(isMove('dispatch')));
  const move = nextMoves(sent).find(isMove('dispatch'));
  const cost = { usd: 0.5, tokens: 100 };
  return carryOn(advance(sent, { move: move?.id ?? '', at: sent.clock + 1, is: 'ended', end: says('done'), cost }));
}

it('its entry names nobody, and the task that takes it up goes to whom it was to go', () => {
  const run = stopped();
  const granted = told(run, { name: 'resolve', blocker: 'budget-dispatches', resolution: 'raised' });
  expect([
    run.ledger.map(({ task, performer, cost }) => ({ task, performer, cost })),
    granted.plan.tasks.map(({ id, performer, reopens }) => ({ id, performer, reopens })),
    ledgerOf(carryOn(granted)).at(-1),
  ]).toEqual([
    [
      { task: 'T1', performer: 'mine', cost: { usd: 0.5, tokens: 100 } },
      { task: 'T2', performer: '', cost: { usd: 0, tokens: 0 } },
    ],
    [{ id: 'T3', performer: 'mine', reopens: 'T2' }],
    'T3 done verified | holds',
  ]);
});

describe('what earlier executions spent', () => {
  const without = { planner: false };
  const withPlanner = { planner: true };
  const of = (entries: Entry[], who: { planner: boolean }) => spentBefore(entries, who);

  it('counts who was sent, and knows all of it where every agent said its cost and no planner was asked', () => {
    const { ledger } = stopped();
    const known = { ...NOTHING_SPENT, dispatches: 1, usd: 0.5, tokens: 100, earlier: 2 };
    expect([of(ledger, without), of(ledger, withPlanner)]).toEqual([known, known]);
  });

  it('is not known whole where a planner may have been asked, or an agent said nothing', () => {
    const [first] = stopped().ledger;
    if (first === undefined) throw new Error('no entry');
    const failed: Entry = { ...first, status: 'failed', blocker: 'a-wall', gates: [{ is: 'required', at: 1 }] };
    const replanned: Entry = { ...failed, gates: [...failed.gates, { is: 'done', version: 2, at: 2 }] };
    const silent: Entry = { ...first, cost: { usd: null, tokens: null } };
    expect([
      of([failed], withPlanner).unknown,
      of([failed], without).unknown,
      of([replanned], without).unknown,
      of([silent], without).unknown,
    ]).toEqual([true, false, true, true]);
  });
});

it('an entry from a LEDGER.md, which says no times, has none', () => {
  const ledger = stopped().ledger.map((entry) => ({ ...entry, startedAt: 0, endedAt: 0 }));
  const times = runJson({ ...opened(), ledger }, 'donewhen-demo').ledger.map(({ startedAt, endedAt }) => [startedAt, endedAt]);
  expect(times).toEqual([
    [null, null],
    [null, null],
  ]);
});
