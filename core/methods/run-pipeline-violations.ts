import { entryOf } from '../ledger.js';
import type { Run } from '../values.js';
import type { Step } from './pipeline-values.js';
import { pipelineOf } from './run-pipeline-about.js';
import { attemptsAt, BACK_TO_PLAN_MAX, cyclesUsed, roundsUsed, seriesOf, timesUndone } from './run-pipeline-counts.js';
import { courseOf } from './run-pipeline-course.js';
import { pipelineCriteria } from './run-pipeline-ending.js';
import { rowOf } from './run-pipeline-rows.js';

/** What must hold of a pipeline's run at every moment, beside what holds of any run. Empty: all of it does. */
export function pipelineViolations(run: Run): string[] {
  const about = pipelineOf(run);
  const coming = courseOf(about, run.ledger).map(({ id, askedBy }) => `${id} (${askedBy})`);
  const planned = run.plan.tasks.map(({ id, askedBy }) => `${id} (${askedBy ?? ''})`);
  const drifted =
    coming.join(', ') === planned.join(', ') ? [] : [`R7: the ledger leaves ${coming.join(', ')}; the plan has ${planned.join(', ')}`];
  return [...drifted, ...about.pipeline.steps.flatMap((step) => boundViolations(run, step)), ...criterionViolations(run)];
}

function boundViolations(run: Run, step: Step): string[] {
  const last = run.ledger.at(-1);
  if (last === undefined) return [];
  return attemptsAt(run.ledger, step.step, last).flatMap((entry) => {
    const series = seriesOf(run.ledger, step.step, entry).length;
    const rounds = roundsUsed(run.ledger, step.step, entry);
    const cycles = cyclesUsed(run.ledger, step, entry);
    const undone = timesUndone(run.ledger, step.step, entry);
    return [
      ...(series > step.attempts ? [`R7: ${entry.task} is attempt ${series} at one delivery, of ${step.attempts}`] : []),
      ...(rounds > step.rounds ? [`R7: ${entry.task} is in round ${rounds}, of ${step.rounds}`] : []),
      ...(cycles > BACK_TO_PLAN_MAX ? [`R7: ${entry.task} went back to plan ${cycles} times`] : []),
      ...(undone > step.attempts ? [`R7: ${entry.task} was undone ${undone} times`] : []),
    ];
  });
}

/** R4, R11: a criterion that is satisfied rests on a delivery, and on an approval where its gate asks for one. */
function criterionViolations(run: Run): string[] {
  const steps = new Map(pipelineOf(run).pipeline.steps.map((step) => [`S${step.step}`, step]));
  return pipelineCriteria(run)
    .filter(({ state }) => state === 'satisfied')
    .flatMap(({ id, by }) => {
      const step = steps.get(id);
      const entry = entryOf(run.ledger, by[0] ?? '');
      const row = step === undefined || entry === undefined ? null : rowOf(step, entry);
      return row === 'holds' || row === 'approved' || row === 'conditions' ? [] : [`R4: ${id} is satisfied by ${row ?? 'nothing'}`];
    });
}
