import type { PlanEdit } from '../../core/values.js';
import type { PlanTask } from '../../documents/plan.js';
import { writeWhole } from '../files/whole.js';
import type { Recorded, RecordInput, RecordState } from '../interface.js';
import type { EntryLink, Link } from './chain.js';
import { fileOf } from './excerpt.js';
import { endLeftBy } from './ledger.js';
import { editedPlan } from './plan-edit.js';
import { inFolder, putBack } from './restore.js';
import { pathOf, type Session } from './session.js';

type PlanWrite = Extract<RecordInput['write'], { is: 'plan' }>;

/** The new plan version: PLAN.md, its numbered copy in the run's folder, and a link of the record. */
export async function writePlan(session: Session, state: RecordState, write: PlanWrite): Promise<Recorded> {
  const { texts, disk } = session;
  const text = write.edit === undefined ? await texts.text(write.sha256) : await edited(session, write, write.edit);
  const sha256 = await texts.put(text);
  const left = await endLeftBy(session, state);
  const head = await session.chain.keep({ is: 'plan', previous: session.head, version: write.version, sha256 });
  await writeWhole(disk, inFolder(session, `plan-${write.version}.md`), text);
  await putBack(session, pathOf(session.place, 'PLAN.md'), Buffer.from(text));
  return {
    state: { head, bytes: left?.bytes ?? 0, tail: left?.tail ?? '' },
    found: session.aside.names(),
    file: fileOf(session, 'PLAN.md', text),
    planSha256: sha256,
  };
}

async function edited(session: Session, write: PlanWrite, change: PlanEdit): Promise<string> {
  const { plans, place } = session;
  const links = await session.links();
  const base = await plans(place, write.sha256);
  const before = (await session.adopted())?.entries ?? [];
  const recorded = new Set([
    ...before.map((entry) => entry.task),
    ...links.flatMap((link) => (link.is === 'entry' ? [link.entry.task] : [])),
  ]);
  const reopened = base.tasks.find((task) => task.id === change.reopens) ?? (await taskOf(session, links, change.reopens));
  return editedPlan(base, { version: write.version, change, reopened, recorded });
}

/** A task that has left the plan: from the version under which its entry was written, or from the entry itself. */
async function taskOf(session: Session, links: Link[], id: string): Promise<PlanTask> {
  const link = links.findLast((one): one is EntryLink => one.is === 'entry' && one.entry.task === id);
  if (link === undefined) return adoptedTask(session, id);
  const plan = await session.plans(session.place, link.planSha256);
  const planned = plan.tasks.find((task) => task.id === id);
  if (planned !== undefined) return planned;
  // The final check has no task of its own: what it found undone is done again.
  if (link.entry.undoes !== undefined && link.entry.undoes !== id) return taskOf(session, links, link.entry.undoes);
  return bareTask(id, { ...link.entry, doneWhen: link.entry.title });
}

/** From an entry that was written by hand: its promise is all that is left of the task. */
async function adoptedTask(session: Session, id: string): Promise<PlanTask> {
  const ledger = await session.adopted();
  const entry = ledger?.entries.find((one) => one.task === id);
  const doneWhen = ledger?.details.find((one) => one.task === id)?.doneWhen;
  const title = entry?.title ?? id;
  return bareTask(id, { title, doneWhen: doneWhen ?? title, checks: entry?.checks ?? [], covers: entry?.covers ?? [] });
}

function bareTask(id: string, entry: { title: string; doneWhen: string; checks: string[]; covers: string[] }): PlanTask {
  const { title, doneWhen, checks, covers } = entry;
  return {
    id,
    title,
    line: 1,
    lines: { covers: 1, dependsOn: 1, performer: 1 },
    task: `Do what ${id} left undone: ${title}.`,
    doneWhen,
    checks,
    covers,
    dependsOn: [],
    writes: null,
    // Nobody knows whether it may be done twice (R3).
    repeatable: false,
    unknown: [],
    stray: [],
  };
}
