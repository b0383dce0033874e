import { relative } from 'node:path';
import type { Entry } from '../../core/values.js';
import { type PlanVersion, renderReport } from '../../documents/report.js';
import type { PackedReport, Recorded, RecordState, ReportInput } from '../interface.js';
import { leaveLease } from '../load/lease.js';
import { isDamaged } from '../texts.js';
import type { EntryLink, Link } from './chain.js';
import { fileOf } from './excerpt.js';
import { showRecord } from './hidden.js';
import { mendLedger } from './ledger.js';
import { promiseWords } from './promises.js';
import { putBack, saveForeign } from './restore.js';
import { pathOf, type Session } from './session.js';
import { unpackReport } from './unpack-report.js';

/**
 * The last write of a run: LEDGER.md is looked at as a whole once more, REPORT.md is written, and the workspace is given
 * back. A record that somebody damaged is reported as that; the report is written all the same (R5).
 */
export async function writeReport(session: Session, state: RecordState, packed: PackedReport): Promise<Recorded> {
  const report = unpackReport(packed);
  const { place, disk } = session;
  const links = await linksIfWhole(session);
  if (links !== null) await mendLedger(session);
  await saveForeign(session, pathOf(place, 'REPORT.md'));
  const entries = await Promise.all(report.entries.map((shown, index) => entryIn(session, links ?? [], { ...shown, seq: index + 1 })));
  const damaged = entries.some((entry) => entry.text === null) || links === null;
  const text = renderReport({
    ...report,
    // What was saved beside for this very write belongs into it.
    run: { ...report.run, found: [...new Set([...report.run.found, ...session.aside.names()])] },
    entries,
    warnings: [
      ...report.warnings,
      ...(damaged
        ? [
            `a part of the record under ${relative(place.workspace, place.folder)} was destroyed or changed; what it said stands in LEDGER.md alone`,
          ]
        : []),
    ],
    words: await promiseWords(session, links ?? [], report),
    plans: await planVersions(session, report.plans ?? []),
  });
  await session.texts.put(text);
  // By this a reader sees later whether the file is still the one that this run left.
  const ledger = links === null ? null : await disk.read(pathOf(place, 'LEDGER.md'));
  if (ledger !== null) await session.texts.put(ledger);
  await putBack(session, pathOf(place, 'REPORT.md'), Buffer.from(text));
  await leaveLease(disk, place.workspace, place.workflowId);
  // Its own lines there do no harm to anybody.
  await showRecord(disk, place).catch(() => undefined);
  // A closed run starts nothing that could clear its workspace away.
  if (place.spare !== undefined) await disk.remove(place.spare).catch(() => undefined);
  return { state, found: session.aside.names(), file: fileOf(session, 'REPORT.md', text) };
}

/** Why each version came, and what it changed; a version whose text is lost is left out. */
async function planVersions({ plans, place }: Session, versions: { version: number; sha256: string }[]): Promise<PlanVersion[]> {
  const known: PlanVersion[] = [];
  for (const { version, sha256 } of versions) {
    try {
      const plan = await plans(place, sha256);
      known.push({ version, because: plan.replannedBecause ?? null, tasks: plan.tasks.map((task) => task.id) });
    } catch (error) {
      if (!isDamaged(error)) throw error;
    }
  }
  return known;
}

async function linksIfWhole(session: Session): Promise<Link[] | null> {
  try {
    return await session.links();
  } catch (error) {
    if (isDamaged(error)) return null;
    throw error;
  }
}

/** An entry as it was recorded, with the gates that it has now. */
async function entryIn(session: Session, links: Link[], shown: ReportInput['entries'][number] & { seq: number }): Promise<Entry> {
  const own = links.findLast((link): link is EntryLink => link.is === 'entry' && link.entry.task === shown.task);
  const recorded = shown.sha256 === null ? (own?.entry ?? null) : await entryAt(session, shown.sha256);
  const entry = recorded ?? bareEntry(shown);
  const gate = links.findLast((link) => link.is === 'gate' && link.task === shown.task);
  return gate?.is === 'gate' ? { ...entry, gates: gate.gates } : entry;
}

async function entryAt(session: Session, sha256: string): Promise<Entry | null> {
  try {
    const link = await session.chain.at(sha256);
    return link.is === 'entry' ? link.entry : null;
  } catch (error) {
    if (isDamaged(error)) return null;
    throw error;
  }
}

/** All that is left of an entry whose record is gone: nothing that it says counts as seen (R11). */
function bareEntry({ task, status, seq }: { task: string; status: string; seq: number }): Entry {
  const known: Entry['status'][] = ['done', 'partial', 'blocked', 'failed', 'no_op'];
  return {
    seq,
    task,
    title: '',
    status: known.find((one) => one === status) ?? 'partial',
    label: 'unverified',
    planVersion: 0,
    attempt: 0,
    performer: '',
    covers: [],
    states: '',
    checks: [],
    observed: null,
    asOf: 0,
    gates: [],
    cost: { usd: null, tokens: null },
    startedAt: 0,
    endedAt: 0,
    text: null,
  };
}
