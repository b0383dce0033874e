import { join } from 'node:path';
import type { PipelineAbout } from '../../core/methods/pipeline-values.js';
import { stepNameOf } from '../../core/methods/run-pipeline-about.js';
import type { Entry } from '../../core/values.js';
import { parseLedger } from '../../documents/ledger.js';
import { contextOf, renderContext } from '../../documents/pipeline/context.js';
import type { Disk } from '../files/disk.js';
import { sweepUnfinished, writeWhole } from '../files/whole.js';
import type { Dispatched, DispatchInput, Place, Recorded, RecordInput } from '../interface.js';
import { chainOf, type LinkMemory } from '../record/chain.js';
import { isDamaged, sha256Of, textsOf } from '../texts.js';
import { logEvent } from './log.js';
import type { Pinned } from './pinned.js';

export const CONTEXT_FILE = 'pipeline-context.yaml';

export interface FilesPorts {
  disk: Disk;
  pinned: Pinned;
}

/** The record, and beside it what a pipeline's readers look at: its context and its log. Both follow from LEDGER.md. */
export function recordingPipelines(
  record: (input: RecordInput) => Promise<Recorded>,
  ports: FilesPorts,
): (input: RecordInput) => Promise<Recorded> {
  const memory: LinkMemory = { links: new Map(), chars: 0 };
  return async (input) => {
    const recorded = await record(input);
    const { place, write } = input;
    const about = await ports.pinned(place);
    if (about === null) return recorded;
    const entries = await entriesUpTo(ports.disk, place, { head: recorded.state.head, memory });
    if (entries !== null) await writeContext(ports.disk, place, { about, entries, running: [] });
    const task = write.is === 'entry' ? write.entry.task : write.is === 'gate' ? write.task : null;
    const entry = entries?.findLast((one) => one.task === task);
    // Its gate belongs to the same words; an entry whose gate is open is told when that is known.
    if (entry !== undefined && entry.gates.length > 0)
      await logEvent(ports.disk, place, { is: 'recorded', step: stepNameOf(entry.task), entry });
    if (write.is === 'report') await logEvent(ports.disk, place, { is: 'end', at: write.report.at, outcome: write.report.outcome });
    return recorded;
  };
}

/** The intent stands in the context and in the log before anybody is sent. */
export function announcingSteps(
  dispatch: (input: DispatchInput) => Promise<Dispatched>,
  ports: FilesPorts,
): (input: DispatchInput) => Promise<Dispatched> {
  const memory: LinkMemory = { links: new Map(), chars: 0 };
  return async (input) => {
    const { place, task, step } = input;
    const about = step === undefined || input.cut === true ? null : await ports.pinned(place);
    if (about !== null && step !== undefined) {
      const { askedBy, step: asked } = step.briefing;
      const entries = await entriesUpTo(ports.disk, place, { head: step.head, memory });
      if (entries !== null) await writeContext(ports.disk, place, { about, entries, running: [task.id] });
      await logEvent(ports.disk, place, { is: 'begun', at: step.at, step: asked.step, agent: asked.agent, askedBy });
    }
    return dispatch(input);
  };
}

async function writeContext(
  disk: Disk,
  place: Place,
  { about, entries, running }: { about: PipelineAbout; entries: Entry[]; running: string[] },
): Promise<void> {
  const path = join(place.out, CONTEXT_FILE);
  const text = renderContext(contextOf({ pipeline: about.pipeline, entries, running }));
  const standing = await disk.standing(path);
  if (standing !== null && standing.kind !== 'file') await disk.remove(path);
  else if (standing !== null && (await disk.read(path))?.toString('utf8') === text) return;
  await sweepUnfinished(disk, path);
  await writeWhole(disk, path, text);
}

/** The record as its links tell it, with the gates that stand now; null: a part of it is gone, which the report says. */
async function entriesUpTo(
  disk: Disk,
  place: Place,
  { head, memory }: { head: string | null; memory: LinkMemory },
): Promise<Entry[] | null> {
  const texts = textsOf(disk, place);
  try {
    const links = await chainOf(texts, memory).upTo(head);
    const adopted = place.ledgerSha256 ?? null;
    const entries = new Map<string, Entry>();
    if (adopted !== null)
      for (const entry of parseLedger(await texts.text(adopted), { file: 'LEDGER.md', hash: sha256Of }).ledger.entries)
        entries.set(entry.task, entry);
    for (const link of links) {
      if (link.is === 'entry') entries.set(link.entry.task, link.entry);
      const known = link.is === 'gate' ? entries.get(link.task) : undefined;
      if (link.is === 'gate' && known !== undefined) entries.set(link.task, { ...known, gates: link.gates });
    }
    return [...entries.values()];
  } catch (error) {
    if (isDamaged(error)) return null;
    throw error;
  }
}
