import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createDisk } from '../../activities/files/disk.js';
import type { CheckInput, Place } from '../../activities/interface.js';
import { createPlans, declaredIn } from '../../activities/plans.js';
import { textsOf } from '../../activities/texts.js';
import { temporaryFolder } from '../support/disks.js';
import { checkInput } from '../support/looks.js';

function placeAt(workspace: string): Place {
  const folder = join(workspace, '.donewhen', 'x');
  return {
    slug: 'x',
    workflowId: 'donewhen-x',
    workspace,
    out: workspace,
    folder,
    configSha256: '0'.repeat(64),
    specSha256: null,
    pinned: [],
    host: 'here',
  };
}

const task = (id: string, more: string) => `## ${id} — ${id}\n${more}\nDone when: It is done.\nVerify by: \`true\`\n`;
const plan = (...tasks: string[]) => `# PLAN: x\n\nSpec: none\nGoal: g\nPlan version: 1\n\n${tasks.join('\n')}`;

const given = plan(
  task('T1', 'Task: Do it.\nDepends on: —'),
  task('T2', 'Task: Mend check.sh.\nDepends on: —'),
  task('T3', 'Task: Go on.\nWrites: *.json\nDepends on: T2'),
);
const planners = plan(
  task('T3', 'Task: Change everything.\nWrites: **\nDepends on: —'),
  task('T4', 'Task: Loosen other.sh.\nWrites: **\nContinues: T1\nDepends on: —'),
  task('T5', 'Task: Mend it again.\nContinues: T2\nDepends on: —'),
);

/** Of three files, those that may be changed. */
async function declared(of: Partial<CheckInput>, author: { planner?: true } = { planner: true }): Promise<string[]> {
  const place = placeAt(temporaryFolder());
  const texts = textsOf(createDisk(), place);
  const plans = [{ sha256: await texts.put(given) }, { sha256: await texts.put(planners), ...author }];
  const isDeclared = await declaredIn(createPlans(createDisk()), checkInput(place, { plans, ...of }));
  return ['check.sh', 'other.sh', 'a.json'].filter((path) => isDeclared?.(path));
}

test('what a task of a plan that a person gave, or one it waits for, says that it changes is its own', async () => {
  expect([await declared({ task: 'T1' }), await declared({ task: 'T2' }), await declared({ task: 'T3' })]).toEqual([
    [],
    ['check.sh'],
    ['check.sh', 'a.json'],
  ]);
});

test('a plan of the planner takes no file of a check out of its protection; what it goes on with keeps what it had', async () => {
  expect([await declared({ task: 'T4' }), await declared({ task: 'T5' })]).toEqual([[], ['check.sh']]);
});

test('the newest plan of a person does', async () => {
  expect(await declared({ task: 'T4' }, {})).toEqual(['check.sh', 'other.sh', 'a.json']);
});

test('in a sweep every task counts', async () => {
  expect(await declared({ when: 'sweep' })).toEqual(['check.sh', 'a.json']);
});

test('of a pipeline its own steps say it', async () => {
  const place = { ...placeAt(temporaryFolder()), pipelineSha256: '0'.repeat(64) };
  expect(await declaredIn(createPlans(createDisk()), checkInput(place, { task: 'S1' }))).toEqual(null);
});
