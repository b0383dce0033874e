import { expect, it } from 'vitest';
import { readMessage } from '../../workflows/messages.js';

const HEAD = { id: 'm1', at: 0 };

it('a plan that is too large to be carried is refused with words, and never cut', () => {
  expect(readMessage('replan', { plan: 'x'.repeat(80_001), by: 'ana' }, HEAD)).toEqual({
    id: 'm1',
    by: 'ana',
    at: 0,
    name: 'refused',
    of: 'replan',
    reason:
      'the plan has 80001 characters, more than the 80000 that a replan can carry; split it, or end the run and start it with the new plan',
  });
  const whole = 'x'.repeat(80_000);
  expect(readMessage('replan', { plan: whole, by: 'ana' }, HEAD)).toEqual({ id: 'm1', by: 'ana', at: 0, name: 'replan', plan: whole });
});
