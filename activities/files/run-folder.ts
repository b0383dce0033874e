import { dirname, isAbsolute, join, relative, sep } from 'node:path';
import type { Place } from '../interface.js';
import { nameBeside } from './beside.js';
import type { Disk } from './disk.js';
import { writeWhole, writing } from './whole.js';

/** `<workspace>/.donewhen/<slug>`, which git never sees: the folder of all runs ignores itself (I03). Making it twice is one. */
export async function makeRunFolder(disk: Disk, place: Pick<Place, 'folder'>): Promise<void> {
  await writing(place.folder, () => disk.makeFolder(place.folder));
  const ignore = join(dirname(place.folder), '.gitignore');
  if ((await disk.standing(ignore)) === null) await writeWhole(disk, ignore, '*\n');
}

/**
 * Makes a folder of ours of which no part below the workspace is a link (F05). What a performer put in its place goes: a
 * link is removed, for it holds nothing; anything else is saved beside.
 */
export async function makeRealFolder(disk: Disk, folder: string, workspace: string): Promise<void> {
  const below = relative(workspace, folder);
  if (below.startsWith('..') || isAbsolute(below)) return disk.makeFolder(folder);
  let at = workspace;
  for (const name of below.split(sep)) {
    at = join(at, name);
    const found = await disk.standing(at);
    if (found?.kind === 'folder') continue;
    if (found?.kind === 'link') await disk.remove(at);
    else if (found !== null) await disk.rename(at, await nameBeside(disk, at));
    await disk.makeFolder(at);
  }
}
