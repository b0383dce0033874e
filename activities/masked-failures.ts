import { ApplicationFailure } from '@temporalio/common';
import { maskText, maskTexts } from './process/mask.js';

/**
 * R16: what an activity fails with is kept in the history for ever, and may quote what it was about: an address with a
 * password, the words of a program.
 */
export function maskingFailures<Input, Result>(
  work: (input: Input) => Promise<Result>,
  secretsFor: (input: Input) => Promise<readonly string[]>,
): (input: Input) => Promise<Result> {
  return async (input) => {
    try {
      return await work(input);
    } catch (error) {
      maskFailure(error, await secretsFor(input));
      throw error;
    }
  };
}

/** In place: whoever catches it judges it by what it is. */
function maskFailure(error: unknown, secrets: readonly string[]): void {
  if (!(error instanceof Error)) return;
  const { message, stack } = error;
  error.message = maskText(message, secrets);
  if (stack !== undefined) error.stack = maskText(stack, secrets);
  if (error instanceof ApplicationFailure && error.details)
    error.details.splice(0, error.details.length, ...maskTexts(error.details, secrets));
  maskFailure(error.cause, secrets);
}
