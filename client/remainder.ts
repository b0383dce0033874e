import { type PlanDocument, parsePlan } from '../documents/plan.js';
import { errorAt, type Problem, warningAt } from '../documents/problem.js';
import { keptPlanPath, keptVersions } from './run-folder.js';
import { readTextFile } from './text-file.js';

/**
 * A plan version of a replan holds only what was left: a fresh record of it would forget what the tasks before it promised.
 * It is told by its text, which the run's folder has, and by tasks of the first version that are not in it.
 */
export function remainderProblems(
  plan: { text: string; document: PlanDocument; file: string; workspace: string; slug: string },
  { again }: { again: boolean },
): Problem[] {
  const { text, document, file, workspace, slug } = plan;
  const [first] = keptVersions(workspace, slug);
  if (first === undefined || first >= document.version) return [];
  if (readTextFile(keptPlanPath(workspace, slug, document.version)) !== text) return [];
  const whole = readTextFile(keptPlanPath(workspace, slug, first));
  const ids = new Set(document.tasks.map((task) => task.id));
  if (whole === null || parsePlan(whole, { file }).draft.tasks.every((task) => ids.has(task.id))) return [];
  const words = `the plan holds only what was left at version ${document.version}, and a fresh record begins from the whole plan: copy .donewhen/${slug}/plan-${first}.md over ${file}, or write the whole plan anew`;
  return [again ? errorAt({ file, line: 1 }, words) : warningAt({ file, line: 1 }, words)];
}
