import { describe, expect, it } from 'vitest';
import type { Step, StepBriefing } from '../../core/methods/pipeline-values.js';
import { briefingOf } from '../../core/methods/run-pipeline-briefing.js';
import { nextMoves } from '../../core/run.js';
import type { Observation, Run } from '../../core/values.js';
import { PipelinePlay, type Script } from '../support/pipeline-play.js';
import { artifact, delivered, pipelineRun, read, reviewOf, stepOf } from '../support/pipeline-values.js';
import { POLICY } from '../support/run-values.js';

/** What an attempt at a step is told beside its prompt: from whom, why, and what earlier steps left (seed 003). */

/** Carried out until the task is dispatched; the run as it is then. */
function runAt(task: string, steps: Step[], script: Script): Run {
  const one = new PipelinePlay(pipelineRun(steps), script);
  while (!nextMoves(one.run).some((move) => move.is === 'dispatch' && move.attempt.task.id === task))
    if (!one.step()) throw new Error('never');
  return one.run;
}

function briefing(task: string, steps: Step[], script: Script = {}): StepBriefing | null {
  const run = runAt(task, steps, script);
  return briefingOf(run, run.active[0]?.task ?? { id: task });
}

const SRS = stepOf('1', { artifacts: [{ key: 'srs', pattern: 'docs/srs-*.md' }] });
const written = (more: Parameters<typeof read>[1] = {}): Observation =>
  delivered(read('1', more), { artifacts: [artifact('srs', 'docs/srs-x.md')] });
const rejected: Observation = delivered(read('5', { verdict: 'REJECTED', criticalIssues: ['no boundary', 'no target'] }));

describe('why a step is asked again', () => {
  it('at the start nothing is said', () => {
    expect(briefing('S1', [SRS])).toEqual({ step: SRS, askedBy: 'start', because: [], issues: [], inputs: [], session: null });
  });

  it('by the artifact gate: what is missing', () => {
    const missing = delivered(read('1'), { artifacts: [artifact('srs', 'docs/srs-x.md', { is: 'missing', sha256: null })] });
    expect(briefing('S1@2', [SRS], { S1: missing })).toMatchObject({ askedBy: 'artifact-gate', because: ['missing: docs/srs-x.md'] });
  });

  it('without a result: why the answer was none', () => {
    expect(briefing('S1@2', [SRS], { S1: delivered({ is: 'template' }) })).toMatchObject({
      askedBy: 'no-result',
      because: ['the answer holds the form of the block, unfilled'],
    });
  });

  it('by a review that rejects: exactly its critical issues, and the session to go on in', () => {
    expect(briefing('S1@2', [SRS, reviewOf('5', '1')], { S1: written(), S5: rejected })).toMatchObject({
      askedBy: 'fix of S5',
      because: [],
      issues: ['no boundary', 'no target'],
      session: 'session of S1#1.1',
    });
  });

  it('the review of what was mended is asked without the issues of the last one', () => {
    expect(briefing('S5@2', [SRS, reviewOf('5', '1')], { S1: written(), S5: rejected, 'S1@2': written() })).toMatchObject({
      askedBy: 'review of S1@2',
      because: [],
      issues: [],
      session: null,
    });
  });

  it('by a contradiction: what the reviewer said', () => {
    const both = delivered(read('5', { verdict: 'APPROVED', criticalIssues: ['it is broken'] }));
    expect(briefing('S5@2', [SRS, reviewOf('5', '1')], { S1: written(), S5: both })).toMatchObject({
      askedBy: 'contradiction',
      because: ['its verdict: APPROVED', 'critical issue: it is broken'],
    });
  });

  it('back to plan: every step of the cycle is told what the review found', () => {
    const steps = [stepOf('3'), stepOf('4'), reviewOf('5', '4', { rounds: 0, backToPlan: '3' })];
    for (const task of ['S3@2', 'S4@2'])
      expect(briefing(task, steps, { S5: rejected })).toMatchObject({ askedBy: 'back-to-plan 1', issues: ['no boundary', 'no target'] });
  });

  it('by a person who resolved what stood in the way: in that person’s words, and why it had not been approved', () => {
    const steps = [SRS, reviewOf('5', '1', { rounds: 0 })];
    const run = pipelineRun(steps, { policy: { ...POLICY, planner: false, onBlocked: 'wait' } });
    const waiting = new PipelinePlay(run, { S1: written(), S5: rejected }).carryOn();
    waiting.take({ id: 'r', by: 'ana', at: 99_999, name: 'resolve', blocker: 'S5', resolution: 'written by hand' });
    expect(briefingOf(waiting.run, { id: 'S5@2', askedBy: 'resolution of S5' })).toMatchObject({
      because: ['written by hand', 'why it was not approved: no boundary', 'why it was not approved: no target'],
    });
  });

  it('where the carried state has no words any more, its record is named', () => {
    const run = runAt('S1@2', [SRS], { S1: delivered({ is: 'none' }) });
    const carried = { ...run, ledger: run.ledger.map((entry) => ({ ...entry, text: null, sha256: 'record of S1' })) };
    expect(briefingOf(carried, { id: 'S1@2', askedBy: 'no-result' })).toMatchObject({ because: ['no-result'], record: 'record of S1' });
  });
});

describe('what earlier steps left', () => {
  const taking = (key: string) => stepOf('3', { inputs: [{ name: 'it', step: '1', key }] });

  it('an artifact of the latest accepted attempt, under the name that the step gives it', () => {
    const failed = delivered(read('1', { status: 'FAILED' }), { artifacts: [artifact('srs', 'docs/srs-old.md')] });
    expect(briefing('S3', [SRS, taking('srs')], { S1: failed, 'S1@2': written() })?.inputs).toEqual([
      { name: 'it', from: 'S1@2', values: ['docs/srs-x.md'] },
    ]);
  });

  it('a next-input', () => {
    const seen = delivered(read('1', { nextInputs: [{ key: 'spec', values: ['docs/spec.md'] }] }), {
      artifacts: [artifact('srs', 'docs/srs-x.md')],
      nextInputs: [{ key: 'spec', value: 'docs/spec.md', there: true }],
    });
    expect(briefing('S3', [SRS, taking('spec')], { S1: seen })?.inputs).toEqual([{ name: 'it', from: 'S1', values: ['docs/spec.md'] }]);
  });

  it('where a step names none: the next-inputs of the nearest step before it that delivered', () => {
    const seen = written({ nextInputs: [{ key: 'spec', values: ['docs/spec.md'] }] });
    const skipped = stepOf('2', { when: { step: '1', verdict: 'APPROVED' } });
    expect(briefing('S3', [SRS, skipped, stepOf('3')], { S1: seen })?.inputs).toEqual([
      { name: 'spec', from: 'S1', values: ['docs/spec.md'] },
    ]);
  });

  it('of a step that was skipped: nothing, and it is said', () => {
    const skipped = stepOf('2', { when: { step: '1', verdict: 'APPROVED' } });
    const after = stepOf('3', { inputs: [{ name: 'it', step: '2', key: 'bd' }] });
    expect(briefing('S3', [SRS, skipped, after], { S1: written() })?.inputs).toEqual([
      { name: 'it', from: null, values: [], absent: 'step 2 was skipped' },
    ]);
  });

  it('of a step that is debt: nothing, and it is said', () => {
    const debt = stepOf('1', { ...SRS, attempts: 1, onExhausted: 'continue-with-debt' });
    expect(briefing('S3', [debt, taking('srs')], { S1: written({ status: 'FAILED' }) })?.inputs).toEqual([
      { name: 'it', from: null, values: [], absent: 'step 1 left no srs' },
    ]);
  });

  it('of a step before the part that is run: what was there when the run was loaded', () => {
    const about = { range: { from: '3' }, given: [{ step: '1', artifacts: [{ key: 'srs', path: 'docs/srs-x.md', sha256: 'a' }] }] };
    const run = pipelineRun([SRS, taking('srs')], { about });
    expect(briefingOf(run, { id: 'S3', askedBy: 'start' })?.inputs).toEqual([{ name: 'it', from: 'S1', values: ['docs/srs-x.md'] }]);
  });
});
