import { unreachable } from '../core/assert.js';
import type { Outcome } from '../core/values.js';

/** Exit statuses of docs/interface.md §2. Scripts rely on them; they never change. */
export const EXIT_OK = 0;
/** A defect of ours; everything expected has a status of its own. */
export const EXIT_DEFECT = 1;
export const EXIT_BAD_INPUT = 2;
export const EXIT_NO_ANSWER = 3;
/** Also: some check did not hold, for `report --recheck` and `check --dry-run`. */
export const EXIT_PARTIAL = 10;
/** Also: the run waits for a person, for `--until waiting`. */
export const EXIT_BLOCKED = 11;
export const EXIT_FAILED = 12;
export const EXIT_STOPPED = 13;
export const EXIT_INTERRUPTED = 130;

/** Of a closed run. A closed run without an outcome is no success (R11). */
export function exitOfRun(run: { outcome: Outcome | null; stopped: unknown }): number {
  if (run.stopped !== null && run.stopped !== undefined) return EXIT_STOPPED;
  switch (run.outcome) {
    case 'COMPLETED':
    case 'NO_OP':
      return EXIT_OK;
    case 'BLOCKED':
      return EXIT_BLOCKED;
    case 'FAILED':
      return EXIT_FAILED;
    case 'PARTIAL':
    case null:
      return EXIT_PARTIAL;
    default:
      return unreachable(run.outcome);
  }
}
