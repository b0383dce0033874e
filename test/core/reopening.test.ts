import { expect, it } from 'vitest';
import { LIMITS_DEFAULT } from '../../core/limits.js';
import { nextMoves } from '../../core/run.js';
import { POLICY, runOf, taskOf } from '../support/run-values.js';
import { carryOn, told, written } from '../support/steps.js';

const atItsBudget = () =>
  carryOn(runOf([taskOf('T1'), taskOf('T2')], { limits: { ...LIMITS_DEFAULT, dispatches: 1 }, policy: { ...POLICY, onBlocked: 'wait' } }));

it('a plan made by code gives long words of a person in short; the ledger keeps them whole', () => {
  const words = (length: number) => `${'é'.repeat(length - 1)}🙂 and so on`;
  const resolved = (resolution: string) => {
    const run = told(atItsBudget(), { name: 'resolve', blocker: 'budget-dispatches', resolution });
    const edits = nextMoves(run).flatMap((move) => (move.is === 'record' && move.write.is === 'plan' ? [move.write.edit?.because] : []));
    const gate = written(run).ledger[1]?.gates.at(-1);
    return { plan: run.plan.because, edits, ledger: gate?.is === 'reopened' ? gate.words : null };
  };
  const short = 'budget-dispatches is resolved: raised';
  const long = `budget-dispatches is resolved: ${'é'.repeat(499)}… (whole in LEDGER.md)`;
  expect([resolved('raised'), resolved(words(500)), resolved(`${words(500)}${'x'.repeat(100_000)}`)]).toEqual([
    { plan: short, edits: [short], ledger: 'raised' },
    { plan: long, edits: [long], ledger: words(500) },
    { plan: long, edits: [long], ledger: `${words(500)}${'x'.repeat(100_000)}` },
  ]);
});
