import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test } from 'vitest';
import { identityOf, lifeOf, ownIdentity } from '../../activities/process/identity.js';
import { openSession, type Session } from '../../client/connection.js';
import { orphansOn } from '../../worker/server-process.js';
import { readServerState, type ServerState, wardenLives } from '../../worker/server-state.js';
import { SEARCH_ATTRIBUTES } from '../../workflows/names.js';
import { createTestHome, type TestHome, until } from '../support/homes.js';

const homes: TestHome[] = [];
const children: ChildProcess[] = [];

function newHome(more: NodeJS.ProcessEnv = {}): TestHome {
  const home = createTestHome(more);
  homes.push(home);
  return home;
}

afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  for (const home of homes.splice(0)) await home.remove();
});

/** Another command, as a process of its own. */
async function command({ env }: TestHome): Promise<{ child: ChildProcess; address: string }> {
  const child = spawn(process.execPath, [fileURLToPath(new URL('../fixtures/hold-session.mjs', import.meta.url))], {
    env,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  children.push(child);
  const address = await new Promise<string>((resolve, reject) => {
    child.stdout?.once('data', (chunk: Buffer) => resolve(chunk.toString('utf8').trim()));
    child.once('exit', (code) => reject(new Error(`the command ended with ${code}`)));
  });
  return { child, address };
}

function stateOf(home: TestHome): ServerState {
  const state = readServerState(home.path);
  if (state === null) throw new Error('no server.json');
  return state;
}

function isGone(pid: number | null): boolean {
  return pid === null || identityOf(pid) === null;
}

async function startRun({ client }: Session, workflowId: string): Promise<void> {
  await client.workflow.start('executePlan', { workflowId, taskQueue: 'nobody', args: [] });
}

async function statusOf({ client }: Session, workflowId: string): Promise<string> {
  return (await client.workflow.getHandle(workflowId).describe()).status.name;
}

describe('the embedded server', () => {
  test('comes with every search attribute of ours and keeps closed runs for thirty days', async () => {
    const session = await openSession({ env: newHome().env });
    const { customAttributes } = await session.connection.operatorService.listSearchAttributes({ namespace: 'default' });
    const { config } = await session.client.workflowService.describeNamespace({ namespace: 'default' });
    const codes = { Keyword: 2, Int: 3, Double: 4, KeywordList: 7 };
    expect(customAttributes).toEqual(Object.fromEntries(SEARCH_ATTRIBUTES.map(({ name, kind }) => [name, codes[kind]])));
    expect(Number(config?.workflowExecutionRetentionTtl?.seconds)).toBe(30 * 86_400);
    await session.close();
  });

  test('is shared by two commands that start at once, and ends with the last', async () => {
    const home = newHome();
    const [first, second] = await Promise.all([command(home), command(home)]);
    expect(first.address).toBe(second.address);
    const { wardenPid, pid } = stateOf(home);
    first.child.stdin?.end();
    await until('the first command has ended', () => first.child.exitCode === 0);
    const third = await openSession({ env: home.env });
    expect(third.address).toBe(second.address);
    await third.close();
    second.child.stdin?.end();
    await until('server and warden are gone', () => isGone(wardenPid) && isGone(pid));
    expect(readdirSync(join(home.path, 'users'))).toEqual([]);
  });

  test('does not stay for a command that was killed', async () => {
    const home = newHome();
    const { child } = await command(home);
    const { wardenPid, pid } = stateOf(home);
    child.kill('SIGKILL');
    await until('server and warden are gone', () => isGone(wardenPid) && isGone(pid));
  });

  test('that was killed comes back on the same file and port, with its runs', async () => {
    const home = newHome();
    const session = await openSession({ env: home.env });
    await startRun(session, 'donewhen-kept');
    const before = stateOf(home);
    process.kill(before.pid ?? 0, 'SIGKILL');
    await until('it is gone', () => isGone(before.pid));
    expect(await statusOf(session, 'donewhen-kept')).toBe('RUNNING');
    await until('it is ready', () => stateOf(home).phase === 'ready');
    const after = stateOf(home);
    expect({ wardenPid: after.wardenPid, port: after.port, phase: after.phase }).toEqual({
      wardenPid: before.wardenPid,
      port: before.port,
      phase: 'ready',
    });
    expect(after.pid).not.toBe(before.pid);
    await session.close();
  });

  test('whose warden was killed too is brought back by a command that runs on (B05)', async () => {
    const home = newHome();
    const session = await openSession({ env: home.env });
    await startRun(session, 'donewhen-kept');
    const before = stateOf(home);
    process.kill(before.wardenPid, 'SIGKILL');
    // A busy machine takes its time to carry out even that.
    await until('the warden is gone', () => isGone(before.wardenPid));
    await until('another warden serves', () => stateOf(home).phase === 'ready' && wardenLives(stateOf(home)));
    const after = stateOf(home);
    expect(isGone(before.pid)).toBe(true);
    expect(after.port).toBe(before.port);
    expect(await statusOf(session, 'donewhen-kept')).toBe('RUNNING');
    await session.close();
  });

  test('whose warden was killed is started again by the next command, and a closed home has no server twice', async () => {
    const home = newHome();
    const first = await command(home);
    const before = stateOf(home);
    first.child.kill('SIGKILL');
    process.kill(before.wardenPid, 'SIGKILL');
    // A busy machine takes its time to carry out even that.
    await until('the warden is gone', () => isGone(before.wardenPid));
    const session = await openSession({ env: home.env });
    expect({ old: isGone(before.pid), servers: orphansOn(join(home.path, 'temporal-1.9.db')) }).toEqual({
      old: true,
      servers: [stateOf(home).pid],
    });
    await session.close();
  });

  test('is waited for by a command that comes while it is ending', async () => {
    const home = newHome();
    const first = await openSession({ env: home.env });
    await startRun(first, 'donewhen-kept');
    await first.close();
    await until('it is ending', () => stateOf(home).phase === 'ending');
    const second = await openSession({ env: home.env });
    expect(await statusOf(second, 'donewhen-kept')).toBe('RUNNING');
    await second.close();
  });

  test('whose warden is killed while a command waits for it is started again', async () => {
    const home = newHome();
    const opening = openSession({ env: home.env });
    await until('a warden is at work', () => readServerState(home.path) !== null);
    process.kill(stateOf(home).wardenPid, 'SIGKILL');
    const session = await opening;
    expect([stateOf(home).phase, wardenLives(stateOf(home))]).toEqual(['ready', true]);
    await session.close();
  });

  test('is started over a lock of a process that is gone', async () => {
    const home = newHome();
    mkdirSync(join(home.path, 'lock'));
    writeFileSync(join(home.path, 'lock', '7.json'), JSON.stringify({ ...ownIdentity(), start: '1' }));
    const session = await openSession({ env: home.env });
    expect(readdirSync(join(home.path, 'lock'))).toEqual(['8.json']);
    await session.close();
  });

  test('is not started a second time for a home that has one', async () => {
    const home = newHome();
    const session = await openSession({ env: home.env });
    const { warden } = stateOf(home);
    const options = { home: home.path, executable: home.env.DONEWHEN_TEMPORAL_CLI ?? 'temporal', version: '1.9.1', ports: 'any' };
    const second = spawn(
      process.execPath,
      [fileURLToPath(new URL('../../dist/worker/warden.js', import.meta.url)), JSON.stringify(options)],
      { stdio: 'ignore' },
    );
    const code = await new Promise((resolve) => second.once('exit', resolve));
    expect({ code, alive: lifeOf(warden), warden: stateOf(home).warden }).toEqual({ code: 0, alive: 'alive', warden });
    await session.close();
  });

  test.each([
    ['empty', '', 'no such table'],
    ['no database', 'this is no database, and long enough to be read as one. '.repeat(100), 'file is not a database'],
  ])('says what to do with a database file that is %s', async (_kind, content, cause) => {
    const home = newHome();
    const database = join(home.path, 'temporal-1.9.db');
    writeFileSync(database, content);
    const failure = await openSession({ env: home.env }).catch((error: unknown) => error);
    expect(failure).toMatchObject({ name: 'UserError', exitCode: 3, message: expect.stringContaining(cause) });
    expect(failure).toMatchObject({ message: expect.stringContaining(`mv '${database}'* '${join(home.path, 'broken')}/'`) });
  });

  test.each<[string, (database: string) => void]>([
    ['cut short', (database) => truncateSync(database, 5000)],
    ['overwritten', (database) => writeFileSync(database, randomBytes(60_000))],
  ])('whose database was %s is not begun anew over what is left of it; the way out that it says is one', async (_how, damage) => {
    const home = newHome();
    const database = join(home.path, 'temporal-1.9.db');
    await (await openSession({ env: home.env })).close();
    await until('the server has ended', () => !wardenLives(stateOf(home)));
    // From it the database would heal by itself.
    rmSync(`${database}-wal`, { force: true });
    damage(database);
    const left = readFileSync(database);
    const failure = await openSession({ env: home.env }).catch((error: unknown) => String(error));
    const [, way = ''] = /move it aside \((.*)\) and run again/.exec(String(failure)) ?? [];
    expect([readFileSync(database).equals(left), way.startsWith('mkdir ')]).toEqual([true, true]);
    execFileSync('sh', ['-c', way]);
    await (await openSession({ env: home.env })).close();
    expect(readFileSync(join(home.path, 'broken', 'temporal-1.9.db')).equals(left)).toEqual(true);
  });

  test('that fails again and again is given up, with what it said and where to read more', async () => {
    const home = newHome();
    const broken = join(home.path, 'temporal');
    writeFileSync(
      broken,
      '#!/bin/sh\n[ "$1" = --version ] && echo "temporal version 1.9.1" && exit\necho "Error: no room for a server" >&2\nexit 1\n',
      { mode: 0o755 },
    );
    const failure = await openSession({ env: { ...home.env, DONEWHEN_TEMPORAL_CLI: broken } }).catch((error: unknown) => error);
    expect(failure).toMatchObject({
      exitCode: 3,
      message: `the embedded server failed 5 times in a row (no room for a server): see ${join(home.path, 'server.log')}`,
    });
    const session = await openSession({ env: home.env });
    expect(stateOf(home).phase).toBe('ready');
    await session.close();
  });
});
