import type { PlanEdit } from '../../core/values.js';
import type { PlanDocument, PlanTask } from '../../documents/plan.js';
import { renderPlan } from '../../documents/plan-render.js';

/**
 * The next plan version, made by code: the work that `edit.reopens` names, once more under a new id. Tasks with an entry
 * leave the plan (a plan is for future work alone), and who waited for the old id waits for the new one.
 */
export function editedPlan(base: PlanDocument, edit: { version: number; change: PlanEdit; reopened: PlanTask; recorded: ReadonlySet<string> }): string {
  const { change } = edit;
  const gone = new Set([change.task, change.reopens]);
  const repointed = (task: PlanTask): PlanTask => ({ ...task, dependsOn: [...new Set(task.dependsOn.map((id) => (gone.has(id) ? change.as : id)))] });
  const reopening = reopeningOf(edit.reopened, change);
  const rest = base.tasks.filter((task) => !edit.recorded.has(task.id) || task.id === change.task).map((task) => (task.id === change.task ? reopening : repointed(task)));
  const tasks = rest.includes(reopening) ? rest : [reopening, ...rest];
  return renderPlan({ ...base, version: edit.version, replannedBecause: change.because, noOp: null, tasks });
}

function reopeningOf(task: PlanTask, change: PlanEdit): PlanTask {
  const { continues: _continues, reasoning: _reasoning, ...rest } = task;
  return {
    ...rest,
    id: change.as,
    reopens: change.reopens,
    reasoning: `${change.reopens} stopped here: ${change.because}`,
    // The promise stays in its own words, so that nothing of the contract gets weaker (R19).
    restates: task.restates ?? task.doneWhen,
  };
}
