import type { RunningWorker } from '../worker/main.js';
import type { WorkerKind } from '../worker/registry.js';
import { ServerFault } from '../worker/server-fault.js';
import type { Session } from './connection.js';
import { UserError } from './errors.js';

export interface HostHere {
  session: Session;
  env: NodeJS.ProcessEnv;
  /** `own`: for one run, with this terminal's environment. `standing`: for whatever has no worker. */
  kind: WorkerKind;
  taskQueues: string[];
  /** Where to say what the worker meets; worker.log in the home has it anyway. */
  say?: (line: string) => void;
}

/** Hosts a worker in this process. The SDK's worker is loaded only now: it costs a quarter of a second. */
export async function hostHere({ session, env, kind, taskQueues, say }: HostHere): Promise<RunningWorker> {
  const [{ startWorker }, { loadActivities }] = await Promise.all([import('../worker/main.js'), import('../worker/wiring.js')]);
  const where = `${taskQueues.join(', ')} at ${session.address}`;
  try {
    const createActivities = await loadActivities();
    const worker = await startWorker({ session, kind, taskQueues, env, createActivities, ...(say === undefined ? {} : { say }) });
    const failed = worker.failed.catch((error: unknown): never => {
      throw new UserError(`the worker for ${where} broke (${wordsOf(error)}): open runs are kept, start it again`, 3, { cause: error });
    });
    failed.catch(() => undefined); // Heard by whoever waits for it.
    return { ...worker, failed };
  } catch (error) {
    if (error instanceof ServerFault) throw new UserError(error.message, 3, { cause: error });
    throw new UserError(`no worker could be started for ${where}: ${wordsOf(error)}`, 3, { cause: error });
  }
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
