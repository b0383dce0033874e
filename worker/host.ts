import { setFlagsFromString } from 'node:v8';
import { Client } from '@temporalio/client';
import {
  DefaultLogger,
  makeTelemetryFilterString,
  NativeConnection,
  type NativeConnectionOptions,
  Runtime,
  Worker,
} from '@temporalio/worker';
import { sleep } from './files.js';
import { keepHeapSmall } from './heap.js';
import { type Registration, registerWorker, type ServerKey, TOUCH_EVERY_MS, type WorkerKind, workerIdentityOf } from './registry.js';
import { succeed } from './succession.js';

/** A way to the server, for what only it knows. */
export interface Reached {
  client: Client;
  connection: NativeConnection;
  namespace: string;
}

export interface HostOptions {
  /** How to reach the server; the same that the command itself uses. */
  connection: NativeConnectionOptions;
  key: ServerKey;
  home: string;
  hostId: string;
  kind: WorkerKind;
  taskQueues: string[];
  /** Made once the server is reached, because some of them ask it. */
  activities: (server: Reached) => object;
  /** The bundle that the build made: making one takes a second at every start. */
  workflowBundlePath: string;
  /** More than the runs that are open at once, else each task is replayed from its history. */
  cachedWorkflowsMax?: number;
  log: (line: string) => void;
}

/** A process that carries out the workflow and activity tasks of some queues. */
export interface Host {
  readonly identity: string;
  readonly client: Client;
  readonly connection: NativeConnection;
  queues(): string[];
  /** Serves one more queue. Speaks first for workers there that are dead. Twice is safe. */
  serve(queue: string): Promise<void>;
  /** Lets go of a queue; attempts go on under their supervisor. */
  release(queue: string): Promise<void>;
  /** Rejects when a worker broke. Pending while all work. */
  failed: Promise<never>;
  /** Lets go of all queues and of the server; twice is safe. */
  stop(): Promise<void>;
}

const CACHED_WORKFLOWS_MAX: Record<WorkerKind, number> = { own: 10, standing: 500 };
const CONNECT_TIMEOUT_MS = 10_000;
const CONNECT_EVERY_MS = 200;
/** Activities get this long to notice, before the worker stops waiting for them. */
const SHUTDOWN_GRACE = '1s';
const SHUTDOWN_FORCE = '10s';
/** Cancelling is heard of only with a heartbeat's answer. */
const HEARTBEAT_THROTTLE_MAX = '2s';
/** How long a workflow task waits on the queue of a worker that died unnoticed; ten seconds by default. */
const STICKY_TIMEOUT = '1s';

/** Connects, and serves the queues. Throws when the server cannot be reached or refuses the worker. */
export async function hostWorker(options: HostOptions): Promise<Host> {
  installRuntime(options.log);
  const identity = workerIdentityOf(options.hostId);
  const connection = await connectNative(options.connection);
  const client = new Client({ connection, namespace: options.key.namespace, identity });
  const activities = options.activities({ client, connection, namespace: options.key.namespace });
  const served = new Map<string, Promise<Served>>();
  let fail: (error: unknown) => void = () => undefined;
  const failed = new Promise<never>((_resolve, reject) => {
    fail = reject;
  });
  failed.catch(() => undefined); // Whoever awaits it hears of it; nobody has to.
  const serve = async (queue: string): Promise<void> => {
    const serving = served.get(queue) ?? serveQueue(queue, { options, connection, client, activities, identity, fail });
    served.set(queue, serving);
    serving.catch(() => served.delete(queue));
    await serving;
  };
  const release = async (queue: string): Promise<void> => {
    const serving = served.get(queue);
    served.delete(queue);
    await (await serving)?.stop();
  };
  let stopping: Promise<void> | null = null;
  const stop = async (): Promise<void> => {
    await Promise.all([...served.keys()].map(release));
    await connection.close();
  };
  const host: Host = {
    identity,
    client,
    connection,
    queues: () => [...served.keys()],
    serve,
    release,
    failed,
    stop: () => {
      stopping ??= stop();
      return stopping;
    },
  };
  try {
    await Promise.all(options.taskQueues.map(serve));
    keepHeapSmall();
  } catch (error) {
    await host.stop().catch(() => undefined);
    throw error;
  }
  return host;
}

/** The server may be coming back at this moment. */
async function connectNative(options: NativeConnectionOptions): Promise<NativeConnection> {
  for (const until = Date.now() + CONNECT_TIMEOUT_MS; ; await sleep(CONNECT_EVERY_MS)) {
    try {
      return await NativeConnection.connect(options);
    } catch (error) {
      if (Date.now() > until) throw error;
    }
  }
}

interface Served {
  stop(): Promise<void>;
}

interface Around {
  options: HostOptions;
  connection: NativeConnection;
  client: Client;
  activities: object;
  identity: string;
  fail: (error: unknown) => void;
}

async function serveQueue(queue: string, around: Around): Promise<Served> {
  const { options, connection, client, identity, fail } = around;
  const { home, key, kind, log } = options;
  // Before the first task: should this process die, its successor must be able to tell what it held.
  const registration = registerWorker(home, { ...key, queue, kind, identity });
  try {
    const [worker, succession] = await Promise.all([
      createWorker(queue, around),
      succeed({ connection, client, home, queue, key, identity }),
    ]);
    if (succession.lost > 0) log(`${queue}: took over from a worker that died: ${succession.lost} activities in ${succession.runs} runs`);
    for (const problem of succession.problems) log(`${queue}: could not take over at once: ${problem}`);
    return run(worker, registration, fail);
  } catch (error) {
    registration.end();
    throw error;
  }
}

async function createWorker(queue: string, { options, connection, activities, identity }: Around): Promise<Worker> {
  return await Worker.create({
    connection,
    namespace: options.key.namespace,
    taskQueue: queue,
    identity,
    workflowBundle: { codePath: options.workflowBundlePath },
    activities,
    maxCachedWorkflows: options.cachedWorkflowsMax ?? CACHED_WORKFLOWS_MAX[options.kind],
    maxHeartbeatThrottleInterval: HEARTBEAT_THROTTLE_MAX,
    shutdownGraceTime: SHUTDOWN_GRACE,
    shutdownForceTime: SHUTDOWN_FORCE,
    stickyQueueScheduleToStartTimeout: STICKY_TIMEOUT,
  });
}

function run(worker: Worker, registration: Registration, fail: (error: unknown) => void): Served {
  const touching = setInterval(() => registration.touch(), TOUCH_EVERY_MS);
  touching.unref();
  let isStopping = false;
  const ended = worker
    .run()
    // An activity that does not let go in time is told to the log by the SDK; its attempt has its supervisor.
    .catch((error: unknown) => (isStopping ? undefined : fail(error)))
    .finally(() => {
      clearInterval(touching);
      registration.end();
    });
  return {
    stop: async () => {
      isStopping = true;
      if (worker.getState() === 'RUNNING') worker.shutdown();
      await ended;
    },
  };
}

let isInstalled = false;

/**
 * The SDK takes a stack trace of every promise that a workflow makes, for its `__stack_trace` query: a good part of what a
 * workflow task costs. The thread of the workflows, which begins later, keeps the top frames alone.
 */
const WORKFLOW_STACK_FRAMES = 2;

/**
 * Once in a process. Signals are the command's business: it says how to go on before its workers stop. What the SDK logs
 * goes where the caller wants it, never straight to a terminal that is being drawn on.
 */
function installRuntime(log: (line: string) => void): void {
  if (isInstalled) return;
  isInstalled = true;
  setFlagsFromString(`--stack-trace-limit=${WORKFLOW_STACK_FRAMES}`);
  Runtime.install({
    logger: new DefaultLogger('WARN', ({ level, message, meta }) => log(`${level} ${message}${causeIn(meta)}`)),
    shutdownSignals: [],
    telemetryOptions: { logging: { filter: makeTelemetryFilterString({ core: 'WARN', other: 'ERROR' }), forward: {} } },
  });
}

function causeIn(meta: Record<string | symbol, unknown> | undefined): string {
  const error = meta?.error;
  return error === undefined ? '' : `: ${error instanceof Error ? error.message : String(error)}`;
}
