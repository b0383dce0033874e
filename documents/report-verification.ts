import type { Entry } from '../core/values.js';
import { renderEvidence } from './ledger-lines.js';
import { itemText } from './plain-text.js';
import type { ReportCriterion, ReportInput } from './report.js';
import { listed } from './report-words.js';

/** Each required criterion with the evidence that decides it, then whatever was not looked at, or did not hold. */
export function verificationLines(input: ReportInput): string[] {
  const byTask = new Map(input.entries.map((entry) => [entry.task, entry]));
  return [
    ...input.criteria.flatMap((criterion) => criterionLines(criterion, input, byTask)),
    ...statedLines(input),
    ...listed('Did not hold when it was looked at:', failedChecks(input)),
    ...listed('Never looked at:', neverLookedAt(input)),
  ];
}

function criterionLines(criterion: ReportCriterion, { words }: ReportInput, byTask: ReadonlyMap<string, Entry>): string[] {
  const { id, by } = criterion;
  const promise = words?.get(id);
  const entries = by.flatMap((task) => byTask.get(task) ?? []);
  const evidence = entries.flatMap((entry) => evidenceOf(entry).map((line) => `  - ${entry.task}: ${line}`));
  return [
    `- ${id}: ${stateWords(criterion)}${promise === undefined ? '' : ` — ${itemText(promise)}`}`,
    ...(evidence.length === 0 ? ['  - no evidence'] : evidence),
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
  const lines = renderEvidence(entry, entry.text).filter((line) => line.startsWith('- '));
  return lines.map((line) => line.slice(2));
}

function statedLines({ noOp }: ReportInput): string[] {
  return listed(
    'Stated by the plan, unverified:',
    (noOp?.evidence ?? []).map((line) => `- ${itemText(line)}`),
  );
}

function failedChecks({ entries }: ReportInput): string[] {
  return entries.flatMap((entry) => {
    const failed = (entry.text?.evidence ?? []).filter(({ holds }) => !holds);
    const shown = entry.text === null ? [] : renderEvidence({ checks: [] }, { ...entry.text, evidence: failed, words: [] });
    return shown.filter((line) => line.startsWith('- ')).map((line) => `- ${entry.task}: ${line.slice(2)}`);
  });
}

function neverLookedAt({ entries, run }: ReportInput): string[] {
  const blind = entries.filter(({ label, observed }) => label === 'unverified' || observed === null);
  return [
    ...blind.map(
      (entry) =>
        `- ${entry.task}${entry.title === '' ? '' : ` — ${itemText(entry.title)}`}: ${entry.label === 'attested' ? 'a person said so; no check looked' : 'no check could tell'}`,
    ),
    ...run.plan.tasks.map((task) => `- ${task.id} — ${itemText(task.title)}: never attempted`),
    ...(run.policy.finalSweep ? [] : ['- the last look at everything before the end is turned off (gate.finalSweep)']),
  ];
}
