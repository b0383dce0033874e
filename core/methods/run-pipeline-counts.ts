import { isNamed } from '../ledger.js';
import type { Entry } from '../values.js';
import type { Step } from './pipeline-values.js';
import { taskIdOf } from './run-pipeline-about.js';
import { issuesIn, NO_RESULT, rowOf } from './run-pipeline-rows.js';

/** Every bound of a pipeline, counted from the ledger alone by who asked for an attempt (R7). */

export const ASKED = {
  start: 'start',
  artifactGate: 'artifact-gate',
  noResult: 'no-result',
  stepFailed: 'step-failed',
  contradiction: 'contradiction',
  fixOf: (task: string) => `fix of ${task}`,
  reviewOf: (task: string) => `review of ${task}`,
  backToPlan: (cycle: number) => `back-to-plan ${cycle}`,
  finalCheck: (task: string) => `final check ${task}`,
  resolutionOf: (task: string) => `resolution of ${task}`,
};

const RETRIES = [ASKED.artifactGate, ASKED.noResult, ASKED.stepFailed];

function isRetry({ askedBy }: Entry): boolean {
  return RETRIES.some((words) => words === askedBy);
}

function isAskedFor(entry: Entry, what: string): boolean {
  return entry.askedBy?.startsWith(what) === true;
}

/** The attempts at a step up to an entry, oldest first; what a look before closing appended is none. */
export function attemptsAt(ledger: Entry[], step: string, upTo: Entry): Entry[] {
  const unit = taskIdOf(step);
  return ledger.filter((one) => one.seq <= upTo.seq && one.undoes === undefined && isNamed(one.task, unit));
}

/** The tail of a list that begins with the last of those that fit; all of it if none does. */
function since(entries: Entry[], begins: (entry: Entry) => boolean): Entry[] {
  const from = entries.findLastIndex(begins);
  return from < 0 ? entries : entries.slice(from);
}

/** Attempts at one delivery: from the one that a start, a fix, a review, a cycle or a person asked for. */
export function seriesOf(ledger: Entry[], step: string, upTo: Entry): Entry[] {
  return since(attemptsAt(ledger, step, upTo), (one) => !isRetry(one));
}

export function isNoResultTwice(series: Entry[]): boolean {
  return series.length > 1 && series.slice(-2).every((one) => one.blocker === NO_RESULT);
}

/** Attempts at a gate since its pipeline came to it: rounds belong to one cycle, and start anew with the next. */
function cycleOf(ledger: Entry[], step: string, upTo: Entry): Entry[] {
  const goesOn = (one: Entry) =>
    isRetry(one) || one.askedBy === ASKED.contradiction || isAskedFor(one, 'review of ') || isAskedFor(one, 'final check ');
  return since(attemptsAt(ledger, step, upTo), (one) => !goesOn(one));
}

/** Pairs of a fix and another review. */
export function roundsUsed(ledger: Entry[], step: string, upTo: Entry): number {
  return cycleOf(ledger, step, upTo).filter((one) => isAskedFor(one, 'review of ')).length;
}

/** Whether the reviewer contradicted itself before, since it was last asked for a review. */
export function hasContradicted(ledger: Entry[], step: string, upTo: Entry): boolean {
  const sinceAsked = since(attemptsAt(ledger, step, upTo), (one) => !isRetry(one) && one.askedBy !== ASKED.contradiction);
  return sinceAsked.some((one) => one.askedBy === ASKED.contradiction);
}

const FIXES_OF_ONE_ISSUE_MAX = 2;

/** An issue that two fixes were told of, and that is there again. null: none. */
export function stubbornIssue(ledger: Entry[], step: Step, upTo: Entry): string | null {
  const earlier = cycleOf(ledger, step.step, upTo)
    .filter((one) => one.seq < upTo.seq && rowOf(step, one) === 'rejected')
    .map((one) => new Set(issuesIn(one.delivery).map(normalised)));
  const back = issuesIn(upTo.delivery).find(
    (issue) => earlier.filter((told) => told.has(normalised(issue))).length >= FIXES_OF_ONE_ISSUE_MAX,
  );
  return back ?? null;
}

function normalised(issue: string): string {
  return issue
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

export const BACK_TO_PLAN_MAX = 3;

/** How often this gate sent the pipeline back since a person last reopened it. */
export function cyclesUsed(ledger: Entry[], { step, backToPlan }: Step, upTo: Entry): number {
  if (backToPlan === null) return 0;
  const attempts = since(attemptsAt(ledger, step, upTo), (one) => isAskedFor(one, 'resolution of '));
  return attempts.filter((one) => {
    // What a gate asked for follows it directly, from the first step of the cycle on.
    const next = one.seq < upTo.seq ? ledger[one.seq] : undefined;
    return next !== undefined && isAskedFor(next, 'back-to-plan ') && isNamed(next.task, taskIdOf(backToPlan));
  }).length;
}

/** How often the look before closing found this step undone since a person last reopened it. */
export function timesUndone(ledger: Entry[], step: string, upTo: Entry): number {
  const reopened = attemptsAt(ledger, step, upTo).findLast((one) => isAskedFor(one, 'resolution of '));
  return ledger.filter(
    (one) => one.seq <= upTo.seq && one.seq > (reopened?.seq ?? 0) && one.undoes !== undefined && isNamed(one.undoes, taskIdOf(step)),
  ).length;
}
