import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { identityOf } from '../../activities/process/identity.js';
import { openSession, type Session } from '../../client/connection.js';
import { readServerState } from '../../worker/server-state.js';
import { STANDING_QUEUE } from '../../workflows/names.js';
import { createTestHome, type TestHome, until } from '../support/homes.js';

const command = fileURLToPath(new URL('../../dist/client/main.js', import.meta.url));

let home: TestHome;
const children: ChildProcess[] = [];

beforeEach(() => {
  home = createTestHome();
});
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  await home.remove();
});

/** The command with `--json`; ready with the document that it prints. */
async function standing(...words: string[]): Promise<{ child: ChildProcess; exit: Promise<number | null>; said: Record<string, unknown> }> {
  const child = spawn(process.execPath, [command, ...words, '--json'], { env: home.env, stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  const exit = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));
  const said = await new Promise<Record<string, unknown>>((resolve, reject) => {
    let text = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      text += chunk.toString('utf8');
      if (text.trimEnd().endsWith('}')) resolve(JSON.parse(text));
    });
    void exit.then((code) => reject(new Error(`${words.join(' ')} ended with ${code}: ${text}`)));
  });
  return { child, exit, said };
}

async function pollersOf({ client }: Session): Promise<string[]> {
  const { pollers } = await client.workflowService.describeTaskQueue({
    namespace: 'default',
    taskQueue: { name: STANDING_QUEUE },
    taskQueueType: 1,
  });
  return (pollers ?? []).map(({ identity }) => identity ?? '');
}

async function startRun({ client }: Session, slug: string): Promise<{ terminate(): Promise<unknown> }> {
  // No worker of ours knows this workflow: the run stays open until somebody ends it.
  return await client.workflow.start('unknownToAll', { workflowId: `donewhen-${slug}`, taskQueue: STANDING_QUEUE, args: [] });
}

describe('a standing worker', () => {
  test('of dev serves the standing queue beside its server, and both end with Ctrl-C', async () => {
    const { child, exit, said } = await standing('dev');
    const session = await openSession({ env: home.env });
    await until('it serves', async () => (await pollersOf(session)).includes(String(said.worker)));
    const { wardenPid, pid } = readServerState(home.path) ?? {};
    await session.close();
    child.kill('SIGINT');
    expect({ exit: await exit, said }).toEqual({
      exit: 130,
      said: {
        address: session.address,
        namespace: 'default',
        uiUrl: session.uiUrl,
        embedded: true,
        home: home.path,
        worker: said.worker,
        taskQueue: 'donewhen',
      },
    });
    await until('warden and server are gone', () => [wardenPid, pid].every((one) => one == null || identityOf(one) === null));
  });

  test('of one run ends when the run is closed', async () => {
    const session = await openSession({ env: home.env });
    const run = await startRun(session, 'one');
    const { exit, said } = await standing('worker', '--run', 'one', '--until-closed');
    await run.terminate();
    expect({ exit: await exit, queue: said.taskQueue }).toEqual({ exit: 0, queue: STANDING_QUEUE });
    await session.close();
  });

  test('of a run that does not exist is refused', async () => {
    const { exit, said } = await standing('worker', '--run', 'nothing');
    expect({ exit: await exit, said }).toEqual({
      exit: 2,
      said: { error: { exit: 2, message: 'there is no run nothing (`donewhen list` shows all)' } },
    });
  });
});
