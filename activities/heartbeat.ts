import { Context } from '@temporalio/activity';
import type { Json } from '../core/values.js';

/** Well below every heartbeat timeout, and how often a cancellation can be heard. */
export const BEAT_MS = 3_000;
/** What ends sooner needs no sign of life: each beat costs the server a write. */
const FIRST_BEAT_MS = 500;

/** What a cancelled activity does with its attempt. */
export type Order = 'stop' | 'leave';

/**
 * Does the work while it tells the engine, on a timer, that it is being done: a performer that is silent for an hour is
 * alive. Outside of an activity (the command looks too) there is nobody to tell. `order` may be asked for once the signal
 * is given.
 */
export async function whileBeating<T>(
  work: (signal: AbortSignal, order: () => Order) => Promise<T>,
  { details, beatMs = BEAT_MS }: { details?: () => Promise<Json>; beatMs?: number } = {},
): Promise<T> {
  // Taken now: from a timer or an event of another process it could not be found any more.
  const context = currentContext();
  if (context === null) return work(new AbortController().signal, () => 'leave');
  let last: Json = null;
  let busy = false;
  let isOver = false;
  const beat = async () => {
    if (busy) return;
    busy = true;
    try {
      last = (await details?.()) ?? last;
    } catch {
      // The supervisor may just be ending; the last details stand.
    }
    busy = false;
    if (!isOver) context.heartbeat(last);
  };
  let timer = setTimeout(
    function next() {
      timer = setTimeout(next, beatMs);
      void beat();
    },
    Math.min(FIRST_BEAT_MS, beatMs),
  );
  try {
    return await work(context.cancellationSignal, () => orderOf(context));
  } finally {
    isOver = true;
    clearTimeout(timer);
  }
}

/**
 * Only the workflow's own wish ends an attempt; a worker that shuts down, a pause, a reset or a time-out of the activity
 * leave it to whoever asks for the token next (R13).
 */
function orderOf({ cancellationDetails, cancellationSignal }: Context): Order {
  if (cancellationDetails === undefined) return reasonOf(cancellationSignal) === 'CANCELLED' ? 'stop' : 'leave';
  const { cancelRequested, paused, reset, timedOut, workerShutdown, notFound } = cancellationDetails;
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
