import { unreachable } from '../assert.js';
import type { Entry } from '../values.js';
import type { Step } from './pipeline-values.js';

/** What an attempt at a step came to, as the gate sees it: the rows of docs/interface.md §10, and what lies outside of them. */
export type Row =
  | 'skipped'
  | 'holds'
  | 'approved'
  | 'conditions'
  | 'rejected'
  /** Says neither yes nor no; it approves nothing (R11). */
  | 'contradiction'
  | 'no-result'
  | 'step-failed'
  | 'artifact-gate'
  /** An obstacle outside of the step: a budget, an agent that cannot be started, a person who does not answer. */
  | 'blocked'
  /** What was delivered no longer holds, says the look before closing. */
  | 'undone';

export const NO_RESULT = 'no-result';
export const STEP_FAILED = 'step-failed';
export const TIMED_OUT = 'agent-timeout';

export type Judged = Pick<Entry, 'status' | 'label' | 'blocker' | 'verdict' | 'undoes'> & { delivery?: Entry['delivery'] };

/** Total: every entry has one row. */
export function rowOf(step: Pick<Step, 'gate'>, entry: Judged): Row {
  if (entry.undoes !== undefined) return 'undone';
  switch (entry.status) {
    case 'no_op':
      return 'skipped';
    case 'blocked':
      return 'blocked';
    case 'failed':
    case 'partial':
      return undelivered(entry);
    case 'done':
      return entry.label === 'unverified' ? 'artifact-gate' : delivered(step, entry);
    default:
      return unreachable(entry.status);
  }
}

function undelivered({ blocker, delivery }: Judged): Row {
  if (blocker === NO_RESULT) return 'no-result';
  const isOver = blocker === STEP_FAILED || blocker === TIMED_OUT || delivery === undefined;
  return isOver ? 'step-failed' : 'artifact-gate';
}

function delivered({ gate }: Pick<Step, 'gate'>, { label, verdict, delivery }: Judged): Row {
  if (gate === 'none') return 'holds';
  const hasIssues = issuesIn(delivery).length > 0;
  // What an agent says of itself approves nothing where a person is asked.
  if (gate === 'human' && label !== 'attested') return 'contradiction';
  switch (verdict) {
    case 'APPROVED':
    case 'PASS':
      return hasIssues ? 'contradiction' : 'approved';
    case 'APPROVED_WITH_CONDITIONS':
      return hasIssues ? 'contradiction' : 'conditions';
    case 'REJECTED':
    case 'FAIL':
      // A person's no needs no reason to be one.
      return hasIssues || gate === 'human' ? 'rejected' : 'contradiction';
    default:
      return 'contradiction';
  }
}

/** An issue without a word in it is none. */
export function issuesIn(delivery: Entry['delivery']): string[] {
  return (delivery?.criticalIssues ?? []).filter((issue) => issue.trim() !== '');
}
