import { expect, it } from 'vitest';
import { colorsFor } from '../../../client/present/colors.js';
import { pipelineGraphLines } from '../../../client/present/pipeline-graph.js';
import { columnsOf } from '../../../client/present/text.js';
import { parsePipeline, toPipeline } from '../../../documents/pipeline/file.js';

const screen = { columns: 80, colors: colorsFor({ env: { NO_COLOR: '1' }, isTTY: false }) };

function drawn(steps: string): string[] {
  const { pipeline } = parsePipeline(`pipeline: a\ngoal: g\nsteps:\n${steps}`, { file: 'a.yaml', files: new Map() });
  if (pipeline === null) throw new Error('the pipeline of this test is not sound');
  return pipelineGraphLines(toPipeline(pipeline, { performer: 'mine', reviewer: 'other', hash: (text) => text }).steps, screen);
}

it('each step has a row in written order, with what is seen of it and every way that leads elsewhere', () => {
  const steps = `
  - { step: 1, agent: okr.srs, prompt: x, artifacts: { srs: "a-*.md", report: r.md }, attempts: 1, onExhausted: stop }
  - { step: 4, agent: clarify, prompt: x }
  - { step: 5, agent: okr.reviewspec, prompt: x, gate: review, fix: 1, rounds: 2, backToPlan: 1, conditions: fix }
  - { step: 6, agent: plan, prompt: x, when: { step: 5, verdict: APPROVED }, checks: ["file: a"], require: ["metrics.a == 1"] }
  - { step: 10, agent: implement, prompt: x, optional: true, artifacts: { code: src/ } }
  - { step: 11, agent: okr.reviewcode, prompt: x, gate: review, fix: 10, onExhausted: continue-with-debt }
  - { step: 12, agent: sign-off, prompt: x, gate: human }
  - { step: 13, run: npm run launch }
`;
  expect(drawn(steps)).toEqual([
    '1  okr.srs          mine    srs, report',
    '   └ 1 attempt, then the run ends',
    '4  clarify          mine    its answer alone',
    '5  okr.reviewspec   other   its answer',
    '   ├ if it rejects: 1 mends, 2 rounds, then again from 1, 3 times at most',
    '   └ with conditions: 1 mends',
    '6  plan             mine    1 check and 1 requirement',
    '   └ only if 5 says APPROVED',
    '  10  implement     mine    code',
    '      └ only as a fix of 11',
    '11  okr.reviewcode  other   its answer',
    '    ├ if it rejects: 10 mends, 5 rounds',
    '    ├ with conditions: on, as debt',
    '    └ 5 attempts, then on, as debt',
    '12  sign-off        mine    its answer',
    '    └ if a person rejects: exhausted',
    '13  npm run launch  inline  its exit status',
  ]);
});

it('stays on the terminal, whatever a pipeline is called', () => {
  const lines = drawn(`  - { step: ${'a'.repeat(60)}, run: "${'漢'.repeat(200)}" }\n`);
  expect(Math.max(...lines.map(columnsOf))).toBeLessThanOrEqual(80);
});
