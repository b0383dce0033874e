import { checksOf } from '../documents/plan.js';
import type { Examined } from './examine.js';
import type { Io } from './io.js';
import type { World } from './world.js';

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
    for (const task of document.tasks.filter((one) => !recorded.includes(one.id))) {
      const looks: TaskLooks['looks'] = [];
      for (const check of checksOf(task)) {
        const look = await looker.look(check);
        looks.push(look === null ? { check, is: 'human', saw: 'only a person can say' } : { check, is: look.is, saw: look.saw });
      }
      // Zero checks is never a pass, and a person is not asked before the work.
      tasks.push({ task: task.id, holds: looks.length > 0 && looks.every((look) => look.is === 'holds'), looks });
    }
  } finally {
    looker.close();
  }
  return tasks;
}
