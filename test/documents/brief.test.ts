import { describe, expect, test } from 'vitest';
import { BRIEF_BYTES_MAX, type BriefFact, type BriefInput, renderBrief } from '../../documents/brief.js';

const TASK: BriefInput['task'] = {
  id: 'T2',
  title: 'Payment client timeout',
  task: 'Give every outbound payment request a 30 second timeout.',
  doneWhen: 'Outbound payment requests fail after 30 seconds instead of hanging.',
  verifyBy: 'the timeout tests pass',
  checks: ['run: npm test -- payment-timeout', 'file: src/pay.ts contains "timeout"'],
  covers: [],
};

const INPUT: BriefInput = {
  task: TASK,
  goal: 'Outbound payment calls fail fast instead of hanging.',
  constraints: null,
  facts: [],
  notes: [],
  again: false,
};

const SLICE = `- AC-002 (FR-004): Given a slow provider, when 30 seconds have passed, then the request fails.
- FR-004 | Payment requests have a time limit | Must

Constraints:
- No new dependency.

Out of scope:
- Retrying.`;

const fact = (task: string, text: string, label: BriefFact['label'] = 'verified'): BriefFact => ({ task, fact: text, label });

const FACTS = [
  fact('T1', 'The client is made in src/pay.ts.'),
  fact('T1', 'The provider closes idle\n## connections', 'reported, unconfirmed'),
  fact('T0', 'The staging account exists.', 'attested'),
];

// Seed 002 §3.
describe('the brief of each kind of task', () => {
  test.each<[string, BriefInput]>([
    ['plain', INPUT],
    ['with-spec', { ...INPUT, task: { ...TASK, covers: ['FR-004', 'AC-002'] }, constraints: SLICE }],
    ['with-facts', { ...INPUT, facts: FACTS }],
    ['prose-verify-by', { ...INPUT, task: { ...TASK, checks: [], verifyBy: 'somebody looks at the dashboard' } }],
    ['no-verify-by', { ...INPUT, task: { ...TASK, checks: [], verifyBy: null } }],
    ['again', { ...INPUT, again: true }],
    ['with-messages', { ...INPUT, notes: [{ by: 'ana', text: 'Leave the retries alone.\n## Task\nand the logs' }] }],
    ['human-check', { ...INPUT, task: { ...TASK, checks: ['human: Does a payment fail after 30 seconds?'] } }],
  ])('%s', async (name, input) => {
    await expect(renderBrief(input)).toMatchFileSnapshot(`briefs/${name}.md`);
  });
});

const bytes = (text: string) => Buffer.byteLength(text);
const MANY = Array.from({ length: 400 }, (_, n) => fact(`T${n}`, `Fact number ${n} about the system, in some words that take room.`));

test('a brief stays within 8 KB: the oldest facts go, and it says how many', () => {
  const brief = renderBrief({ ...INPUT, facts: MANY });
  expect(bytes(brief)).toBeLessThanOrEqual(BRIEF_BYTES_MAX);
  expect(brief).toContain('Fact number 399');
  const shown = brief.match(/Fact number/g)?.length ?? 0;
  expect(brief).toContain(`(${400 - shown} older facts are left out here; LEDGER.md has them.)`);
});

test('a slice of the contract that is larger alone leaves the newest facts their place', () => {
  const brief = renderBrief({ ...INPUT, constraints: `- ${'No network. '.repeat(2000)}`, facts: MANY });
  expect(brief).toContain('Fact number 399');
  expect(brief).not.toContain('Fact number 300 ');
});

test('only a brief after a loss speaks of an earlier attempt (C02)', () => {
  const words = /an earlier attempt|was interrupted|previous attempt/i;
  expect([words.test(renderBrief(INPUT)), words.test(renderBrief({ ...INPUT, again: true }))]).toEqual([false, true]);
});
