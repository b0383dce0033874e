import type { Look } from '../../core/values.js';
import type { Config } from '../../documents/config.js';
import { errorAt, type Problem } from '../../documents/problem.js';

/** All of them together; the engine gives a load an hour. */
const GOAL_LOOKS_MS_MAX = 45 * 60_000;
const MINUTE_MS = 60_000;

/** One look at a workspace, before the run has begun. null: only a person can. */
export type LookBefore = (check: string, at: LookedAt & { timeoutMs: number }) => Promise<Look | null>;

export interface LookedAt {
  workspace: string;
  out: string;
  config: Config;
  signal: AbortSignal;
}

/** What the header's checks of a plan saw whose goal is said to be met. */
export interface GoalMet {
  seen: { check: string; saw: string }[];
  problems: Problem[];
}

/**
 * R8: that a goal is met already is a claim until code has looked. Every check of the header must hold; what is disproved,
 * cannot be observed, or only a person could say, refuses the plan.
 */
export async function lookAtGoal(checks: readonly string[], place: LookedAt, world: { look: LookBefore; now(): number }): Promise<GoalMet> {
  const met: GoalMet = { seen: [], problems: [] };
  const end = world.now() + GOAL_LOOKS_MS_MAX;
  for (const check of checks) {
    const left = end - world.now();
    const timeoutMs = Math.min(place.config.limits.checkMinutes * MINUTE_MS, left);
    const look = left <= 0 ? null : await world.look(check, { ...place, timeoutMs });
    if (look?.is === 'holds') met.seen.push({ check, saw: look.saw });
    else met.problems.push(errorAt({ file: 'PLAN.md', line: 1 }, `Status: no-op, but ${whyNot(check, look)}; plan what is left to do`));
  }
  return met;
}

function whyNot(check: string, look: Look | null): string {
  if (look === null) return `nobody was asked, or had time to look: ${check}`;
  return look.is === 'disproved' ? `this does not hold: ${check} (${look.saw})` : `this could not be observed: ${check} (${look.saw})`;
}
