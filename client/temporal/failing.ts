import type { Connection } from '@temporalio/client';
import { defaultPayloadConverter, type Payload } from '@temporalio/common';
import type { Failing, Standing } from '../runs.js';

/** Once or twice is an outage. */
const FAILING_ATTEMPTS_MIN = 5;
/** A disk that takes nothing says so by itself. */
const CANNOT_WRITE = 'CannotWrite';
const CANNOT_WRITE_ATTEMPTS_MIN = 2;
/** A retry writes no event, so that the beginning of what fails now is near the end of the history. */
const EVENTS_READ_MAX = 200;

type At = { namespace: string; workflowId: string; runId?: string };
type Described = Awaited<ReturnType<Connection['workflowService']['describeWorkflowExecution']>>;
type Pending = NonNullable<Described['pendingActivities']>[number];

/** Signs of life of an activity are no events: while an agent works nothing happens. */
export async function standingOf(connection: Connection, at: At): Promise<Standing> {
  const { namespace, ...execution } = at;
  const described = await connection.workflowService.describeWorkflowExecution({ namespace, execution });
  const { execution: known, historyLength } = described.workflowExecutionInfo ?? {};
  const happened = known?.runId == null || historyLength == null ? null : `${known.runId} ${historyLength}`;
  return { failing: await failingOf(connection, at, described), happened };
}

/**
 * Activities of an open run that are tried again and again: a fault of its host (a full disk), or one of ours. And an
 * attempt whose end cannot be written: it is tried again where it was carried out, and its sign of life tells.
 */
export async function failingIn(connection: Connection, at: At): Promise<Failing[]> {
  return (await standingOf(connection, at)).failing;
}

async function failingOf({ workflowService }: Connection, at: At, { pendingActivities }: Described): Promise<Failing[]> {
  const { namespace, ...execution } = at;
  const failing = (pendingActivities ?? []).flatMap((pending) => {
    const failed = failureOf(pending);
    return failed === null ? [] : [{ ...failed, id: pending.activityId, activity: pending.activityType?.name ?? 'an activity' }];
  });
  if (failing.length === 0) return [];
  // Since when is worth a call, and no reason to say nothing where a server does not tell.
  const page = { namespace, execution, maximumPageSize: EVENTS_READ_MAX };
  const history = await workflowService.getWorkflowExecutionHistoryReverse(page).then(
    (answer) => answer.history,
    () => null,
  );
  return failing.map(({ id, activity, failures, reason, isYoung }) => {
    const begun = isYoung
      ? undefined
      : history?.events?.find((event) => event.activityTaskScheduledEventAttributes?.activityId === id)?.eventTime;
    return { activity, failures, since: begun == null ? null : Number(begun.seconds ?? 0) * 1000, reason };
  });
}

/** `isYoung`: it worked for a while, so that it does not fail since it began. */
function failureOf({ attempt, lastFailure, heartbeatDetails }: Pending): { failures: number; reason: string; isYoung: boolean } | null {
  const fault = faultIn(heartbeatDetails?.payloads?.[0]);
  if (fault !== null) return { failures: 1, reason: fault, isYoung: true };
  const isDisk = lastFailure?.applicationFailureInfo?.type === CANNOT_WRITE;
  if (lastFailure == null || (attempt ?? 0) < (isDisk ? CANNOT_WRITE_ATTEMPTS_MIN : FAILING_ATTEMPTS_MIN)) return null;
  return { failures: (attempt ?? 1) - 1, reason: lastFailure.message ?? '', isYoung: false };
}

function faultIn(payload: Payload | undefined): string | null {
  if (payload === undefined) return null;
  try {
    const details: unknown = defaultPayloadConverter.fromPayload(payload);
    const fault = typeof details === 'object' && details !== null && 'fault' in details ? details.fault : null;
    return typeof fault === 'string' ? fault : null;
  } catch {
    // Of another kind of activity, or of a newer worker.
    return null;
  }
}
