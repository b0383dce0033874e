import { ActivityFailure, ApplicationFailure, CancelledFailure, TimeoutFailure } from '@temporalio/workflow';
import type { Answer } from '../core/values.js';
import { WORKER_LOST } from './names.js';

/**
 * The one classifier of foreign failures. A lost worker, a time-out, a shutdown, a pause or a reset of the activity says
 * nothing about what happened in the world: unclear (R3). Whatever else an activity throws is its own failure, and is
 * counted, so that it ends somewhere.
 */
export function unclearAnswer(error: unknown, move: string, at: number): Extract<Answer, { is: 'unclear' }> {
  return { move, at, is: 'unclear', counts: !isEngineLoss(error) };
}

/** Failure types that the engine or a succeeding worker gives to an activity whose worker went away. */
const LOSSES = [WORKER_LOST, 'WorkerShutdown', 'ActivityPause', 'ActivityReset'];

/** The worker went away, or the engine thinks so: nothing is known of what happened, and nothing is wrong with what was asked. */
export function isEngineLoss(error: unknown): boolean {
  const cause = error instanceof ActivityFailure ? error.cause : error;
  if (cause instanceof TimeoutFailure || cause instanceof CancelledFailure) return true;
  return cause instanceof ApplicationFailure && LOSSES.includes(cause.type ?? '');
}

/** The failure that `load` gave, or the error itself: a bug stays a bug and stops the workflow task. */
export function problemOf(error: unknown): unknown {
  return error instanceof ActivityFailure && error.cause instanceof ApplicationFailure ? error.cause : error;
}

/** The stock CLI shows message and stack, and neither type nor details: the message says it all, and no stack is kept. */
export function inSmallWords(error: unknown): unknown {
  if (!(error instanceof ApplicationFailure)) return error;
  const failure = ApplicationFailure.nonRetryable(error.message, error.type ?? 'InvalidInput', ...(error.details ?? []));
  failure.stack = '';
  return failure;
}
