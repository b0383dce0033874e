import { getEventListeners } from 'node:events';
import { ServiceError } from '@temporalio/client';
import { expect, it, vi } from 'vitest';
import { isQueued, isUnanswered, serverFault } from '../../../client/temporal/faults.js';
import { resultOf } from '../../../client/temporal/runs.js';

/** As the client throws it: the server let go of the call when our deadline was over, and its word came before our own timer. */
const cancelledByServer = () =>
  new ServiceError('Failed to call', {
    cause: Object.assign(new Error('1 CANCELLED: Call cancelled'), { code: 1, details: 'Call cancelled', metadata: {} }),
  });
const place = { run: { slug: 'demo' }, address: '127.0.0.1:7233' };

it('a call that the server lets go of at the deadline was not answered, which is no refusal', () => {
  expect(isUnanswered(cancelledByServer())).toEqual(true);
});

it('a query behind one that still waits for the worker is not answered either, which is no fault of the server', () => {
  const words =
    'consistent query buffer is full, this may be caused by too many queries and workflow not able to process query fast enough';
  const full = Object.assign(new Error(words), { code: 8, details: words, metadata: {} });
  const busy = Object.assign(new Error('limit'), { code: 8, details: 'namespace rate limit exceeded', metadata: {} });
  expect([isQueued(new ServiceError('Failed to query', { cause: full })), isQueued(busy)]).toEqual([true, false]);
});

it('a server whose database is damaged is not one that is away: the way out is another', () => {
  const details = 'GetCurrentExecution operation failed. Error: database disk image is malformed (11)';
  const damaged = Object.assign(new Error(details), { code: 14, details, metadata: {} });
  expect(String(serverFault(new ServiceError('Failed', { cause: damaged }), '127.0.0.1:7233'))).toContain(
    `the database of the Temporal server at 127.0.0.1:7233 is damaged (${details}): end what uses it, move its files`,
  );
});

it('a wait for the result that the server lets go of is taken up again, not given up', async () => {
  let asked = 0;
  const ask = async () => {
    asked += 1;
    if (asked === 1) throw cancelledByServer();
    return 'the state';
  };
  expect([await resultOf(ask, { ...place, signal: null }), asked]).toEqual([{ is: 'closed', state: 'the state' }, 2]);
});

/** Each poll leaves a listener on the signal that it was given, as the SDK does. */
const polling = (until: AbortSignal) =>
  new Promise<never>((_resolve, reject) => {
    for (let poll = 0; poll < 6; poll++) until.addEventListener('abort', () => reject(cancelledByServer()));
  });

it('a long wait goes on under a new signal before its polls have left many listeners on one', async () => {
  vi.useFakeTimers();
  const [leaving, signals] = [new AbortController(), new Set<AbortSignal>()];
  const waiting = resultOf((until) => polling(until).finally(() => signals.add(until)), { ...place, signal: leaving.signal });
  await vi.advanceTimersByTimeAsync(10 * 60_000);
  leaving.abort();
  expect([await waiting, signals.size]).toEqual([{ is: 'abandoned' }, 6]);
  vi.useRealTimers();
});

it('a wait that the command gives up is abandoned, and its polls leave nothing on the signal', async () => {
  const leaving = new AbortController();
  const waiting = resultOf(polling, { ...place, signal: leaving.signal });
  const listeners = getEventListeners(leaving.signal, 'abort').length;
  leaving.abort();
  expect([await waiting, listeners]).toEqual([{ is: 'abandoned' }, 0]);
});
