import { expect, it } from 'vitest';
import { exitOfRun } from '../../client/exit-code.js';

it.each([
  ['COMPLETED', null, 0],
  ['NO_OP', null, 0],
  ['PARTIAL', null, 10],
  ['BLOCKED', null, 11],
  ['FAILED', null, 12],
  ['COMPLETED', { by: 'ana', reason: '' }, 13],
  ['PARTIAL', { by: 'ana', reason: 'lunch' }, 13],
] as const)('a run that closed %s, stopped: %o, exits %i', (outcome, stopped, exit) => {
  expect(exitOfRun({ outcome, stopped })).toEqual(exit);
});

it('a closed run without an outcome is no success', () => {
  expect(exitOfRun({ outcome: null, stopped: null })).toEqual(10);
});
