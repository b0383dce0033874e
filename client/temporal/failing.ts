import type { Connection } from '@temporalio/client';
import type { Failing } from '../runs.js';

/** Once or twice is an outage. */
const FAILING_ATTEMPTS_MIN = 5;
/** A retry writes no event, so that the beginning of what fails now is near the end of the history. */
const EVENTS_READ_MAX = 200;

type At = { namespace: string; workflowId: string; runId?: string };

/** Activities of an open run that are tried again and again: a fault of its host (a full disk), or one of ours. */
export async function failingIn(connection: Connection, at: At): Promise<Failing[]> {
  const { workflowService } = connection;
  const { namespace, ...execution } = at;
  const { pendingActivities } = await workflowService.describeWorkflowExecution({ namespace, execution });
  const failing = (pendingActivities ?? []).filter(
    ({ attempt, lastFailure }) => (attempt ?? 0) >= FAILING_ATTEMPTS_MIN && lastFailure != null,
  );
  if (failing.length === 0) return [];
  // Since when is worth a call, and no reason to say nothing where a server does not tell.
  const page = { namespace, execution, maximumPageSize: EVENTS_READ_MAX };
  const history = await workflowService.getWorkflowExecutionHistoryReverse(page).then(
    (answer) => answer.history,
    () => null,
  );
  return failing.map(({ activityId, activityType, attempt, lastFailure }) => {
    const begun = history?.events?.find((event) => event.activityTaskScheduledEventAttributes?.activityId === activityId)?.eventTime;
    return {
      activity: activityType?.name ?? 'an activity',
      failures: (attempt ?? 1) - 1,
      since: begun == null ? null : Number(begun.seconds ?? 0) * 1000,
      reason: lastFailure?.message ?? '',
    };
  });
}
