import { expect, it } from 'vitest';
import { phaseOf, works } from '../../core/phase.js';
import type { Phase, Policy, Run } from '../../core/values.js';
import { POLICY, runOf, taskOf } from '../support/run-values.js';
import { carryOn, says, told, until } from '../support/steps.js';

const WAITS: Policy = { ...POLICY, onBlocked: 'wait' };
const one = () => runOf([taskOf('T1')]);
const two = () => runOf([taskOf('T1'), taskOf('T2')]);
const human = () => runOf([taskOf('T1', { performer: 'human' }), taskOf('T2')]);
const blocked = says('blocked', { blocker: 'no-key' });

const PHASES: [Phase, string, () => Run][] = [
  ['checking', 'the look before the work', one],
  ['dispatching', 'an agent works', () => carryOn(one(), {}, until('dispatch'))],
  ['verifying', 'the look after the work', () => carryOn(one(), {}, until('observe', 'after'))],
  ['verifying', 'the look before closing', () => carryOn(two(), {}, until('observe', 'sweep'))],
  [
    'verifying',
    'the look at a resolution',
    () => {
      const exhausted = carryOn(runOf([taskOf('T1')], { policy: WAITS }), { ends: { T1: [blocked] } });
      return told(exhausted, { name: 'resolve', blocker: 'no-key', resolution: 'yes', check: 'test -s key' });
    },
  ],
  ['recording', 'an entry is being written', () => carryOn(one(), {}, until('record'))],
  ['replanning', 'the planner is asked', () => carryOn(one(), { ends: { T1: [blocked] } }, until('replan'))],
  ['replanning', "a person's plan is read", () => told(carryOn(human(), {}, until('person')), { name: 'replan', plan: '# PLAN' })],
  ['waiting', 'a person was asked', () => carryOn(human(), {}, until('person'))],
  ['waiting', 'a person is asked how it goes on', () => carryOn(runOf([taskOf('T1')], { policy: WAITS }), { ends: { T1: [blocked] } })],
  ['limited', 'a usage limit', () => carryOn(one(), { ends: { T1: [{ is: 'limited', until: 1e9, why: 'x' }] } }, until('wait'))],
  ['paused', 'somebody paused it', () => carryOn(told(carryOn(two(), {}, until('dispatch')), { name: 'pause' }))],
  ['closed', 'the report is written', () => carryOn(one())],
];

it.each(PHASES)('%s: %s', (phase, _title, make) => {
  expect(phaseOf(make())).toBe(phase);
});

it('what still runs shows through a pause', () => {
  expect(phaseOf(told(carryOn(one(), {}, until('dispatch')), { name: 'pause' }))).toBe('dispatching');
});

it('hours pass only where the run works', () => {
  const phases: Phase[] = ['checking', 'dispatching', 'verifying', 'recording', 'replanning', 'waiting', 'limited', 'paused', 'closed'];
  expect(phases.filter(works)).toEqual(['checking', 'dispatching', 'verifying', 'recording', 'replanning']);
});
