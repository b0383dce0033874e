import { LIMITS_DEFAULT } from '../../core/limits.js';
import { type Opening, openRun } from '../../core/opening.js';
import type { Claim, Observation, Plan, Policy, Run, Task } from '../../core/values.js';

/** Values for tests of the core: plain, whole, and small. */
export const POLICY: Policy = { planner: true, onBlocked: 'report', askPlanner: 'on-news', finalSweep: true };

export function taskOf(id: string, more: Partial<Task> = {}): Task {
  return {
    id,
    title: `Part ${id}`,
    performer: 'mine',
    dependsOn: [],
    checks: [`file: out-${id}`],
    covers: [],
    writes: null,
    repeatable: true,
    states: `promise of ${id}`,
    ...more,
  };
}

export function planOf(...tasks: Task[]): Plan {
  return { version: 1, goal: 'The files are there.', tasks, sha256: 'plan-1' };
}

export function runOf(tasks: Task[], more: Partial<Opening> = {}): Run {
  return openRun({
    id: 'demo',
    method: 'executePlan',
    input: { criteria: null, noOp: null },
    plan: planOf(...tasks),
    entries: [],
    limits: LIMITS_DEFAULT,
    policy: POLICY,
    at: 0,
    ...more,
  });
}

export const NOTHING_SEEN: Observation = { looks: [], tampered: [], deviations: [], discovered: [] };

export function seen(checks: string[], is: 'holds' | 'disproved' | 'unobservable', saw: string = is): Observation {
  const looks = checks.filter((check) => !check.startsWith('human:')).map((check) => ({ check, is, saw }));
  return { ...NOTHING_SEEN, looks };
}

export function claimOf(status: Claim['status'], more: Partial<Claim> = {}): Claim {
  return { status, stateDelta: [], evidence: [], discovered: [], unresolved: [], risk: [], userAction: [], ...more };
}
