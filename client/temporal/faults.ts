import {
  isGrpcDeadlineError,
  isGrpcServiceError,
  QueryNotRegisteredError,
  WorkflowFailedError,
  WorkflowUpdateRPCTimeoutOrCancelledError,
} from '@temporalio/client';
import { ApplicationFailure, CancelledFailure, TerminatedFailure, TimeoutFailure, WorkflowNotFoundError } from '@temporalio/common';
import { UserError } from '../errors.js';
import type { Ended } from '../runs.js';

/** gRPC status codes that we tell apart. */
const CANCELLED = 1;
const DEADLINE_EXCEEDED = 4;
const RESOURCE_EXHAUSTED = 8;
const FAILED_PRECONDITION = 9;
const UNAVAILABLE = 14;

export function isNotFound(error: unknown): boolean {
  return error instanceof WorkflowNotFoundError;
}

/**
 * Nobody took the call in time: a deadline, or a queue on which no worker was seen lately. The server keeps our deadline as
 * well, and where it is first, what it lets go of arrives as cancelled: by itself this command cancels only what it no longer waits for.
 */
export function isUnanswered(error: unknown): boolean {
  if (error instanceof WorkflowUpdateRPCTimeoutOrCancelledError) return true;
  const code = codeOf(error);
  return (
    isGrpcDeadlineError(error) || code === DEADLINE_EXCEEDED || code === CANCELLED || (code === FAILED_PRECONDITION && !isStuck(error))
  );
}

/** An earlier query still waits for the worker: the server keeps one for a run, also of a command that asks no longer. */
export function isQueued(error: unknown): boolean {
  return codeOf(error) === RESOURCE_EXHAUSTED && wordsOf(error).includes('query buffer');
}

/** The worker is there, but cannot carry the run on: a defect, or another release. */
export function isStuck(error: unknown): boolean {
  return codeOf(error) === FAILED_PRECONDITION && /failed state|workflow task failed/i.test(wordsOf(error));
}

export function isUnreachable(error: unknown): boolean {
  return codeOf(error) === UNAVAILABLE;
}

export function isUnknownQuery(error: unknown): boolean {
  return error instanceof QueryNotRegisteredError;
}

/** The code of a gRPC status, also where the SDK wrapped it. */
function codeOf(error: unknown): number | null {
  for (let current: unknown = error, depth = 0; depth < 4 && current !== undefined; current = causeOf(current), depth++) {
    if (isGrpcServiceError(current)) return current.code;
  }
  return null;
}

function causeOf(error: unknown): unknown {
  return error instanceof Error ? error.cause : undefined;
}

export function wordsOf(error: unknown): string {
  for (let current: unknown = error, depth = 0; depth < 4 && current !== undefined; current = causeOf(current), depth++) {
    if (isGrpcServiceError(current)) return current.details;
  }
  return error instanceof Error ? error.message : String(error);
}

/** The server answers, and what it was asked for cannot be read from its database any more. SQLite's own words. */
function isDamaged(error: unknown): boolean {
  return codeOf(error) !== null && /database disk image is malformed|file is not a database/.test(wordsOf(error));
}

/** A call that needed the server only: its way out, or the error itself where it is none of ours to explain. */
export function serverFault(error: unknown, address: string): unknown {
  if (error instanceof UserError) return error;
  if (isDamaged(error)) {
    const way = 'end what uses it, move its files (`temporal-*.db*`) out of the folder that `donewhen doctor` names, and run again';
    return new UserError(
      `the database of the Temporal server at ${address} is damaged (${wordsOf(error)}): ${way}; a run that has a LEDGER.md goes on from it`,
      3,
      { cause: error },
    );
  }
  if (isUnreachable(error) || isUnanswered(error)) {
    return new UserError(`the Temporal server at ${address} did not answer in time: is it up? \`donewhen doctor\` looks`, 3, {
      cause: error,
    });
  }
  if (codeOf(error) !== null) {
    return new UserError(`the Temporal server at ${address} refused: ${wordsOf(error)} (\`donewhen doctor\` looks for the reason)`, 3, {
      cause: error,
    });
  }
  return error;
}

const REFUSALS = ['InvalidPlan', 'InvalidInput'];

/** How an execution ended that did not complete. null: this error says nothing about the execution. */
export function endOf(error: unknown): Ended | null {
  if (!(error instanceof WorkflowFailedError)) return null;
  const { cause } = error;
  if (cause instanceof ApplicationFailure && REFUSALS.includes(cause.type ?? '')) {
    const problems = (cause.message ?? '').split('\n').filter((line) => line.trim() !== '');
    return { is: 'refused', type: cause.type ?? '', problems };
  }
  if (cause instanceof TerminatedFailure) return { is: 'terminated', words: cause.message };
  if (cause instanceof CancelledFailure) return { is: 'cancelled', words: cause.message };
  if (cause instanceof TimeoutFailure) return { is: 'timedOut', words: cause.message };
  return { is: 'broken', words: cause?.message ?? error.message };
}
