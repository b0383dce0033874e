import type { LedgerEntry, RunState } from './run-state.js';

/** A check that the ledger names, each once, with the tasks that rest on it. */
export interface RecordedCheck {
  check: string;
  tasks: string[];
  /** Whether it held when it was looked at last. */
  held: boolean;
  /** The task in whose place another one succeeded, where all that rests on it was replaced. */
  replaced: boolean;
}

const SETTLED = ['done', 'no_op'];

/** Every recorded check in the order of the ledger. What a later task took over is not counted against the run any more. */
export function recordedChecks(state: RunState): RecordedCheck[] {
  const taken = new Set(state.ledger.flatMap((entry) => [entry.continues, entry.reopens]).filter((id): id is string => id !== null));
  const found = new Map<string, RecordedCheck>();
  for (const entry of state.ledger) {
    const replaced = taken.has(entry.task) && !SETTLED.includes(entry.status);
    for (const { check, held } of checksIn(entry)) {
      const known = found.get(check);
      found.set(check, {
        check,
        tasks: [...(known?.tasks ?? []), entry.task],
        held,
        replaced: (known?.replaced ?? true) && replaced,
      });
    }
  }
  return [...found.values()];
}

/** Of earlier executions a run keeps the check lines without their evidence. */
function checksIn(entry: LedgerEntry): { check: string; held: boolean }[] {
  const looked = entry.evidence.map(({ check, holds }) => ({ check, held: holds }));
  const known = new Set(looked.map(({ check }) => check));
  const others = entry.checks.filter((check) => !known.has(check)).map((check) => ({ check, held: SETTLED.includes(entry.status) }));
  return [...looked, ...others];
}
