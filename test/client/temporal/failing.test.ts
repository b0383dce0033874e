import type { Connection } from '@temporalio/client';
import { defaultPayloadConverter } from '@temporalio/common';
import { expect, test } from 'vitest';
import { failingIn } from '../../../client/temporal/failing.js';

interface Pending {
  attempt: number;
  failure?: { message: string; type: string };
  details?: unknown;
}

/** What a server with this one pending activity is understood to say. */
function saidOf({ attempt, failure, details }: Pending) {
  const pending = {
    activityId: '7',
    activityType: { name: 'record' },
    attempt,
    ...(failure === undefined ? {} : { lastFailure: { message: failure.message, applicationFailureInfo: { type: failure.type } } }),
    ...(details === undefined ? {} : { heartbeatDetails: { payloads: [defaultPayloadConverter.toPayload(details)] } }),
  };
  const event = { eventTime: { seconds: 12, nanos: 0 }, activityTaskScheduledEventAttributes: { activityId: '7' } };
  const workflowService = {
    describeWorkflowExecution: async () => ({ pendingActivities: [pending] }),
    getWorkflowExecutionHistoryReverse: async () => ({ history: { events: [event] } }),
  };
  return failingIn({ workflowService } as unknown as Connection, { namespace: 'default', workflowId: 'donewhen-demo' });
}

const FULL = { message: 'the disk is full', type: 'CannotWrite' };

test('a disk that takes nothing is told with the first try that was made again', async () => {
  expect([await saidOf({ attempt: 1, failure: FULL }), await saidOf({ attempt: 2, failure: FULL })]).toEqual([
    [],
    [{ activity: 'record', failures: 1, since: 12_000, reason: 'the disk is full' }],
  ]);
});

test('anything else is an outage at first', async () => {
  const failure = { message: 'gone', type: 'Error' };
  expect([(await saidOf({ attempt: 4, failure })).length, (await saidOf({ attempt: 5, failure })).length]).toEqual([0, 1]);
});

test('an attempt whose end cannot be written tells it by its sign of life', async () => {
  const fault = 'the end of T1#1.1 cannot be written: the disk is full';
  expect([await saidOf({ attempt: 1, details: { pid: 1, fault } }), await saidOf({ attempt: 1, details: { pid: 1 } })]).toEqual([
    [{ activity: 'record', failures: 1, since: null, reason: fault }],
    [],
  ]);
});
