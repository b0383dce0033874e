import { describe, expect, it, test } from 'vitest';
import type { Pipeline, Step } from '../../../core/methods/pipeline-values.js';
import type { GateRecord } from '../../../core/values.js';
import { type ContextInput, contextOf, type PipelineContext, parseContext, renderContext } from '../../../documents/pipeline/context.js';
import { renderProblem } from '../../../documents/problem.js';
import { fc } from '../../support/fast-check.js';

const step = (name: string, agent: string | null): Step => ({
  step: name,
  agent,
  title: agent ?? 'command',
  run: agent === null,
  performer: 'mine',
  states: '',
  gate: 'none',
  inputs: null,
  artifacts: [],
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
});

const PIPELINE: Pipeline = {
  slug: 'okr',
  goal: 'g',
  featureId: '001-key-results',
  moduleId: '007',
  steps: [step('1', 'okr.srs'), step('5', 'okr.reviewspec'), step('8b', 'okr.testkit'), step('13', null)],
};

const HOLDS: GateRecord[] = [{ is: 'holds', at: 0 }];
const FIXED: GateRecord[] = [
  { is: 'required', at: 0 },
  { is: 'done', version: 2, at: 0 },
];
const EXHAUSTED: GateRecord[] = [
  { is: 'required', at: 0 },
  { is: 'exhausted', blocker: 'gate-S5-exhausted', why: '', final: false, at: 0 },
];
type Recorded = ContextInput['entries'][number];
const entry = (task: string, more: Partial<Recorded> = {}): Recorded => ({ task, status: 'done', gates: HOLDS, ...more });
const statuses = (entries: Recorded[], running: string[] = []) =>
  contextOf({ pipeline: PIPELINE, entries, running }).steps.map(({ step, status }) => `${step} ${status}`);

// Seed 003 Boss Parsing Rule 3, Boss Parsing Rule 4: COMPLETE only after the artifact gate; docs/interface.md §10: and after its gate.
describe('the context of a pipeline', () => {
  test.each<[string, Recorded[], string[], string[]]>([
    ['nothing has begun', [], [], []],
    ['a step runs', [], ['S1'], ['1 RUNNING']],
    ['a step is done', [entry('S1')], [], ['1 COMPLETE']],
    ['an artifact was missing', [entry('S1', { status: 'failed', gates: FIXED })], [], ['1 FAILED']],
    ['its second attempt runs', [entry('S1', { status: 'failed', gates: FIXED })], ['S1@2'], ['1 RUNNING']],
    ['its second attempt is done', [entry('S1', { status: 'failed', gates: FIXED }), entry('S1@2')], [], ['1 COMPLETE']],
    ['a review rejected', [entry('S1'), entry('S5', { gates: FIXED })], [], ['1 COMPLETE', '5 FAILED']],
    ['a review is exhausted', [entry('S5', { gates: EXHAUSTED })], [], ['5 FAILED']],
    ['its gate has not run', [entry('S5', { gates: [] })], [], ['5 FAILED']],
    ['a step does not apply', [entry('S8b', { status: 'no_op' })], [], ['8b SKIPPED']],
  ])('%s', (_title, entries, running, expected) => {
    expect(statuses(entries, running)).toEqual(expected);
  });

  it('names the step that is being worked on before its agent is started, and no longer', () => {
    const interrupted = (running: string[]) => contextOf({ pipeline: PIPELINE, entries: [entry('S1')], running }).interruptedStep;
    expect([interrupted(['S8b@2']), interrupted([])]).toEqual(['8b', null]);
  });

  it('has what the latest attempt delivered, in a form that people and tools read', () => {
    const delivery = {
      artifacts: ['a.md', 'b.md'].map((path) => ({ key: 'srs', path, sha256: 'x' })),
      metrics: [
        { key: 'tbc-count', value: 3 },
        { key: 'coverage', value: '85%' },
      ],
      criticalIssues: [],
      nextInputs: [],
    };
    const context = contextOf({ pipeline: PIPELINE, entries: [entry('S1', { delivery, verdict: 'N/A' }), entry('S13')], running: [] });
    expect(renderContext(context)).toBe(`# What LEDGER.md says of each step; written anew whenever a step begins or is recorded.
pipeline: okr
feature-id: 001-key-results
module-id: "007"
interrupted_step: null
steps:
  - step: 1
    agent: okr.srs
    status: COMPLETE
    artifacts:
      srs:
        - a.md
        - b.md
    metrics:
      tbc-count: 3
      coverage: 85%
    verdict: N/A
  - step: 13
    status: COMPLETE
    artifacts: {}
    metrics: {}
    verdict: null
`);
  });

  const text = fc.string({
    unit: fc.constantFrom('a', '0', ':', ' ', '#', '"', '漢', '-', '{', '*', '\n', 'null'),
    minLength: 1,
    maxLength: 8,
  });

  it('is read back as it was written, whatever an agent said', () => {
    const context = fc.record<PipelineContext>({
      pipeline: text,
      interruptedStep: fc.option(fc.constantFrom('1', '08', '8b', 'null', 'true')),
      steps: fc.array(
        fc.record({
          step: fc.constantFrom('1', '08', '8b', 'null', 'true', '1e3'),
          agent: fc.option(text),
          status: fc.constantFrom('RUNNING' as const, 'COMPLETE' as const, 'FAILED' as const, 'SKIPPED' as const),
          artifacts: fc.uniqueArray(fc.record({ key: text, paths: fc.array(text, { minLength: 1, maxLength: 2 }) }), {
            selector: (one) => one.key,
            maxLength: 2,
          }),
          metrics: fc.uniqueArray(fc.record({ key: text, value: fc.oneof(text, fc.integer()) }), {
            selector: (one) => one.key,
            maxLength: 2,
          }),
          verdict: fc.option(text),
        }),
        { maxLength: 3 },
      ),
    });
    fc.assert(
      fc.property(context, (given) => {
        const sorted = (one: PipelineContext) => ({ ...one, steps: one.steps.map((row) => ({ ...row, ...byName(row) })) });
        const { context: read, problems } = parseContext(renderContext(given), { file: 'pipeline-context.yaml' });
        expect(problems).toEqual([]);
        expect(read === null ? null : sorted(read)).toEqual(sorted(given));
      }),
      { numRuns: 500 },
    );
  });

  it('that is not understood says nothing', () => {
    expect(parseContext('pipeline: a\ninterrupted_step: null\nsteps:\n  - { step: 1, status: DONE }\n', { file: 'c.yaml' })).toMatchObject({
      context: null,
    });
    const { problems } = parseContext('pipeline: a\ninterruptedstep: null\nsteps: []\n', { file: 'c.yaml' });
    expect(problems.map(renderProblem)).toEqual([
      'c.yaml:1: interrupted_step is not understood',
      'c.yaml:2: interruptedstep is no known key; did you mean interrupted_step?',
    ]);
  });
});

/** Keys that look like whole numbers come first in an object; their order says nothing. */
function byName({ artifacts, metrics }: PipelineContext['steps'][number]) {
  const byKey = (a: { key: string }, b: { key: string }) => (a.key < b.key ? -1 : 1);
  return { artifacts: artifacts.toSorted(byKey), metrics: metrics.toSorted(byKey) };
}
