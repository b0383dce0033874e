import type { PlanEdit } from '../../core/values.js';
import type { PlanDocument, PlanTask } from '../../documents/plan.js';
import { renderPlan } from '../../documents/plan-render.js';

/**
 * The next plan version, made by code: the work that `change.reopens` names, once more under a new id and first. Tasks
 * with an entry leave the plan (a plan is for future work alone), and who waited for the old id waits for the new one.
 */
export function editedPlan(
  base: PlanDocument,
  edit: { version: number; change: PlanEdit; reopened: PlanTask; recorded: ReadonlySet<string> },
): string {
  const { change, recorded } = edit;
  const repointed = (task: PlanTask): PlanTask => ({
    ...task,
    dependsOn: [...new Set(task.dependsOn.map((id) => (id === change.reopens ? change.as : id)))],
  });
  const rest = base.tasks.filter((task) => !recorded.has(task.id) && task.id !== change.reopens).map(repointed);
  return renderPlan({
    ...base,
    version: edit.version,
    replannedBecause: change.because,
    noOp: null,
    tasks: [reopeningOf(edit.reopened, change), ...rest],
  });
}

function reopeningOf(task: PlanTask, change: PlanEdit): PlanTask {
  const { continues: _continues, ...rest } = task;
  return {
    ...rest,
    id: change.as,
    reasoning: `${change.reopens} could not go on, and now it can: ${change.because}.`,
    dependsOn: [],
    // The promise stands in its own words, so that nothing of the contract gets weaker (R19).
    restates: task.restates ?? task.doneWhen,
    reopens: change.reopens,
  };
}
