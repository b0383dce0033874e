import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode } from '@temporalio/worker';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { openSession, type Session } from '../../client/connection.js';
import { adoptRuns } from '../../worker/adopt.js';
import { type Host, hostWorker } from '../../worker/host.js';
import { knownQueues, registerWorker, type WorkerKind, workersOf } from '../../worker/registry.js';
import { readServerState } from '../../worker/server-state.js';
import { runQueueOf, workflowIdOf } from '../../workflows/names.js';
import { createTestHome, type TestHome, until } from '../support/homes.js';

const key = { server: 'embedded', namespace: 'default' };
let home: TestHome;
let session: Session;
let bundle: string;
const children: ChildProcess[] = [];
const hosts: Host[] = [];

beforeAll(async () => {
  home = createTestHome();
  session = await openSession({ env: home.env });
  const { code } = await bundleWorkflowCode({ workflowsPath: fileURLToPath(new URL('../fixtures/holding-workflow.ts', import.meta.url)) });
  bundle = join(home.path, 'bundle.js');
  writeFileSync(bundle, code);
});
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  await Promise.all(hosts.splice(0).map((host) => host.stop()));
});
afterAll(async () => {
  await session.close();
  await home.remove();
});

/** Another process that serves a queue; ready when this returns. */
async function otherWorker(queue: string, kind: WorkerKind): Promise<ChildProcess> {
  const options = { address: session.address, home: home.path, bundle, queue, kind };
  const child = spawn(process.execPath, [fileURLToPath(new URL('../fixtures/hold-worker.mjs', import.meta.url)), JSON.stringify(options)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  await new Promise((resolve) => child.stdout?.once('data', resolve));
  return child;
}

async function ownWorker(taskQueues: string[], kind: WorkerKind = 'own'): Promise<Host> {
  const activities = () => ({ hold: async () => 'held here' });
  const options = { connection: { address: session.address }, key, home: home.path, hostId: 'testhost', kind, taskQueues };
  const host = await hostWorker({ ...options, activities, workflowBundlePath: bundle, log: () => undefined });
  hosts.push(host);
  return host;
}

async function kill(child: ChildProcess): Promise<void> {
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await ended;
}

/** A run whose activity the other worker has begun. */
async function begunRun(slug: string, taskQueue: string) {
  const file = join(home.path, `${slug}.begun`);
  const handle = await session.client.workflow.start('holding', { workflowId: workflowIdOf(slug), taskQueue, args: [file] });
  await until('the activity has begun', () => existsSync(file));
  return handle;
}

describe('a worker that comes to a queue', () => {
  test.each([
    ['of one run', 'one', runQueueOf('one')],
    ['of standing workers', 'many', 'donewhen'],
  ])(
    '%s ends what its killed predecessor had begun as WorkerLost, and the run goes on without any call (B13)',
    async (_which, slug, queue) => {
      const other = await otherWorker(queue, 'own');
      const handle = await begunRun(slug, queue);
      await kill(other);
      await ownWorker([queue]);
      await handle.signal('goOn');
      expect(await handle.result()).toBe('WorkerLost');
    },
  );

  test('goes on when server and warden were killed under it', async () => {
    const queue = runQueueOf('outage');
    await ownWorker([queue]);
    const handle = await session.client.workflow.start('holding', { workflowId: workflowIdOf('outage'), taskQueue: queue, args: ['-'] });
    await handle.query('__temporal_workflow_metadata');
    process.kill(readServerState(home.path)?.wardenPid ?? 0, 'SIGKILL');
    await handle.signal('goOn');
    expect(await handle.result()).toBe('held here');
  });

  test('leaves alone what a living worker has begun', async () => {
    const queue = runQueueOf('living');
    const other = await otherWorker(queue, 'own');
    const handle = await begunRun('living', queue);
    await ownWorker([queue]);
    const pending = (await handle.describe()).raw.pendingActivities ?? [];
    expect(pending.map((activity) => activity.lastWorkerIdentity)).toEqual([expect.stringContaining(`donewhen:testhost:${other.pid}:`)]);
    await handle.terminate();
  });

  test('leaves alone what belongs to a worker of another home, of which it cannot know that it is dead', async () => {
    const queue = runQueueOf('strange');
    const stranger = createTestHome();
    const options = { address: session.address, home: stranger.path, bundle, queue, kind: 'own' };
    const child = spawn(
      process.execPath,
      [fileURLToPath(new URL('../fixtures/hold-worker.mjs', import.meta.url)), JSON.stringify(options)],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    await new Promise((resolve) => child.stdout?.once('data', resolve));
    const handle = await begunRun('strange', queue);
    await kill(child);
    await ownWorker([queue]);
    expect((await handle.describe()).raw.pendingActivities?.length).toBe(1);
    await handle.terminate();
    await stranger.remove();
  });
});

describe('a standing worker', () => {
  async function standing(): Promise<{ host: Host; end: () => Promise<void> }> {
    const host = await ownWorker(['donewhen'], 'standing');
    const stop = new AbortController();
    const adopting = adoptRuns({ host, home: home.path, key, log: () => undefined, signal: stop.signal });
    const end = async (): Promise<void> => {
      stop.abort();
      await adopting;
    };
    return { host, end };
  }

  test('carries on a run of this host whose own worker was killed, and clears its queue away when it is closed', async () => {
    const queue = runQueueOf('orphan');
    const other = await otherWorker(queue, 'own');
    const handle = await begunRun('orphan', queue);
    const { host, end } = await standing();
    const before = host.queues();
    await kill(other);
    await handle.signal('goOn');
    const result = await handle.result();
    await until('the queue is let go and cleared away', () => !host.queues().includes(queue) && !knownQueues(home.path).includes(queue));
    await end();
    expect({ before, result }).toEqual({ before: ['donewhen'], result: 'WorkerLost' });
  });

  test('lets go of a run when a worker of its own comes back', async () => {
    const queue = runQueueOf('back');
    const other = await otherWorker(queue, 'own');
    const handle = await begunRun('back', queue);
    await kill(other);
    const { host, end } = await standing();
    await until('it is adopted', () => host.queues().includes(queue));
    const back = await otherWorker(queue, 'own');
    await until('it is let go', () => !host.queues().includes(queue));
    expect(workersOf(home.path, queue, key).living.map(({ kind, process }) => ({ kind, pid: process.pid }))).toEqual([
      { kind: 'own', pid: back.pid },
    ]);
    await handle.terminate();
    await end();
  });

  test('does not touch the queues of another server', async () => {
    const queue = runQueueOf('elsewhere');
    registerWorker(home.path, { queue, kind: 'own', identity: 'x', server: 'cluster:7233', namespace: 'default' }).end();
    const { host, end } = await standing();
    await new Promise((resolve) => setTimeout(resolve, 500));
    await end();
    expect({ queues: host.queues(), known: knownQueues(home.path).includes(queue) }).toEqual({ queues: ['donewhen'], known: true });
  });
});
