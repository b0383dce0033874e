import { dirname, join, resolve } from 'node:path';
import { ApplicationFailure } from '@temporalio/common';
import { CANNOT_WRITE, writeWhole, writing } from '../files/whole.js';
import { isInside } from '../load/workspace.js';
import { isDamaged, sha256Of } from '../texts.js';
import { pathOf, type Session } from './session.js';

/** A file larger than any that we write is not ours, and need not be read to know it. */
const OURS_BYTES_MAX = 64 * 1024 * 1024;

/**
 * Puts back pinned files that an attempt changed (R17): the plan as it stands now, anything else as the run began. What is
 * there instead is saved beside. LEDGER.md and REPORT.md are put back by their own writers.
 */
export async function restore(session: Session, paths: string[]): Promise<void> {
  const { place, texts } = session;
  for (const name of paths) {
    const path = resolve(place.workspace, name);
    const isPlan = path === pathOf(place, 'PLAN.md');
    const sha256 = isPlan ? await planNow(session, name) : pinOf(session, name);
    if (sha256 === null) continue;
    const content = await texts.bytes(sha256).catch((error: unknown) => lost(error, isPlan));
    if (content !== null) await putBack(session, path, content);
  }
}

/** What a check rests on and is kept nowhere any more cannot be put back, and holds up no record: no look believes the check. */
function lost(error: unknown, isPlan: boolean): null {
  if (isPlan || !isDamaged(error)) throw error;
  return null;
}

function pinOf(session: Session, name: string): string | null {
  return session.place.pinned.find((pin) => pin.path === name)?.sha256 ?? null;
}

async function planNow(session: Session, name: string): Promise<string | null> {
  const newest = (await session.links()).findLast((link) => link.is === 'plan');
  return newest?.is === 'plan' ? newest.sha256 : pinOf(session, name);
}

/**
 * Writes a text of ours to its place. What stands there and was never kept in the run's folder is somebody else's, and is
 * saved beside first.
 */
export async function putBack(session: Session, path: string, content: Buffer): Promise<void> {
  const { disk } = session;
  await stayInside(session, path);
  const standing = await disk.standing(path);
  if ((await currentAt(session, path))?.equals(content) === true) return;
  await saveForeign(session, path);
  await writeWhole(disk, path, content, standing?.kind === 'file' ? standing.mode : undefined);
}

/** Saves beside what stands at a place of ours and was never kept in the run's folder. */
export async function saveForeign(session: Session, path: string): Promise<void> {
  if ((await session.disk.standing(path)) === null) return;
  const current = await currentAt(session, path);
  const isOurs = current !== null && (await session.texts.has(sha256Of(current)));
  if (!isOurs) await session.aside.save(path);
}

async function currentAt({ disk }: Session, path: string): Promise<Buffer | null> {
  const standing = await disk.standing(path);
  return standing?.kind === 'file' && standing.bytes <= OURS_BYTES_MAX ? disk.read(path) : null;
}

/** F05: the folder of a file may have become a link that leads out since the run began. */
async function stayInside({ disk, place }: Session, path: string): Promise<void> {
  const folder = dirname(path);
  if ((await disk.standing(folder)) === null) await writing(path, () => disk.makeFolder(folder));
  const real = await disk.real(folder);
  if (real !== null && (isInside(place.workspace, real) || isInside(place.out, real))) return;
  throw ApplicationFailure.create({
    message: `${path} cannot be put back: ${folder} now leads to ${real ?? 'nowhere'}; put the folder back and the run goes on by itself`,
    type: CANNOT_WRITE,
    nonRetryable: false,
  });
}

/** `<folder>/<name>`, for files that are ours alone. */
export function inFolder(session: Session, name: string): string {
  return join(session.place.folder, name);
}
