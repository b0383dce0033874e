import { describe, expect, it } from 'vitest';
import type { Step } from '../../core/methods/pipeline-values.js';
import { methodOf } from '../../core/methods/registry.js';
import { debtsOf } from '../../core/methods/run-pipeline-ending.js';
import type { Observation, Run } from '../../core/values.js';
import { PipelinePlay, type Script } from '../support/pipeline-play.js';
import { delivered, pipelineRun, read, reviewOf, stepOf } from '../support/pipeline-values.js';
import { POLICY } from '../support/run-values.js';

/** Gates of a pipeline: their bounds, back to plan, what happens when they are exhausted, and who opens them again (seed 003). */

function said(step: string, verdict: string | null, criticalIssues: string[] = []): Observation {
  return delivered(read(step, { verdict, criticalIssues }));
}

function rejections(step: string, ...attempts: string[]): Script {
  return Object.fromEntries(attempts.map((task) => [task, said(step, 'REJECTED', [`wrong in ${task}`])]));
}

function play(steps: Step[], script: Script = {}, policy: Partial<Run['policy']> = {}): PipelinePlay {
  return new PipelinePlay(pipelineRun(steps, { policy: { ...POLICY, planner: false, ...policy } }), script).carryOn();
}

function states(run: Run): string[] {
  return methodOf(run.method)
    .criteria(run)
    .map(({ id, state, label }) => `${id} ${state} ${label}`);
}

describe('the rounds of a gate', () => {
  it('are bounded: so many pairs of a fix and another review, then it is exhausted', () => {
    const { askedBy, entries } = play([stepOf('3'), reviewOf('5', '3', { rounds: 2 })], rejections('5', 'S5', 'S5@2', 'S5@3', 'S5@4'));
    expect([askedBy, entries.at(-1)]).toEqual([
      ['S3: start', 'S5: start', 'S3@2: fix of S5', 'S5@2: review of S3@2', 'S3@3: fix of S5@2', 'S5@3: review of S3@3'],
      'S5@3 done REJECTED · replan exhausted',
    ]);
  });

  it('0 rounds: nobody fixes', () => {
    const { askedBy } = play([stepOf('3'), reviewOf('5', '3', { rounds: 0 })], rejections('5', 'S5'));
    expect(askedBy).toEqual(['S3: start', 'S5: start']);
  });

  it('the same critical issue back after two fixes exhausts early, however it is spelled', () => {
    const script = {
      S5: said('5', 'REJECTED', ['No boundary for BR-002.']),
      'S5@2': said('5', 'REJECTED', ['no boundary, for BR 002', 'another']),
      'S5@3': said('5', 'REJECTED', ['NO BOUNDARY for BR-002!']),
    };
    const { run, askedBy } = play([stepOf('3'), reviewOf('5', '3', { rounds: 5 })], script);
    const gate = run.ledger.at(-1)?.gates.at(-1);
    expect([askedBy.length, gate?.is === 'exhausted' && gate.why]).toEqual([6, 'two fixes did not mend: NO BOUNDARY for BR-002!']);
  });

  it('an issue that one fix was told of is not the same issue twice', () => {
    const script = {
      S5: said('5', 'REJECTED', ['first']),
      'S5@2': said('5', 'REJECTED', ['second']),
      'S5@3': said('5', 'REJECTED', ['first']),
    };
    expect(play([stepOf('3'), reviewOf('5', '3', { rounds: 5 })], script).entries.at(-1)).toBe('S5@4 done APPROVED · plan holds');
  });

  it('a fix that does not deliver is asked again, and the review that waits for it waits for the next one', () => {
    const script = { ...rejections('5', 'S5'), 'S3@2': delivered({ is: 'none' }) };
    expect(play([stepOf('3'), reviewOf('5', '3')], script).askedBy).toEqual([
      'S3: start',
      'S5: start',
      'S3@2: fix of S5',
      'S3@3: no-result',
      'S5@2: review of S3@3',
    ]);
  });

  it('attempts are counted anew after a fix', () => {
    const failed = delivered(read('3', { status: 'FAILED' }));
    const script = { ...rejections('5', 'S5'), S3: failed, 'S3@3': failed };
    expect(play([stepOf('3', { attempts: 2 }), reviewOf('5', '3')], script).askedBy).toEqual([
      'S3: start',
      'S3@2: step-failed',
      'S5: start',
      'S3@3: fix of S5',
      'S3@4: step-failed',
      'S5@2: review of S3@4',
    ]);
  });

  it('a contradiction in a later round is asked about once more as well', () => {
    const script = { S5: said('5', 'N/A'), 'S5@2': said('5', 'REJECTED', ['wrong']), 'S5@3': said('5', 'N/A') };
    expect(play([stepOf('3'), reviewOf('5', '3')], script).askedBy).toEqual([
      'S3: start',
      'S5: start',
      'S5@2: contradiction',
      'S3@2: fix of S5@2',
      'S5@3: review of S3@2',
      'S5@4: contradiction',
    ]);
  });

  it('an optional step runs only as a fix', () => {
    const steps = [stepOf('3'), stepOf('10', { optional: true }), reviewOf('11', '10'), stepOf('12')];
    expect(play(steps).askedBy).toEqual(['S3: start', 'S11: start', 'S12: start']);
    expect(play(steps, rejections('11', 'S11')).askedBy).toEqual([
      'S3: start',
      'S11: start',
      'S10: fix of S11',
      'S11@2: review of S10',
      'S12: start',
    ]);
  });
});

describe('back to plan', () => {
  const steps = [stepOf('3'), stepOf('4'), reviewOf('5', '4', { rounds: 0, backToPlan: '3' }), stepOf('6')];

  it('goes on from the earlier step again, in order; what was not begun keeps its id', () => {
    expect(play(steps, rejections('5', 'S5')).askedBy).toEqual([
      'S3: start',
      'S4: start',
      'S5: start',
      'S3@2: back-to-plan 1',
      'S4@2: back-to-plan 1',
      'S5@2: back-to-plan 1',
      'S6: start',
    ]);
  });

  it('three times at most', () => {
    const { askedBy, entries } = play(steps, rejections('5', 'S5', 'S5@2', 'S5@3', 'S5@4', 'S5@5'));
    expect([askedBy.filter((line) => line.startsWith('S3')), entries.at(-1)]).toEqual([
      ['S3: start', 'S3@2: back-to-plan 1', 'S3@3: back-to-plan 2', 'S3@4: back-to-plan 3'],
      'S5@4 done REJECTED · replan exhausted',
    ]);
  });

  it('rounds and attempts start anew with each cycle', () => {
    const again = [stepOf('3'), reviewOf('5', '3', { rounds: 1, backToPlan: '3' })];
    expect(play(again, rejections('5', 'S5', 'S5@2', 'S5@3')).askedBy.slice(3)).toEqual([
      'S5@2: review of S3@2',
      'S3@3: back-to-plan 1',
      'S5@3: back-to-plan 1',
      'S3@4: fix of S5@3',
      'S5@4: review of S3@4',
    ]);
  });

  it('the cycles of one gate are not those of another', () => {
    const two = [stepOf('1'), reviewOf('2', '1', { rounds: 0, backToPlan: '1' }), reviewOf('3', '1', { rounds: 0, backToPlan: '1' })];
    const script = { ...rejections('2', 'S2', 'S2@2'), ...rejections('3', 'S3', 'S3@2', 'S3@3') };
    const { askedBy, run } = play(two, script);
    expect([askedBy.filter((line) => line.startsWith('S1@')), run.outcome]).toEqual([
      ['S1@2: back-to-plan 1', 'S1@3: back-to-plan 2', 'S1@4: back-to-plan 1', 'S1@5: back-to-plan 2', 'S1@6: back-to-plan 3'],
      'COMPLETED',
    ]);
  });
});

describe('an exhausted gate', () => {
  const review = (more: Partial<Step> = {}) => [stepOf('3'), reviewOf('5', '3', { rounds: 0, ...more }), stepOf('6')];
  const failing = delivered(read('3', { status: 'FAILED' }));
  const delivery = (more: Partial<Step> = {}) => [stepOf('3', { attempts: 1, ...more }), stepOf('6')];

  it('ask, with a report: the run closes BLOCKED under the name of its gate', () => {
    const { run } = play(review(), rejections('5', 'S5'));
    const gate = run.ledger.at(-1)?.gates.at(-1);
    expect([run.outcome, gate?.is === 'exhausted' && [gate.blocker, gate.final], states(run)]).toEqual([
      'BLOCKED',
      ['gate-S5-exhausted', false],
      ['S3 satisfied verified', 'S5 unsatisfied verified', 'S6 open unverified'],
    ]);
  });

  it('ask, with a wait: a person who approves lets it go on as debt, and that is no approval', () => {
    const waiting = play(review(), rejections('5', 'S5'), { onBlocked: 'wait' });
    expect([waiting.run.outcome, waiting.run.questions.map(({ kind, gate }) => [kind, gate])]).toEqual([null, [['resolve', 'S5']]]);
    const { run, entries, askedBy } = waiting.says({ name: 'decide', gate: 'S5', decision: 'approve', reason: 'good enough' });
    expect([entries[1], askedBy.at(-1), run.outcome, debtsOf(run), states(run)]).toEqual([
      'S5 done REJECTED · replan reopened (plan version 2)',
      'S6: start',
      'PARTIAL',
      ['S5: let through by ana: good enough'],
      ['S3 satisfied verified', 'S5 unsatisfied verified', 'S6 satisfied verified'],
    ]);
  });

  it('ask, with a wait: a person who rejects ends it', () => {
    const { run } = play(review(), rejections('5', 'S5'), { onBlocked: 'wait' }).says({ name: 'decide', gate: 'S5', decision: 'reject' });
    expect(run.outcome).toBe('BLOCKED');
  });

  it('ask, with a wait: who resolves it has the step done again, and every count begins anew', () => {
    const waiting = play([stepOf('3'), reviewOf('5', '3', { rounds: 1 })], rejections('5', 'S5', 'S5@2', 'S5@3'), { onBlocked: 'wait' });
    const { askedBy, run } = waiting.says({ name: 'resolve', blocker: 'gate-S5-exhausted', resolution: 'written by hand' });
    expect([askedBy.slice(3), run.outcome]).toEqual([
      ['S5@2: review of S3@2', 'S5@3: resolution of S5@2', 'S3@3: fix of S5@3', 'S5@4: review of S3@3'],
      'COMPLETED',
    ]);
  });

  it('stop: FAILED for a delivery that never came', () => {
    const { run, entries } = play(delivery({ onExhausted: 'stop' }), { S3: failing }, { onBlocked: 'wait' });
    expect([entries, run.outcome]).toEqual([['S3 failed step-failed · replan exhausted'], 'FAILED']);
  });

  it('stop: PARTIAL for a review that did not approve', () => {
    expect(play(review({ onExhausted: 'stop' }), rejections('5', 'S5')).run.outcome).toBe('PARTIAL');
  });

  it('continue-with-debt: a review that did not approve is passed, recorded, and PARTIAL at best', () => {
    const { run, entries } = play(review({ onExhausted: 'continue-with-debt' }), rejections('5', 'S5'));
    expect([entries, run.outcome, debtsOf(run), states(run)]).toEqual([
      ['S3 done APPROVED · plan holds', 'S5 done REJECTED · replan done (plan version 2)', 'S6 done APPROVED · plan holds'],
      'PARTIAL',
      ['S5: not approved after 0 rounds'],
      ['S3 satisfied verified', 'S5 unsatisfied verified', 'S6 satisfied verified'],
    ]);
  });

  it('continue-with-debt: a delivery that never came is passed, recorded, and PARTIAL at best', () => {
    const { run, entries } = play(delivery({ onExhausted: 'continue-with-debt' }), { S3: failing });
    expect([entries, run.outcome, debtsOf(run)]).toEqual([
      ['S3 failed step-failed · replan done (plan version 2)', 'S6 done APPROVED · plan holds'],
      'PARTIAL',
      ['S3: 1 attempt and no delivery'],
    ]);
  });

  it('of a fix that never delivers follows the policy of the step that fixes', () => {
    const steps = [stepOf('3', { attempts: 1, onExhausted: 'continue-with-debt' }), reviewOf('5', '3', { onExhausted: 'stop' })];
    const { askedBy, run } = play(steps, { ...rejections('5', 'S5'), 'S3@2': failing });
    expect([askedBy.slice(2), run.outcome, states(run)]).toEqual([
      ['S3@2: fix of S5', 'S5@2: review of S3@2'],
      'PARTIAL',
      ['S3 unsatisfied verified', 'S5 satisfied verified'],
    ]);
  });

  it('a budget that is used up is an obstacle: whoever resolves it has the same step begun', () => {
    const run = pipelineRun([stepOf('1'), stepOf('2')], {
      limits: { ...pipelineRun([]).limits, dispatches: 1 },
      policy: { ...POLICY, planner: false, onBlocked: 'wait' },
    });
    const waiting = new PipelinePlay(run).carryOn();
    expect(waiting.entries.at(-1)).toBe('S2 blocked budget-dispatches · replan exhausted');
    const { askedBy, run: after } = waiting.says({ name: 'decide', gate: 'S2', decision: 'approve' });
    expect([askedBy.at(-1), after.outcome]).toEqual(['S2@2: resolution of S2', 'COMPLETED']);
  });

  it('a person has no plan to replace', () => {
    const waiting = play(review(), rejections('5', 'S5'), { onBlocked: 'wait' });
    const asked = waiting.take({ id: 'p', by: 'ana', at: 99_999, name: 'replan', plan: '# PLAN: other' });
    const read = { version: 2, goal: 'g', tasks: [], sha256: 'x', noOp: false };
    const move = asked.run.proposed?.move ?? '';
    const { run } = asked.take({ move, at: 99_999, is: 'planned', planned: { is: 'plan', plan: read } });
    expect(run.handled.at(-1)).toMatchObject({ applied: false, reason: 'a pipeline has no plan to replace; its steps stand in its file' });
  });
});

describe('a pipeline that is stopped', () => {
  it('holds no gate of a review that did not approve', () => {
    const run = pipelineRun([stepOf('3'), reviewOf('5', '3')], { policy: { ...POLICY, planner: false } });
    const half = new PipelinePlay(run, rejections('5', 'S5'));
    while (!half.run.active.some(({ task, stage }) => task.id === 'S5' && stage === 'verifying')) half.step();
    half.says({ name: 'stop' });
    expect([half.entries.at(-1), half.run.outcome]).toEqual(['S5 done REJECTED · replan required', 'PARTIAL']);
  });
});
