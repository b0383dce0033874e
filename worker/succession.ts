import type { Client } from '@temporalio/client';
import type { NativeConnection } from '@temporalio/worker';
import { slugOfRunQueue, WORKER_LOST, workflowIdOf } from '../workflows/names.js';
import { type ServerKey, workersOf } from './registry.js';

export interface SuccessionOptions {
  connection: NativeConnection;
  client: Client;
  home: string;
  queue: string;
  key: ServerKey;
  /** Temporal's name for the worker that speaks. */
  identity: string;
}

export interface Succession {
  /** Open runs that a dead worker may have held. */
  runs: number;
  /** Activities that it had begun and cannot end any more. */
  lost: number;
  /** What could not be settled; time-outs settle it later. */
  problems: string[];
}

const CALL_TIMEOUT_MS = 5_000;
const RUNS_MAX = 1_000;
const RUNS_AT_ONCE = 8;

/**
 * A worker that comes to a queue speaks for its predecessors there that are dead, which it knows by pid and start time.
 * Without it the engine waits: ten seconds for a workflow task on the dead worker's own queue, and a heartbeat time-out
 * for an activity. Each activity that a dead worker had begun fails as WorkerLost: its end is unclear, so the workflow
 * looks before it goes on (R3). Never throws: the time-outs are still there.
 */
export async function succeed(options: SuccessionOptions): Promise<Succession> {
  const dead = new Set(workersOf(options.home, options.queue, options.key).gone.map((record) => record.identity));
  const succession: Succession = { runs: 0, lost: 0, problems: [] };
  if (dead.size === 0) return succession;
  try {
    const ids = await openRuns(options);
    for (let from = 0; from < ids.length; from += RUNS_AT_ONCE) {
      await Promise.all(ids.slice(from, from + RUNS_AT_ONCE).map((id) => settle(id, dead, options, succession)));
    }
  } catch (error) {
    succession.problems.push(wordsOf(error));
  }
  return succession;
}

async function openRuns({ client, connection, queue }: SuccessionOptions): Promise<string[]> {
  // A run's own queue has one run, whose id is known: no need to wait until the list shows it.
  const slug = slugOfRunQueue(queue);
  if (slug !== null) return [workflowIdOf(slug)];
  return await connection.withDeadline(Date.now() + CALL_TIMEOUT_MS, async () => {
    const ids: string[] = [];
    const query = `TaskQueue = '${queue.replaceAll("'", "''")}' AND ExecutionStatus = 'Running'`;
    for await (const { workflowId } of client.workflow.list({ query })) {
      ids.push(workflowId);
      if (ids.length >= RUNS_MAX) break;
    }
    return ids;
  });
}

async function settle(workflowId: string, dead: Set<string>, options: SuccessionOptions, succession: Succession): Promise<void> {
  const { connection, client, identity, queue } = options;
  const namespace = client.options.namespace;
  const service = connection.workflowService;
  try {
    await connection.withDeadline(Date.now() + CALL_TIMEOUT_MS, async () => {
      const run = await service.describeWorkflowExecution({ namespace, execution: { workflowId } });
      const info = run.workflowExecutionInfo;
      if (info?.status !== RUNNING || info.taskQueue !== queue) return;
      succession.runs++;
      const execution = { workflowId, runId: info.execution?.runId ?? '' };
      // Before the failures, which make workflow tasks: one that is put on a dead worker's queue stays there.
      await service.resetStickyTaskQueue({ namespace, execution });
      for (const activity of run.pendingActivities ?? []) {
        if (!BEGUN.includes(activity.state ?? 0) || !dead.has(activity.lastWorkerIdentity ?? '')) continue;
        await service.respondActivityTaskFailedById({
          namespace,
          ...execution,
          activityId: activity.activityId ?? '',
          identity,
          failure: {
            message: `the worker ${activity.lastWorkerIdentity} died while it carried this out: its end is unclear`,
            source: 'donewhen',
            applicationFailureInfo: { type: WORKER_LOST, nonRetryable: true },
          },
        });
        succession.lost++;
      }
    });
  } catch (error) {
    // A run that is closed by now needs nothing.
    if (codeOf(error) !== NOT_FOUND) succession.problems.push(`${workflowId}: ${wordsOf(error)}`);
  }
}

// Numbers of the API: a running execution; an activity that was begun, and one that was begun and is to be cancelled.
const RUNNING = 1;
const BEGUN: readonly number[] = [2, 3];
const NOT_FOUND = 5;

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : null;
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
