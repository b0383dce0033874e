import { defineConfig } from 'vitest/config';

/** Bundling the workflows or starting the first server of a file may take this long on a small machine. */
const HOOK_TIMEOUT_MS = 120_000;
const FAST_TEST_TIMEOUT_MS = 20_000;
const WORLD_TEST_TIMEOUT_MS = 60_000;
const SERVER_TEST_TIMEOUT_MS = 120_000;
const AGENT_TEST_TIMEOUT_MS = 180_000;
const LONG_TEST_TIMEOUT_MS = 1_800_000;
/** Each server test has a server, a worker and children of its own: more at once only makes them slow. */
const SERVER_FILES_AT_ONCE = 2;
/** An agent takes a core and up to half a gigabyte for some seconds; the longest scenarios only wait. */
const AGENT_FILES_AT_ONCE = 4;
/** Servers, browsers and killed processes on a busy machine may be late once; a fault fails twice. */
const RETRIES = 1;

/** Tests that need more than the code itself live apart, so that the fast ones stay a matter of seconds. */
const SERVER = ['test/server/**/*.test.ts', 'test/workflows/**/*.test.ts', 'test/compose/**/*.test.ts'];
const UI = ['test/ui/**/*.test.ts'];
const LONG = ['test/long/**/*.test.ts'];
/** What is looked for among random values: with the same ones in every other run, anywhere in the long one. */
const RANDOM = ['test/documents/**/*.test.ts', 'test/core/random-*.test.ts', 'test/activities/record-random.test.ts'];
/** Real coding agents on a scripted model; skipped where they are not installed. */
const AGENTS = ['test/agents/**/*.test.ts'];
/** Real processes and disks, crashes at every step, thousands of random runs, megabytes of hostile text: no server. */
const WORLD = [
  'test/activities/**/*.test.ts',
  'test/worker/**/*.test.ts',
  'test/client/doctor/agents.test.ts',
  'test/crash.test.ts',
  'test/core/random-runs.test.ts',
  'test/core/random-pipelines.test.ts',
  'test/documents/**/hostile.test.ts',
  'test/documents/pipeline/step-result-mutated.test.ts',
];

export default defineConfig({
  test: {
    // A run in which nothing ran proves nothing (R11); scripts/test.mjs fails it as well.
    passWithNoTests: false,
    // A test left with `only` would silence its neighbours.
    allowOnly: false,
    // Groups run one after the other: a fast test beside a server would only time out.
    projects: [
      {
        test: {
          name: 'fast',
          sequence: { groupOrder: 0 },
          include: ['test/**/*.test.{ts,mjs}'],
          exclude: [...SERVER, ...UI, ...LONG, ...AGENTS, ...WORLD],
          pool: 'forks',
          testTimeout: FAST_TEST_TIMEOUT_MS,
          hookTimeout: HOOK_TIMEOUT_MS,
        },
      },
      {
        test: {
          name: 'world',
          include: WORLD,
          pool: 'forks',
          retry: RETRIES,
          testTimeout: WORLD_TEST_TIMEOUT_MS,
          hookTimeout: HOOK_TIMEOUT_MS,
        },
      },
      {
        test: {
          name: 'server',
          sequence: { groupOrder: 1 },
          include: SERVER,
          pool: 'forks',
          maxWorkers: SERVER_FILES_AT_ONCE,
          retry: RETRIES,
          testTimeout: SERVER_TEST_TIMEOUT_MS,
          hookTimeout: HOOK_TIMEOUT_MS,
        },
      },
      {
        test: {
          name: 'agents',
          sequence: { groupOrder: 2 },
          include: AGENTS,
          pool: 'forks',
          maxWorkers: AGENT_FILES_AT_ONCE,
          retry: RETRIES,
          testTimeout: AGENT_TEST_TIMEOUT_MS,
          hookTimeout: HOOK_TIMEOUT_MS,
        },
      },
      {
        test: {
          name: 'ui',
          sequence: { groupOrder: 3 },
          include: UI,
          pool: 'forks',
          maxWorkers: 1,
          retry: RETRIES,
          testTimeout: SERVER_TEST_TIMEOUT_MS,
          hookTimeout: HOOK_TIMEOUT_MS,
        },
      },
      {
        test: {
          name: 'long',
          sequence: { groupOrder: 4 },
          include: [...LONG, ...RANDOM],
          env: { DONEWHEN_SEED: process.env.DONEWHEN_SEED ?? 'random' },
          pool: 'forks',
          maxWorkers: 1,
          testTimeout: LONG_TEST_TIMEOUT_MS,
          hookTimeout: HOOK_TIMEOUT_MS,
        },
      },
    ],
  },
});
