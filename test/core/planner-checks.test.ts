import { describe, expect, it } from 'vitest';
import { LIMITS_DEFAULT } from '../../core/limits.js';
import { advance, nextMoves } from '../../core/run.js';
import type { Run } from '../../core/values.js';
import { checksOf } from '../../core/verdict.js';
import { packEntry, unpackEntry } from '../../workflows/packing.js';
import { NOTHING_SEEN, POLICY, runOf, seen, taskOf } from '../support/run-values.js';
import { carryOn, isMove, ledgerOf, planned, says, told, until } from '../support/steps.js';

/** Design §3: a planner never writes evidence. What it adds as a check must be able to fail. */
const unchecked = () => runOf([taskOf('T1', { checks: [] })]);
const evidence = (...checks: string[]) => planned(2, taskOf('T2', { states: 'promise of T1', checks, continues: 'T1' }));

/** T1 has no check; the planner brings some along, and T2 is looked at. */
function lookingAt(...checks: string[]): Run {
  return carryOn(unchecked(), { planned: [evidence(...checks)] }, (one) => one.active[0]?.task.id === 'T2');
}

/** The look before T2: these hold here, and where nothing is as well. */
function refusing(run: Run, refused: string[], kept: string[] = []): Run {
  const move = nextMoves(run).find(isMove('observe'));
  const observation = { ...seen(kept, 'disproved'), refused };
  return advance(run, { move: move?.id ?? '', at: run.clock + 1, is: 'observed', observation });
}

describe('a check of a planner', () => {
  it('is remembered as its own, and what a person wrote is not', () => {
    const run = runOf([taskOf('T1'), taskOf('T2')]);
    const heir = taskOf('T3', { states: 'promise of T1', checks: ['file: out-T1', 'run: true'], continues: 'T1' });
    const next = carryOn(
      run,
      { ends: { T1: [says('failed', { blocker: 'a' })] }, planned: [planned(2, heir, taskOf('T2'))] },
      (one) => one.plan.version === 2,
    );
    expect(next.plan.tasks.map(({ id, added }) => [id, added])).toEqual([
      ['T3', ['run: true']],
      ['T2', undefined],
    ]);
  });

  it('stays its own in every plan after that, also over a new execution', () => {
    const first = carryOn(lookingAt('run: true'), { ends: { T2: [says('failed', { blocker: 'a' })] } }, until('replan'));
    const [, entry] = first.ledger;
    expect(entry === undefined ? null : unpackEntry(packEntry(entry)).added).toEqual(['run: true']);
    const heir = taskOf('T3', { states: 'promise of T1', checks: ['run: true'], continues: 'T2' });
    const next = carryOn(first, { planned: [planned(3, heir)] }, (one) => one.plan.version === 3);
    expect(next.plan.tasks[0]?.added).toEqual(['run: true']);
  });

  it('that holds where nothing is counts for nothing: the task has no usable check', () => {
    const run = carryOn(refusing(lookingAt('run: true'), ['run: true']), { ends: { T2: [says('done')] } });
    expect([ledgerOf(run)[1], run.ledger[1]?.checks, run.ledger[1]?.text?.words, run.outcome]).toEqual([
      'T2 partial unverified | required → exhausted',
      [],
      ['refused, because it holds where nothing is as well: run: true'],
      'PARTIAL',
    ]);
  });

  it('that was refused is not looked at again after the work', () => {
    const ready = refusing(lookingAt('run: true', 'file: out'), ['run: true'], ['file: out']);
    const verifying = carryOn(ready, {}, until('observe', 'after'));
    expect(verifying.active.map(checksOf)).toEqual([['file: out']]);
  });

  it('by a person is taken as it is', () => {
    const run = carryOn(
      told(runOf([taskOf('T1')]), { name: 'replan', plan: '# PLAN' }),
      { read: planned(2, taskOf('T1', { checks: ['run: true'] })) },
      (one) => one.proposed === null,
    );
    expect(run.plan.tasks[0]?.added).toBeUndefined();
  });

  it('is passed on where code makes the task that reopens it', () => {
    const limits = { ...LIMITS_DEFAULT, dispatches: 1 };
    const one = runOf([taskOf('T1', { checks: [] })], { limits, policy: { ...POLICY, onBlocked: 'wait' } });
    const blocked = carryOn(one, { planned: [evidence('run: true')] });
    const again = told(blocked, { name: 'resolve', blocker: 'budget-dispatches', resolution: 'more' });
    expect(again.plan.tasks[0]).toMatchObject({ id: 'T3', reopens: 'T2', checks: ['run: true'], added: ['run: true'] });
  });
});

it('an observation without a refusal leaves every check as it was', () => {
  const run = carryOn(unchecked(), { planned: [evidence('run: npm test')] }, (one) => one.active[0]?.task.id === 'T2');
  const move = nextMoves(run).find(isMove('observe'));
  const next = advance(run, {
    move: move?.id ?? '',
    at: run.clock,
    is: 'observed',
    observation: { ...NOTHING_SEEN, ...seen(['run: npm test'], 'holds') },
  });
  expect(ledgerOf(next)[1]).toBe('T2 no_op verified | holds');
});
