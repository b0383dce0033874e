import { join } from 'node:path';
import type { NativeConnectionOptions } from '@temporalio/worker';
import { createSupervisor } from '../activities/process/client.js';
import { adoptRuns } from './adopt.js';
import { openLog } from './bounded-log.js';
import { entryPoint } from './entry-point.js';
import { type Home, hostIdOf, makeHome } from './home.js';
import { type Host, hostWorker } from './host.js';
import type { ServerKey, WorkerKind } from './registry.js';
import { createWorkerWorld, type WorkerWorld } from './world.js';

/** Wires the activities to a worker's world. */
export type CreateActivities = (world: WorkerWorld) => object;

export interface WorkerOptions {
  /** Where the session leads; a client's session fits as it is. */
  session: { settings: NativeConnectionOptions & { address: string }; namespace: string; embedded: boolean; home: Home };
  /** `own`: for one run, on its queue. `standing`: also adopts this host's runs that have no worker. */
  kind: WorkerKind;
  taskQueues: string[];
  env: NodeJS.ProcessEnv;
  createActivities: CreateActivities;
  /** Besides worker.log in the home. */
  say?: (line: string) => void;
}

/** A worker with all that belongs to it. */
export type RunningWorker = Pick<Host, 'identity' | 'queues' | 'failed' | 'stop'>;

/** Starts a worker in this process: its supervisor, its activities, its queues. Throws when the server refuses it. */
export async function startWorker(options: WorkerOptions): Promise<RunningWorker> {
  const { session, kind, env } = options;
  makeHome(session.home);
  const log = logTo(session.home, options.say);
  const supervisor = createSupervisor({ searchPath: env.PATH ?? '' });
  const own = { home: session.home.path, hostId: hostIdOf(session.home), environment: env, supervisor };
  try {
    const [host] = await Promise.all([
      hostWorker({
        connection: session.settings,
        key: keyOf(session),
        home: own.home,
        hostId: own.hostId,
        kind,
        taskQueues: options.taskQueues,
        activities: (server) => options.createActivities(createWorkerWorld(own, server)),
        workflowBundlePath: entryPoint('workflow-bundle.js'),
        log,
      }),
      // The first check need not wait for it then.
      supervisor.ready(),
    ]);
    const adopting = new AbortController();
    const adopted =
      kind === 'standing' ? adoptRuns({ host, home: own.home, key: keyOf(session), log, signal: adopting.signal }) : Promise.resolve();
    return {
      identity: host.identity,
      queues: () => host.queues(),
      failed: host.failed,
      stop: async () => {
        adopting.abort();
        await adopted;
        await host.stop();
        supervisor.close();
      },
    };
  } catch (error) {
    supervisor.close();
    throw error;
  }
}

// The embedded server may come back on another port; it is the same one all the same.
function keyOf({ embedded, settings, namespace }: WorkerOptions['session']): ServerKey {
  return { server: embedded ? 'embedded' : settings.address, namespace };
}

function logTo(home: Home, say: WorkerOptions['say']): (line: string) => void {
  const file = openLog(join(home.path, 'worker.log'));
  return (line) => {
    file.write(`${new Date().toISOString()} ${process.pid} ${line}\n`);
    say?.(line);
  };
}
