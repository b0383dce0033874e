import { Context } from '@temporalio/activity';
import type { Json } from '../core/values.js';

/** Well below every heartbeat timeout, and how often a cancellation can be heard. */
export const BEAT_MS = 3_000;

/**
 * Does the work while it tells the engine, on a timer, that it is being done: a performer that is silent for an hour is
 * alive. Outside of an activity (the command looks too) there is nobody to tell.
 */
export async function whileBeating<T>(
  work: (signal: AbortSignal) => Promise<T>,
  details?: () => Promise<Json>,
  beatMs = BEAT_MS,
): Promise<T> {
  const context = currentContext();
  if (context === null) return work(new AbortController().signal);
  let last: Json = null;
  let busy = false;
  const beat = async () => {
    if (busy) return;
    busy = true;
    try {
      last = (await details?.()) ?? last;
    } catch {
      // The supervisor may just be ending; the last details stand.
    }
    busy = false;
    context.heartbeat(last);
  };
  const timer = setInterval(() => void beat(), beatMs);
  void beat();
  try {
    return await work(context.cancellationSignal);
  } finally {
    clearInterval(timer);
  }
}

/**
 * What a cancelled activity is told to do with its attempt. Only the workflow's own wish ends it; a worker that shuts
 * down, a pause, a reset or a time-out of the activity leave it to whoever asks for the token next (R13).
 */
export function cancellationOrder(): 'stop' | 'leave' {
  const context = currentContext();
  if (context === null) return 'stop';
  const details = context.cancellationDetails;
  if (details === undefined) return reasonOf(context.cancellationSignal) === 'CANCELLED' ? 'stop' : 'leave';
  const { cancelRequested, paused, reset, timedOut, workerShutdown, notFound } = details;
  return cancelRequested && !paused && !reset && !timedOut && !workerShutdown && !notFound ? 'stop' : 'leave';
}

function reasonOf(signal: AbortSignal): string {
  return signal.reason instanceof Error ? signal.reason.message : '';
}

function currentContext(): Context | null {
  try {
    return Context.current();
  } catch {
    return null;
  }
}
