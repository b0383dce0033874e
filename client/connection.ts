import type { Client, Connection } from '@temporalio/client';
import { ensureServer } from '../worker/ensure-server.js';
import { codeOf } from '../worker/files.js';
import { cacheOf, type Home, homeOf } from '../worker/home.js';
import { answers, LOOPBACK, WELL_KNOWN_PORT } from '../worker/ports.js';
import { ServerFault } from '../worker/server-fault.js';
import { readServerState, wardenLives } from '../worker/server-state.js';
import { registerUser } from '../worker/users.js';
import { dial, uiUrlOf } from './dial.js';
import { UserError } from './errors.js';
import { terminal } from './io.js';
import { keepServerAlive } from './keep-alive.js';
import { lookAtServer, problemsOf, type ServerFacts, unreachable } from './server-facts.js';
import { type ConnectionSettings, namedTarget, type TargetOptions } from './target.js';

export interface SessionOptions extends TargetOptions {
  env?: NodeJS.ProcessEnv;
  /** true: the command only looks at runs, so what workers need of a server is not checked. */
  needWorkerless?: boolean;
}

/** An open way to a server. */
export interface Session {
  address: string;
  namespace: string;
  /** Of the Web UI, as far as it can be known; null otherwise. */
  uiUrl: string | null;
  embedded: boolean;
  client: Client;
  /** The client's own connection; for the services of the API that the client has no words for. */
  connection: Connection;
  /** How a worker reaches the same server. */
  settings: ConnectionSettings;
  home: Home;
  close(): Promise<void>;
}

const PROBE_TIMEOUT_MS = 300;
/** Something listens on 127.0.0.1:7233: whether it is a Temporal server shows soon. */
const LOCAL_ANSWER_MS = 3_000;
const ANSWER_MS = 5_000;

/**
 * Finds a server and opens a way to it: the one that was named; one on 127.0.0.1:7233, unless DONEWHEN_HOME says that the
 * home has its own; else the embedded one, which is started when it does not run. Throws a UserError with the way out.
 */
export async function openSession(options: SessionOptions = {}): Promise<Session> {
  const env = options.env ?? terminal().env;
  const home = homeOf(env);
  const { settings, namespace } = await namedTarget(options, env);
  const opening = { namespace, home, isChecked: options.needWorkerless !== true };
  if (settings !== null) {
    const opened = await openAt(settings, { ...opening, answerMs: ANSWER_MS });
    if (opened.is === 'silent') throw unreachable(settings.address, opened.cause);
    return opened.session;
  }
  if (home.from === 'default' && !ownServerRuns(home) && (await answers(LOOPBACK, WELL_KNOWN_PORT, PROBE_TIMEOUT_MS))) {
    const opened = await openAt({ address: `${LOOPBACK}:${WELL_KNOWN_PORT}` }, { ...opening, answerMs: LOCAL_ANSWER_MS });
    if (opened.is === 'open') return opened.session;
  }
  return await openEmbedded({ namespace, home, env });
}

// With the default home our own server may be the one on the well-known port; it must be used as ours, so that it stays.
function ownServerRuns(home: Home): boolean {
  const state = readServerState(home.path);
  return state !== null && wardenLives(state);
}

interface Opening {
  namespace: string;
  home: Home;
  isChecked: boolean;
  answerMs: number;
}

type Opened = { is: 'open'; session: Session } | { is: 'silent'; cause: unknown };

/** Opens a way to a server that is not ours. One round trip, as the SDK's own connect makes, which tells nobody what it learns. */
async function openAt(settings: ConnectionSettings, { namespace, home, isChecked, answerMs }: Opening): Promise<Opened> {
  const at = { address: settings.address, namespace };
  const [{ client, connection, close }, uiUrl] = await Promise.all([dial(settings, namespace), uiUrlOf(settings.address)]);
  const answer = await withinTime(connection, answerMs, () => (isChecked ? lookAtServer(connection, namespace) : greet(connection)));
  const problem = answer.is === 'answered' && answer.value !== null ? problemsOf(answer.value, at)[0] : undefined;
  if (answer.is === 'answered' && problem === undefined) {
    return { is: 'open', session: { ...at, uiUrl, embedded: false, client, connection, settings, home, close } };
  }
  await close();
  if (problem !== undefined) throw new UserError(problem, 3);
  return { is: 'silent', cause: answer.is === 'silent' ? answer.cause : null };
}

async function greet(connection: Connection): Promise<ServerFacts | null> {
  await connection.workflowService.getSystemInfo({});
  return null;
}

async function withinTime<T>(
  connection: Connection,
  ms: number,
  ask: () => Promise<T>,
): Promise<{ is: 'answered'; value: T } | { is: 'silent'; cause: unknown }> {
  try {
    return { is: 'answered', value: await connection.withDeadline(Date.now() + ms, ask) };
  } catch (cause) {
    return { is: 'silent', cause };
  }
}

async function openEmbedded({ namespace, home, env }: { namespace: string; home: Home; env: NodeJS.ProcessEnv }): Promise<Session> {
  if (namespace !== 'default') {
    throw new UserError(
      `the embedded server has only the namespace default, not ${namespace}: name a server (--address), or no namespace`,
      2,
    );
  }
  const ensuring = { home, cache: cacheOf(env), env };
  // Before anything else: a server that is ending looks for users once more.
  const user = hostFaults(home, () => registerUser(home.path));
  try {
    const state = await ensureServer(ensuring);
    const settings = { address: `${LOOPBACK}:${state.port}` };
    const { client, connection, close: hangUp } = await dial(settings, namespace);
    const watch = keepServerAlive(ensuring);
    const close = async (): Promise<void> => {
      watch.stop();
      await hangUp();
      user.leave();
    };
    return {
      ...settings,
      namespace,
      uiUrl: `http://${LOOPBACK}:${state.uiPort}`,
      embedded: true,
      client,
      connection,
      settings,
      home,
      close,
    };
  } catch (error) {
    user.leave();
    throw error instanceof ServerFault ? new UserError(error.message, 3, { cause: error }) : error;
  }
}

function hostFaults<T>(home: Home, act: () => T): T {
  try {
    return act();
  } catch (error) {
    const code = codeOf(error);
    if (code === null) throw error;
    throw new UserError(`${home.path} cannot be written (${code}): set DONEWHEN_HOME to a folder that can`, 3, { cause: error });
  }
}
