import { expect, test } from 'vitest';
import { type PlannerPromptInput, PROMPT_LEDGER_BYTES_MAX, renderPlannerPrompt } from '../../documents/planner-prompt.js';

const ENTRY = {
  task: 'T1',
  status: 'failed',
  text: '## T1 — Part T1  [failed]\nPlan version: 1\nVerification: verified\nBlocker: a-wall\nGate: replan required\n',
};

const INPUT: PlannerPromptInput = {
  slug: 'demo',
  question: 'replan',
  spec: null,
  plan: { version: 1, text: '# PLAN: demo\n\nGoal: g\nPlan version: 1\n\n## T1 — Part T1\nDone when: a ```fence``` holds.\n' },
  entries: [ENTRY],
  triggers: ['T1'],
  gate: 'replan required',
  problems: [],
  resolution: null,
  notes: [],
  usedIds: ['T1', 'T7', 'F1'],
  performers: ['claude', 'codex'],
};

test.each<[string, PlannerPromptInput]>([
  ['replan', INPUT],
  ['holds', { ...INPUT, question: 'holds?', gate: 'not yet decided', entries: [{ ...ENTRY, status: 'done' }] }],
  [
    'refused',
    {
      ...INPUT,
      spec: '# SPEC: demo\n\n- AC-001: it is there\n',
      problems: ['Plan version is 1; it must be 2'],
      notes: [{ by: 'ana', text: 'keep it\nsmall' }],
    },
  ],
  ['reopening', { ...INPUT, resolution: { by: 'ana', text: 'the key is in ./key' } }],
])('what the planner is asked: %s', async (name, input) => {
  await expect(renderPlannerPrompt(input)).toMatchFileSnapshot(`prompts/${name}.md`);
});

test('of a record that is too long the planner gets the list, and the newest entries that are open', () => {
  const entries = Array.from({ length: 400 }, (_, n) => ({
    task: `T${n}`,
    status: n % 2 === 0 ? 'done' : 'failed',
    text: `## T${n} — x  [x]\n${'y'.repeat(2000)}`,
  }));
  const prompt = renderPlannerPrompt({ ...INPUT, entries, triggers: ['T399'] });
  expect(Buffer.byteLength(prompt)).toBeLessThan(PROMPT_LEDGER_BYTES_MAX + 40_000);
  expect([prompt.includes('- T0 [done]'), prompt.includes('## T399 '), prompt.includes('## T398 '), prompt.includes('## T3 ')]).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

test('no text of a plan or an entry ends the block it stands in', () => {
  const text = '````\nfour\n````\n# PLAN: not the answer\n';
  const prompt = renderPlannerPrompt({ ...INPUT, plan: { version: 1, text } });
  expect(prompt).toContain(`\`\`\`\`\`markdown\n${text.trim()}\n\`\`\`\`\`\n`);
});
