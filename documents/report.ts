import { DESTROYED } from '../core/entries.js';
import { isSettled, unitOf } from '../core/ledger.js';
import { isMoneyUnknown } from '../core/limits.js';
import type { Entry, Outcome } from '../core/values.js';
import { money } from './ledger-lines.js';
import { itemText } from './plain-text.js';
import type { PlanVersion, ReportCriterion, ReportInput, Standing } from './report-input.js';
import { residualLines } from './report-residue.js';
import { verificationLines } from './report-verification.js';
import { entryName, listed } from './report-words.js';

export type { PlanVersion, ReportCriterion, ReportInput };

/** REPORT.md: the outcome and, whatever it is, everything that a reader must not miss. */
export function renderReport(input: ReportInput): string {
  const standing = standingOf(input.entries);
  const header = [
    `# REPORT: ${itemText(input.run.id)}`,
    '',
    `Date: ${new Date(input.at).toISOString().slice(0, 10)}`,
    `Status: ${input.outcome}`,
    '',
  ];
  const sections: [string, string[]][] = [
    ['OUTCOME', outcomeLines(input)],
    ['MATERIAL CHANGE', changeLines(input.entries)],
    ['VERIFICATION', verificationLines(input)],
    ['RESIDUAL STATE', residualLines(input, standing)],
    ['USER ACTION', actionLines(input, standing)],
    ['COST', costLines(input)],
  ];
  const body = sections.filter(([, lines]) => lines.length > 0).map(([title, lines]) => `${title}\n\n${lines.join('\n')}\n`);
  return [...header, ...body].join('\n');
}

function standingOf(entries: readonly Entry[]): Standing[] {
  const later = new Map<string, Entry>();
  for (const entry of entries)
    for (const old of [entry.continues, entry.reopens, entry.undoes]) if (old !== undefined) later.set(old, entry);
  for (const [old, entry] of furtherAttempts(entries)) later.set(old, entry);
  const ends = new Map<string, Entry>();
  // Newest first: what follows an entry has its end already.
  for (const entry of [...entries].reverse()) {
    const next = later.get(entry.task);
    ends.set(entry.task, next === undefined || next === entry ? entry : (ends.get(next.task) ?? next));
  }
  return entries.map((entry) => ({ entry, last: ends.get(entry.task) ?? entry }));
}

/** A step is tried again under an id of its own; what counts is its newest attempt. */
function furtherAttempts(entries: readonly Entry[]): [string, Entry][] {
  const newest = new Map<string, string>();
  return entries.flatMap((entry): [string, Entry][] => {
    if (entry.askedBy === undefined) return [];
    const before = newest.get(unitOf(entry.task));
    newest.set(unitOf(entry.task), entry.task);
    return before === undefined ? [] : [[before, entry]];
  });
}

function outcomeLines({ outcome, run, criteria, noOp, plans = [] }: ReportInput): string[] {
  const satisfied = criteria.filter(({ state }) => state === 'satisfied').length;
  const counted = criteria.length === 0 ? '' : ` Required criteria satisfied: ${satisfied} of ${criteria.length}.`;
  return [
    `${outcome} — ${MEANING[outcome]}${counted}`,
    ...(run.plan.goal === '' ? [] : [`Goal: ${itemText(run.plan.goal)}`]),
    `Plan version: ${run.plan.version}`,
    ...planLines(plans),
    ...(run.stopped === null ? [] : [`Stopped by ${itemText(run.stopped.by)}: ${itemText(run.stopped.reason) || 'no reason was given'}`]),
    ...(noOp === null ? [] : [`The plan says that its goal already held: ${itemText(noOp.because)}`]),
  ];
}

/** What changed in the plan, and why. Tasks that were begun leave it by themselves: their entries stay. */
function planLines(plans: readonly PlanVersion[]): string[] {
  if (plans.length < 2) return [];
  return plans.map(({ version, because, tasks }, index) => {
    const before = plans[index - 1];
    if (before === undefined) return `- version ${version}: ${tasks.join(', ') || 'no task'}`;
    const added = tasks.filter((id) => !before.tasks.includes(id));
    const why = because === null || because === '' ? '' : ` (${itemText(because)})`;
    return `- version ${version}${why}: ${added.length === 0 ? 'no new task' : `new ${added.join(', ')}`}`;
  });
}

const MEANING: Record<Outcome, string> = {
  COMPLETED: 'every required criterion is satisfied.',
  NO_OP: 'everything already held, and nothing was changed.',
  PARTIAL: 'not everything that is required was seen to be satisfied.',
  BLOCKED: 'something outside of the run keeps a part of it from going on.',
  FAILED: 'something required was seen not to hold, and no way to go on is left.',
};

/** Every state delta: a destructive act is one too, so none is left out, and what code saw of that is said once more. */
function changeLines(entries: readonly Entry[]): string[] {
  const changes = entries.flatMap((entry) => {
    const deltas = deltasOf(entry);
    return entry.status === 'no_op' || deltas.length === 0
      ? []
      : [`- ${entryName(entry)}`, ...deltas.map((line) => `  - ${changeWords(line)}`)];
  });
  const destroyed = entries.flatMap((entry) => {
    const seen = deltasOf(entry).filter((line) => line.startsWith(DESTROYED));
    return seen.map((line) => `- ${entry.task}: ${line.slice(DESTROYED.length)}`);
  });
  const isWork = entries.some((entry) => entry.status !== 'no_op');
  return [
    ...changes,
    ...listed(
      'Destroyed, as far as code looked (in git, for tasks that say what they write):',
      isWork && destroyed.length === 0 ? ['- nothing'] : destroyed,
    ),
  ];
}

/** How a state delta begins that nobody but the performer saw. */
const SAYS = 'the performer says: ';

/** Among what changed, a claim must not read as one of the changes. */
function changeWords(delta: string): string {
  return delta.startsWith(SAYS) ? `the performer says, and no check shows it: ${delta.slice(SAYS.length)}` : delta;
}

function deltasOf(entry: Entry): string[] {
  return (entry.text?.stateDelta ?? []).map(itemText).filter((line) => line !== '');
}

function actionLines({ run, entries, questions = [] }: ReportInput, standing: readonly Standing[]): string[] {
  const asked = entries
    .filter((entry) => !isAnswered(entry))
    .flatMap((entry) => (entry.text?.userAction ?? []).map((action) => `- ${itemText(action)} (${entry.task})`));
  const open = standing.filter(({ entry, last }) => {
    const blocker = exhaustedBlocker(entry) ?? (isSettled(entry) ? undefined : entry.blocker);
    return entry === last && blocker !== undefined && !isLetThrough(entry);
  });
  const resolve = open.map(({ entry }) => {
    const blocker = itemText(exhaustedBlocker(entry) ?? entry.blocker ?? '');
    return `- ${blocker} stands in the way of ${entry.task}; when it is gone: donewhen resolve ${run.id} ${blocker} --resolution "…" --by NAME`;
  });
  const unanswered = questions.map(
    (question) => `- not answered: ${itemText(question.ask)}${question.task === undefined ? '' : ` (${question.task})`}`,
  );
  const found = run.found.map((file) => `- look at ${itemText(file)}: somebody else wrote it, and the run did not use it`);
  return [...new Set([...asked, ...unanswered, ...resolve, ...found])];
}

/** A confirmed reopening says that what a person had to do for it is done; of finished work all of it stands. */
function isAnswered(entry: Entry): boolean {
  return !isSettled(entry) && entry.gates.at(-1)?.is === 'reopened';
}

/** Passed as debt: nothing stands open there that a resolution could be for. */
function isLetThrough({ gates }: Entry): boolean {
  const gate = gates.at(-1);
  return gate?.is === 'done' && gate.debt !== undefined;
}

function exhaustedBlocker(entry: Entry): string | undefined {
  const gate = entry.gates.at(-1);
  return gate?.is === 'exhausted' && gate.blocker !== '' ? gate.blocker : undefined;
}

/** Unknown and estimated are kept apart from what was reported; unknown is never counted as 0 (D12). */
function costLines(input: ReportInput): string[] {
  const { run, entries } = input;
  const { dispatches, estimatedUsd, unknown, activeMs, earlier } = run.spentInAll;
  const silent = entries
    .filter(({ cost, performer }) => performer !== 'human' && isMoneyUnknown(cost) && cost.tokens === null)
    .map(({ task }) => task);
  const half = entries
    .filter(({ cost }) => isMoneyUnknown(cost) !== (cost.tokens === null))
    .map(({ task, cost }) => `${task} (no ${isMoneyUnknown(cost) ? 'money' : 'tokens'})`);
  const estimatedOf = entries.filter(({ cost }) => cost.estimatedUsd !== undefined).map(({ task }) => task);
  const missing = [...silent, ...half];
  return [
    earlier === undefined
      ? `- attempts: ${dispatches}; working time: ${durationWords(activeMs)}`
      : `- attempts: at least ${dispatches}, with those of earlier executions; working time of this one: ${durationWords(activeMs)}`,
    `- reported: ${reportedWords(input)}`,
    ...(estimatedUsd === undefined
      ? []
      : [
          `- estimated, and counted toward no limit: ${money(estimatedUsd)} USD${estimatedOf.length === 0 ? '' : ` (${estimatedOf.join(', ')})`}`,
        ]),
    ...(unknown || missing.length > 0
      ? [`- unknown, and not in these sums: ${missing.length === 0 ? 'what some agent did not report' : missing.join(', ')}`]
      : []),
  ];
}

/** Of what nobody reported it says so: unknown is never shown as 0 (D12). */
function reportedWords({ run, entries }: ReportInput): string {
  const { usd, tokens, unknown } = run.spentInAll;
  if (unknown && usd === 0 && tokens === 0) return 'nothing';
  const noMoney = usd === 0 && entries.some(({ cost }) => cost.usd === null) && !entries.some(({ cost }) => cost.usd !== null);
  const noTokens = tokens === 0 && entries.some(({ cost }) => cost.tokens === null) && !entries.some(({ cost }) => cost.tokens !== null);
  return `${noMoney ? 'no money' : `${money(usd)} USD`}, ${noTokens ? 'no' : tokens} tokens`;
}

function durationWords(ms: number): string {
  const seconds = Math.round(ms / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)];
  return [hours > 0 ? `${hours} h` : '', minutes > 0 ? `${minutes} min` : '', `${seconds % 60} s`].filter((part) => part !== '').join(' ');
}
