import type { PlanEdit, Run } from './values.js';

/**
 * The numbered queue of writes. Only its head is ever listed as a move, so that two records are never under way at once,
 * and nothing new is dispatched or planned while one waits (R1, R5).
 */
export function writeEntry(run: Run, seq: number): Run {
  return { ...run, writes: [...run.writes, { n: run.next, is: 'entry', seq }], next: run.next + 1 };
}

/** A gate of an entry whose own write still waits is written with it. */
export function writeGate(run: Run, seq: number): Run {
  const waiting = run.writes.some((write, at) => at > 0 && (write.is === 'entry' || write.is === 'gate') && write.seq === seq);
  if (waiting) return run;
  return { ...run, writes: [...run.writes, { n: run.next, is: 'gate', seq }], next: run.next + 1 };
}

export function writePlan(run: Run, plan: { version: number; sha256: string; edit?: PlanEdit; planner?: true }): Run {
  return { ...run, writes: [...run.writes, { n: run.next, is: 'plan', ...plan }], next: run.next + 1 };
}

export function writeReport(run: Run): Run {
  return { ...run, writes: [...run.writes, { n: run.next, is: 'report' }], next: run.next + 1 };
}

/** A fresh id for whatever is asked of the world; never reused, so that no late answer is taken for another (R12). */
export function withMove(run: Run): { run: Run; move: string } {
  return { run: { ...run, next: run.next + 1 }, move: `m${run.next}` };
}
