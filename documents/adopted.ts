import { isSettled, lastGate } from '../core/ledger.js';
import type { Entry } from '../core/values.js';
import { isHuman } from '../core/verdict.js';
import type { LedgerDocument } from './ledger-document.js';
import { checksOf, type PlanDocument, type PlanTask } from './plan.js';
import { errorAt, type Problem, warningAt } from './problem.js';

export interface AdoptedOptions {
  planFile: string;
  ledgerFile: string;
  /** Whether checks that held are looked at once more before the end. */
  finalSweep: boolean;
}

/** What is odd, and no error, in a record that a run takes over without having written it. */
export function adoptedProblems(
  ledger: Pick<LedgerDocument, 'entries' | 'details'>,
  plan: PlanDocument,
  options: AdoptedOptions,
): Problem[] {
  return [...unshown(ledger, plan, options), ...olderPlan(ledger, plan, options)];
}

/** R2: a newer plan that repeats what was stopped, under its old id, would open a run in which nobody is ever sent. */
export function repeatedProblems(entries: readonly Entry[], plan: PlanDocument, planFile: string): Problem[] {
  const takenUp = new Set([...entries, ...plan.tasks].flatMap(({ continues, reopens }) => [continues, reopens]));
  return plan.tasks.flatMap((task) => {
    const entry = entries.find((one) => one.task === task.id);
    if (entry === undefined || isSettled(entry) || plan.version <= entry.planVersion || takenUp.has(task.id)) return [];
    const gate = lastGate(entry)?.is;
    if (gate !== 'exhausted' && gate !== 'required') return [];
    const field = gate === 'exhausted' ? 'Reopens' : 'Continues';
    const words = `${task.id} is ${entry.status} in the ledger, and what has an entry is never sent again: give its work a new id with "${field}: ${task.id}"`;
    return [errorAt({ file: planFile, line: task.line }, words)];
  });
}

const NAMED_MAX = 10;

function unshown(
  { entries, details }: Pick<LedgerDocument, 'entries' | 'details'>,
  plan: PlanDocument,
  options: AdoptedOptions,
): Problem[] {
  const planned = new Map(plan.tasks.map((task) => [task.id, task]));
  const found = entries.filter((entry) => isUnshown(entry, planned.get(entry.task), options)).map(({ task }) => task);
  const [first] = found;
  if (first === undefined) return [];
  const names = [...found.slice(0, NAMED_MAX), ...(found.length > NAMED_MAX ? [`${found.length - NAMED_MAX} more`] : [])].join(', ');
  const words = `done without evidence: ${names}; that satisfies no criterion: write under Evidence what was seen, or take the entry out, so that its task is looked at again`;
  return [warningAt({ file: options.ledgerFile, line: details.find(({ task }) => task === first)?.line ?? 1 }, words)];
}

/** R4: an entry that names nothing that was seen, and of which code can look at nothing again, is only said to be done. */
export function isUnshown(entry: Entry, task: PlanTask | undefined, { finalSweep }: Pick<AdoptedOptions, 'finalSweep'>): boolean {
  if (!isSettled(entry) || entry.text === null) return false;
  if (entry.text.evidence.length + entry.text.words.length > 0) return false;
  const checks = task === undefined ? [] : checksOf(task);
  return !finalSweep || checks.every(isHuman);
}

function olderPlan({ entries }: Pick<LedgerDocument, 'entries'>, plan: PlanDocument, { planFile, ledgerFile }: AdoptedOptions): Problem[] {
  const newest = entries.reduce<Entry | null>((max, one) => (one.planVersion > (max?.planVersion ?? plan.version) ? one : max), null);
  if (newest === null) return [];
  const words = `plan version ${plan.version} is older than the record: ${newest.task} in ${ledgerFile} is of version ${newest.planVersion}; put that plan back, or take a LEDGER.md that is not of this work away`;
  return [warningAt({ file: planFile, line: 1 }, words)];
}
