import type { Entry, GateRecord } from '../../core/values.js';
import type { EntryDetails } from '../../documents/ledger.js';
import { renderGate } from '../../documents/ledger-gate.js';
import { type EntryNotes, renderEntryBody } from '../../documents/ledger-render.js';
import type { EntryLink } from './chain.js';
import type { Session } from './session.js';

/** An entry as LEDGER.md has it, and its gate apart: that alone is updated in place. */
export async function renderedEntry(session: Session, entry: Entry, planSha256: string): Promise<{ text: string; gate: string }> {
  return { text: renderEntryBody(entry, await promiseOf(session, entry, planSha256)), gate: renderGate(entry) };
}

/**
 * The promise in its own words, where no `Covers` stands for it: done tasks leave the plan, so this is the only place
 * where the satisfied part of the contract lives on (seed 002 §5).
 */
async function promiseOf(session: Session, entry: Entry, planSha256: string): Promise<EntryNotes> {
  if (entry.covers.length > 0) return {};
  const plan = await session.plans(session.place, planSha256);
  const planned = plan.tasks.find((task) => task.id === entry.task);
  if (planned !== undefined) return { doneWhen: planned.doneWhen, restates: planned.restates ?? null };
  // What the final check found undone is no task of the plan: it repeats the promise that it breaks.
  return entry.undoes === undefined ? {} : undonePromise(session, entry.undoes);
}

async function undonePromise(session: Session, task: string): Promise<EntryNotes> {
  const link = (await session.links()).findLast((one): one is EntryLink => one.is === 'entry' && one.entry.task === task);
  if (link !== undefined) return promiseOf(session, link.entry, link.planSha256);
  return detailsOf(await session.adopted(), task) ?? {};
}

function detailsOf(ledger: { details: EntryDetails[] } | null, task: string): EntryNotes | null {
  const details = ledger?.details.find((one) => one.task === task);
  return details === undefined ? null : { doneWhen: details.doneWhen, restates: details.restates };
}

/** The lines of a gate, from the newest record of its entry. */
export async function renderedGate(session: Session, task: string, gates: GateRecord[]): Promise<string> {
  const entry = await entryBefore(session, task);
  return renderGate({ gates, ...(entry?.blocker === undefined ? {} : { blocker: entry.blocker }) });
}

async function entryBefore(session: Session, task: string): Promise<Entry | null> {
  const link = (await session.links()).findLast((one): one is EntryLink => one.is === 'entry' && one.entry.task === task);
  return link?.entry ?? (await session.adopted())?.entries.find((entry) => entry.task === task) ?? null;
}
