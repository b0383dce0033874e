import { randomUUID } from 'node:crypto';
import { WorkflowFailedError } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker } from '@temporalio/worker';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunJson } from '../../core/run-json.js';
import { claimOf, taskOf } from '../support/run-values.js';
import { manyTasks, type Script, type ScriptedWorld, scriptedWorld } from '../support/scripted-world.js';
import { bundleWorkflows, quietRuntime, startServer } from '../support/temporal-server.js';

let env: TestWorkflowEnvironment;
let bundle: { code: string };

beforeAll(async () => {
  quietRuntime();
  [env, bundle] = await Promise.all([
    startServer(['--dynamic-config-value', 'limit.historyCount.suggestContinueAsNew=300']),
    bundleWorkflows(),
  ]);
}, 120_000);

afterAll(async () => {
  await env?.teardown();
});

interface Played {
  slug: string;
  world: ScriptedWorld;
  handle: Awaited<ReturnType<TestWorkflowEnvironment['client']['workflow']['start']>>;
}

async function play<T>(script: Script, use: (played: Played) => Promise<T>, input: unknown[] = [{ plan: '# PLAN: x' }]): Promise<T> {
  const slug = `t-${randomUUID().slice(0, 8)}`;
  const world = scriptedWorld(slug, script);
  const worker = await Worker.create({
    connection: env.nativeConnection,
    taskQueue: slug,
    workflowBundle: bundle,
    activities: world.activities,
    maxHeartbeatThrottleInterval: '1s',
  });
  return worker.runUntil(async () => {
    const handle = await env.client.workflow.start('executePlan', { workflowId: `donewhen-${slug}`, taskQueue: slug, args: input });
    return use({ slug, world, handle });
  });
}

async function countRuns(query: string): Promise<number> {
  return (await env.client.workflow.count(query)).count;
}

const summary = (json: RunJson) =>
  json.ledger.map((entry) => `${entry.task} ${entry.status} ${entry.verification} | ${entry.gates.at(-1)?.gate}`);

describe('executePlan on a server', () => {
  it('checks, dispatches, verifies and records each task, in order, and reports', async () => {
    await play({ tasks: manyTasks(2) }, async ({ world, handle }) => {
      const result = (await handle.result()) as RunJson;
      expect(result.outcome).toBe('COMPLETED');
      expect(summary(result)).toEqual(['T1 done verified | plan holds', 'T2 done verified | plan holds']);
      expect(world.entries).toEqual(['T1 done', 'T2 done', 'report']);
      expect(world.log.filter((line) => line.startsWith('dispatch'))).toEqual(['dispatch T1#1.1', 'dispatch T2#1.1']);
    });
  });

  it('shows the loop in the timeline: every activity has its task and step as summary', async () => {
    await play({ tasks: manyTasks(1) }, async ({ handle }) => {
      await handle.result();
      const history = await handle.fetchHistory();
      const summaries = (history.events ?? [])
        .filter((event) => event.activityTaskScheduledEventAttributes)
        .map((event) => JSON.parse(Buffer.from(event.userMetadata?.summary?.data ?? '""').toString()) as string);
      expect(summaries).toEqual(['load', 'T1 · check', 'T1 · dispatch', 'T1 · verify', 'T1 · record', 'report · record']);
    });
  });

  it('fails at once, typed, with every problem in the message, when the plan is none', async () => {
    await play(
      { tasks: [] },
      async ({ handle }) => {
        const error = await handle.result().catch((thrown: unknown) => thrown);
        expect(error).toBeInstanceOf(WorkflowFailedError);
        const cause = error instanceof WorkflowFailedError ? error.cause : undefined;
        expect(cause).toBeInstanceOf(ApplicationFailure);
        expect({
          type: (cause as ApplicationFailure).type,
          message: (cause as ApplicationFailure).message,
          retryable: !(cause as ApplicationFailure).nonRetryable,
        }).toEqual({
          type: 'InvalidPlan',
          message: 'PLAN.md:1: this is no plan',
          retryable: false,
        });
      },
      ['hello'],
    );
  });

  it.each([
    ['nothing', undefined],
    ['a number', 7],
    ['a list', []],
    ['an object without a plan', { plam: '# PLAN: x' }],
  ])('refuses %s as input with InvalidInput', async (_words, input) => {
    await play(
      { tasks: [] },
      async ({ handle }) => {
        const error = await handle.result().catch((thrown: unknown) => thrown);
        expect(error instanceof WorkflowFailedError && error.cause instanceof ApplicationFailure ? error.cause.type : error).toBe(
          'InvalidInput',
        );
      },
      [input],
    );
  });

  it.each([
    ['a text', '# PLAN: x'],
    ['bytes', new TextEncoder().encode('# PLAN: x')],
  ])('takes %s as the plan', async (_words, input) => {
    await play({ tasks: manyTasks(1) }, async ({ handle }) => expect(((await handle.result()) as RunJson).outcome).toBe('COMPLETED'), [
      input,
    ]);
  });

  it('waits for a person, says so, announces it once, and goes on with the answer', async () => {
    const human = taskOf('T1', { performer: 'human', checks: ['human: does the badge work?'] });
    await play({ tasks: [human] }, async ({ world, handle, slug }) => {
      await expect.poll(async () => handle.query('waiting'), { timeout: 20_000 }).toMatchObject([{ kind: 'attest', task: 'T1' }]);
      await expect.poll(async () => countRuns(`DonewhenPhase='waiting' AND DonewhenSlug='${slug}'`), { timeout: 20_000 }).toBe(1);
      const answer = await handle.executeUpdate('attest', {
        args: [{ task: 'T1', happened: 'yes', nowTrue: 'the badge works', by: 'ana' }],
      });
      expect(answer).toEqual({ applied: true, reason: 'recorded for T1' });
      expect(summary((await handle.result()) as RunJson)).toEqual(['T1 done attested | plan holds']);
      expect(world.log.filter((line) => line.startsWith('notify'))).toHaveLength(1);
    });
  });

  it('refuses malformed, foreign, stale and doubled messages, records them, and is not harmed', async () => {
    const human = taskOf('T1', { performer: 'human', checks: ['human: ok?'] });
    await play({ tasks: [human] }, async ({ handle }) => {
      await expect.poll(async () => handle.query('waiting'), { timeout: 20_000 }).toMatchObject([{ task: 'T1' }]);
      await handle.signal('attest', 'nonsense');
      await handle.signal('attest');
      await handle.signal('attest', { task: 'T9', happened: 'yes', by: 'ana' });
      await handle.signal('attest', { task: 'T1', happened: 'yes', by: 'ana', shown: 7 });
      await handle.signal('approve-everything', { by: 'ana' });
      await handle.signal('attest', { task: 'T1', happened: 'yes', by: 'ana', id: 'once' });
      await handle.signal('attest', { task: 'T1', happened: 'no', by: 'ana', id: 'once' });
      const result = (await handle.result()) as RunJson;
      expect(summary(result)).toEqual(['T1 done attested | plan holds']);
      expect(result.messages.map((one) => [one.name, one.applied])).toEqual([
        ['attest', false],
        ['attest', false],
        ['attest', false],
        ['attest', false],
        ['message', false],
        ['attest', true],
      ]);
    });
  });

  // Seed 002 §8.
  it('ends a running attempt when it is stopped, looks at it, and reports', async () => {
    const until = { release: (): void => undefined };
    const waits = new Promise<void>((resolve) => {
      until.release = resolve;
    });
    const dispatch = async () => {
      await waits;
      return { end: { is: 'answered', claim: claimOf('failed'), code: 0 } as const };
    };
    await play({ tasks: manyTasks(2), dispatch }, async ({ world, handle }) => {
      await expect.poll(() => world.log.includes('dispatch T1#1.1'), { timeout: 20_000 }).toBe(true);
      expect(await handle.executeUpdate('stop', { args: [{ by: 'ana', reason: 'lunch' }] })).toEqual({
        applied: true,
        reason: 'the run ends with a report',
      });
      until.release();
      const result = (await handle.result()) as RunJson;
      expect(result.stopped).toEqual({ by: 'ana', reason: 'lunch' });
      expect(result.ledger.map((entry) => entry.task)).toEqual(['T1']);
      expect(world.entries.at(-1)).toBe('report');
    });
  });

  it('continues as new at a task boundary and forgets nothing (B14, K09)', async () => {
    await play({ tasks: manyTasks(30) }, async ({ world, handle }) => {
      const result = (await handle.result()) as RunJson;
      expect(result.ledger.map((entry) => `${entry.task} ${entry.status}`)).toEqual(manyTasks(30).map((task) => `${task.id} done`));
      expect(world.log.filter((line) => line.startsWith('dispatch'))).toHaveLength(30);
      expect((await handle.describe()).runId).not.toBe(handle.firstExecutionRunId);
    });
  });
});
