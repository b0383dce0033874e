import { randomBytes } from 'node:crypto';
import { basename, dirname, join } from 'node:path';
import { ApplicationFailure } from '@temporalio/common';
import { codeOf, type Disk } from './disk.js';
import { faultWords } from './faults.js';

/** The type of the failure for a disk that does not take what we write. It is retried: somebody makes room, and the run goes on. */
export const CANNOT_WRITE = 'CannotWrite';

/** Tells this process from an earlier one with the same number, as it is usual in containers. */
const BOOT = randomBytes(4).toString('hex');
let written = 0;

/**
 * Writes a file whole: a reader sees the old content or the new one, never a part, also after a power cut. What is not
 * written leaves the old file as it was.
 */
export async function writeWhole(disk: Disk, path: string, content: string | Uint8Array, mode?: number): Promise<void> {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  const folder = dirname(path);
  written += 1;
  const beside = join(folder, `.${basename(path)}.${process.pid}-${BOOT}-${written}.tmp`);
  await writing(path, async () => {
    try {
      await disk.create(beside, bytes, mode);
      await disk.rename(beside, path);
    } catch (error) {
      await disk.remove(beside).catch(() => undefined);
      throw error;
    }
    await disk.sync(folder);
  });
}

/** `.LEDGER.md.17-0a1b2c3d-4.tmp` is on its way to be `LEDGER.md`. null: it has no such name. */
export function originalOfDraft(path: string): string | null {
  const name = /^\.(.+)\.\d+-[0-9a-f]{8}-\d+\.tmp$/.exec(basename(path))?.[1];
  return name === undefined ? null : join(dirname(path), name);
}

/** Removes what a writer of ours that died half-way left beside its file. */
export async function sweepUnfinished(disk: Disk, path: string): Promise<void> {
  const mine = new RegExp(`^\\.${basename(path).replaceAll('.', '\\.')}\\.(\\d+)-([0-9a-f]{8})-\\d+\\.tmp$`);
  for (const name of await disk.names(dirname(path))) {
    const [, pid, boot] = mine.exec(name) ?? [];
    if (pid !== undefined && !(boot === BOOT || isAlive(Number(pid)))) await disk.remove(join(dirname(path), name));
  }
}

function isAlive(pid: number): boolean {
  if (pid === process.pid) return false; // Another boot of the same number.
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}

/** Turns a fault of the disk into a failure that names the file and the way out. Anything else passes through. */
export async function writing<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const why = faultWords(error);
    if (why === null) throw error;
    throw ApplicationFailure.create({
      message: `${basename(path)} cannot be written (${path}): ${why}`,
      type: CANNOT_WRITE,
      nonRetryable: false,
      cause: error instanceof Error ? error : undefined,
    });
  }
}
