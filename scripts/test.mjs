#!/usr/bin/env node
// Runs every test, and ends with the line `N passed, N failed`. Exit status 0 only when something ran and nothing failed.
//   node scripts/test.mjs [--long] [what vitest takes: -u, a file, -t words]
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { AGENTS, programsOf } from './agents.mjs';
import { endLeftovers, markedEnvironment } from './leftovers.mjs';
import { provideTestServer } from './test-server.mjs';
import { readTally } from './test-tally.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const PROJECT_MS_MAX = 1_500_000;
const LONG_PROJECT_MS_MAX = 7_200_000;
const GRACE_MS = 10_000;

/** Runs one after the other: a fast test beside a server would only time out. `in`: without this folder there is nothing to run. */
const PROJECTS = [
  { name: 'fast', in: ['test'] },
  { name: 'world', in: ['test'] },
  { name: 'server', in: ['test/server', 'test/workflows'] },
  { name: 'agents', in: ['test/agents'], canRun: () => absentAgents().length < Object.keys(AGENTS).length },
  { name: 'ui', in: ['test/ui'] },
];
const LONG_PROJECT = { name: 'long', in: ['test/long'] };

function absentAgents() {
  return Object.keys(AGENTS).filter((name) => programsOf(name) === null);
}

/** The exit status of a program that shares our terminal; 'timeout' when it had to be ended. */
function runToEnd({ file, argv, env, msMax }) {
  return new Promise((resolve) => {
    const child = spawn(file, argv, { cwd: root, env, stdio: 'inherit' });
    let late = false;
    const limit = setTimeout(() => {
      late = true;
      child.kill('SIGTERM');
      setTimeout(() => child.kill('SIGKILL'), GRACE_MS).unref();
    }, msMax);
    child.on('error', (error) => resolve(error.message));
    child.on('exit', (code, signal) => {
      clearTimeout(limit);
      resolve(late ? 'timeout' : (signal ?? code));
    });
  });
}

/** The environment of the tests: a home of their own, no server of the user's, and the executables that they need. */
async function testEnvironment({ scratch, mark }) {
  const home = join(scratch, 'home');
  mkdirSync(home);
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('TEMPORAL_'));
  const env = markedEnvironment({ ...Object.fromEntries(own), DONEWHEN_HOME: home }, mark);
  const { findTemporalExecutable } = await import(pathToFileURL(join(root, 'dist', 'worker', 'temporal-executable.js')).href);
  const executable = await findTemporalExecutable({ env: process.env });
  const testServer = await provideTestServer();
  if (testServer.missing) console.error(`test: tests on the time-skipping server are skipped: ${testServer.missing}`);
  return { ...env, DONEWHEN_TEMPORAL_CLI: executable.path, ...(testServer.path ? { DONEWHEN_TEST_SERVER: testServer.path } : {}) };
}

async function runProject({ project, scratch, env, rest }) {
  const results = join(scratch, `${project.name}.json`);
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${results}`];
  // With a filter, a project in which nothing fits is no fault; without one it is.
  const filter = rest.length > 0 ? ['--passWithNoTests'] : [];
  const argv = [vitest, 'run', '--project', project.name, ...reporters, ...filter, ...rest];
  const msMax = project === LONG_PROJECT ? LONG_PROJECT_MS_MAX : PROJECT_MS_MAX;
  const status = await runToEnd({ file: process.execPath, argv, env, msMax });
  return readTally({ project: project.name, results, status, filtered: rest.length > 0 });
}

/** What the linter and the compiler say of the whole tree, the tests included. */
async function checkSources() {
  const checks = [
    { name: 'format and lint: npm run fix, then read what is left', argv: ['node_modules/@biomejs/biome/bin/biome', 'check', '.'] },
    { name: 'types: npx tsc --noEmit', argv: ['node_modules/typescript/bin/tsc', '--noEmit'] },
  ];
  const failures = [];
  for (const { name, argv } of checks) {
    const status = await runToEnd({ file: process.execPath, argv, env: process.env, msMax: PROJECT_MS_MAX });
    if (status !== 0) failures.push(name);
  }
  return failures;
}

async function testAll(scratch, argv) {
  const rest = argv.filter((word) => word !== '--long');
  const built = await runToEnd({ file: process.execPath, argv: ['scripts/build.mjs'], env: process.env, msMax: PROJECT_MS_MAX });
  if (built !== 0) return { passed: 0, failures: ['the build'], skipped: [] };
  const mark = randomUUID();
  const env = await testEnvironment({ scratch, mark });
  const sum = { passed: 0, failures: rest.length > 0 ? [] : await checkSources(), skipped: [] };
  for (const project of argv.includes('--long') ? [...PROJECTS, LONG_PROJECT] : PROJECTS) {
    if (!project.in.some((folder) => existsSync(join(root, folder))) || project.canRun?.() === false) continue;
    const tally = await runProject({ project, scratch, env, rest });
    sum.passed += tally.passed;
    sum.failures.push(...tally.failures);
    sum.skipped.push(...tally.skipped);
  }
  sum.failures.push(...(await endLeftovers(mark)));
  return sum;
}

const scratch = mkdtempSync(join(tmpdir(), 'donewhen-test-'));
let sum;
try {
  sum = await testAll(scratch, process.argv.slice(2));
} catch (error) {
  sum = { passed: 0, failures: [error instanceof Error ? error.message : String(error)], skipped: [] };
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
if (sum.passed === 0 && sum.failures.length === 0) sum.failures.push('nothing ran');
const absent = absentAgents();
for (const name of sum.skipped) console.log(`skipped: ${name}`);
if (absent.length > 0) console.log(`skipped: every test with ${absent.join(', ')}, which npm run agents:install installs`);
for (const name of sum.failures) console.log(`failed: ${name}`);
console.log(`${sum.passed} passed, ${sum.failures.length} failed`);
process.exitCode = sum.failures.length === 0 ? 0 : 1;
