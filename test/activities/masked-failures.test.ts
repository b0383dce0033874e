import { ApplicationFailure } from '@temporalio/common';
import { expect, it } from 'vitest';
import { maskingFailures } from '../../activities/masked-failures.js';

it('what an activity fails with says no secret, in its words, its details and its causes (R16)', async () => {
  const cause = new Error('fatal: https://ana:hunter22@example.org/a.git not found');
  const fails = () =>
    Promise.reject(new ApplicationFailure('no own-secret-value', 'InvalidInput', true, ['own-secret-value', { at: 3 }], cause));
  const caught: unknown = await maskingFailures(fails, async () => ['own-secret-value'])(null).catch((error: unknown) => error);
  expect(caught).toMatchObject({
    message: 'no [secret]',
    type: 'InvalidInput',
    nonRetryable: true,
    details: ['[secret]', { at: 3 }],
    cause: { message: 'fatal: https://[secret]@example.org/a.git not found' },
  });
  expect(JSON.stringify([caught instanceof Error ? caught.stack : '', cause.stack])).not.toMatch(/own-secret-value|hunter22/);
});

it('what does not fail is handed on as it is', async () => {
  expect(
    await maskingFailures(
      async (input: string) => `${input} own-secret-value`,
      async () => ['own-secret-value'],
    )('kept'),
  ).toBe('kept own-secret-value');
});
