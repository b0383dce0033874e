import { isSettled, isUnsent } from '../../core/ledger.js';
import type { Entry } from '../../core/values.js';
import { adoptedProblems, isUnshown } from '../../documents/adopted.js';
import { type EntryDetails, parseLedger } from '../../documents/ledger.js';
import { renderGate } from '../../documents/ledger-gate.js';
import { renderEntryBody } from '../../documents/ledger-render.js';
import { itemText } from '../../documents/plain-text.js';
import { checksOf, type PlanDocument, type PlanTask, slugOf, statesOf } from '../../documents/plan.js';
import { errorAt, type Problem } from '../../documents/problem.js';
import type { Link } from '../record/chain.js';
import { sha256Of, type Texts } from '../texts.js';

/** A start may be given a LEDGER.md of any size; a run carries the texts of its entries only up to here (R15). */
const ENTRY_TEXTS_BYTES_MAX = 100_000;

/** What a LEDGER.md without history says, completed from the plan. */
export interface Resumed {
  title: string;
  entries: { entry: Entry; details: EntryDetails }[];
  /** Of LEDGER.md. */
  problems: Problem[];
  /** Of PLAN.md, which means something else than the record does. */
  contradictions: Problem[];
}

export function resumedFrom(text: string, plan: PlanDocument): Resumed {
  const { ledger, problems } = parseLedger(text, { file: 'LEDGER.md', hash: sha256Of });
  const planned = new Map(plan.tasks.map((task) => [task.id, task]));
  const entries = ledger.entries.flatMap((entry, index) => {
    const details = ledger.details[index];
    if (details === undefined) return [];
    const task = planned.get(entry.task);
    return [{ entry: completed(entry, details, task), details }];
  });
  return { title: ledger.title, entries, problems, contradictions: contradictions(entries, planned) };
}

/** R4: what is only said to be done is told apart, and warned of. */
export function shownIn(resumed: Resumed, plan: PlanDocument, finalSweep: boolean): { resumed: Resumed; problems: Problem[] } {
  const planned = new Map(plan.tasks.map((task) => [task.id, task]));
  const parts = { entries: resumed.entries.map(({ entry }) => entry), details: resumed.entries.map(({ details }) => details) };
  const problems = adoptedProblems(parts, plan, { planFile: 'PLAN.md', ledgerFile: 'LEDGER.md', finalSweep });
  const entries = resumed.entries.map(({ entry, details }) =>
    isUnshown(entry, planned.get(entry.task), { finalSweep })
      ? { entry: { ...entry, unshown: true as const }, details }
      : { entry, details },
  );
  return { resumed: { ...resumed, entries }, problems };
}

/** What the entry does not say of its promise stands in the plan, as long as the task is there. */
function completed(entry: Entry, details: EntryDetails, task: PlanTask | undefined): Entry {
  const news = entry.gates.length === 0 ? newsOf(entry) : [];
  const facts = entry.text?.discovered.some((one) => one.label === 'verified') === true;
  return {
    ...entry,
    covers: entry.covers.length > 0 ? entry.covers : (task?.covers ?? []),
    states: details.doneWhen === null && task !== undefined ? statesOf(task.doneWhen, sha256Of) : entry.states,
    checks: entry.checks.length > 0 ? entry.checks : task === undefined ? [] : checksOf(task),
    performer: entry.performer !== '' || entry.status === 'no_op' || isUnsent(entry) ? entry.performer : (task?.performer ?? ''),
    ...(task === undefined || isSettled(entry) ? {} : { terms: { ...termsOf(task), ...sentTo(entry, task.performer ?? '') } }),
    ...(news.length > 0 ? { news } : {}),
    ...(facts ? { facts: true } : {}),
  };
}

/** How it was to be done, for the task that takes it up again. */
function termsOf({ writes, repeatable, timeoutMs }: PlanTask): NonNullable<Entry['terms']> {
  return { writes, repeatable, ...(timeoutMs === undefined ? {} : { timeoutMs }) };
}

/** Nobody was sent, and somebody has to be. */
function sentTo(entry: Entry, performer: string): { performer?: string } {
  return isUnsent(entry) && performer !== '' ? { performer } : {};
}

/** Unfinished work of which the record does not say whose it was goes to whom tasks without a name go. */
export function performedBy(entries: Entry[], performer: string | null): Entry[] {
  if (performer === null) return entries;
  return entries.map((entry) => {
    if (entry.performer !== '' || isSettled(entry)) return entry;
    if (!isUnsent(entry)) return { ...entry, performer };
    return { ...entry, terms: { performer, ...(entry.terms ?? { writes: null, repeatable: false }) } };
  });
}

/** An entry whose gate never ran gets it now: what its planner would be asked about is all in its text. */
function newsOf({ status, text }: Entry): string[] {
  if (text === null) return [];
  return [
    ...text.deviation.map((words) => `deviation: ${words}`),
    ...text.discovered.map(({ label, fact }) => `[${label}] ${fact}`),
    ...(status === 'done' ? text.unresolved.map((words) => `unresolved: ${words}`) : []),
  ];
}

/**
 * B03, R2: a recorded task is never done again, so a plan that means something else by its id would be called done
 * without anybody having looked.
 */
function contradictions(entries: Resumed['entries'], planned: ReadonlyMap<string, PlanTask>): Problem[] {
  return entries.flatMap(({ entry, details }) => {
    const task = planned.get(entry.task);
    if (task === undefined || details.doneWhen === null || itemText(task.doneWhen) === itemText(details.doneWhen)) return [];
    const words = `${entry.task} is recorded in LEDGER.md:${details.line} with another Done when than here; give the new promise a new id, or put the old words back`;
    return [errorAt({ file: 'PLAN.md', line: task.line }, words)];
  });
}

/** Whether the ledger is this plan's: its title is the run's name, or the plan's own. */
export function isForeign(resumed: Resumed, plan: PlanDocument, slug: string): boolean {
  const name = slugOf(resumed.title);
  return name !== slug && name !== slugOf(plan.title);
}

/** Keeps each entry as a record of its own, by which briefs and reports find its text; a short ledger brings its texts along. */
export async function keptEntries(texts: Texts, resumed: Resumed, planSha256: string): Promise<Entry[]> {
  const kept = await Promise.all(
    resumed.entries.map(async ({ entry, details }) => {
      const link: Link = { is: 'entry', previous: null, entry, planSha256, text: renderEntryBody(entry, details), gate: renderGate(entry) };
      return { ...entry, sha256: await texts.put(JSON.stringify(link)) };
    }),
  );
  const isShort = Buffer.byteLength(JSON.stringify(kept)) <= ENTRY_TEXTS_BYTES_MAX;
  return isShort ? kept : kept.map((entry) => ({ ...entry, text: null }));
}

/** Which row of the table of docs/interface.md §2 this start is, in words. */
export function foundWords(resumed: Resumed | null, plan: PlanDocument): string {
  if (resumed === null) return 'nothing was there: a new run';
  const last = resumed.entries.at(-1)?.entry;
  if (last === undefined) return 'a LEDGER.md without entries: a new run';
  const count = resumed.entries.length === 1 ? '1 entry' : `${resumed.entries.length} entries`;
  const gate = last.gates.at(-1);
  const words =
    renderGate({ gates: gate === undefined ? [] : [gate] })
      .trimEnd()
      .split('\n')
      .at(-1)
      ?.replace(/^Gate: /, '') ?? '';
  const versions =
    plan.version > last.planVersion
      ? `plan version ${plan.version} is newer than its ${last.planVersion}`
      : `plan version ${plan.version} as before`;
  return `a LEDGER.md with ${count}: going on from ${last.task} [${last.status}], ${words === '' ? 'whose gate never ran' : words}, ${versions}`;
}
