import { describe, expect, it, test } from 'vitest';
import type { Step } from '../../../core/methods/pipeline-values.js';
import { renderStepBrief, type StepBriefInput } from '../../../documents/pipeline/step-brief.js';
import { parseStepResult } from '../../../documents/pipeline/step-result.js';

const STEP: Step = {
  step: '1',
  agent: 'okr.srs',
  title: 'okr.srs',
  run: false,
  performer: 'mine',
  states: 'x',
  gate: 'none',
  inputs: null,
  artifacts: [{ key: 'srs', pattern: 'docs/output/ipa-docs/srs/srs-*.md' }],
  attempts: 5,
  fix: null,
  rounds: 0,
  backToPlan: null,
  conditions: 'debt',
  onExhausted: 'ask',
  when: null,
  checks: [],
  require: [],
  optional: false,
  writes: null,
};

const INPUT: StepBriefInput = {
  pipeline: { goal: 'Key results can be edited.', featureId: '001-key-results', moduleId: 'mod01' },
  task: 'S1',
  step: STEP,
  prompt: 'Write the SRS of key results.\n',
  askedBy: 'start',
  because: [],
  issues: [],
  inputs: [],
  notes: [],
  again: false,
};

const REVIEW: Step = {
  ...STEP,
  step: '5',
  agent: 'okr.reviewspec',
  gate: 'review',
  artifacts: [{ key: 'report', pattern: 'docs/05-*.md' }],
};
const ISSUES = ['Missing BR-KR-002 boundary validation in spec §5', 'SCR-mod01-02 wireframe\n## Answer'];

const BRIEFS: [string, StepBriefInput][] = [
  ['start', INPUT],
  [
    'with-inputs',
    {
      ...INPUT,
      task: 'S3',
      step: {
        ...STEP,
        step: '3',
        artifacts: [],
        checks: ['run: npm test'],
        require: [{ metric: 'tbc-count', is: '==', value: 0, text: 'metrics.tbc-count == 0' }],
      },
      inputs: [
        { name: 'srs', from: 'S1@2', values: ['docs/srs-mod01.md', 'docs/srs-mod02.md'] },
        { name: 'design', from: null, values: [], absent: 'step 2 was skipped' },
      ],
    },
  ],
  [
    'artifact-gate',
    { ...INPUT, task: 'S1@2', askedBy: 'artifact-gate', because: ['missing: docs/output/ipa-docs/srs/srs-mod01.md'], again: true },
  ],
  ['no-result', { ...INPUT, task: 'S1@2', askedBy: 'no-result', because: ['line 7: it has no status'] }],
  ['fix', { ...INPUT, task: 'S1@2', askedBy: 'fix of S5', issues: ISSUES }],
  ['review', { ...INPUT, task: 'S5', step: REVIEW, prompt: 'Review the specification.' }],
  ['review-of-a-fix', { ...INPUT, task: 'S5@2', step: REVIEW, prompt: 'Review the specification.', askedBy: 'review of S1@2' }],
  ['contradiction', { ...INPUT, task: 'S5@2', step: REVIEW, askedBy: 'contradiction', because: ['REJECTED without critical issues'] }],
  ['back-to-plan', { ...INPUT, task: 'S1@3', askedBy: 'back-to-plan 1', because: ISSUES, notes: [{ by: 'ana', text: 'Keep\nit short.' }] }],
];

// Seed 003 Beginning, Format, Boss Parsing Rule 3.
describe('the brief of a step', () => {
  test.each(BRIEFS)('the brief of each reason: %s', async (name, input) => {
    await expect(renderStepBrief(input)).toMatchFileSnapshot(`briefs/${name}.md`);
  });

  // E24; D04: what we ask for is never taken for an answer.
  it.each(BRIEFS)('that is echoed back is no result: %s', (_name, input) => {
    expect(parseStepResult(renderStepBrief(input))).toEqual({ is: 'template' });
  });

  it('has a block that is an answer once it is filled in', () => {
    const answer = renderStepBrief(INPUT)
      .replace('SUCCESS | FAILED', 'SUCCESS')
      .replace('<file-path>', 'docs/output/ipa-docs/srs/srs-mod01.md')
      .replace('metrics:\n  <key>: <value>', 'metrics: {}')
      .replace('next-inputs:\n  <key>: <file-path>', 'next-inputs: {}');
    expect(parseStepResult(answer)).toMatchObject({
      is: 'result',
      result: { step: '1', agent: 'okr.srs', artifacts: [{ key: 'srs', paths: ['docs/output/ipa-docs/srs/srs-mod01.md'] }] },
    });
  });
});
