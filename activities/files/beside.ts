import { basename, dirname, extname, join } from 'node:path';
import type { Disk } from './disk.js';

const NAMES_MAX = 100;
/** Two larger ones of one size and one time are taken for the same. */
const COMPARED_BYTES_MAX = 64 * 1024 * 1024;

/** The name under which what somebody else wrote is saved: `LEDGER.found-20260301T101500Z.md`, after the time at which it was written. */
export async function nameBeside(disk: Disk, path: string): Promise<string> {
  const changedAtMs = (await disk.standing(path))?.changedAtMs ?? 0;
  const time = new Date(changedAtMs).toISOString().replace(/[-:]|\.\d+/g, '');
  const ending = extname(path);
  const stem = basename(path, ending);
  for (let number = 1; number <= NAMES_MAX; number += 1) {
    const name = join(dirname(path), `${stem}.found-${time}${number === 1 ? '' : `-${number}`}${ending}`);
    if ((await disk.standing(name)) === null || (await isSame(disk, path, name))) return name;
  }
  throw new Error(`${NAMES_MAX} files stand beside ${path}, found at the same time; move them away`);
}

async function isSame(disk: Disk, one: string, other: string): Promise<boolean> {
  const [a, b] = [await disk.standing(one), await disk.standing(other)];
  if (a?.kind !== 'file' || b?.kind !== 'file' || a.bytes !== b.bytes) return false;
  if (a.inode === b.inode || a.bytes > COMPARED_BYTES_MAX) return true;
  const [left, right] = [await disk.read(one), await disk.read(other)];
  return left !== null && right !== null && left.equals(right);
}
