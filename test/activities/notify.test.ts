import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createDisk } from '../../activities/files/disk.js';
import type { NotifyInput } from '../../activities/interface.js';
import { createNotify } from '../../activities/notify.js';
import { textsOf } from '../../activities/texts.js';
import { defaultConfig } from '../../documents/config.js';
import { temporaryFolder } from '../support/disks.js';
import { worldIn } from '../support/record-values.js';

const PRINTS = `const { readFileSync, appendFileSync } = require('node:fs');
appendFileSync(process.argv[1], JSON.stringify({ args: process.argv.slice(2), stdin: JSON.parse(readFileSync(0, 'utf8')) }) + '\\n');`;

async function inputWith(notify: { command?: string[]; webhook?: string }): Promise<NotifyInput> {
  const { place } = await worldIn(temporaryFolder());
  const config = { ...defaultConfig(), notify: { command: null, webhook: null, ...notify } };
  const configSha256 = await textsOf(createDisk(), place).put(JSON.stringify(config));
  return {
    place: { ...place, configSha256 },
    id: 'q1',
    kind: 'attest',
    text: 'demo: does the badge work?',
    json: { run: 'demo', task: 'T3' },
  };
}

const createOne = (timeoutMs = 5_000) =>
  createNotify({ disk: createDisk(), environment: { PATH: process.env.PATH }, now: () => 0, timeoutMs });

const notesOf = (input: NotifyInput) =>
  readdirSync(join(input.place.folder, 'notified')).map((name) =>
    JSON.parse(readFileSync(join(input.place.folder, 'notified', name), 'utf8')),
  );

test('the command gets the text as its last argument and the JSON on its standard input, once for each id', async () => {
  const told = join(temporaryFolder(), 'told');
  const input = await inputWith({ command: [process.execPath, '-e', PRINTS, told, 'donewhen'] });
  const notify = createOne();
  await notify(input);
  await notify(input);
  await notify({ ...input, id: 'q2', text: 'another' });
  expect(
    readFileSync(told, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toEqual([
    { args: ['donewhen', 'demo: does the badge work?'], stdin: { run: 'demo', task: 'T3' } },
    { args: ['donewhen', 'another'], stdin: { run: 'demo', task: 'T3' } },
  ]);
  expect(notesOf(input)[0]).toEqual({
    id: 'q1',
    kind: 'attest',
    text: 'demo: does the badge work?',
    at: '1970-01-01T00:00:00.000Z',
    command: 'told',
    webhook: null,
  });
});

test('the webhook gets the same JSON, posted', async () => {
  const got: unknown[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      got.push({ method: request.method, type: request.headers['content-type'], body: JSON.parse(body) });
      response.writeHead(204).end();
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => void server.close());
  const input = await inputWith({ webhook: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook` });
  await createOne()(input);
  expect(got).toEqual([{ method: 'POST', type: 'application/json', body: { run: 'demo', task: 'T3' } }]);
  expect(notesOf(input)).toMatchObject([{ command: null, webhook: 'told' }]);
});

test.each<[string, { command?: string[]; webhook?: string }, object]>([
  ['a command that is not there', { command: ['/no/such/program'] }, { command: 'failed: ENOENT' }],
  ['a command that fails', { command: ['sh', '-c', 'exit 3'] }, { command: 'failed: exit 3' }],
  ['a command that never ends', { command: ['sh', '-c', 'sleep 600 & sleep 600'] }, { command: 'failed: no end within 300 ms' }],
])('%s is written down, not thrown', async (_title, notify, noted) => {
  const input = await inputWith(notify);
  await createOne(300)(input);
  expect(notesOf(input)).toMatchObject([noted]);
});

test('a webhook where nobody listens is written down without its address, which may carry a token (R16)', async () => {
  const server = createServer();
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  await new Promise((closed) => server.close(closed));
  const input = await inputWith({ webhook: `http://127.0.0.1:${port}/?token=geheim` });
  await createOne()(input);
  expect(notesOf(input)).toMatchObject([{ webhook: 'failed: ECONNREFUSED' }]);
});

test('a command that never ends leaves no process behind (R14)', async () => {
  const pids = join(temporaryFolder(), 'pids');
  const input = await inputWith({ command: ['sh', '-c', `sleep 600 & echo $! > ${pids}; wait`] });
  await createOne(500)(input);
  const stateOf = () => spawnSync('ps', ['-o', 'stat=', '-p', readFileSync(pids, 'utf8').trim()], { encoding: 'utf8' }).stdout.trim();
  for (let look = 0; look < 100 && !/^Z?$/.test(stateOf().slice(0, 1)); look += 1) await new Promise((again) => setTimeout(again, 20));
  // Gone, or dead and only not yet collected.
  expect(stateOf().slice(0, 1)).toMatch(/^Z?$/);
});

test('a run without a notifier, or without its folder, goes on', async () => {
  const input = await inputWith({});
  await createOne()(input);
  expect(notesOf(input)).toMatchObject([{ command: null, webhook: null }]);
  rmSync(input.place.folder, { recursive: true });
  writeFileSync(input.place.folder, 'in the way');
  await createOne()({ ...input, id: 'q2' });
});

test('an id never leaves the folder of its notes', async () => {
  const input = await inputWith({});
  await createOne()({ ...input, id: '../../../x' });
  expect(readdirSync(join(input.place.folder, 'notified'))).toEqual([expect.stringMatching(/^-x-[0-9a-f]{8}\.json$/)]);
});

test('a later run in the same folder, which counts its questions anew, tells again', async () => {
  const told = join(temporaryFolder(), 'told');
  const input = await inputWith({ command: [process.execPath, '-e', PRINTS, told] });
  for (const startedAt of [1, 1, 2]) await createOne()({ ...input, place: { ...input.place, startedAt } });
  expect(readFileSync(told, 'utf8').trim().split('\n')).toHaveLength(2);
});

test('a secret that somebody wrote to the run is told to nobody, and not noted (R16, L01)', async () => {
  const told = join(temporaryFolder(), 'told');
  const input = await inputWith({ command: [process.execPath, '-e', PRINTS, told] });
  const key = `ghp_${'a1'.repeat(18)}`;
  await createOne()({ ...input, text: `use ${key}`, json: { ask: [`use ${key}`] } });
  expect(JSON.parse(readFileSync(told, 'utf8'))).toEqual({ args: ['use [secret]'], stdin: { ask: ['use [secret]'] } });
  expect(notesOf(input)[0]).toMatchObject({ text: 'use [secret]' });
});
