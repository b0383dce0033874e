import { resultOf } from '../core/entries.js';
import type { Entry, LookResult } from '../core/values.js';
import { isHuman } from '../core/verdict.js';
import { renderEvidence } from './ledger-lines.js';
import { verdictText } from './pipeline/ledger-delivery.js';
import { itemText } from './plain-text.js';
import { codeSpan } from './quoting.js';
import type { ReportCriterion, ReportInput } from './report-input.js';
import { listed } from './report-words.js';

/** Each required criterion with the evidence that decides it, then whatever was not looked at, or did not hold. */
export function verificationLines(input: ReportInput): string[] {
  const byTask = new Map(input.entries.map((entry) => [entry.task, entry]));
  const lines = [
    ...againLines(input),
    ...input.criteria.flatMap((criterion) => criterionLines(criterion, input, byTask)),
    ...goalLines(input),
    ...listed('Looked at once more before the end:', lastLookLines(input)),
    ...listed('Did not hold when it was looked at:', checksThat(input, 'disproved')),
    ...listed('Could not be observed, so that nobody knows:', checksThat(input, 'unobservable')),
    ...listed('Never looked at:', neverLookedAt(input)),
  ];
  return lines[0] === '' ? lines.slice(1) : lines;
}

function criterionLines(criterion: ReportCriterion, { words, noOp }: ReportInput, byTask: ReadonlyMap<string, Entry>): string[] {
  const { id, by } = criterion;
  const promise = words?.get(id);
  const entries = by.flatMap((task) => byTask.get(task) ?? []);
  const evidence = entries.flatMap((entry) =>
    evidenceOf(entry).map((line) => `  - ${entry.task} [${entry.status}, ${entry.label}]: ${line}`),
  );
  return [
    `- ${id}: ${stateWords(criterion)}${promise === undefined ? '' : ` — ${itemText(promise)}`}`,
    ...(evidence.length > 0 ? evidence : by.length === 0 && criterion.state === 'satisfied' ? seenLines(noOp) : ['  - no evidence']),
  ];
}

/** An open criterion is not satisfied (R11). */
function stateWords({ state, label, by }: ReportCriterion): string {
  if (state !== 'open') return `${state}, ${label}`;
  return by.length === 0
    ? 'unsatisfied, unverified (nothing was done for it)'
    : 'unsatisfied, unverified (what was done for it is not all of it)';
}

function evidenceOf(entry: Entry): string[] {
  if (entry.text === null) return [`[${entry.status}, ${entry.label}]; its evidence is in LEDGER.md`];
  const checks = itemsWithHash(renderEvidence(entry, { ...entry.text, words: [] }));
  const words = itemsWithHash(renderEvidence({ checks: [] }, { ...entry.text, evidence: [] }));
  const others = [...words, ...artifactsOf(entry), ...verdictOf(entry)].map((line) => line + NOT_AGAIN);
  return [...checks.map((line) => (ASKED_OF_A_PERSON.test(line) ? line + NOT_AGAIN : line)), ...others];
}

const NOT_AGAIN = ' [not run again]';
/** A check that a person answers; a command that looks like one stands with its kind. */
const ASKED_OF_A_PERSON = /^`+ ?human:/;

/** Which of the evidence anybody can have looked at again, and how. */
function againLines({ run, entries }: ReportInput): string[] {
  if (entries.length === 0) return [];
  const canBe = entries.some(({ checks, text }) =>
    [...checks, ...(text?.evidence ?? []).map(({ check }) => check)].some((check) => !isHuman(check)),
  );
  if (!canBe) return ['Nothing below can be run again: the record has no check that code can run.', ''];
  return [
    `Run every check of this run again: donewhen report ${itemText(run.id)} --recheck. What is marked${NOT_AGAIN} was said or kept, and is no check.`,
    '',
  ];
}

/** What a review says, with what it found; a step that judges nothing says N/A. */
function verdictOf({ verdict, label, delivery }: Entry): string[] {
  if (verdict === undefined || verdict === 'N/A') return [];
  const issues = (delivery?.criticalIssues ?? []).map((issue) => `; critical issue: ${itemText(issue)}`);
  return [`verdict ${verdictText({ verdict, label })}${issues.join('')}`];
}

/** What was delivered was looked at, whatever checks there are beside. */
function artifactsOf({ delivery, status }: Entry): string[] {
  if (status !== 'done') return [];
  return (delivery?.artifacts ?? []).map(
    ({ key, path, sha256 }) => `artifact ${itemText(key)}: ${codeSpan(itemText(path))} (sha256 ${sha256.slice(0, HASH_DIGITS_SHOWN)}…)`,
  );
}

/** Each item with the beginning of the hash that LEDGER.md has of it whole; its excerpt is left there. */
function itemsWithHash(rendered: readonly string[]): string[] {
  const items: string[] = [];
  for (const line of rendered) {
    const sha256 = /^ {2}sha256: ([0-9a-f]+)$/.exec(line)?.[1];
    if (line.startsWith('- ')) items.push(line.slice(2));
    else if (sha256 !== undefined) items.push(`${items.pop() ?? ''} (sha256 ${sha256.slice(0, HASH_DIGITS_SHOWN)}…)`);
  }
  return items;
}

const HASH_DIGITS_SHOWN = 12;

function goalLines({ noOp, criteria }: ReportInput): string[] {
  const stated = (noOp?.evidence ?? []).map((line) => `- ${itemText(line)}`);
  const seen =
    criteria.length > 0
      ? []
      : listed(
          'Looked at when the plan was read, and it held:',
          seenLines(noOp).map((line) => line.trimStart()),
        );
  return [...seen, ...listed('Stated by the plan, unverified:', stated)];
}

function seenLines(noOp: ReportInput['noOp']): string[] {
  return (noOp?.seen ?? []).map(({ check, saw }) => `  - ${codeSpan(itemText(check))} → ${itemText(saw)}`);
}

/** What nobody could see again is said, although the run has ended well (R11). */
function lastLookLines({ run }: ReportInput): string[] {
  const { swept } = run;
  if (swept === undefined) return [];
  const { checks, broken, unseenInAll } = swept;
  const more = unseenInAll - swept.unseen.length;
  return [
    `- ${checks - unseenInAll - broken} of ${checks} ${checks === 1 ? 'check' : 'checks'} still held${broken > 0 ? `; ${broken} did not, and ${broken === 1 ? 'has an entry' : 'have entries'} as Final check` : ''}`,
    ...swept.unseen.map(({ check, saw }) => `- could not be seen again: ${codeSpan(itemText(check))} → ${itemText(saw)}`),
    ...(more > 0 ? [`- and ${more} more that could not be seen again`] : []),
  ];
}

function checksThat({ entries }: ReportInput, result: LookResult): string[] {
  return entries.flatMap((entry) => {
    const found = (entry.text?.evidence ?? []).filter((item) => resultOf(item) === result);
    const shown = entry.text === null ? [] : renderEvidence({ checks: [] }, { ...entry.text, evidence: found, words: [] });
    return shown.filter((line) => line.startsWith('- ')).map((line) => `- ${entry.task}: ${line.slice(2)}`);
  });
}

/** It was looked at, in vain: that has a list of its own. */
function isUnseen({ text }: Entry): boolean {
  return text?.evidence.some((item) => resultOf(item) === 'unobservable') === true;
}

function neverLookedAt({ entries, run }: ReportInput): string[] {
  const blind = entries.filter(
    (entry) => entry.unshown === true || ((entry.label === 'unverified' || entry.observed === null) && !isUnseen(entry)),
  );
  return [
    ...blind.map((entry) => `- ${entry.task}${entry.title === '' ? '' : ` — ${itemText(entry.title)}`}: ${blindWords(entry)}`),
    ...run.plan.tasks.map(({ id, title }) => `- ${id} — ${itemText(title)}: ${notDoneWords(run.withdrawn?.includes(id) === true)}`),
    ...(run.policy.finalSweep ? [] : ['- the last look at everything before the end is turned off (gate.finalSweep)']),
  ];
}

function blindWords({ unshown, status, label }: Entry): string {
  if (unshown === true) return `LEDGER.md said ${status}, and nothing that shows it`;
  return label === 'attested' ? 'a person said so; no check looked' : 'no check could tell';
}

function notDoneWords(isWithdrawn: boolean): string {
  return isWithdrawn ? 'a person was asked, and the question was taken back before an answer' : 'never attempted';
}
