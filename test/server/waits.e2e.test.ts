import { randomUUID } from 'node:crypto';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker } from '@temporalio/worker';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Dispatched } from '../../activities/interface.js';
import { LIMITS_DEFAULT } from '../../core/limits.js';
import type { RunJson } from '../../core/run-json.js';
import { claimOf, POLICY, taskOf } from '../support/run-values.js';
import { type Script, type ScriptedWorld, scriptedWorld } from '../support/scripted-world.js';
import { bundleWorkflows, quietRuntime, startSkippingServer } from '../support/temporal-server.js';

const MINUTE_S = 60;
const HOUR_S = 60 * MINUTE_S;
const DAY_S = 24 * HOUR_S;

const hasServer = (process.env.DONEWHEN_TEST_SERVER ?? '') !== '';
let env: TestWorkflowEnvironment | null;
let bundle: { code: string };

beforeAll(async () => {
  if (!hasServer) return;
  quietRuntime();
  [env, bundle] = await Promise.all([startSkippingServer(), bundleWorkflows()]);
});
afterAll(async () => {
  await env?.teardown();
});

interface Played {
  world: ScriptedWorld;
  handle: Awaited<ReturnType<TestWorkflowEnvironment['client']['workflow']['start']>>;
  /** Days pass while nothing else does. */
  sleep(seconds: number): Promise<void>;
}

async function play(script: Script, use: (played: Played) => Promise<void> = async () => undefined) {
  if (env === null) throw new Error('no time-skipping server');
  const slug = `t-${randomUUID().slice(0, 8)}`;
  const world = scriptedWorld(slug, script);
  const { nativeConnection: connection, client } = env;
  const sleep = (seconds: number) => (env as TestWorkflowEnvironment).sleep(seconds * 1000);
  const worker = await Worker.create({ connection, taskQueue: slug, workflowBundle: bundle, activities: world.activities });
  return worker.runUntil(async () => {
    const handle = await client.workflow.start('executePlan', {
      workflowId: `donewhen-${slug}`,
      taskQueue: slug,
      args: [{ plan: '# PLAN: x' }],
    });
    await use({ world, handle, sleep });
    const run = (await handle.result()) as RunJson;
    const events = (await handle.fetchHistory()).events ?? [];
    const timers = events.flatMap(({ timerStartedEventAttributes: timer }) => (timer ? [Number(timer.startToFireTimeout?.seconds)] : []));
    const ledger = run.ledger.map(
      ({ task, status, blocker, attempt }) => `${task} ${status}, attempt ${attempt}${blocker === null ? '' : `, ${blocker}`}`,
    );
    return { outcome: run.outcome, ledger, timers, dispatched: world.log.filter((line) => line.startsWith('dispatch')) };
  });
}

/** A usage limit so often, then the work. */
function limitedTimes(times: number, until: () => number | null): Script['dispatch'] {
  let met = 0;
  return (): Partial<Dispatched> =>
    met++ < times
      ? { end: { is: 'limited', until: until(), why: 'usage limit' } }
      : { end: { is: 'answered', claim: claimOf('done'), code: 0 } };
}

const byHand = taskOf('T1', { performer: 'human', checks: ['human: does the badge work?'] });
const blocked = () => ({ end: { is: 'answered', claim: claimOf('blocked', { blocker: 'no-key' }), code: 0 } }) as const;

describe.skipIf(!hasServer)('a wait of hours and days', () => {
  test('for a usage limit of unknown length looks after 5, 15, 30 and 60 minutes, then hourly, and uses up no attempt (R13)', async () => {
    expect(await play({ tasks: [taskOf('T1')], dispatch: limitedTimes(6, () => null) })).toEqual({
      outcome: 'COMPLETED',
      ledger: ['T1 done, attempt 1'],
      timers: [5 * MINUTE_S, 15 * MINUTE_S, 30 * MINUTE_S, HOUR_S, HOUR_S, HOUR_S],
      dispatched: [1, 2, 3, 4, 5, 6, 7].map((leg) => `dispatch T1#1.${leg}`),
    });
  });

  test('for a usage limit of thirty hours is one timer, and is none of the hours of work that a run may take', async () => {
    const until = Date.now() + 30 * HOUR_S * 1000;
    const limits = { ...LIMITS_DEFAULT, runHours: 1 };
    const ended = await play({ tasks: [taskOf('T1'), taskOf('T2')], loaded: { limits }, dispatch: limitedTimes(1, () => until) });
    expect({ ...ended, timers: ended.timers.length }).toEqual({
      outcome: 'COMPLETED',
      ledger: ['T1 done, attempt 1', 'T2 done, attempt 1'],
      timers: 1,
      dispatched: ['dispatch T1#1.1', 'dispatch T1#1.2', 'dispatch T2#1.1'],
    });
  });

  test('for a usage limit ends after waitDays, blocked', async () => {
    const limits = { ...LIMITS_DEFAULT, waitDays: 0.1 };
    const ended = await play({ tasks: [taskOf('T1')], loaded: { limits }, dispatch: limitedTimes(99, () => null) });
    expect(ended).toMatchObject({ outcome: 'BLOCKED', ledger: ['T1 blocked, attempt 1, no-answer'] });
  });

  test('for a person ends after waitDays: no answer is no yes (R11)', async () => {
    expect(await play({ tasks: [byHand] })).toEqual({
      outcome: 'BLOCKED',
      ledger: ['T1 blocked, attempt 1, no-answer'],
      timers: [30 * DAY_S],
      dispatched: [],
    });
  });

  test('for a person may last weeks, in which the run is told no time (G07)', async () => {
    const limits = { ...LIMITS_DEFAULT, runHours: 1 };
    const ended = await play({ tasks: [byHand, taskOf('T2')], loaded: { limits } }, async ({ handle, sleep }) => {
      await sleep(20 * DAY_S);
      await handle.signal('attest', { task: 'T1', happened: 'yes', by: 'ana' });
    });
    expect(ended).toMatchObject({ outcome: 'COMPLETED', ledger: ['T1 done, attempt 1', 'T2 done, attempt 1'] });
  });

  test('for a resolution ends after waitDays, and the run closes blocked', async () => {
    const policy = { ...POLICY, onBlocked: 'wait' as const };
    expect(await play({ tasks: [taskOf('T1')], loaded: { policy }, dispatch: blocked })).toMatchObject({
      outcome: 'BLOCKED',
      ledger: ['T1 blocked, attempt 1, no-key'],
      timers: [30 * DAY_S],
    });
  });

  test('for a resolution goes on after ten days, when it comes', async () => {
    const policy = { ...POLICY, onBlocked: 'wait' as const };
    const next = taskOf('T2', { states: 'promise of T1', checks: ['file: out-T1'], reopens: 'T1' });
    const proposed = {
      version: 2,
      goal: 'The files are there.',
      tasks: [next],
      sha256: 'plan-2',
      because: 'there is a key now',
      noOp: false,
    };
    let isResolved = false;
    const script: Script = {
      tasks: [taskOf('T1')],
      loaded: { policy },
      dispatch: (task) => (task === 'T1' ? blocked() : {}),
      plan: () => (isResolved ? { is: 'plan', plan: proposed } : { is: 'none', reason: 'there is no key' }),
    };
    const ended = await play(script, async ({ handle, sleep }) => {
      await sleep(10 * DAY_S);
      isResolved = true;
      const answer = await handle.executeUpdate('resolve', { args: [{ blocker: 'no-key', resolution: 'it is in ./key', by: 'ana' }] });
      expect(answer).toEqual({ applied: true, reason: 'T1 is reopened on the word of ana' });
    });
    expect(ended).toMatchObject({ outcome: 'COMPLETED', ledger: ['T1 blocked, attempt 1, no-key', 'T2 done, attempt 1'] });
  });

  test('while paused is no work: a run of one hour may be paused for a week', async () => {
    const limits = { ...LIMITS_DEFAULT, runHours: 1 };
    const ended = await play({ tasks: [byHand, taskOf('T2')], loaded: { limits } }, async ({ handle, sleep }) => {
      await sleep(DAY_S);
      await handle.executeUpdate('pause', { args: [{ by: 'ana' }] });
      const answer = await handle.executeUpdate('attest', { args: [{ task: 'T1', happened: 'yes', by: 'ana' }] });
      expect(answer).toEqual({ applied: true, reason: 'recorded for T1' });
      await sleep(7 * DAY_S);
      await handle.executeUpdate('resume', { args: [{ by: 'ana' }] });
    });
    expect(ended).toMatchObject({ outcome: 'COMPLETED', ledger: ['T1 done, attempt 1', 'T2 done, attempt 1'] });
  });
});
