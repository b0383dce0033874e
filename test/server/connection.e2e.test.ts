import { existsSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openSession, type SessionOptions } from '../../client/connection.js';
import { freePort, isFree, WELL_KNOWN_PORT } from '../../worker/ports.js';
import { readServerState } from '../../worker/server-state.js';
import { createTestHome, type TestHome } from '../support/homes.js';
import { type PlainServer, startPlainServer } from '../support/plain-server.js';

let other: TestHome;
let home: TestHome;
let plain: PlainServer;

beforeAll(async () => {
  other = createTestHome();
  home = createTestHome();
  plain = await startPlainServer(other.path);
});
afterAll(async () => {
  await plain.stop();
  await home.remove();
  await other.remove();
});

async function where(options: SessionOptions): Promise<{ address: string; namespace: string; embedded: boolean }> {
  const { address, namespace, embedded, close } = await openSession({ needWorkerless: true, ...options });
  await close();
  return { address, namespace, embedded };
}

async function refusal(options: SessionOptions): Promise<unknown> {
  return await openSession(options).then(
    () => 'opened',
    (error: unknown) => (error instanceof Error && 'exitCode' in error ? { exitCode: error.exitCode, message: error.message } : error),
  );
}

describe('a server is found', () => {
  test('by --address, before the environment and the profile', async () => {
    const env = { ...home.env, TEMPORAL_ADDRESS: '127.0.0.1:1' };
    expect(await where({ address: plain.address, env })).toEqual({ address: plain.address, namespace: 'default', embedded: false });
  });

  test('by TEMPORAL_ADDRESS', async () => {
    expect(await where({ env: { ...home.env, TEMPORAL_ADDRESS: plain.address } })).toMatchObject({
      address: plain.address,
      embedded: false,
    });
  });

  test('by the profile in temporal.toml, whose namespace --namespace overrides', async () => {
    const file = join(home.path, 'temporal.toml');
    writeFileSync(file, `[profile.work]\naddress = "${plain.address}"\nnamespace = "theirs"\n`);
    const env = { ...home.env, TEMPORAL_CONFIG_FILE: file };
    expect([await where({ profile: 'work', env }), await where({ profile: 'work', namespace: 'mine', env })]).toEqual([
      { address: plain.address, namespace: 'theirs', embedded: false },
      { address: plain.address, namespace: 'mine', embedded: false },
    ]);
  });

  test('as the home’s own when DONEWHEN_HOME is set, whatever answers on the well-known port', async () => {
    const { port } = await openSession({ env: home.env }).then(async (session) => {
      await session.close();
      return { port: session.address.split(':')[1] };
    });
    expect(Number(port)).toBe(readServerState(home.path)?.port);
    expect(Number(port)).not.toBe(WELL_KNOWN_PORT);
  });

  test('on 127.0.0.1:7233 when DONEWHEN_HOME is not set and one answers there', async (context) => {
    if (!(await isFree(WELL_KNOWN_PORT))) context.skip('port 7233 of this machine is in use');
    const usual = await startPlainServer(home.path, WELL_KNOWN_PORT);
    const { DONEWHEN_HOME: _own, ...rest } = home.env;
    const found = await where({ env: { ...rest, HOME: join(home.path, 'user') } });
    await usual.stop();
    expect({ found, made: existsSync(join(home.path, 'user')) }).toEqual({
      found: { address: '127.0.0.1:7233', namespace: 'default', embedded: false },
      made: false,
    });
  });
});

describe('no server is found', () => {
  test('where nothing listens', async () => {
    const address = `127.0.0.1:${await freePort()}`;
    expect(await refusal({ address, env: home.env })).toEqual({
      exitCode: 3,
      message: expect.stringMatching(new RegExp(`^no Temporal server answers at ${address} \\(.+\\): start one there, or leave .+$`)),
    });
  });

  test('where something else listens', async () => {
    const server: Server = createServer((socket) => socket.end('220 mail.example.org ESMTP\r\n'));
    const port = await freePort();
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    const refused = await refusal({ address: `127.0.0.1:${port}`, env: home.env });
    server.close();
    expect(refused).toMatchObject({ exitCode: 3 });
  });

  test('that lacks the search attributes: the error names them and the way out', async () => {
    expect(await refusal({ address: plain.address, env: home.env })).toEqual({
      exitCode: 3,
      message: `namespace default at ${plain.address} lacks the search attributes DonewhenMethod, DonewhenPhase, DonewhenOutcome, DonewhenSlug, DonewhenTask, DonewhenWaitingFor, DonewhenTasksDone, DonewhenTasksTotal, DonewhenCostUsd: \`donewhen init\` registers them`,
    });
  });

  test('with a namespace that does not exist', async () => {
    expect(await refusal({ address: plain.address, namespace: 'nowhere', env: home.env })).toEqual({
      exitCode: 3,
      message: `namespace nowhere does not exist at ${plain.address}: \`donewhen init\` makes it, or name another one (--namespace)`,
    });
  });

  test('by a profile that does not exist', async () => {
    expect(await refusal({ profile: 'none', env: home.env })).toMatchObject({ exitCode: 2, message: expect.stringContaining('none') });
  });

  test('for another namespace than default on the embedded server', async () => {
    expect(await refusal({ namespace: 'mine', env: home.env })).toMatchObject({ exitCode: 2 });
  });
});
