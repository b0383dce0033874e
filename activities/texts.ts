import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path';
import { ApplicationFailure } from '@temporalio/common';
import type { Disk } from './files/disk.js';
import { writeWhole, writing } from './files/whole.js';

/** The type of the failure for a kept text that is gone or is not what was kept. */
export const DAMAGED_TEXT = 'DamagedText';

const SHA256 = /^[0-9a-f]{64}$/;

/**
 * The long texts of a run, by the sha256 of their content, under `<folder>/texts/`. Putting the same text twice is one
 * file; what comes back is what was put, or a failure that names the file (R17: a performer may have been there).
 */
export interface Texts {
  put(content: string | Uint8Array): Promise<string>;
  text(sha256: string): Promise<string>;
  bytes(sha256: string): Promise<Buffer>;
  /** Whether this very content was kept before. */
  has(sha256: string): Promise<boolean>;
  path(sha256: string): string;
}

export function textsIn(disk: Disk, folder: string): Texts {
  const texts = join(folder, 'texts');
  const path = (sha256: string) => {
    if (!SHA256.test(sha256)) throw new Error(`not a sha256: ${sha256.slice(0, 80)}`);
    return join(texts, sha256);
  };
  const bytes = (sha256: string) => kept(disk, path(sha256), sha256);
  const has = async (sha256: string) => {
    const content = await readable(disk, path(sha256));
    return content !== null && sha256Of(content) === sha256;
  };
  return {
    put: async (content) => {
      const raw = typeof content === 'string' ? Buffer.from(content) : content;
      const sha256 = sha256Of(raw);
      if (!(await has(sha256))) await place(disk, path(sha256), raw);
      // A writer before us may have died before the name was durable.
      else await writing(path(sha256), () => disk.sync(texts));
      return sha256;
    },
    text: async (sha256) => (await bytes(sha256)).toString('utf8'),
    bytes,
    has,
    path,
  };
}

export function sha256Of(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}

async function place(disk: Disk, path: string, content: Uint8Array): Promise<void> {
  if ((await disk.standing(dirname(path))) === null) await writing(path, () => disk.makeFolder(dirname(path)));
  const inTheWay = await disk.standing(path);
  if (inTheWay !== null && inTheWay.kind !== 'file') await disk.remove(path);
  await writeWhole(disk, path, content);
}

async function kept(disk: Disk, path: string, sha256: string): Promise<Buffer> {
  const content = await readable(disk, path);
  if (content === null) throw damaged(`${path} is gone`);
  if (sha256Of(content) !== sha256) throw damaged(`${path} is not what was kept there`);
  return content;
}

/** null where no regular file stands: a folder, a pipe or a device in its place is as good as nothing. */
async function readable(disk: Disk, path: string): Promise<Buffer | null> {
  const found = await disk.standing(path);
  return found?.kind === 'file' ? disk.read(path) : null;
}

function damaged(what: string): ApplicationFailure {
  return ApplicationFailure.create({
    message: `${what}; put the file back, or start afresh with --again`,
    type: DAMAGED_TEXT,
    nonRetryable: false,
  });
}

export function isDamaged(error: unknown): boolean {
  return error instanceof ApplicationFailure && error.type === DAMAGED_TEXT;
}
