import type { Disk } from '../files/disk.js';
import { sweepUnfinished, writeWhole, writing } from '../files/whole.js';
import type { RecordState } from '../interface.js';
import { sha256Of } from '../texts.js';
import type { Aside } from './aside.js';

const TAIL_BYTES = 4 * 1024;
/** No entry is larger (R15), so more than this behind our end is not ours. */
const SURPLUS_BYTES_MAX = 1024 * 1024;

/** How the file ends when nobody but us wrote it. */
export type Ending = Pick<RecordState, 'bytes' | 'tail'>;

export function endingOf(text: string): Ending {
  const bytes = Buffer.from(text);
  return { bytes: bytes.length, tail: tailOf(bytes) };
}

function tailOf(bytes: Buffer): string {
  return sha256Of(bytes.subarray(Math.max(0, bytes.length - TAIL_BYTES)));
}

/**
 * Grows the file by an addition, if it ends as we left it; a part of the addition that an interrupted try of this write
 * left is completed. null: it does not end so, and nothing was done. What is added may depend on how the file ends.
 */
export async function grow(
  disk: Disk,
  path: string,
  left: Ending,
  addition: (end: string) => string,
): Promise<(Ending & { added: Buffer }) | null> {
  const found = await endAt(disk, path, left);
  if (found === null) return null;
  const more = Buffer.from(addition(found.tail.subarray(-1).toString('latin1')));
  const there = found.surplus.length > more.length ? null : written(found.surplus, more);
  if (there === null) return null;
  await writing(path, async () => {
    if (there < found.surplus.length) await disk.cut(path, left.bytes + there);
    if (there === more.length) return;
    try {
      await disk.append(path, more.subarray(there));
    } catch (error) {
      // What a full disk took of it is given back, so that the file stays as it was.
      await disk.cut(path, left.bytes).catch(() => undefined);
      throw error;
    }
  });
  return { bytes: left.bytes + more.length, tail: tailOf(Buffer.concat([found.tail, more])), added: more };
}

/** The end of the file, split where we left it; null where that is not our end. */
async function endAt(disk: Disk, path: string, left: Ending): Promise<{ tail: Buffer; surplus: Buffer } | null> {
  const standing = await disk.standing(path);
  if (standing?.kind !== 'file' || standing.bytes < left.bytes || standing.bytes > left.bytes + SURPLUS_BYTES_MAX) return null;
  const from = Math.max(0, left.bytes - TAIL_BYTES);
  const end = await disk.readPart(path, from, standing.bytes - from);
  const tail = end.subarray(0, left.bytes - from);
  return sha256Of(tail) === left.tail ? { tail, surplus: end.subarray(left.bytes - from) } : null;
}

/** How much of the addition stands there. A power cut may leave zeros for the rest. null: something else stands there. */
function written(surplus: Buffer, addition: Buffer): number | null {
  let there = 0;
  while (there < surplus.length && surplus[there] === addition[there]) there += 1;
  return surplus.subarray(there).every((byte) => byte === 0) ? there : null;
}

/**
 * Writes the file whole. What stands there and is neither `old` nor an interrupted growth of it is not ours, and is saved
 * beside first. null for `old`: nothing of ours stands there.
 */
export async function rewrite(disk: Disk, path: string, texts: { old: string | null; next: string }, aside: Aside): Promise<Ending> {
  const next = Buffer.from(texts.next);
  const standing = await disk.standing(path);
  // A larger one is not ours, and need not be read to know it.
  const current =
    standing?.kind === 'file' && standing.bytes <= Math.max(next.length, texts.old?.length ?? 0) * 4 ? await disk.read(path) : null;
  if (current === null || !current.equals(next)) {
    const ours = standing === null || (current !== null && texts.old !== null && isOurs(current, Buffer.from(texts.old), next));
    if (!ours) await aside.save(path);
    await sweepUnfinished(disk, path);
    await writeWhole(disk, path, next);
  }
  return { bytes: next.length, tail: tailOf(next) };
}

function isOurs(current: Buffer, old: Buffer, next: Buffer): boolean {
  if (current.equals(old)) return true;
  if (current.length <= old.length || !current.subarray(0, old.length).equals(old)) return false;
  return next.subarray(0, old.length).equals(old) && written(current.subarray(old.length), next.subarray(old.length)) !== null;
}
