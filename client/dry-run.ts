import { checksOf } from '../documents/plan.js';
import type { Examined } from './examine.js';
import type { Io } from './io.js';
import type { Looker, World } from './world.js';

/** What the checks of a task see now. */
export interface TaskLooks {
  task: string;
  /** Every check holds, and there is one: the task would be no_op. */
  holds: boolean;
  looks: { check: string; is: 'holds' | 'disproved' | 'unobservable' | 'human'; saw: string }[];
}

/** Runs every check of the tasks that are still to do, as it would be run before a task is sent (seed 002 §2). */
export async function dryRun(examined: Examined, io: Io, world: World): Promise<TaskLooks[]> {
  const { folder, config, document, recorded } = examined;
  const looker = await world.looker({ workspace: folder.workspace, out: folder.out, config }, io);
  const tasks: TaskLooks[] = [];
  try {
    if (document.noOp !== null && document.noOp.checks.length > 0) tasks.push(await looksOf(GOAL, document.noOp.checks, looker));
    for (const task of document.tasks.filter((one) => !recorded.includes(one.id)))
      tasks.push(await looksOf(task.id, checksOf(task), looker));
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
