import { isAbsolute, join, relative, sep } from 'node:path';
import { nameBeside } from './beside.js';
import type { Disk } from './disk.js';

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
