import { dirname, join, relative } from 'node:path';
import { nameBeside } from '../files/beside.js';
import { codeOf, type Disk } from '../files/disk.js';
import { writeWhole, writing } from '../files/whole.js';
import type { Place } from '../interface.js';
import { isInside } from '../load/workspace.js';
import { sha256Of } from '../texts.js';

/**
 * Saves what we did not write beside, before we write in its place (R17): `LEDGER.found-20260301T101500Z.md`, named
 * after the time at which somebody wrote it. `names` has every file saved for this write, also by a try of the same write
 * that died after saving: a note of it is kept before anything is moved.
 */
export interface Aside {
  save(path: string): Promise<void>;
  names(): string[];
}

export async function openAside(disk: Disk, place: Place, write: string): Promise<Aside> {
  const note = join(place.folder, 'found', `${sha256Of(write).slice(0, 32)}.json`);
  const names = await notedNames(disk, note);
  const shown = (path: string) => (isInside(place.workspace, path) ? relative(place.workspace, path) : path);
  return {
    names: () => [...names],
    save: async (path) => {
      const beside = await nameBeside(disk, path);
      if (!names.includes(shown(beside))) {
        names.push(shown(beside));
        if ((await disk.standing(dirname(note))) === null) await writing(note, () => disk.makeFolder(dirname(note)));
        await writeWhole(disk, note, JSON.stringify(names));
      }
      await writing(beside, () => moveAside(disk, path, beside));
    },
  };
}

async function notedNames(disk: Disk, note: string): Promise<string[]> {
  const content = (await disk.standing(note))?.kind === 'file' ? await disk.read(note) : null;
  if (content === null) return [];
  try {
    const value: unknown = JSON.parse(content.toString('utf8'));
    return Array.isArray(value) ? value.filter((name) => typeof name === 'string') : [];
  } catch {
    return [];
  }
}

/** A file gets a second name, so that its own is never empty; anything else that stands there is moved. */
async function moveAside(disk: Disk, path: string, beside: string): Promise<void> {
  const found = await disk.standing(path);
  if (found === null) return;
  if (found.kind !== 'file') await disk.rename(path, beside);
  else if ((await disk.standing(beside)) === null) await linkOrCopy(disk, path, beside);
  await disk.sync(dirname(path));
}

async function linkOrCopy(disk: Disk, path: string, beside: string): Promise<void> {
  try {
    await disk.link(path, beside);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return;
    // A disk without second names, or one that gives none to this file.
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'EMLINK', 'ENOSYS', 'EXDEV'].includes(codeOf(error) ?? '')) throw error;
    const content = await disk.read(path);
    if (content !== null) await writeWhole(disk, beside, content);
  }
}
