import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { RunJson } from '../../core/run-json.js';
import { workersOf } from '../../worker/registry.js';
import { STANDING_QUEUE } from '../../workflows/names.js';
import { planText, taskText } from '../client/support/folders.js';
import type { Ran } from '../support/command.js';
import { createTestHome, type TestHome } from '../support/homes.js';
import { type Onlooker, onlookerAt, serverOf, untilGone } from '../support/onlooker.js';
import { type Cast, createStage, looksFor, type Stage } from '../support/stage.js';

const TEST_MS = 240_000;
/** Many beats of a process that was left behind. */
const BEATS_MS = 500;

let home: TestHome;
let stages: Stage[];
let onlookers: Onlooker[];
beforeEach(() => {
  home = createTestHome();
  [stages, onlookers] = [[], []];
});
afterEach(async () => {
  for (const onlooker of onlookers) await onlooker.close();
  for (const stage of stages) await stage.remove();
  await home.remove();
});

function setUp(cast: Cast): Stage {
  const stage = createStage(home, cast);
  stages.push(stage);
  return stage;
}

function lookAt(slug: string): Onlooker {
  const onlooker = onlookerAt(home, slug);
  onlookers.push(onlooker);
  return onlooker;
}

const by = (performer: string) => `Performer: ${performer}\n`;
const one = (id: string, performer: string, depends?: string) =>
  taskText(id, { checks: [looksFor(id)], lines: by(performer), ...(depends === undefined ? {} : { depends }) });

/** The run as its command printed it: one line an entry, and what it came to. */
function told({ code, out }: Ran) {
  const run = JSON.parse(out) as RunJson;
  const ledger = run.ledger.map(
    ({ task, status, verification, attempt, gates }) =>
      `${task} ${status} ${verification}, attempt ${attempt}: ${gates.map(({ gate }) => gate).join(' → ')}`,
  );
  return { code, outcome: run.outcome, ledger, cost: run.cost };
}

describe('a run', () => {
  test('does not believe an agent that lies, has the rest planned anew, and does it; what nobody reported is unknown (A11, D12)', {
    timeout: TEST_MS,
  }, async () => {
    const nextPlan = planText(
      taskText('T3', { checks: [looksFor('T2')], lines: `Continues: T2\n${by('works')}` }).replaceAll('out-T3', 'out-T2'),
    ).replace('Plan version: 1', 'Plan version: 2\nReplanned because: T2 was not done.');
    const stage = setUp({ plan: planText(one('T1', 'works'), one('T2', 'lies')), nextPlan });
    expect(told(await stage.run('run', '.', '--json'))).toEqual({
      code: 0,
      outcome: 'COMPLETED',
      ledger: [
        'T1 done verified, attempt 1: plan holds',
        'T2 failed verified, attempt 1: replan required → replan done (plan version 2)',
        'T3 done verified, attempt 2: plan holds',
      ],
      cost: { usd: 0.5, tokens: 1800, unknown: true },
    });
    expect(stage.text('PLAN.md')).toEqual(nextPlan);
    expect(stage.effects()).toEqual([
      'T1#1.1 begins',
      'T1#1.1 made out-T1',
      'T2#1.1 lies',
      'planner T2',
      'T3#1.1 begins',
      'T3#1.1 made out-T2',
    ]);
  });

  test('does not call work done that nobody committed (A01)', { timeout: TEST_MS }, async () => {
    const checks = ['file: out-T1', 'git: tracked out-T1'];
    const stage = setUp({ plan: planText(taskText('T1', { checks })) });
    expect(told(await stage.run('run', '.', '--json'))).toMatchObject({
      code: 12,
      ledger: ['T1 failed verified, attempt 1: replan required → replan exhausted'],
    });
  });

  test('waits for a usage limit without using up an attempt (R13)', { timeout: TEST_MS }, async () => {
    const stage = setUp({ plan: planText(one('T1', 'is-limited')) });
    expect(told(await stage.run('run', '.', '--json'))).toMatchObject({ code: 0, ledger: ['T1 done verified, attempt 1: plan holds'] });
    expect(stage.effects()).toEqual(['T1#1.1 is limited', 'T1#1.2 begins', 'T1#1.2 made out-T1']);
  });

  test('tries a task once more whose agent was killed and left nothing (R3)', { timeout: TEST_MS }, async () => {
    const stage = setUp({ plan: planText(one('T1', 'dies')) });
    expect(told(await stage.run('run', '.', '--json'))).toMatchObject({ code: 0, ledger: ['T1 done verified, attempt 1: plan holds'] });
    expect(stage.effects()).toEqual(['T1#1.1 dies', 'T1#2.1 begins', 'T1#2.1 made out-T1']);
  });

  test('leaves no process of an agent behind, whatever that agent did to keep it (C01, R14)', { timeout: TEST_MS }, async () => {
    const stage = setUp({ plan: planText(one('T1', 'leaves-behind')) });
    stage.shut('verify-T1');
    const run = stage.begin('run', '.', '--json');
    await stage.reached('verify-T1');
    const beats = () => readFileSync(join(stage.outside, 'beats'), 'utf8').length;
    const before = beats();
    await sleep(BEATS_MS);
    expect(beats()).toEqual(before);
    stage.open('verify-T1');
    expect(told(await run.ended)).toMatchObject({ code: 0, ledger: ['T1 done verified, attempt 1: plan holds'] });
  });
});

describe('a person', () => {
  test('answers for a task with attest, and the run goes on in the terminal where it waits', { timeout: TEST_MS }, async () => {
    const human = taskText('T1', { checks: ['human: does it open?'], lines: by('human') });
    const stage = setUp({ plan: planText(human, one('T2', 'works', 'T1')) });
    const run = stage.begin('run', '.', '--json');
    await stage.asked();
    const words = ['--happened', 'yes', '--now-true', 'it opens', '--by', 'ana'];
    expect(await stage.run('attest', 'demo', 'T1', ...words)).toMatchObject({ code: 0, err: '' });
    expect(told(await run.ended)).toMatchObject({
      code: 0,
      ledger: ['T1 done attested, attempt 1: plan holds', 'T2 done verified, attempt 1: plan holds'],
    });
    expect(stage.effects()).toEqual(['told: does it open?', 'T2#1.1 begins', 'T2#1.1 made out-T2']);
  });

  test('pauses a run: what is under way ends and is judged, nothing else begins until it is resumed', { timeout: TEST_MS }, async () => {
    const stage = setUp({ plan: planText(one('T1', 'works'), one('T2', 'works')) });
    stage.shut('T1-during');
    const run = stage.begin('run', '.', '--json');
    await stage.reached('T1-during');
    expect((await stage.run('pause', 'demo', '--by', 'ana')).code).toEqual(0);
    stage.open('T1-during');
    await stage.until('T1 is recorded', () => stage.text('LEDGER.md').includes('## T1'));
    const paused = JSON.parse((await stage.run('status', 'demo', '--json')).out) as RunJson;
    expect([paused.phase, stage.effects()]).toEqual(['paused', ['T1#1.1 begins', 'T1#1.1 made out-T1']]);
    expect((await stage.run('resume', 'demo', '--by', 'ana')).code).toEqual(0);
    expect(told(await run.ended)).toMatchObject({ code: 0, outcome: 'COMPLETED' });
  });

  test('stops a run: the attempt ends with all its processes, is looked at, and the rest stays to be done (B07)', {
    timeout: TEST_MS,
  }, async () => {
    const stage = setUp({ plan: planText(one('T1', 'works'), one('T2', 'works')) });
    stage.shut('T1-during');
    const run = stage.begin('run', '.', '--json');
    await stage.reached('T1-during');
    expect((await stage.run('stop', 'demo', '--by', 'ana', '--reason', 'lunch')).code).toEqual(0);
    const end = await run.ended;
    stage.open('T1-during');
    await sleep(BEATS_MS);
    expect({ ...told(end), effects: stage.effects() }).toMatchObject({
      code: 13,
      outcome: 'PARTIAL',
      ledger: ['T1 partial verified, attempt 1: replan required'],
      effects: ['T1#1.1 begins'],
    });
    const state = JSON.parse(end.out) as RunJson;
    expect([state.stopped, state.plan.tasks.map((task) => task.id)]).toEqual([{ by: 'ana', reason: 'lunch' }, ['T2']]);
    expect(stage.text('REPORT.md')).toContain('T2 — Part T2');
  });
});

describe('the processes around runs', () => {
  test('two runs share one server, each has a worker of its own, and the server ends with the last', { timeout: TEST_MS }, async () => {
    const [first, second] = [
      setUp({ plan: planText(one('T1', 'works')) }),
      setUp({ plan: planText(one('T1', 'works')).replace('demo', 'other') }),
    ];
    for (const stage of [first, second]) stage.shut('T1-during');
    const runs = [first.begin('run', '.'), second.begin('run', '.')];
    await Promise.all([first.reached('T1-during'), second.reached('T1-during')]);
    const { pid, wardenPid } = serverOf(home);
    const pollers = await Promise.all(['demo', 'other'].map((slug) => pollersOf(lookAt(slug), `donewhen-run-${slug}`)));
    expect(pollers.map((identities) => identities.map((identity) => Number(identity.split(':')[2])))).toEqual(
      runs.map(({ child }) => [child.pid]),
    );
    for (const onlooker of onlookers.splice(0)) await onlooker.close();
    first.open('T1-during');
    const firstEnd = await runs[0]?.ended;
    expect({ code: firstEnd?.code, server: serverOf(home).pid }).toEqual({ code: 0, server: pid });
    second.open('T1-during');
    expect((await runs[1]?.ended)?.code).toEqual(0);
    await untilGone(pid, wardenPid);
  });

  test('start leaves a worker and the server behind until the run is closed, then nothing', { timeout: TEST_MS }, async () => {
    const stage = setUp({ plan: planText(one('T1', 'works')) });
    stage.shut('T1-during');
    expect((await stage.run('start', '.')).code).toEqual(0);
    await stage.reached('T1-during');
    const { pid, wardenPid } = serverOf(home);
    const left = workersOf(home.path, STANDING_QUEUE, { server: 'embedded', namespace: 'default' }).living;
    expect(left.map(({ kind }) => kind)).toEqual(['own']);
    stage.open('T1-during');
    await untilGone(left[0]?.process.pid, pid, wardenPid);
    expect(stage.text('REPORT.md')).toContain('Status: COMPLETED');
  });
});

async function pollersOf({ client }: Onlooker, queue: string): Promise<string[]> {
  const { pollers } = await client.workflowService.describeTaskQueue({
    namespace: 'default',
    taskQueue: { name: queue },
    taskQueueType: 1,
  });
  return (pollers ?? []).map(({ identity }) => identity ?? '');
}
