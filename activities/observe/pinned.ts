import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { lstat, readdir, realpath } from 'node:fs/promises';
import { join, normalize, relative, sep } from 'node:path';
import picomatch from 'picomatch';
import type { CheckInput, Place } from '../interface.js';
import { wordsOf } from '../load/pins.js';
import { checkOf } from './look.js';

/** Pinned files that are not what they were when the run began, and that this task had no right to change (R17, A21). */
export async function tamperedFiles({ place, writes, planSha256 }: Pick<CheckInput, 'place' | 'writes' | 'planSha256'>): Promise<string[]> {
  const isOwn = picomatch(
    (writes ?? []).map((glob) => glob.replace(/^\.\//, '')),
    { dot: true },
  );
  const changed: string[] = [];
  for (const { path, sha256 } of place.pinned) {
    const own = writes !== null && writes.length > 0 && isOwn(path);
    if (own) continue;
    const now = await hashAt(join(place.workspace, path));
    if (now === sha256 || (isPlan(place, path) && (await isPlanOfOurs(place, planSha256, now)))) continue;
    changed.push(path);
  }
  return changed;
}

/** Which of the changed files decides this check: a word of its command, or its schema. */
export function decidingFile(line: string, changed: readonly string[], workspace: string): string | null {
  const check = checkOf(line);
  if (check === null) return null;
  const named = namesIn(check).map((name) => (name.startsWith(sep) ? relative(workspace, name) : normalize(name)));
  return changed.find((path) => named.includes(normalize(path))) ?? null;
}

function namesIn(check: NonNullable<ReturnType<typeof checkOf>>): string[] {
  if (check.kind === 'run') return wordsOf(check.command);
  if (check.kind === 'file' && check.expect.is === 'json' && check.expect.schema !== null) return [check.expect.schema];
  return [];
}

function isPlan(place: Place, path: string): boolean {
  return join(place.workspace, path) === join(place.out, 'PLAN.md');
}

/** After a replan the plan on disk is a later one, which we wrote. */
async function isPlanOfOurs(place: Place, planSha256: string | null, now: string | null): Promise<boolean> {
  if (now === null) return false;
  if (now === planSha256) return true;
  const names = await readdir(place.folder).catch(() => []);
  for (const name of names.filter((one) => /^plan-\d+\.md$/.test(one))) if ((await hashAt(join(place.folder, name))) === now) return true;
  return false;
}

/** null: no regular file of the workspace any more. A link counts as what it leads to, as it did when it was pinned. */
async function hashAt(path: string): Promise<string | null> {
  try {
    const real = await realpath(path);
    if (!(await lstat(real)).isFile()) return null;
    const hash = createHash('sha256');
    for await (const chunk of createReadStream(real)) hash.update(chunk as Buffer);
    return hash.digest('hex');
  } catch {
    return null;
  }
}
