import type { Client, Connection, ConnectionOptions } from '@temporalio/client';
import { answers } from '../worker/ports.js';
import type { ConnectionSettings } from './target.js';

/** Most calls take milliseconds; a server that is being restarted is back within seconds. */
const CALL_TIMEOUT_MS = 15_000;
/** Calls that the server itself holds open, for up to a minute. */
const LONG_CALL_TIMEOUT_MS = 75_000;
const LONG_CALLS = /(GetWorkflowExecutionHistory|UpdateWorkflowExecution|PollWorkflowExecutionUpdate|QueryWorkflow|ExecuteMultiOperation)$/;
const RETRY_FIRST_MS = 50;
const RETRY_FACTOR = 1.7;
const RETRY_EVERY_MS_MAX = 1_000;
const RECONNECT_FIRST_MS = 100;
const RECONNECT_MS_MAX = 1_000;

const UI_PROBE_TIMEOUT_MS = 200;
/** Where the CLI's server puts its Web UI, counted from its own port. */
const UI_PORT_OFFSET = 1_000;

export interface Dialled {
  client: Client;
  connection: Connection;
  close(): Promise<void>;
}

/**
 * A client whose calls all end: a call without a deadline of its own gets one, and what is unavailable is tried again
 * until then. Connects with the first call. The SDK is loaded only here, as `--help` and `check` do not need it.
 */
export async function dial(settings: ConnectionSettings, namespace: string): Promise<Dialled> {
  const sdk = await import('@temporalio/client');
  let isClosed = false;
  const connection = sdk.Connection.lazy({
    ...settings,
    channelArgs: { 'grpc.initial_reconnect_backoff_ms': RECONNECT_FIRST_MS, 'grpc.max_reconnect_backoff_ms': RECONNECT_MS_MAX },
    interceptors: [
      (call, next) => {
        const limitMs = LONG_CALLS.test(call.method_definition.path) ? LONG_CALL_TIMEOUT_MS : CALL_TIMEOUT_MS;
        const deadline = call.deadline ?? Date.now() + limitMs;
        const retry = sdk.makeGrpcRetryInterceptor({
          delayFunction: (attempt) => Math.min(RETRY_FIRST_MS * RETRY_FACTOR ** attempt, RETRY_EVERY_MS_MAX),
          // None that could not end in time: the last answer then says what is wrong, which "deadline exceeded" does not.
          retryableDecider: (_attempt, status) =>
            !isClosed && Date.now() + RETRY_EVERY_MS_MAX < Number(deadline) && sdk.isRetryableError(status),
        });
        // A retry that was waiting when the channel was shut would throw where nobody can catch it.
        return retry({ ...call, deadline }, (options) => (isClosed ? NO_CALL : next(options)));
      },
    ],
  } satisfies ConnectionOptions);
  const close = async (): Promise<void> => {
    isClosed = true;
    await connection.close();
  };
  return { client: new sdk.Client({ connection, namespace }), connection, close };
}

// A call that is never made. Whoever waits for it has closed the connection.
const NO_CALL = {
  cancelWithStatus: () => undefined,
  getPeer: () => '',
  start: () => undefined,
  sendMessageWithContext: () => undefined,
  sendMessage: () => undefined,
  startRead: () => undefined,
  halfClose: () => undefined,
  getAuthContext: () => null,
};

/** The Web UI's address, as far as it can be known from the server's: of the CLI's server on this machine, and of Temporal Cloud. */
export async function uiUrlOf(address: string): Promise<string | null> {
  const [host, port] = splitAddress(address);
  if (host.endsWith('.tmprl.cloud') || host.endsWith('.temporal.io')) return 'https://cloud.temporal.io';
  if (host !== '127.0.0.1' && host !== 'localhost') return null;
  const uiPort = port + UI_PORT_OFFSET;
  return (await answers(host, uiPort, UI_PROBE_TIMEOUT_MS)) ? `http://${host}:${uiPort}` : null;
}

const PORT = 7233;

function splitAddress(address: string): [host: string, port: number] {
  const parts = /^(.*?)(?::(\d+))?$/.exec(address);
  return [parts?.[1] ?? address, Number(parts?.[2] ?? PORT)];
}
