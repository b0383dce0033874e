import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createActivities } from '../../activities/index.js';
import type { CheckInput, DispatchInput } from '../../activities/interface.js';
import { createSupervisor } from '../../activities/process/client.js';
import { temporaryFolder } from '../support/disks.js';
import { filePorts, inFolder } from '../support/load-values.js';
import { entryOf, FIRST_STATE } from '../support/record-values.js';

const supervisor = createSupervisor({ searchPath: process.env.PATH ?? '' });
afterAll(() => supervisor.close());

/** Answers by its role, from the words of its brief. */
const AGENT = `const { readFileSync, writeFileSync } = require('node:fs');
const brief = readFileSync(0, 'utf8');
const { DONEWHEN_ROLE: role, DONEWHEN_TASK: task } = process.env;
if (role === 'verifier') console.log('Checks:\\n- file: out-T2 contains "made"');
else if (role === 'planner') console.log('NO VALID PLAN: ' + (brief.includes('## T1 — Part T1') ? 'seen' : 'blind'));
else { writeFileSync('out-' + task, 'made\\n'); console.log('status: done\\nstate_delta:\\n- out-' + task + ' exists'); }
`;

const PLAN = `# PLAN: demo

Spec: none
Goal: The files are there.
Plan version: 1

## T1 — Part T1
Task: Make out-T1.
Done when: out-T1 exists.
Verify by: the checks
Checks:
- file: out-T1
Depends on: —

## T2 — Part T2
Task: Make out-T2.
Done when: out-T2 exists.
Verify by: somebody looks whether it is there
Depends on: —

## T3 — Part T3
Performer: inline
Run: echo made > out-T3
Task: Make out-T3.
Done when: out-T3 exists.
Verify by: \`test -s out-T3\` passes
Depends on: —
`;

test('the activities of one worker carry a run from its texts to its report, over one folder', async () => {
  const config = `agents:\n  mine: { kind: command, command: [${JSON.stringify(process.execPath)}, agent.cjs] }\nroles: { performer: mine, planner: mine, verifier: mine }\n`;
  const workspace = inFolder({ 'PLAN.md': PLAN, 'donewhen.yaml': config, 'agent.cjs': AGENT });
  const { disk: _disk, ...world } = filePorts(temporaryFolder());
  const activities = createActivities({ ...world, environment: { PATH: process.env.PATH }, supervisor });

  const loaded = await activities.load({ plan: PLAN, workspace: { path: workspace }, out: workspace, workflowId: 'donewhen-demo', now: 0 });
  const { place, plan } = loaded;
  const look = (task: string, when: 'before' | 'after', checks: string[]): CheckInput => ({
    place,
    task,
    token: `${task}#1.1`,
    checks,
    when,
    planSha256: plan.sha256,
    claim: null,
    writes: null,
    checkMinutes: 1,
  });
  const ends: unknown[] = [];
  let state = FIRST_STATE;
  const recorded: { task: string; status: string; sha256: string | null }[] = [];
  for (const task of plan.tasks) {
    const before = await activities.check(look(task.id, 'before', task.checks));
    const checks = before.compiled ?? task.checks;
    const input: DispatchInput = {
      place,
      token: `${task.id}#1.1`,
      task: { ...task, checks },
      planVersion: 1,
      planSha256: plan.sha256,
      goal: plan.goal,
      again: false,
      session: null,
      facts: recorded.map((one) => ({ task: one.task, sha256: one.sha256, label: 'verified', depended: true })),
      notes: [],
      timeoutMs: 20_000,
    };
    const { end } = await activities.dispatch(input);
    const after = await activities.verify(look(task.id, 'after', checks));
    ends.push({
      task: task.id,
      checks,
      before: before.looks.map((one) => one.is),
      end: end.is,
      after: after.looks.map((one) => one.is),
      tampered: after.tampered,
    });
    const written = await activities.record({
      place,
      state,
      write: { is: 'entry', entry: entryOf(task.id, { checks }), planSha256: plan.sha256 },
      restore: after.tampered,
    });
    state = written.state;
    recorded.push({ task: task.id, status: 'done', sha256: written.sha256 ?? null });
  }
  expect(ends).toEqual([
    { task: 'T1', checks: ['file: out-T1'], before: ['disproved'], end: 'answered', after: ['holds'], tampered: [] },
    { task: 'T2', checks: ['file: out-T2 contains "made"'], before: ['disproved'], end: 'answered', after: ['holds'], tampered: [] },
    { task: 'T3', checks: ['run: test -s out-T3'], before: ['disproved'], end: 'exited', after: ['holds'], tampered: [] },
  ]);
  expect(readFileSync(join(place.folder, 'attempts', 'T2.1.1', 'brief.md'), 'utf8')).toContain('- out-T1 exists (T1)');

  const ask = {
    question: 'replan',
    triggers: [{ seq: 1, task: 'T1', sha256: null }],
    problems: [],
    resolution: null,
    gate: 'replan required',
    timeoutMs: 20_000,
  } as const;
  const planned = await activities.replan({
    place,
    token: 'plan-2-T1#1.1',
    ask: { ...ask, triggers: [...ask.triggers], problems: [] },
    given: null,
    plan: { version: 1, sha256: plan.sha256 },
    entries: recorded,
    notes: [],
  });
  expect(planned.planned).toEqual({ is: 'none', reason: 'seen' });
  await activities.notify({ place, id: 'q1', kind: 'attest', text: 'x', json: null });
  expect(readFileSync(join(workspace, 'LEDGER.md'), 'utf8').match(/^## .*/gm)).toEqual([
    '## T1 — Part T1  [done]',
    '## T2 — Part T2  [done]',
    '## T3 — Part T3  [done]',
  ]);
});
