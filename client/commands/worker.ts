import { setTimeout } from 'node:timers/promises';
import { STANDING_QUEUE, slugOfWorkflowId, workflowIdOf } from '../../workflows/names.js';
import { openSession, type Session } from '../connection.js';
import { UserError } from '../errors.js';
import { EXIT_INTERRUPTED, EXIT_OK } from '../exit-code.js';
import { hostHere } from '../host-here.js';
import type { Io } from '../io.js';
import { raised, untilSignalled } from '../until-signalled.js';
import type { CommonOptions } from '../world.js';

export interface WorkerCommandOptions extends CommonOptions {
  /** Only this run, on the queue that it was started on. */
  run?: string;
  /** With `run`: ends when the run is closed. */
  untilClosed?: boolean;
}

const LOOK_EVERY_MS = 1_000;
/** The server may be restarted meanwhile; after this it will not come back. */
const SILENCE_MS_MAX = 600_000;

/** A worker that stands until Ctrl-C (exit 130), or until its one run is closed (exit 0). */
export async function workerCommand(options: WorkerCommandOptions, io: Io, signal: AbortSignal = untilSignalled()): Promise<number> {
  if (options.untilClosed === true && options.run === undefined) throw new UserError('--until-closed needs --run: which run is meant?', 2);
  const session = await openSession({ ...options, env: io.env });
  try {
    const run = options.run === undefined ? null : await runNamed(options.run, session);
    const queue = run?.taskQueue ?? STANDING_QUEUE;
    const worker = await hostHere({
      session,
      env: io.env,
      say: (line) => io.err(line),
      kind: run === null ? 'standing' : 'own',
      taskQueues: [queue],
    });
    show({ session, queue, identity: worker.identity }, options, io);
    const ends = [raised(signal).then(() => EXIT_INTERRUPTED), worker.failed];
    if (run !== null && options.untilClosed === true) ends.push(untilClosed(run.workflowId, session, signal).then(() => EXIT_OK));
    const exit = await Promise.race(ends);
    await worker.stop();
    return exit;
  } finally {
    await session.close();
  }
}

function show(worker: { session: Session; queue: string; identity: string }, options: CommonOptions, io: Io): void {
  const { address, namespace } = worker.session;
  if (options.json) io.out(JSON.stringify({ address, namespace, worker: worker.identity, taskQueue: worker.queue }, null, 2));
  else io.out(`worker for task queue ${worker.queue} at ${address}, namespace ${namespace}; Ctrl-C ends it, open runs are kept`);
}

interface OpenRun {
  workflowId: string;
  taskQueue: string;
}

async function runNamed(name: string, { client }: Session): Promise<OpenRun> {
  const workflowId = workflowIdOf(slugOfWorkflowId(name) ?? name);
  try {
    const { taskQueue } = await client.workflow.getHandle(workflowId).describe();
    return { workflowId, taskQueue };
  } catch (error) {
    if (!isNotFound(error)) throw error;
    throw new UserError(`there is no run ${name} (\`donewhen list\` shows all)`, 2, { cause: error });
  }
}

async function untilClosed(workflowId: string, { client }: Session, signal: AbortSignal): Promise<void> {
  let answeredAt = Date.now();
  while (!signal.aborted) {
    try {
      const { status } = await client.workflow.getHandle(workflowId).describe();
      answeredAt = Date.now();
      if (status.name !== 'RUNNING' && status.name !== 'PAUSED') return;
    } catch (error) {
      if (isNotFound(error)) return;
      if (Date.now() - answeredAt > SILENCE_MS_MAX)
        throw new UserError('the server no longer answers: the run is kept there', 3, { cause: error });
    }
    await setTimeout(LOOK_EVERY_MS, undefined, { signal }).catch(() => undefined);
  }
}

function isNotFound(error: unknown): boolean {
  return error instanceof Error && error.name === 'WorkflowNotFoundError';
}
