import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { doctorCommand } from '../../client/commands/doctor.js';
import { initCommand } from '../../client/commands/init.js';
import { openSession } from '../../client/connection.js';
import type { Finding } from '../../client/doctor/finding.js';
import { freePort } from '../../worker/ports.js';
import { SEARCH_ATTRIBUTES } from '../../workflows/names.js';
import { createTestHome, type TestHome } from '../support/homes.js';
import { type PlainServer, startPlainServer } from '../support/plain-server.js';
import { recordingIo } from '../support/recording-io.js';

let home: TestHome;
let plain: PlainServer;

beforeAll(async () => {
  home = createTestHome();
  plain = await startPlainServer(home.path);
});
afterAll(async () => {
  await plain.stop();
  await home.remove();
});

async function findings(options: { address?: string; namespace?: string }): Promise<{ exit: number; findings: Finding[] }> {
  const io = recordingIo(home.env);
  const exit = await doctorCommand({ json: true, ...options }, io);
  return { exit, findings: JSON.parse(io.written().out).findings };
}

function about(what: string, { findings }: { findings: Finding[] }): Finding | undefined {
  return findings.find((finding) => finding.what === what);
}

describe('donewhen init', () => {
  test('makes a namespace with all search attributes that a run can use at once, and a second time finds all there', async () => {
    const options = { json: true, address: plain.address, namespace: 'made' };
    const [first, second] = [recordingIo(home.env), recordingIo(home.env)];
    const exits = [await initCommand(options, first), await initCommand(options, second)];
    const session = await openSession({ ...options, env: home.env });
    await session.close();
    const common = { address: plain.address, namespace: 'made', embedded: false, file: null };
    expect({ exits, first: JSON.parse(first.written().out), second: JSON.parse(second.written().out) }).toEqual({
      exits: [0, 0],
      first: { ...common, namespaceMade: true, registered: SEARCH_ATTRIBUTES.map(({ name }) => name) },
      second: { ...common, namespaceMade: false, registered: [] },
    });
  });

  test('says that an attribute of ours is there with another type', async () => {
    const options = { json: false, address: plain.address, namespace: 'wrong' };
    await initCommand(options, recordingIo(home.env));
    const session = await openSession({ ...options, env: home.env });
    await session.connection.operatorService.removeSearchAttributes({ namespace: 'wrong', searchAttributes: ['DonewhenTask'] });
    await session.connection.operatorService.addSearchAttributes({ namespace: 'wrong', searchAttributes: { DonewhenTask: 2 } });
    await session.close();
    await expect(initCommand(options, recordingIo(home.env))).rejects.toMatchObject({
      exitCode: 3,
      message: `search attribute of another type in namespace wrong at ${plain.address}: DonewhenTask is Keyword, not KeywordList; use another namespace (--namespace)`,
    });
  });

  test('writes a commented donewhen.yaml, and never over one that is there', async () => {
    const folder = join(home.path, 'project');
    mkdirSync(folder);
    await initCommand({ json: false, folder: 'project' }, recordingIo(home.env, home.path));
    const written = readFileSync(join(folder, 'donewhen.yaml'), 'utf8');
    writeFileSync(join(folder, 'donewhen.yaml'), 'mine');
    const io = recordingIo(home.env, home.path);
    const exit = await initCommand({ json: false, folder: 'project' }, io);
    expect({
      comments: written.split('\n').every((line) => line === '' || line.startsWith('#')),
      exit,
      kept: readFileSync(join(folder, 'donewhen.yaml'), 'utf8'),
    }).toEqual({
      comments: true,
      exit: 0,
      kept: 'mine',
    });
    expect(io.written().out).toContain('is there already, left as it is');
  });

  test('refuses a folder that is not there, before it starts anything', async () => {
    const options = { json: false, folder: 'nowhere' };
    await expect(initCommand(options, recordingIo(home.env, home.path))).rejects.toMatchObject({
      exitCode: 2,
      message: 'nowhere is no folder: make it first, or name another one',
    });
  });
});

describe('donewhen doctor', () => {
  test('finds nothing missing with the embedded server', async () => {
    const doctor = await findings({});
    expect({ exit: doctor.exit, missing: doctor.findings.filter(({ status }) => status === 'missing') }).toEqual({ exit: 0, missing: [] });
    expect(about('server', doctor)).toMatchObject({ status: 'ok', says: expect.stringContaining(`embedded in ${home.path}`) });
  });

  test('names the search attributes that a server lacks, and the way out', async () => {
    const doctor = await findings({ address: plain.address });
    expect({ exit: doctor.exit, finding: about('namespace', doctor) }).toEqual({
      exit: 2,
      finding: {
        what: 'namespace',
        status: 'missing',
        says: `namespace default at ${plain.address} lacks the search attributes ${SEARCH_ATTRIBUTES.map(({ name }) => name).join(', ')}`,
        fix: '`donewhen init` registers them',
      },
    });
  });

  test('says that no server answers', async () => {
    const doctor = await findings({ address: `127.0.0.1:${await freePort()}` });
    expect({ exit: doctor.exit, status: about('server', doctor)?.status }).toEqual({ exit: 3, status: 'missing' });
  });

  test('names open runs that have no worker', async () => {
    const session = await openSession({ env: home.env });
    const handle = await session.client.workflow.start('executePlan', {
      workflowId: 'donewhen-idle',
      taskQueue: 'donewhen-run-idle',
      args: [],
    });
    const doctor = await findings({});
    await handle.terminate();
    await session.close();
    expect(about('open runs', doctor)).toMatchObject({ status: 'note', says: '1 of 1 have no worker: donewhen-idle' });
  });

  test('names runs that are stuck: their workflow task fails again and again', async () => {
    const session = await openSession({ env: home.env });
    const handle = await session.client.workflow.start('executePlan', {
      workflowId: 'donewhen-stuck',
      taskQueue: 'donewhen-run-stuck',
      args: [],
    });
    await failWorkflowTasks(session.client.workflowService, 'donewhen-run-stuck');
    const doctor = await findings({});
    await handle.terminate();
    await session.close();
    expect(about('stuck runs', doctor)).toMatchObject({ status: 'missing', says: 'donewhen-stuck' });
  });
});

const FAILURES_UNTIL_REPORTED = 6;

/** As a worker does that cannot carry a run on. */
async function failWorkflowTasks(
  service: Awaited<ReturnType<typeof openSession>>['client']['workflowService'],
  name: string,
): Promise<void> {
  for (let failed = 0; failed < FAILURES_UNTIL_REPORTED; failed++) {
    const { taskToken } = await service.pollWorkflowTaskQueue({ namespace: 'default', taskQueue: { name }, identity: 'test' });
    await service.respondWorkflowTaskFailed({ namespace: 'default', taskToken, identity: 'test', failure: { message: 'on purpose' } });
  }
}
