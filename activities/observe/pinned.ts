import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { lstat, readdir, readFile, realpath } from 'node:fs/promises';
import { isAbsolute, join, normalize, relative } from 'node:path';
import type { CheckInput, Place } from '../interface.js';
import { namedBy, SCRIPT_BYTES_MAX, sourcedBy } from '../load/named.js';

/** Of pinned files that are no longer what they were: what each of them is now, by its path. null: no regular file. */
export type Changed = Record<string, string | null>;

/** Pinned files that are not what they were when the run began, without those that were to be changed (R17, A21). */
export async function changedPins(
  { place, planSha256 }: Pick<CheckInput, 'place' | 'planSha256'>,
  isDeclared: (path: string) => Promise<boolean>,
): Promise<Changed> {
  const changed: Changed = {};
  for (const { path, sha256 } of place.pinned) {
    const now = await hashAt(join(place.workspace, path));
    if (now === sha256 || (isPlan(place, path) && (await isPlanOfOurs(place, planSha256, now)))) continue;
    if (!(await isDeclared(path))) changed[path] = now;
  }
  return changed;
}

/** Which of the changed files decides this check: a word of its command, what a script that it names reads in, or its schema. */
export async function decidingFile(line: string, changed: readonly string[], workspace: string): Promise<string | null> {
  if (changed.length === 0) return null;
  const named = namedBy(line).map((name) => pathIn(workspace, name));
  const direct = changed.find((path) => named.includes(normalize(path)));
  if (direct !== undefined) return direct;
  for (const name of named) {
    const file = join(workspace, name);
    const sourced = sourcedBy(file, await scriptAt(file)).map((one) => pathIn(workspace, one));
    const found = changed.find((path) => sourced.includes(normalize(path)));
    if (found !== undefined) return found;
  }
  return null;
}

function pathIn(workspace: string, name: string): string {
  return isAbsolute(name) ? relative(workspace, name) : normalize(name);
}

async function scriptAt(file: string): Promise<string> {
  const stats = await lstat(file).catch(() => null);
  return stats?.isFile() === true && stats.size <= SCRIPT_BYTES_MAX ? readFile(file, 'utf8').catch(() => '') : '';
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
