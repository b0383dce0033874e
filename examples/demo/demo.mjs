#!/usr/bin/env node
// Carries out this example from nothing to its report: one task holds already, one performer lies, one worker is killed in the middle,
// one task needs no agent, one needs a person. Leaves demo-run/LEDGER.md and demo-run/REPORT.md, and no process.
import { spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { cpSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { endLeftovers, markedEnvironment } from '../../scripts/leftovers.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, '..', '..');
const folder = join(root, 'demo-run');
const command = join(root, 'dist', 'client', 'main.js');
const mark = randomUUID();
const env = markedEnvironment({ ...withoutServer(process.env), DONEWHEN_HOME: join(folder, '.home'), NO_COLOR: '1' }, mark);

/** The commands that were started, to be ended when the demo fails. */
const started = [];

const RUN = 'invoice-totals';
const LIED_ABOUT = 'T3';
const INTERRUPTED = 'T4';
const HANDED_OVER = 'T7';
const POLL_MS = 300;
const STEP_MS_MAX = 60_000;
const RUN_MS_MAX = 120_000;

/** The demo has a server of its own, whatever the person who runs it is connected to. */
function withoutServer(variables) {
  return Object.fromEntries(Object.entries(variables).filter(([name]) => !name.startsWith('TEMPORAL_')));
}

function say(text) {
  console.log(`\n${text}`);
}

function readText(name) {
  const path = join(folder, name);
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}

/** The calls of agents so far, as they noted them themselves. */
function calls() {
  return readText('.home/calls.log')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

/** Waits until something is so; throws when it is not after a minute. */
async function until(what, isSo) {
  const giveUpAt = Date.now() + STEP_MS_MAX;
  while (!(await isSo())) {
    if (Date.now() > giveUpAt) throw new Error(`waited ${STEP_MS_MAX / 1000} seconds for this in vain: ${what}`);
    await sleep(POLL_MS);
  }
}

/** Starts `donewhen …` and shows what it prints. `end` is null while it runs, then its exit status or signal. */
function start(args) {
  console.log(`$ donewhen ${args.map((word) => (/[^\w./-]/.test(word) ? JSON.stringify(word) : word)).join(' ')}`);
  const child = spawn(process.execPath, [command, ...args], { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
  started.push(child);
  for (const stream of [child.stdout, child.stderr]) createInterface({ input: stream }).on('line', (line) => console.log(`  ${line}`));
  const limit = setTimeout(() => child.kill('SIGKILL'), RUN_MS_MAX);
  const run = { child, end: null, ended: null };
  run.ended = new Promise((resolve) => {
    child.on('close', (code, signal) => {
      clearTimeout(limit);
      run.end = signal ?? code;
      resolve(run.end);
    });
  });
  return run;
}

/** What `donewhen … --json` answers; null when it does not, as while the run has no worker. */
function ask(args) {
  const answer = spawnSync(process.execPath, [command, ...args, '--json'], { cwd: root, env, encoding: 'utf8', timeout: STEP_MS_MAX });
  return answer.status === 0 ? JSON.parse(answer.stdout) : null;
}

function git(...args) {
  const { status, stderr } = spawnSync('git', ['-c', 'user.name=demo', '-c', 'user.email=demo@example.org', ...args], {
    cwd: folder,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`git ${args[0]}: ${stderr}`);
}

/** A demo that was interrupted leaves a server that ends by itself, once it has seen that nobody uses it. */
async function serverOfBeforeIsGone() {
  const { readServerState, wardenLives } = await import(pathToFileURL(join(root, 'dist', 'worker', 'server-state.js')).href);
  await until('the server of an earlier demo ends', () => {
    const state = readServerState(env.DONEWHEN_HOME);
    return state === null || !wardenLives(state);
  });
}

/** A fresh copy of the example, with a history of its own. */
async function prepare() {
  if (!existsSync(command)) throw new Error('donewhen is not built: run `npm ci` first');
  await serverOfBeforeIsGone();
  rmSync(folder, { recursive: true, force: true });
  cpSync(here, folder, { recursive: true, filter: (path) => basename(path) !== 'demo.mjs' });
  git('init', '--quiet');
  git('add', '--all');
  git('commit', '--quiet', '--message', 'An invoice, before the plan');
}

/** Runs the plan, and is killed as soon as an agent works on the task in the middle. */
async function runUntilKilled() {
  const run = start(['run', 'demo-run']);
  await until(`an agent works on ${INTERRUPTED}`, () => run.end !== null || calls().some((call) => call.task === INTERRUPTED));
  if (run.end !== null) throw new Error(`the run ended with ${run.end} before anybody worked on ${INTERRUPTED}`);
  run.child.kill('SIGKILL');
  await run.ended;
}

/** Runs the plan to its end, and answers for the person who is asked on the way. */
async function runToEnd() {
  const run = start(['run', 'demo-run']);
  const isAsked = () => ask(['waiting', RUN])?.some((question) => question.task === HANDED_OVER);
  await until(`${HANDED_OVER} waits for a person`, () => run.end !== null || isAsked());
  if (run.end === null) {
    say('A person is asked, reads samples/march.txt, and answers.');
    const words = ['--happened', 'yes', '--now-true', 'I have read it and would send it.', '--by', 'demo'];
    await start(['attest', RUN, HANDED_OVER, ...words]).ended;
  }
  return run.ended;
}

/** What must be so for the demo to have shown what it says. */
function problems(exit) {
  const ledger = readText('LEDGER.md');
  const said = [
    [exit === 0, `the run ended with ${exit}, not with 0`],
    [/^Status: COMPLETED$/m.test(readText('REPORT.md')), 'REPORT.md does not say COMPLETED'],
    [calls().filter((call) => call.task === INTERRUPTED).length === 1, `${INTERRUPTED} was not done exactly once`],
    [new RegExp(`^## ${LIED_ABOUT} .*\\[failed\\]$`, 'm').test(ledger), `the lie about ${LIED_ABOUT} is not in LEDGER.md`],
  ];
  return said.filter(([holds]) => !holds).map(([, words]) => words);
}

async function demo() {
  await prepare();
  say(`demo-run/ is a fresh copy of examples/demo. Its plan has seven tasks; ${LIED_ABOUT} goes to an agent that only boasts.`);
  await runUntilKilled();
  say(`The process that hosted the run was killed (SIGKILL) while an agent worked on ${INTERRUPTED}. The agent works on. Run again:`);
  const exit = await runToEnd();
  say('LEDGER.md, in short:');
  for (const line of readText('LEDGER.md').split('\n')) if (/^## |^Verification: |^Gate: /.test(line)) console.log(`  ${line}`);
  return problems(exit);
}

let failures;
try {
  failures = await demo();
} catch (error) {
  failures = [error instanceof Error ? error.message : String(error)];
}
for (const child of started) child.kill('SIGKILL');
failures.push(...(await endLeftovers(mark)));
for (const failure of failures) console.error(`demo: ${failure}`);
say(failures.length === 0 ? 'COMPLETED. Read demo-run/LEDGER.md and demo-run/REPORT.md.' : 'The demo failed, see above.');
process.exitCode = failures.length === 0 ? 0 : 1;
