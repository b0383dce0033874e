import picomatch from 'picomatch';
import type { PlanTask } from '../../documents/plan.js';

/** What a task says that it changes, and what it waits for. */
export type Declaring = Pick<PlanTask, 'id' | 'task' | 'doneWhen' | 'writes' | 'dependsOn'>;

/** Whether this task, or one it waits for, says that the file is its own to change. */
export function mayChange(id: string, byId: ReadonlyMap<string, Declaring>, path: string): boolean {
  const seen = new Set<string>();
  const queue = [id];
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    const task = byId.get(next);
    if (task === undefined || seen.has(next)) continue;
    seen.add(next);
    if (declares(task, path)) return true;
    queue.push(...task.dependsOn);
  }
  return false;
}

/** `Writes` matches it, or `Task` or `Done when` names it. */
export function declares(task: Pick<PlanTask, 'task' | 'doneWhen' | 'writes'>, path: string): boolean {
  if (matchesWrites(path, task.writes ?? [])) return true;
  const name = new RegExp(`(^|[^\\w./-])(\\./)?${path.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?![\\w/-]|\\.\\w)`);
  return name.test(task.task) || name.test(task.doneWhen);
}

export function matchesWrites(path: string, writes: readonly string[]): boolean {
  return writes.some((glob) => {
    const plain = glob.replace(/^\.\//, '');
    return picomatch.isMatch(path, plain.endsWith('/') ? `${plain}**` : plain, { dot: true });
  });
}
