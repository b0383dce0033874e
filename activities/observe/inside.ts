import { constants, type Stats } from 'node:fs';
import { lstat, open, realpath } from 'node:fs/promises';
import { basename, join, sep } from 'node:path';
import { codeOf } from '../files/disk.js';

/** What a path of the workspace leads to, links followed, looked at anew each time (F05). */
export type Found =
  | { is: 'file'; real: string; bytes: number }
  | { is: 'other'; what: string }
  | { is: 'absent' }
  | { is: 'leaves' }
  | { is: 'unknown'; why: string };

export const LEAVES = 'leaves the workspace';

export async function findInside(workspace: string, path: string): Promise<Found> {
  try {
    const real = await realpath(join(workspace, path));
    if (real !== workspace && !real.startsWith(`${workspace}${sep}`)) return { is: 'leaves' };
    if (!(await isSpelledSo(workspace, path))) return { is: 'absent' };
    const stats = await lstat(real);
    return stats.isFile() ? { is: 'file', real, bytes: stats.size } : { is: 'other', what: kindOf(stats) };
  } catch (error) {
    return absentOrUnknown(error);
  }
}

/** The bytes of a file that was found, or null where it is too large to be read into memory or no regular file any more. */
export async function readFound(found: { real: string }, bytesMax: number): Promise<Buffer | null> {
  // Somebody may have put a pipe in its place meanwhile, which would never end.
  const handle = await open(found.real, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const stats = await handle.stat();
    return stats.isFile() && stats.size <= bytesMax ? await handle.readFile() : null;
  } finally {
    await handle.close();
  }
}

function absentOrUnknown(error: unknown): Found {
  switch (codeOf(error)) {
    case 'ENOENT':
    case 'ENOTDIR':
    case 'ELOOP':
    case 'ENAMETOOLONG':
      return { is: 'absent' };
    case 'EACCES':
    case 'EPERM':
      return { is: 'unknown', why: 'permission denied' };
    default:
      return { is: 'unknown', why: error instanceof Error ? error.message : String(error) };
  }
}

function kindOf(stats: Stats): string {
  return stats.isDirectory() ? 'a folder' : 'not a regular file';
}

/**
 * On a disk that knows no case, `readme.md` leads to README.md, and elsewhere to nothing: a path that differs from what
 * stands there only by case counts as absent everywhere.
 */
async function isSpelledSo(workspace: string, path: string): Promise<boolean> {
  let at = workspace;
  for (const name of path.split('/').filter((part) => part !== '' && part !== '.')) {
    at = join(at, name);
    if (name === '..' || (await lstat(at)).isSymbolicLink()) continue;
    if (differsOnlyByCase(name, basename(await realpath(at)))) return false;
  }
  return true;
}

export function differsOnlyByCase(asked: string, real: string): boolean {
  // macOS composes and decomposes accents; that is no other name.
  const [one, other] = [asked.normalize('NFC'), real.normalize('NFC')];
  return one !== other && one.toLowerCase() === other.toLowerCase();
}
