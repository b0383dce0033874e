import { resolve } from 'node:path';
import { UserError } from '../errors.js';
import type { Io } from '../io.js';
import { readTextFile } from '../text-file.js';
import type { World } from '../world.js';
import { type ActOptions, actCommand } from './act.js';

/** The plan is read, checked against the contract and recorded before the answer. */
const REPLAN_ANSWER_MS = 120_000;

/** What the run takes of one message (workflows/messages.ts). */
const PLAN_CHARS_MAX = 80_000;

/** A person's new plan version. What is wrong with its text is said here, before the run is bothered. */
export async function replanCommand(run: string, path: string, options: ActOptions, io: Io, world: World): Promise<number> {
  const plan = readTextFile(resolve(io.cwd, path));
  if (plan === null) throw new UserError(`${path} does not exist`, 2);
  if (plan.trim() === '') throw new UserError(`${path}:1: the plan is empty`, 2);
  if (plan.length > PLAN_CHARS_MAX)
    throw new UserError(`${path} has ${plan.length} characters, more than the ${PLAN_CHARS_MAX} that a replan can carry`, 2);
  const { parsePlan } = await import('../../documents/plan.js');
  const { renderProblem } = await import('../../documents/problem.js');
  const { draft } = parsePlan(plan, { file: path });
  // Whether a dependency is recorded work is known to the run, not to this file: only the run can judge it.
  const { problems } = parsePlan(plan, { file: path, recorded: draft.tasks.flatMap((task) => task.dependsOn) });
  const wrong = problems.filter((problem) => problem.severity === 'error');
  if (wrong.length > 0) throw new UserError(wrong.map(renderProblem).join('\n'), 2);
  return actCommand(run, { name: 'replan', payload: { plan }, answerMs: REPLAN_ANSWER_MS }, options, io, world);
}
