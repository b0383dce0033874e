import { expect, test } from 'vitest';
import { createComposeBrief } from '../../activities/compose-brief.js';
import { createDisk } from '../../activities/files/disk.js';
import type { DispatchInput } from '../../activities/interface.js';
import { createPlans } from '../../activities/plans.js';
import { textsOf } from '../../activities/texts.js';
import type { Task } from '../../core/values.js';
import { parseReturnBlock } from '../../documents/return-block.js';
import { temporaryFolder } from '../support/disks.js';
import { entryOf, NO_TEXT, planText, recorder, worldIn } from '../support/record-values.js';

const SPEC = `# SPEC: demo

### Out of scope

- Paying.

## 7. Requirements

| ID | Requirement | Priority |
|---|---|---|
| FR-001 | Make the first marvel | Must |
| FR-002 | Make the second marvel | Must |

### Constraints

- No network.

## 14. Acceptance

- AC-001 (FR-001): Given a, when b, then first.
- AC-002 (FR-002): Given a, when b, then second.
`;

const PLAN = planText(1, [
  { id: 'T1', more: 'Reasoning: SECRET-REASONING of the planner\n' },
  { id: 'T2', more: 'Covers: AC-001\n' },
]);

async function inputFor(task: Partial<Task>, more: Partial<DispatchInput> = {}) {
  const { place, planSha256 } = await worldIn(temporaryFolder(), { plan: PLAN });
  const full: Task = {
    id: 'T1',
    title: 'Part T1',
    performer: 'mine',
    dependsOn: [],
    checks: ['file: out-T1'],
    covers: [],
    writes: null,
    repeatable: true,
    states: 's',
    ...task,
  };
  const input: DispatchInput = {
    place,
    token: 'T1#1.1',
    task: full,
    planVersion: 1,
    planSha256,
    goal: 'The files are there.',
    again: false,
    session: null,
    facts: [],
    notes: [],
    timeoutMs: 1000,
    ...more,
  };
  return { input, planSha256 };
}

const disk = createDisk();
const compose = createComposeBrief({ disk, plans: createPlans(disk) });

// Seed 002 §3.
test('a brief has the task of the plan, the goal and the contract, never the reasoning', async () => {
  const { input } = await inputFor({});
  const brief = await compose(input);
  for (const words of [
    'T1 — Part T1',
    'Task: Make out-T1.',
    'Done when: out-T1 exists.',
    '- file: out-T1',
    'The files are there.',
    'status: done | partial | blocked | failed | no_op',
  ])
    expect(brief).toContain(words);
  expect(brief).not.toContain('SECRET-REASONING');
});

test('a brief tells no status of any task, not even of its own (A12)', async () => {
  const { input } = await inputFor({ id: 'T2', title: 'Part T2', covers: ['AC-001'], dependsOn: ['T1'] });
  const brief = await compose(input);
  expect([brief.match(/\[(?:done|no_op|partial|blocked|failed)\]/), /Gate:|Verification:|in progress|Attempt:/i.exec(brief)]).toEqual([
    null,
    null,
  ]);
});

// Seed 002 §3.
test('it carries the covered slice of the contract and no more', async () => {
  const { input } = await inputFor({ id: 'T2', covers: ['AC-001'] });
  const specSha256 = await textsOf(disk, input.place).put(SPEC);
  const brief = await compose({ ...input, place: { ...input.place, specSha256 } });
  for (const words of ['first marvel', 'AC-001', 'No network.', 'Paying.']) expect(brief).toContain(words);
  for (const words of ['second marvel', 'AC-002']) expect(brief).not.toContain(words);
});

// Seed 002 Execution modes, §3.
test('facts come from the records of earlier entries: observed, attested and reported ones apart (R10)', async () => {
  const { input, planSha256 } = await inputFor({ id: 'T2' });
  const record = recorder(input.place);
  const discovered = [
    { label: 'verified' as const, fact: 'the client is in src/pay.ts' },
    { label: 'reported, unconfirmed' as const, fact: 'the moon table has 7 rows' },
  ];
  const one = await record.write({
    is: 'entry',
    entry: entryOf('T1', { text: { ...NO_TEXT, stateDelta: ['out-T1 exists'], discovered } }),
    planSha256,
  });
  const far = await record.write({
    is: 'entry',
    entry: entryOf('T0', {
      text: { ...NO_TEXT, stateDelta: ['a far change'], discovered: discovered.map((d) => ({ ...d, fact: `far: ${d.fact}` })) },
    }),
    planSha256,
  });
  const brief = await compose({
    ...input,
    facts: [
      { task: 'T0', sha256: far.sha256 ?? null, label: 'verified', depended: false },
      { task: 'T1', sha256: one.sha256 ?? null, label: 'verified', depended: true },
      { task: 'T9', sha256: null, label: 'verified', depended: true },
    ],
  });
  expect(brief.slice(brief.indexOf('## Established facts'), brief.indexOf('## Return contract'))).toEqual(`## Established facts
- far: the client is in src/pay.ts (T0)
- out-T1 exists (T1)
- the client is in src/pay.ts (T1)

Not established. Look for yourself before you rely on one of these:
- [reported, unconfirmed] the moon table has 7 rows (T1)

`);
});

test('the second brief, and only it, says that an earlier attempt may have acted', async () => {
  const { input } = await inputFor({});
  const [first, second] = [await compose(input), await compose({ ...input, again: true })];
  expect([/earlier attempt/.test(first), /An earlier attempt/.test(second)]).toEqual([false, true]);
});

// Seed 002 §3.
test('a brief that is echoed back is no claim (E24)', async () => {
  const { input } = await inputFor({});
  expect(parseReturnBlock(await compose(input)).claim).toEqual(null);
});

test('a task that the plan does not have is told by what the run knows of it', async () => {
  const { input } = await inputFor({ id: 'T7', title: 'Do it again', checks: ['file: out-T1'] });
  expect(await compose(input)).toContain('T7 — Do it again\nTask: Do it again\nDone when: Do it again\nChecks:\n- file: out-T1\n');
});
