import { mayOverlap } from '../core/write-sets.js';
import type { Config } from '../documents/config.js';
import type { PlanTask } from '../documents/plan.js';
import { type Problem, warningAt } from '../documents/problem.js';
import { CONFIG_FILE } from './plan-folder.js';

/** Tasks share one workspace, so that two of them go side by side only where both say what they write and it is not the same. */
export function sideBySideProblems({ limits }: Config, tasks: PlanTask[], configText: string | null): Problem[] {
  if (limits.parallel === 1 || tasks.length < 2) return [];
  const apart = tasks.some((one, index) => tasks.slice(index + 1).some((other) => !mayOverlap(one.writes, other.writes)));
  if (apart) return [];
  const line = (configText ?? '').split('\n').findIndex((text) => /\bparallel\s*:/.test(text.replace(/#.*/, '')));
  const words = `limits.parallel is ${limits.parallel}, and no two tasks say in Writes that they write different files: they go one at a time, in the workspace itself`;
  return [warningAt({ file: CONFIG_FILE, line: Math.max(0, line) + 1 }, words)];
}
