import { unreachable } from '../assert.js';
import { lastGate, unitOf } from '../ledger.js';
import type { Entry } from '../values.js';
import type { PipelineAbout, Step } from './pipeline-values.js';
import { stepNameOf, stepOf } from './run-pipeline-about.js';
import {
  ASKED,
  BACK_TO_PLAN_MAX,
  cyclesUsed,
  hasContradicted,
  isNoResultTwice,
  roundsUsed,
  seriesOf,
  stubbornIssue,
  timesUndone,
} from './run-pipeline-counts.js';
import { issuesIn, type Row, rowOf } from './run-pipeline-rows.js';

/** What follows an entry of a pipeline (docs/interface.md §10): one total function of the ledger up to it. */
export type Decision =
  | { is: 'holds'; debt?: string }
  | { is: 'again'; askedBy: string; because: string }
  | { is: 'fix'; fixer: string; because: string }
  | { is: 'back'; to: string; cycle: number; because: string }
  /** `continue-with-debt`, or a person who lets it go on. */
  | { is: 'debt'; because: string; debt: string }
  | { is: 'exhausted'; blocker: string; why: string; final: boolean };

/** Whose entry it is; what a look before closing appended belongs to the step that it found undone. */
export function stepNameIn(entry: Pick<Entry, 'task' | 'undoes'>): string {
  return stepNameOf(unitOf(entry.undoes ?? entry.task));
}

export function decisionOn(about: PipelineAbout, ledger: Entry[], entry: Entry): Decision {
  const step = stepOf(about, stepNameIn(entry));
  if (step === undefined) return exhausted(entry, { why: 'the pipeline does not have this step any more', final: false });
  const row = rowOf(step, entry);
  switch (row) {
    case 'skipped':
    case 'holds':
    case 'approved':
      return { is: 'holds' };
    case 'conditions':
      if (step.conditions === 'debt') return { is: 'holds', debt: `${entry.task}: approved with conditions` };
      return mend(about, ledger, { step, entry });
    case 'rejected':
      return mend(about, ledger, { step, entry });
    case 'contradiction':
      return reviewAgain(ledger, { step, entry });
    case 'no-result':
    case 'step-failed':
    case 'artifact-gate':
      return deliverAgain(ledger, { step, entry, row });
    case 'undone':
      return makeAgain(ledger, { step, entry });
    case 'blocked':
      return exhausted(entry, { why: `${entry.blocker ?? entry.task} stands in the way`, final: false });
    default:
      return unreachable(row);
  }
}

interface At {
  step: Step;
  entry: Entry;
}

type Undelivered = Extract<Row, 'no-result' | 'step-failed' | 'artifact-gate'>;

const ASKED_AFTER: Record<Undelivered, string> = {
  'no-result': ASKED.noResult,
  'step-failed': ASKED.stepFailed,
  'artifact-gate': ASKED.artifactGate,
};

function deliverAgain(ledger: Entry[], { step, entry, row }: At & { row: Undelivered }): Decision {
  const series = seriesOf(ledger, step.step, entry);
  if (isNoResultTwice(series)) return usedUp({ step, entry }, 'no result twice in a row');
  if (series.length >= step.attempts) return usedUp({ step, entry }, `${counted(series.length, 'attempt')} and no delivery`);
  return { is: 'again', askedBy: ASKED_AFTER[row], because: `${entry.task} did not deliver: ${entry.blocker ?? entry.status}` };
}

/** Whether another attempt follows one that does not deliver; for its words, which are written before its gate. */
export function isLastDelivery(ledger: Entry[], step: Step, attempt: { task: string; askedBy: string | undefined }): boolean {
  const last = ledger.at(-1);
  const isRetry = attempt.askedBy !== undefined && Object.values(ASKED_AFTER).includes(attempt.askedBy);
  const before = isRetry && last !== undefined ? seriesOf(ledger, step.step, last).length : 0;
  return before + 1 >= step.attempts;
}

/** A contradiction is no approval, and nothing to mend: the reviewer says it again, once. */
function reviewAgain(ledger: Entry[], { step, entry }: At): Decision {
  if (hasContradicted(ledger, step.step, entry)) return usedUp({ step, entry }, 'the review contradicts itself twice');
  const said = `${entry.verdict ?? 'no verdict'}, ${counted(issuesIn(entry.delivery).length, 'critical issue')}`;
  return { is: 'again', askedBy: ASKED.contradiction, because: `${entry.task} says neither yes nor no: ${said}` };
}

function makeAgain(ledger: Entry[], { step, entry }: At): Decision {
  if (timesUndone(ledger, step.step, entry) >= step.attempts) return usedUp({ step, entry }, 'it is undone again and again');
  return { is: 'again', askedBy: ASKED.finalCheck(entry.task), because: `${entry.undoes ?? entry.task} does not hold any more` };
}

/** The fix step, then another review; when its rounds are used up, back to plan; then it is exhausted. */
function mend(about: PipelineAbout, ledger: Entry[], { step, entry }: At): Decision {
  const issues = issuesIn(entry.delivery);
  const rounds = roundsUsed(ledger, step.step, entry);
  const stubborn = stubbornIssue(ledger, step, entry);
  const fixer = inRange(about, step.fix);
  const mayFix = fixer !== null && rounds < step.rounds && stubborn === null && isTold(step, issues);
  if (mayFix) return { is: 'fix', fixer, because: `${entry.task}: ${rejectedWords(entry, issues)}` };
  const isAlone = step.fix !== null && fixer === null;
  const why = isAlone ? 'not approved, and no other step is carried out' : whyNoFix({ rounds, stubborn, isTold: isTold(step, issues) });
  const cycle = cyclesUsed(ledger, step, entry) + 1;
  const to = inRange(about, step.backToPlan);
  if (to === null || cycle > BACK_TO_PLAN_MAX) return usedUp({ step, entry }, why);
  return { is: 'back', to, cycle, because: `${entry.task}: ${why}` };
}

function whyNoFix({ rounds, stubborn, isTold: told }: { rounds: number; stubborn: string | null; isTold: boolean }): string {
  if (!told) return 'rejected without a reason';
  return stubborn === null ? `not approved after ${counted(rounds, 'round')}` : `two fixes did not mend: ${stubborn}`;
}

/** Nobody mends what nobody named; conditions stand in the review itself. */
function isTold({ gate }: Step, issues: string[]): boolean {
  return gate === 'review' || issues.length > 0;
}

function rejectedWords({ verdict }: Entry, issues: string[]): string {
  return issues.length === 0 ? `${verdict ?? 'rejected'}` : `${verdict ?? 'rejected'}, ${counted(issues.length, 'critical issue')}`;
}

/** With `--only` no other step runs. */
function inRange({ range }: PipelineAbout, step: string | null): string | null {
  return range !== undefined && 'only' in range ? null : step;
}

/** The policy of the step whose attempts are used up. */
function usedUp({ step, entry }: At, why: string): Decision {
  switch (step.onExhausted) {
    case 'ask':
      return exhausted(entry, { why, final: false });
    case 'stop':
      return exhausted(entry, { why, final: true });
    case 'continue-with-debt':
      return { is: 'debt', because: `${entry.task} is exhausted: ${why}`, debt: `${entry.task}: ${why}` };
    default:
      return unreachable(step.onExhausted);
  }
}

function exhausted(entry: Entry, { why, final }: { why: string; final: boolean }): Decision {
  const blocker =
    entry.status === 'blocked' && entry.blocker !== undefined ? entry.blocker : `gate-${unitOf(entry.undoes ?? entry.task)}-exhausted`;
  return { is: 'exhausted', blocker, why, final };
}

/** What a gate that a person reopened goes on with. */
export function reopenedDecision(entry: Entry, { debt, why }: { debt: string | undefined; why: string }): Decision {
  if (debt !== undefined) return { is: 'debt', because: `${entry.task} is let through: ${why}`, debt };
  return { is: 'again', askedBy: ASKED.resolutionOf(entry.task), because: `${entry.blocker ?? entry.task} is resolved: ${why}` };
}

/** What the ledger says was decided; null: its gate is still to come, or nothing follows from it. */
export function decidedOn(about: PipelineAbout, ledger: Entry[], entry: Entry): Decision | null {
  const gate = lastGate(entry);
  switch (gate?.is) {
    case undefined:
    case 'required':
    case 'exhausted':
      return null;
    case 'holds':
      return { is: 'holds' };
    case 'reopened':
      return reopenedDecision(entry, { debt: gate.debt, why: gate.words ?? '' });
    case 'done':
      return decisionOn(about, ledger, entry);
    default:
      return unreachable(gate);
  }
}

function counted(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`;
}
