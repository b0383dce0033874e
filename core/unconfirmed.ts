import { isSettled } from './ledger.js';
import type { Planning, Run, Task } from './values.js';

/**
 * R10: what nobody confirmed never redraws the strategy (seed 002 §7). Where it is all that a planner is asked about, a
 * new plan may add one task that finds out, and keeps everything else as it is.
 */
export function isDrivenByUnconfirmed(run: Run, planning: Pick<Planning, 'triggers' | 'reopening'>): boolean {
  if (planning.reopening.length > 0 || planning.triggers.length === 0) return false;
  return planning.triggers.every((seq) => {
    const entry = run.ledger[seq - 1];
    const news = entry?.news ?? [];
    return entry !== undefined && isSettled(entry) && news.length > 0 && news.every((one) => one.startsWith(UNCONFIRMED));
  });
}

const UNCONFIRMED = '[reported, unconfirmed] ';

/** What such a plan changes although it may not; empty: nothing. */
export function redrawn(run: Run, { tasks, reworded }: { tasks: Task[]; reworded: string[] }): string[] {
  const known = run.plan.tasks.map((task) => task.id);
  const added = tasks.filter((task) => !known.includes(task.id)).map((task) => task.id);
  const kept = tasks.filter((task) => known.includes(task.id));
  const stands = (task: Task) => !reworded.includes(task.id) && kept.some((one) => one.id === task.id && isSameWork(one, task, added));
  const changed = run.plan.tasks.filter((task) => !stands(task));
  const isMoved = changed.length === 0 && kept.some((task, index) => task.id !== known[index]);
  return [
    ...(added.length > 1 ? [`${added.join(', ')} are new; ${FINDS_OUT}`] : []),
    ...changed.map((task) => `${task.id} is changed or gone; ${FINDS_OUT}`),
    ...(isMoved ? [`the order of ${known.join(', ')} is changed; ${FINDS_OUT}`] : []),
  ];
}

const FINDS_OUT = 'what is [reported, unconfirmed] may add one task that finds out, and everything else stays as it is';

/** The same task, which may also wait for the one that finds out. */
function isSameWork(now: Task, before: Task, added: string[]): boolean {
  return wordsOf({ ...now, dependsOn: now.dependsOn.filter((id) => !added.includes(id)) }) === wordsOf(before);
}

/** Whoever made the value, its keys stand in the same order. */
function wordsOf({ added: _added, ...task }: Task): string {
  return JSON.stringify(Object.entries(task).sort(([a], [b]) => (a < b ? -1 : 1)));
}
