import { checksOf, type PlanTask } from '../documents/plan.js';
import type { Examined } from './examine.js';
import type { Io } from './io.js';
import type { Looker, World } from './world.js';

/** By task id: checks that the verifier role proposed in an earlier run, for prose that is still the same. */
export type Compiled = ReadonlyMap<string, string[]>;

export async function compiledIn({ document, folder, slug, recorded }: Examined, world: World): Promise<Compiled> {
  const found = new Map<string, string[]>();
  for (const { id, title, task, doneWhen, verifyBy, checks } of document.tasks) {
    if (verifyBy === undefined || checks.length > 0 || recorded.includes(id)) continue;
    const kept = await world.compiled({ workspace: folder.workspace, slug }, { title, task, doneWhen, verifyBy });
    if (kept !== null) found.set(id, kept);
  }
  return found;
}

/** The task's own, else those that are kept. */
export function usableChecks(task: PlanTask, compiled: Compiled): string[] {
  const own = checksOf(task);
  return own.length > 0 ? own : (compiled.get(task.id) ?? []);
}

/** What the checks of a task see now. */
export interface TaskLooks {
  task: string;
  /** Every check holds, and there is one: the task would be no_op. */
  holds: boolean;
  looks: { check: string; is: 'holds' | 'disproved' | 'unobservable' | 'human'; saw: string }[];
}

/** Runs every check of the tasks that are still to do, as it would be run before a task is sent (seed 002 §2). */
export async function dryRun(examined: Examined, compiled: Compiled, io: Io, world: World): Promise<TaskLooks[]> {
  const { folder, config, document, recorded } = examined;
  const looker = await world.looker({ workspace: folder.workspace, out: folder.out, config }, io);
  const tasks: TaskLooks[] = [];
  try {
    if (document.noOp !== null && document.noOp.checks.length > 0) tasks.push(await looksOf(GOAL, document.noOp.checks, looker));
    for (const task of document.tasks.filter((one) => !recorded.includes(one.id)))
      tasks.push(await looksOf(task.id, usableChecks(task, compiled), looker));
  } finally {
    looker.close();
  }
  return tasks;
}

/** Stands for a plan that says that its goal is met already. */
const GOAL = 'the goal';

/** Why a plan that says that its goal is met is refused; null: it is not. `run` would find the same. */
export function goalProblem(tasks: TaskLooks[] | null): string | null {
  const open = tasks?.find(({ task, holds }) => task === GOAL && !holds)?.looks.find(({ is }) => is !== 'holds');
  return open === undefined ? null : `Status: no-op, but this does not hold: ${open.check} (${open.saw}); plan what is left to do`;
}

/** Zero checks is never a pass, and a person is not asked before the work. */
async function looksOf(task: string, checks: readonly string[], looker: Looker): Promise<TaskLooks> {
  const looks: TaskLooks['looks'] = [];
  for (const check of checks) {
    const look = await looker.look(check);
    looks.push(look === null ? { check, is: 'human', saw: 'only a person can say' } : { check, is: look.is, saw: look.saw });
  }
  return { task, holds: looks.length > 0 && looks.every((look) => look.is === 'holds'), looks };
}
