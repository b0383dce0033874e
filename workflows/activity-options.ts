import { ActivityCancellationType, proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../activities/interface.js';

/**
 * All time-outs and retries, grouped by what a repeat would do. Every activity has a heartbeat timeout: the engine drops
 * a completion that it could not deliver, and a heartbeat that stays away is how that is noticed.
 */
const HEARTBEAT_TIMEOUT = '40s';
/** A succession (a worker that speaks for its dead predecessor) answers sooner; this is the back-stop. */
const RETRY_FIRST = '50ms';
const RETRY_LONGEST = '30s';

/** Looking: twice does no harm, so the engine may retry for as long as it takes. */
export const looking = proxyActivities<Pick<Activities, 'load' | 'check' | 'verify'>>({
  startToCloseTimeout: '1h',
  heartbeatTimeout: HEARTBEAT_TIMEOUT,
  retry: {
    initialInterval: RETRY_FIRST,
    maximumInterval: RETRY_LONGEST,
    nonRetryableErrorTypes: ['InvalidPlan', 'InvalidInput', 'WorkerLost'],
  },
});

/** Writing: idempotent by record, so the engine may retry; a full disk is waited for. */
export const writing = proxyActivities<Pick<Activities, 'record' | 'notify'>>({
  startToCloseTimeout: '5m',
  heartbeatTimeout: HEARTBEAT_TIMEOUT,
  retry: { initialInterval: RETRY_FIRST, maximumInterval: RETRY_LONGEST, nonRetryableErrorTypes: ['WorkerLost'] },
});

/** Acting: twice may do harm. One attempt; what is unclear is settled by the same token again, in the loop (R3). */
export const acting = proxyActivities<Pick<Activities, 'dispatch' | 'replan'>>({
  startToCloseTimeout: '1h',
  heartbeatTimeout: HEARTBEAT_TIMEOUT,
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
  retry: { maximumAttempts: 1 },
});
