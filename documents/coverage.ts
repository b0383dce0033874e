import type { Entry } from '../core/values.js';
import { didYouMean } from './nearest.js';
import type { PlanDocument } from './plan.js';
import { errorAt, orderedProblems, type Problem } from './problem.js';
import { requiredCriteria, type SpecDocument } from './spec.js';

export interface CoverageOptions {
  planFile: string;
  specFile: string;
  /** What the ledger holds already. */
  recorded: readonly Pick<Entry, 'covers' | 'status' | 'gates'>[];
}

/**
 * R19, before anything starts: a plan covers only what SPEC.md has, and everything that SPEC.md requires, together with
 * the entries that are done. An entry whose gate is open or exhausted covers too: its remainder is not planned yet.
 */
export function coverageProblems(plan: PlanDocument, spec: SpecDocument, options: CoverageOptions): Problem[] {
  return [...unshownGoal(plan, options), ...unknownCovers(plan, spec, options), ...uncovered(plan, spec, options)];
}

/** Criteria of a contract are satisfied by what was observed, never by a plan that says so (R4). */
function unshownGoal({ noOp }: PlanDocument, { planFile }: CoverageOptions): Problem[] {
  if (noOp === null || noOp.checks.length > 0) return [];
  const words = 'Status: no-op of a plan with a SPEC needs Checks: in its header, which show that the goal is met';
  return [errorAt({ file: planFile, line: 1 }, words)];
}

/** A suggestion compares with every id; so many are made at most. */
const SUGGESTIONS_MAX = 20;

function unknownCovers(plan: PlanDocument, spec: SpecDocument, { planFile, specFile }: CoverageOptions): Problem[] {
  const known = new Set(spec.ids);
  const problems: Problem[] = [];
  for (const task of plan.tasks) {
    for (const id of task.covers.filter((cover) => !known.has(cover))) {
      const hint = problems.length < SUGGESTIONS_MAX ? didYouMean(id, spec.ids) : '';
      problems.push(
        errorAt(
          { file: planFile, line: task.lines.covers },
          `${task.id} covers ${id.slice(0, 64)}, which ${specFile} does not have${hint}`,
        ),
      );
    }
  }
  return orderedProblems(problems);
}

function uncovered(plan: PlanDocument, spec: SpecDocument, { planFile, specFile, recorded }: CoverageOptions): Problem[] {
  // A goal that already holds is covered by the plan's own checks.
  if (plan.noOp !== null) return [];
  const counting = recorded.filter(({ status, gates }) => status === 'done' || status === 'no_op' || stillOpen(gates));
  const covered = new Set([...plan.tasks, ...counting].flatMap(({ covers }) => covers));
  const lineOf = new Map([...spec.criteria, ...spec.requirements].map(({ id, line }) => [id, line]));
  const problems = requiredCriteria(spec).flatMap(({ id, through }) => {
    // Through the ACs that name it, each of which is required by itself.
    if (through !== null || covered.has(id)) return [];
    const words = `${id} is required, and no task of ${planFile} covers it; add it to the Covers of a task`;
    return [errorAt({ file: specFile, line: lineOf.get(id) ?? 1 }, words)];
  });
  return orderedProblems(problems);
}

function stillOpen(gates: Entry['gates']): boolean {
  const last = gates.at(-1);
  return last === undefined || last.is === 'required' || last.is === 'exhausted';
}
