import { constants } from 'node:fs';
import { copyFile, lstat, mkdir, mkdtemp, readdir, readlink, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Look } from '../../core/values.js';
import { createDisk } from '../files/disk.js';
import { makeRealFolder } from '../files/real-folder.js';
import type { Place } from '../interface.js';
import { type LookContext, unobservable } from './context.js';
import { lineIn, lookAt, lookOf } from './look.js';

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

export interface CopyScene {
  place: Place;
  context: LookContext;
  scratchLimits?: ScratchLimits;
}

/** Looks with a check in a scratch copy, of which nothing is left afterwards. */
export async function lookInCopy(
  line: string,
  originals: Original[],
  { place, context, scratchLimits = SCRATCH_LIMITS }: CopyScene,
): Promise<Look> {
  const unknown = (why: string) => lookOf(line, unobservable(why), context.secrets);
  try {
    const scratch = await openScratch(place, originals, scratchLimits);
    try {
      const inCopy = lineIn(line, context.workspace, scratch.dir);
      return (await lookAt(inCopy, { ...context, workspace: scratch.dir })) ?? unknown('only a person can look');
    } finally {
      await scratch.end();
    }
  } catch (error) {
    if (error instanceof ScratchTooLarge) return unknown(error.message);
    throw error;
  }
}

/** What a file was before; null: not there. */
export interface Original {
  path: string;
  content: Uint8Array | null;
}

/**
 * A copy of the workspace in which the given files are what they were before. It stands in the run's folder, on the
 * same disk, where a copy costs least. Throws ScratchTooLarge; `end` removes it.
 */
export async function openScratch(
  place: Place,
  originals: Original[],
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
