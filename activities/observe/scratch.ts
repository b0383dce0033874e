import { constants } from 'node:fs';
import { copyFile, lstat, mkdir, mkdtemp, readdir, readlink, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createDisk } from '../files/disk.js';
import { makeRealFolder } from '../files/real-folder.js';
import type { Place } from '../interface.js';

/** What a scratch copy may take; a larger workspace is not copied, and then nobody knows. */
export interface ScratchLimits {
  bytesMax: number;
  filesMax: number;
}

export const SCRATCH_LIMITS: ScratchLimits = { bytesMax: 1024 * 1024 * 1024, filesMax: 50_000 };

/** Installed things are large, and no check's own text: a link to them does. */
const LINKED = new Set(['node_modules', '.venv']);
const EXECUTABLE = 0o755;
/** Our own records, the scratch copies among them. */
const LEFT_OUT = new Set(['.donewhen']);

export class ScratchTooLarge extends Error {}

const disk = createDisk();

/**
 * A copy of the workspace in which the given files are what they were before; null: not there. It stands in the run's folder, on the
 * same disk, where a copy costs least. Throws ScratchTooLarge; `end` removes it.
 */
export async function openScratch(
  place: Place,
  originals: { path: string; content: Uint8Array | null }[],
  limits: ScratchLimits = SCRATCH_LIMITS,
): Promise<{ dir: string; end(): Promise<void> }> {
  const parent = join(place.folder, 'scratch');
  await makeRealFolder(disk, parent, place.workspace);
  const dir = await mkdtemp(join(parent, 'copy-'));
  const end = () => rm(dir, { recursive: true, force: true, maxRetries: 3 });
  try {
    await copyFolder({ from: place.workspace, to: dir, left: { bytes: limits.bytesMax, files: limits.filesMax } });
    for (const { path, content } of originals) {
      const file = join(dir, path);
      // A folder that a performer made a link leads out of the copy.
      await makeRealFolder(disk, dirname(file), dir);
      // A script that is started by its name stays one that can be.
      const mode = (await disk.standing(file))?.mode ?? EXECUTABLE;
      await rm(file, { recursive: true, force: true });
      if (content !== null) await writeFile(file, content, { mode });
    }
    return { dir, end };
  } catch (error) {
    await end();
    throw error;
  }
}

interface Copying {
  from: string;
  to: string;
  left: { bytes: number; files: number };
}

async function copyFolder({ from, to, left }: Copying): Promise<void> {
  for (const entry of await readdir(from, { withFileTypes: true })) {
    if (LEFT_OUT.has(entry.name)) continue;
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory() && LINKED.has(entry.name)) {
      await symlink(source, target);
    } else if (entry.isDirectory()) {
      await mkdir(target);
      await copyFolder({ from: source, to: target, left });
    } else if (entry.isSymbolicLink()) {
      await symlink(await readlink(source), target);
    } else if (entry.isFile()) {
      left.files -= 1;
      left.bytes -= (await lstat(source)).size;
      if (left.files < 0 || left.bytes < 0) throw new ScratchTooLarge('the workspace is too large to be copied');
      await copyFile(source, target, constants.COPYFILE_FICLONE);
    }
  }
}
