import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path';
import { ApplicationFailure } from '@temporalio/common';
import type { Disk } from './files/disk.js';
import { writeWhole, writing } from './files/whole.js';
import type { Place } from './interface.js';

/** The type of the failure for a kept text that is gone or is not what was kept. */
export const DAMAGED_TEXT = 'DamagedText';

const SHA256 = /^[0-9a-f]{64}$/;

/**
 * The long texts of a run, by the sha256 of their content, under `<folder>/texts/`. Putting the same text twice is one
 * file; what comes back is what was put, or a failure that names the file (R17: a performer may have been there). What
 * was cleared away with the workspace comes back from the spare place.
 */
export interface Texts {
  put(content: string | Uint8Array): Promise<string>;
  text(sha256: string): Promise<string>;
  bytes(sha256: string): Promise<Buffer>;
  /** Whether this very content was kept before. */
  has(sha256: string): Promise<boolean>;
  path(sha256: string): string;
}

export function textsOf(disk: Disk, place: Pick<Place, 'folder' | 'spare'>): Texts {
  const texts = join(place.folder, 'texts');
  const path = (sha256: string) => join(texts, checked(sha256));
  const spare = (sha256: string) => (place.spare === undefined ? null : join(place.spare, checked(sha256)));
  const bytes = async (sha256: string) => {
    const content = await whole(disk, path(sha256), sha256);
    if (content !== null) return content;
    const second = spare(sha256);
    const saved = second === null ? null : await whole(disk, second, sha256);
    if (saved === null) throw await damaged(disk, path(sha256));
    await keep(disk, path(sha256), saved);
    return saved;
  };
  return {
    put: async (content) => {
      const raw = typeof content === 'string' ? Buffer.from(content) : content;
      const sha256 = sha256Of(raw);
      if ((await whole(disk, path(sha256), sha256)) === null) await keep(disk, path(sha256), raw);
      // A writer before us may have died before the name was durable.
      else await writing(path(sha256), () => disk.sync(texts));
      await keepSpare(disk, spare(sha256), raw);
      return sha256;
    },
    text: async (sha256) => (await bytes(sha256)).toString('utf8'),
    bytes,
    has: async (sha256) => (await whole(disk, path(sha256), sha256)) !== null,
    path,
  };
}

export function sha256Of(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}

function checked(sha256: string): string {
  if (!SHA256.test(sha256)) throw new Error(`not a sha256: ${sha256.slice(0, 80)}`);
  return sha256;
}

async function keep(disk: Disk, path: string, content: Uint8Array): Promise<void> {
  if ((await disk.standing(dirname(path))) === null) await writing(path, () => disk.makeFolder(dirname(path)));
  const inTheWay = await disk.standing(path);
  if (inTheWay !== null && inTheWay.kind !== 'file') await disk.remove(path);
  await writeWhole(disk, path, content);
}

/** The spare is worth no failure: whatever is wrong with its disk, the text itself is kept. */
async function keepSpare(disk: Disk, path: string | null, content: Uint8Array): Promise<void> {
  if (path === null) return;
  try {
    if ((await disk.standing(dirname(path))) === null) await disk.makeFolder(dirname(path));
    if ((await disk.standing(path))?.bytes !== content.length) await disk.jot(path, content);
  } catch {
    // Without it a run is as safe as its workspace.
  }
}

/** null where no regular file stands, or another content: a folder, a pipe or a device in its place is as good as nothing. */
async function whole(disk: Disk, path: string, sha256: string): Promise<Buffer | null> {
  const found = await disk.standing(path);
  const content = found?.kind === 'file' ? await disk.read(path) : null;
  return content !== null && sha256Of(content) === sha256 ? content : null;
}

async function damaged(disk: Disk, path: string): Promise<ApplicationFailure> {
  const what = (await disk.standing(path))?.kind === 'file' ? 'is not what was kept there' : 'is gone';
  return ApplicationFailure.create({
    message: `${path} ${what}; put the file back, or start afresh with --again`,
    type: DAMAGED_TEXT,
    nonRetryable: false,
  });
}

export function isDamaged(error: unknown): boolean {
  return error instanceof ApplicationFailure && error.type === DAMAGED_TEXT;
}
