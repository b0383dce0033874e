import { unreachable } from './assert.js';
import { failureOf } from './blocker.js';
import { attestedWords, endWords } from './end-words.js';
import type { Judgement } from './method.js';
import type { Attempt, Claim, End, Label, Look, LookResult, Observation } from './values.js';

/**
 * Claim × observation → status (docs/interface.md §6), one total function. An observation beats a claim, and a claim
 * beats an exit status (seed 002 §4: the performer is not the judge of its own success).
 */

/** disproved > unobservable > holds. No looks at all: null, which is never a pass. */
export function worstOf(looks: Look[]): LookResult | null {
  if (looks.some((look) => look.is === 'disproved')) return 'disproved';
  if (looks.some((look) => look.is === 'unobservable')) return 'unobservable';
  return looks.length > 0 ? 'holds' : null;
}

export function isHuman(check: string): boolean {
  return /^human\s*:/i.test(check);
}

/** The task's checks, with those that the verifier role proposed and code accepted, without what code refused. */
export function checksOf(attempt: Attempt): string[] {
  const refused = attempt.before?.refused ?? [];
  return [...attempt.task.checks, ...(attempt.before?.compiled ?? [])].filter((check) => !refused.includes(check));
}

export function humanChecks(attempt: Attempt): string[] {
  return checksOf(attempt).filter(isHuman);
}

function machineChecks(attempt: Attempt): string[] {
  return checksOf(attempt).filter((check) => !isHuman(check));
}

/** Every machine check was looked at and holds; a check that brought no look back counts as unobservable (R11). */
export function machineResult(attempt: Attempt, observation: Observation | undefined): LookResult | null {
  const wanted = machineChecks(attempt);
  if (wanted.length === 0) return null;
  const looks = observation?.looks ?? [];
  const missing = wanted.some((check) => !looks.some((look) => look.check === check));
  const worst = worstOf(looks);
  if (worst === 'disproved') return 'disproved';
  return missing || worst === null ? 'unobservable' : worst;
}

/** Before the work. `reconstructed`: an earlier run may have acted without recording (seed 002 §2). */
export function judgeBefore(attempt: Attempt, reconstructed: boolean): Judgement {
  const holds = machineResult(attempt, attempt.before) === 'holds' && humanChecks(attempt).length === 0;
  if (!holds) return { is: 'go' };
  if (!reconstructed) return { is: 'entry', status: 'no_op', label: 'verified', words: ['it held before anybody was sent'] };
  return {
    is: 'entry',
    status: 'done',
    label: 'verified',
    words: ['reconstructed after an interruption: an earlier run may have done it without recording'],
  };
}

/** After the work, once its tree has ended and the look is back. */
export function judgeAfter(attempt: Attempt): Judgement {
  const end = attempt.end;
  if (end === undefined) throw new Error(`${attempt.task.id} is judged without an end`);
  const machine = machineResult(attempt, attempt.after);
  const asked = humanChecks(attempt);
  const person = attempt.attested;
  if (asked.length > 0 && person === undefined && mayAsk(end, machine)) return { is: 'ask', ask: askOf(asked) };
  const result = combined(machine, asked.length > 0 ? (person?.happened ?? null) : undefined);
  const label = labelOf(attempt, machine, result);
  if (end.is === 'attested' || person !== undefined) return attestedRow(attempt, person ?? attestedEnd(end), machine, result, label);
  return tableRow(attempt, end, result, label);
}

function attestedEnd(end: End): Extract<End, { is: 'attested' }> {
  if (end.is !== 'attested') throw new Error(`not attested: ${end.is}`);
  return end;
}

/**
 * A person is asked when nothing that code saw speaks against it and the work was not cut short: where every machine
 * check holds whatever the performer says (an observation beats a claim), else only where it claims to be done.
 */
function mayAsk(end: End, machine: LookResult | null): boolean {
  if (machine === 'disproved') return false;
  switch (end.is) {
    case 'answered':
      return machine === 'holds' || end.claim.status === 'done' || end.claim.status === 'no_op';
    case 'exited':
      return machine === 'holds' || end.code === 0;
    case 'signalled':
    case 'lost':
    case 'timeout':
      return machine === 'holds';
    case 'cut':
    case 'refused':
    case 'limited':
    case 'attested':
      return false;
    default:
      return unreachable(end);
  }
}

/** The human checks as questions, in one line. */
export function askOf(checks: string[]): string {
  return checks.map((check) => check.replace(/^human\s*:\s*/i, '')).join(' · ');
}

/** A person's answer to the human checks joins the machine's result. undefined: no human checks; null: not answered. */
function combined(machine: LookResult | null, answer: 'yes' | 'no' | 'partly' | null | undefined): LookResult | null {
  if (answer === undefined) return machine;
  const human: LookResult = answer === 'yes' ? 'holds' : answer === null ? 'unobservable' : 'disproved';
  if (machine === 'disproved' || human === 'disproved') return 'disproved';
  if (machine === 'unobservable' || human === 'unobservable') return 'unobservable';
  return 'holds';
}

function labelOf(attempt: Attempt, machine: LookResult | null, result: LookResult | null): Label {
  if (result === 'disproved') return machine === 'disproved' ? 'verified' : 'attested';
  if (result === 'unobservable' || result === null) return 'unverified';
  return humanChecks(attempt).length > 0 ? 'attested' : 'verified';
}

/** The label of an entry that no row of the table made: what the last look disproved is verified, all else is not. */
export function labelOfLooks(attempt: Attempt): Label {
  return worstOf((attempt.after ?? attempt.before)?.looks ?? []) === 'disproved' ? 'verified' : 'unverified';
}

type Entry = Extract<Judgement, { is: 'entry' }>;

function tableRow(attempt: Attempt, end: End, result: LookResult | null, label: Label): Judgement {
  const holds = result === 'holds';
  const disproved = result === 'disproved';
  switch (end.is) {
    case 'answered':
      return claimRow(attempt, end.claim, result, label);
    case 'exited': {
      const words = end.note === undefined ? [] : [end.note];
      if (holds) return { is: 'entry', status: 'done', label, words, risk: end.code === 0 ? [] : [`exited ${end.code}`] };
      if (end.code !== 0) return failed(label, `agent-exit-${end.code}`, words);
      return disproved ? failed(label, failureOf(attempt), [...words, 'no claim was returned']) : partial(attempt, label, words);
    }
    case 'signalled':
    case 'lost':
      if (holds) return { is: 'entry', status: 'done', label, words: [endWords(end)] };
      if (disproved && attempt.cut === undefined && attempt.number < 2 && attempt.task.repeatable) return { is: 'again' };
      return partial(attempt, label, [endWords(end)]);
    case 'cut':
      return holds ? { is: 'entry', status: 'done', label, words: [endWords(end)] } : partial(attempt, label, [endWords(end)]);
    case 'timeout':
      if (holds) return { is: 'entry', status: 'done', label, risk: [endWords(end)] };
      return disproved ? failed(label, 'agent-timeout', [endWords(end)]) : partial(attempt, label, [endWords(end)]);
    case 'refused':
      if (holds) return { is: 'entry', status: 'done', label, words: [end.why] };
      return { is: 'entry', status: 'blocked', label, blocker: end.blocker, words: [end.why] };
    case 'limited':
      if (holds) return { is: 'entry', status: 'done', label, words: [`limited: ${end.why}`] };
      return { is: 'wait', until: end.until, why: end.why };
    case 'attested':
      return attestedRow(attempt, end, result, result, label);
    default:
      return unreachable(end);
  }
}

function claimRow(attempt: Attempt, claim: Claim, result: LookResult | null, label: Label): Entry {
  if (result === 'holds') {
    if (claim.status === 'done' || claim.status === 'no_op') return { is: 'entry', status: 'done', label };
    const discrepancy = `the performer said ${claim.status}, but the checks hold`;
    const news = claim.status === 'partial' && claim.unresolved.length > 0 ? 'something is unresolved' : discrepancy;
    return { is: 'entry', status: 'done', label, words: [discrepancy], news: [news] };
  }
  switch (claim.status) {
    case 'done':
    case 'no_op':
      if (result !== 'disproved') return partial(attempt, label, []);
      return failed(label, claim.blocker ?? failureOf(attempt), [`the performer said ${claim.status}; the checks say otherwise`]);
    case 'partial':
      return partial(attempt, label, []);
    case 'blocked':
      return { is: 'entry', status: 'blocked', label, blocker: claim.blocker ?? failureOf(attempt) };
    case 'failed':
      return failed(label, claim.blocker ?? failureOf(attempt), []);
    default:
      return unreachable(claim.status);
  }
}

function attestedRow(
  attempt: Attempt,
  end: Extract<End, { is: 'attested' }>,
  machine: LookResult | null,
  result: LookResult | null,
  label: Label,
): Entry {
  const words = [attestedWords(end)];
  const said = end.unexpected === undefined ? [] : [end.unexpected];
  const machineHolds = machine === 'holds';
  switch (end.happened) {
    case 'yes':
      if (result === 'holds') return { is: 'entry', status: 'done', label, words, news: said };
      return machine === 'disproved' ? failed(label, failureOf(attempt), words) : partial(attempt, label, words);
    case 'partly':
      if (machineHolds && humanChecks(attempt).length === 0)
        return { is: 'entry', status: 'done', label, words, news: ['a person says partly, but the checks hold'] };
      return { ...partial(attempt, label, words), unresolved: said.length > 0 ? said : ['what the person says is still missing'] };
    case 'no':
      if (machineHolds && humanChecks(attempt).length === 0)
        return { is: 'entry', status: 'done', label, words, news: ['a person says no, but the checks hold'] };
      return { ...failed(label, 'attested-no', words), unresolved: said };
    default:
      return unreachable(end.happened);
  }
}

function failed(label: Label, blocker: string, words: string[]): Entry {
  return { is: 'entry', status: 'failed', label, blocker, words };
}

function partial(attempt: Attempt, label: Label, words: string[]): Entry {
  return { is: 'entry', status: 'partial', label, words, unresolved: [remainderOf(attempt)] };
}

/** Seed 002 §4: what cannot be observed, or is not there, is named. */
function remainderOf(attempt: Attempt): string {
  const looks = attempt.after?.looks ?? [];
  const open = looks.find((look) => look.is === 'disproved') ?? looks.find((look) => look.is === 'unobservable');
  if (open !== undefined)
    return open.is === 'disproved' ? `does not hold: ${open.check} (${open.saw})` : `could not be observed: ${open.check} (${open.saw})`;
  if (checksOf(attempt).length === 0) return 'could not be observed: the task has no usable check';
  return 'could not be observed: its checks brought nothing back';
}
