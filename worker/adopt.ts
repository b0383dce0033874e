import { setTimeout } from 'node:timers/promises';
import { slugOfRunQueue, workflowIdOf } from '../workflows/names.js';
import type { Host } from './host.js';
import { forgetQueue, knownQueues, type ServerKey, workersOf } from './registry.js';

export interface AdoptOptions {
  host: Host;
  home: string;
  key: ServerKey;
  log: (line: string) => void;
  /** Ends the watching. */
  signal: AbortSignal;
}

const LOOK_EVERY_MS = 1_000;
const CALL_TIMEOUT_MS = 5_000;

/**
 * While a standing worker stands: it serves the queues of this host's runs whose own worker is gone, and lets go of one
 * when the run is closed, or when a worker of its own comes back, which brings the right terminal's environment.
 */
export async function adoptRuns(options: AdoptOptions): Promise<void> {
  const { signal, log } = options;
  while (!signal.aborted) {
    for (const queue of knownQueues(options.home)) {
      try {
        await consider(queue, options);
      } catch (error) {
        log(`${queue}: ${error instanceof Error ? error.message : String(error)}`);
      }
      if (signal.aborted) return;
    }
    await setTimeout(LOOK_EVERY_MS, undefined, { signal }).catch(() => undefined);
  }
}

async function consider(queue: string, { host, home, key, log }: AdoptOptions): Promise<void> {
  const slug = slugOfRunQueue(queue);
  if (slug === null) return;
  const isOurs = host.queues().includes(queue);
  const { living, gone } = workersOf(home, queue, key);
  const own = living.filter((worker) => worker.kind === 'own');
  if (!isOurs && (living.length > 0 || gone.length === 0)) return;
  const isOpen = await isOpenOn(host, workflowIdOf(slug), queue);
  if (isOurs && (own.length > 0 || !isOpen)) {
    log(own.length > 0 ? `run ${slug} has a worker of its own again` : `run ${slug} is closed`);
    await host.release(queue);
  }
  if (!isOpen) return forgetQueue(home, queue, key);
  if (!isOurs) {
    log(`run ${slug} has no worker: carrying it on here`);
    await host.serve(queue);
  }
}

async function isOpenOn({ client, connection }: Host, workflowId: string, queue: string): Promise<boolean> {
  try {
    const run = await connection.withDeadline(Date.now() + CALL_TIMEOUT_MS, () => client.workflow.getHandle(workflowId).describe());
    return run.status.name === 'RUNNING' && run.taskQueue === queue;
  } catch (error) {
    if (error instanceof Error && error.name === 'WorkflowNotFoundError') return false;
    throw error;
  }
}
