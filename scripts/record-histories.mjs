#!/usr/bin/env node
// Records the histories of real runs into test/histories/<release>/real/, which every later release must replay (R18).
//   node scripts/record-histories.mjs [NAME …]      all, or only these; needs a build
// A history that is there is never recorded again by itself: it stands for the release that made it. New ones get new names.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Client, Connection } from '@temporalio/client';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { cacheOf, hostIdOf } from '../dist/worker/home.js';
import { answers, freePort, LOOPBACK } from '../dist/worker/ports.js';
import { findTemporalExecutable } from '../dist/worker/temporal-executable.js';
import { SEARCH_ATTRIBUTES } from '../dist/workflows/names.js';
import { PIPELINES } from './pipeline-scenes.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const target = join(root, 'test', 'histories', version, 'real');
const crew = join(root, 'test', 'fixtures', 'agents');
const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'donewhen-histories-')));

/** Small, so that a plan of a dozen tasks is carried on in a second execution. */
const EVENTS_SUGGESTED = 200;
const WAIT_MS_MAX = 60_000;
const POLL_MS = 50;

const by = (performer) => `Performer: ${performer}\n`;
const inline = (id) => task(id, { lines: `${by('inline')}Run: echo made > out-${id}\n` });
const human = (id) => task(id, { checks: ['human: does it open?'], lines: by('human') });

function task(id, { makes = id, checks = [`file: out-${makes}`], lines = '' } = {}) {
  const list = checks.map((check) => `- ${check}\n`).join('');
  return `## ${id} — Part ${id}\nTask: Make out-${makes}.\nDone when: out-${makes} exists.\nVerify by: a look\nChecks:\n${list}${lines}Depends on: —\n`;
}

function plan(version, tasks) {
  const because = version === 1 ? '' : 'Replanned because: it was not done.\n';
  return `# PLAN: demo\n\nSpec: none\nGoal: The files are there.\nPlan version: ${version}\n${because}\n${tasks.join('\n')}`;
}

/** What is run, and what people and machines do meanwhile. */
const SCENES = {
  works: { tasks: [task('T1'), task('T2')] },
  'held-already': { tasks: [task('T1'), task('T2')], files: { 'out-T1': 'made\n' } },
  'lie-and-replan': {
    tasks: [task('T1', { lines: by('lies') }), task('T2')],
    next: [task('T3', { makes: 'T1', lines: 'Continues: T1\n' }), task('T2')],
  },
  human: {
    tasks: [human('T1'), inline('T2')],
    acts: async ({ asked, update, signal }) => {
      await asked();
      await signal('message', { to: 'performer', text: 'use the blue one', by: 'ana' });
      await update('attest', { task: 'T1', happened: 'yes', nowTrue: 'it opens', by: 'ana' });
    },
  },
  refused: {
    tasks: [human('T1')],
    acts: async ({ asked, update, signal }) => {
      await asked();
      await signal('nonsense', { by: 'ana' });
      await signal('attest', 7);
      await signal('attest', { task: 'T9', happened: 'yes', by: 'ana' });
      await update('decide', { gate: 'T1', decision: 'approve', by: 'ana' });
      await signal('attest', { task: 'T1', happened: 'partly', by: 'ana', id: 'once' });
      await signal('attest', { task: 'T1', happened: 'no', by: 'ana', id: 'once' });
    },
  },
  limited: { tasks: [task('T1', { lines: by('is-limited') })] },
  paused: {
    tasks: [task('T1'), task('T2')],
    shut: 'T1-during',
    acts: async ({ reached, open, update, recorded }) => {
      await reached('T1-during');
      await update('pause', { by: 'ana', reason: 'lunch' });
      open('T1-during');
      await recorded('T1');
      await update('resume', { by: 'ana' });
    },
  },
  stopped: {
    tasks: [task('T1'), task('T2')],
    shut: 'T1-during',
    acts: async ({ reached, update }) => {
      await reached('T1-during');
      await update('stop', { by: 'ana', reason: 'enough' });
    },
  },
  'worker-lost': {
    tasks: [task('T1')],
    shut: 'T1-during',
    acts: async ({ reached, open, kill, begin }) => {
      await reached('T1-during');
      await kill();
      open('T1-during');
      begin();
    },
  },
  'continued-as-new': { tasks: Array.from({ length: 12 }, (_, index) => inline(`T${index + 1}`)) },
  ...PIPELINES,
};

async function until(what, isSo) {
  for (const end = Date.now() + WAIT_MS_MAX; !(await isSo()); await sleep(POLL_MS)) {
    if (Date.now() > end) throw new Error(`waited ${WAIT_MS_MAX / 1000} s in vain: ${what}`);
  }
}

async function startServer() {
  const [{ path }, port] = [await findTemporalExecutable({ env: process.env, cache: cacheOf(process.env) }), await freePort()];
  const settings = [`limit.historyCount.suggestContinueAsNew=${EVENTS_SUGGESTED}`, 'history.transferProcessorMaxPollRPS=10000'];
  const child = spawn(
    path,
    [
      ...['server', 'start-dev', '--headless', '--ip', LOOPBACK, '--port', String(port), '--log-level', 'never'],
      ...settings.flatMap((setting) => ['--dynamic-config-value', setting]),
      ...SEARCH_ATTRIBUTES.flatMap(({ name, kind }) => ['--search-attribute', `${name}=${kind}`]),
    ],
    { stdio: 'ignore' },
  );
  await until('the server answers', () => answers(LOOPBACK, port, 500));
  return { address: `${LOOPBACK}:${port}`, child };
}

function config(scene) {
  const names = ['works', 'lies', 'plans', 'is-limited'];
  const agents = names.map((name) => `  ${name}: { kind: command, command: [sh, '${join(crew, `${name}.sh`)}'] }\n`).join('');
  const planner = scene.next === undefined ? '' : ', planner: plans';
  return `agents:\n${agents}roles: { performer: works${planner} }\nenvironment: { pass: [PATH, OUTSIDE, CREW] }\n`;
}

function write(folder, files) {
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}

/** Carries one scene out, and brings back the histories of its executions. */
async function play(name, scene, { address, client }) {
  const [folder, outside] = [join(scratch, name, 'work'), join(scratch, name, 'outside')];
  write(folder, scene.pipeline ?? { 'PLAN.md': plan(1, scene.tasks), 'donewhen.yaml': config(scene), ...scene.files });
  write(outside, scene.next === undefined ? {} : { 'next-plan.md': plan(2, scene.next) });
  const gate = (kind, id) => join(outside, `${kind}-${id}`);
  if (scene.shut !== undefined) writeFileSync(gate('shut', scene.shut), '');
  const env = { ...process.env, TEMPORAL_ADDRESS: address, DONEWHEN_HOME: join(scratch, 'home'), OUTSIDE: outside, CREW: crew };
  let run = null;
  const words = scene.pipeline === undefined ? ['.'] : ['--pipeline', 'pipeline.yaml'];
  const begin = () => {
    const child = spawn(process.execPath, [join(root, 'dist/client/main.js'), 'run', ...words, '--slug', name], {
      cwd: folder,
      env,
      stdio: 'ignore',
    });
    run = { child, ended: new Promise((resolve) => child.once('exit', resolve)) };
  };
  const handle = client.workflow.getHandle(`donewhen-${name}`);
  begin();
  await scene.acts?.({
    begin,
    kill: () => {
      run.child.kill('SIGKILL');
      return run.ended;
    },
    open: (id) => rmSync(gate('shut', id)),
    reached: (id) => until(`the gate ${id}`, () => existsSync(gate('at', id))),
    recorded: (id) =>
      until(
        `${id} is recorded`,
        () => existsSync(join(folder, 'LEDGER.md')) && readFileSync(join(folder, 'LEDGER.md'), 'utf8').includes(`## ${id} `),
      ),
    asked: () => until('a person is asked', async () => ((await handle.query('waiting').catch(() => null)) ?? []).length > 0),
    signal: (signal, input) => handle.signal(signal, input),
    update: (update, input) => handle.executeUpdate(update, { args: [input] }),
  });
  await run.ended;
  return histories(client, `donewhen-${name}`, (await handle.describe()).raw.workflowExecutionInfo.firstRunId);
}

async function histories(client, workflowId, firstRunId) {
  const found = [];
  for (let runId = firstRunId; runId; ) {
    const history = await client.workflow.getHandle(workflowId, runId).fetchHistory();
    found.push(history);
    runId = history.events.at(-1)?.workflowExecutionContinuedAsNewEventAttributes?.newExecutionRunId;
  }
  return found;
}

/** Without what belongs to the machine that recorded it: folders, and the names of processes. */
function neutral(value, name) {
  if (Array.isArray(value)) return value.map((one) => neutral(one, name));
  if (typeof value === 'string') return plain(value, name);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => {
      if (key === 'identity') return [key, 'worker'];
      if (key === 'data' && typeof one === 'string') return [key, encoded(plain(decoded(one), name))];
      return [key, neutral(one, name)];
    }),
  );
}

const decoded = (base64) => Buffer.from(base64, 'base64').toString('utf8');
const encoded = (text) => Buffer.from(text).toString('base64');
const hostId = hostIdOf({ path: join(scratch, 'home'), from: 'given' });
const plain = (text, name) =>
  text.replaceAll(join(scratch, name), '/run').replaceAll(scratch, '/scratch').replaceAll(root, '/checkout').replaceAll(hostId, 'host');

async function main(wanted) {
  const names = wanted.length > 0 ? wanted : Object.keys(SCENES).filter((name) => !existsSync(join(target, `${name}.json`)));
  mkdirSync(target, { recursive: true });
  const server = await startServer();
  const connection = await Connection.connect({ address: server.address });
  try {
    for (const name of names) {
      const recorded = await play(name, SCENES[name], { address: server.address, client: new Client({ connection }) });
      for (const [index, history] of recorded.entries()) {
        const file = join(target, `${name}${index === 0 ? '' : `-${index + 1}`}.json`);
        writeFileSync(file, `${JSON.stringify(neutral(JSON.parse(historyToJSON(history)), name))}\n`);
        console.log(`${file}: ${history.events.length} events`);
      }
    }
  } finally {
    await connection.close();
    server.child.kill('SIGINT');
    rmSync(scratch, { recursive: true, force: true });
  }
}

await main(process.argv.slice(2));
