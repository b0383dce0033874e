import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { historyFromJSON, historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker } from '@temporalio/worker';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { KEPT } from '../support/histories.js';
import { scriptedWorld } from '../support/scripted-world.js';
import { bundleWorkflows, quietRuntime, startServer } from '../support/temporal-server.js';

/**
 * R18: the same history gives the same commands, for every release so far. Histories in test/histories are kept as they
 * were recorded; RECORD_HISTORIES=<release> adds a folder with today's, scripts/record-histories.mjs those of real runs.
 */
const FOLDER = fileURLToPath(new URL('../histories', import.meta.url));
const RECORD = process.env.RECORD_HISTORIES;
const WAIT_MS_MAX = 20_000;
const REAL_RUNS_MIN = 19;

let env: TestWorkflowEnvironment;
let bundle: { code: string };

beforeAll(async () => {
  quietRuntime();
  const server = startServer(['--dynamic-config-value', 'limit.historyCount.suggestContinueAsNew=200']);
  [env, bundle] = await Promise.all([server, bundleWorkflows()]);
}, 120_000);

afterAll(async () => {
  await env?.teardown();
});

async function until(condition: () => Promise<boolean>): Promise<void> {
  for (const end = Date.now() + WAIT_MS_MAX; Date.now() < end; ) {
    if (await condition().catch(() => false)) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('waited in vain');
}

/** Where the project lay when a history was recorded is nobody's business. */
const withoutPlaces = (text: string) => text.replaceAll(fileURLToPath(new URL('../..', import.meta.url)), '/donewhen/');

/** Plays a run to its end and brings back its history; of a continued one that of its first execution. */
async function historyOf(kept: (typeof KEPT)[number]) {
  const slug = `${kept.name}-${randomUUID().slice(0, 8)}`;
  const { activities } = scriptedWorld(slug, kept.script);
  const worker = await Worker.create({ connection: env.nativeConnection, taskQueue: slug, workflowBundle: bundle, activities });
  return worker.runUntil(async () => {
    const args = [kept.input ?? { plan: '# PLAN: x' }];
    const handle = await env.client.workflow.start('executePlan', { workflowId: `donewhen-${slug}`, taskQueue: slug, args });
    await kept.people?.(handle, until);
    await handle.result().catch(() => undefined);
    return env.client.workflow.getHandle(handle.workflowId, handle.firstExecutionRunId).fetchHistory();
  });
}

const replay = (history: unknown, workflowId: string) =>
  Worker.runReplayHistory({ workflowBundle: bundle, replayName: workflowId }, historyFromJSON(history), workflowId);

describe('a run of today', () => {
  it.each(KEPT)('$name replays to the same commands', async (kept) => {
    const json: unknown = JSON.parse(historyToJSON(await historyOf(kept)));
    if (RECORD !== undefined && RECORD !== '') {
      mkdirSync(`${FOLDER}/${RECORD}`, { recursive: true });
      writeFileSync(`${FOLDER}/${RECORD}/${kept.name}.json`, `${withoutPlaces(JSON.stringify(json))}\n`, { flag: 'wx' });
    }
    await expect(replay(json, `donewhen-${kept.name}`)).resolves.toBeUndefined();
  });
});

describe('a kept history', () => {
  const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.json'));

  it('is there for every kind of run', () => {
    const names = files.map((name) => name.replace(/^.*\//, '').replace('.json', ''));
    expect(KEPT.map((kept) => kept.name).filter((name) => !names.includes(name))).toEqual([]);
    // Of real runs, with all that a real world puts into them: a worker that was lost, a carried state, a person's words.
    expect(files.filter((name) => name.includes('/real/')).length).toBeGreaterThanOrEqual(REAL_RUNS_MIN);
  });

  it.each(files)('%s replays to the same commands (M02)', async (name) => {
    await expect(replay(JSON.parse(readFileSync(`${FOLDER}/${name}`, 'utf8')), `donewhen-${name}`)).resolves.toBeUndefined();
  });

  it('with another order of events would be noticed', async () => {
    const name = files.find((one) => one.endsWith('/works.json')) ?? '';
    const text = readFileSync(`${FOLDER}/${name}`, 'utf8');
    const changed: unknown = JSON.parse(text.replace('"name":"dispatch"', '"name":"verify"'));
    await expect(replay(changed, 'donewhen-changed')).rejects.toThrow(/TMPRL1100|nondeterminism|Nondeterminism/i);
  });
});
