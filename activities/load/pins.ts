import { isAbsolute, join, relative } from 'node:path';
import { checksOf, type PlanDocument } from '../../documents/plan.js';
import type { Disk } from '../files/disk.js';
import type { Place } from '../interface.js';
import type { Texts } from '../texts.js';
import { type Declaring, mayChange } from './declared.js';
import { namedBy, SCRIPT_BYTES_MAX, sourcedBy } from './named.js';
import { isInside } from './workspace.js';

/** A larger file is pinned by its hash alone: it can be seen to have changed, not be put back. */
export const PINNED_BYTES_MAX = 32 * 1024 * 1024;

/** Of all files together. */
const KEPT_BYTES_MAX = 256 * 1024 * 1024;
/** R15: they travel with every move of a run. */
export const PINS_MAX = 250;

export interface Pinning {
  disk: Disk;
  texts: Texts;
  workspace: string;
}

/**
 * Pins what decides whether a task is done (R17, A21): each file that a check names, unless the task itself, or one it
 * waits for, is there to change it. Their content is kept, so that a check can be run with what the plan began with.
 */
export async function pinned(
  pinning: Pinning,
  files: { ours: string[]; plan: PlanDocument },
): Promise<{ pins: Place['pinned']; warnings: string[] }> {
  return pinnedFiles(pinning, { ours: files.ours, tasks: files.plan.tasks.map((task) => ({ ...task, checks: checksOf(task) })) });
}

/** What a task's checks name, and what it says that it writes itself. */
export type PinnedFor = Declaring & { checks: readonly string[] };

export async function pinnedFiles(
  pinning: Pinning,
  files: { ours: string[]; tasks: readonly PinnedFor[] },
): Promise<{ pins: Place['pinned']; warnings: string[] }> {
  const pins: Place['pinned'] = [];
  const warnings: string[] = [];
  const named = await namedByChecks(pinning, files.tasks);
  const known = [...new Set([...files.ours.map((path) => relative(pinning.workspace, path)), ...named])];
  if (known.length > PINS_MAX)
    warnings.push(`${known.length} files decide checks; only the first ${PINS_MAX} of them are watched for changes`);
  let room = KEPT_BYTES_MAX;
  for (const path of known.slice(0, PINS_MAX)) {
    const pin = await pinOf(pinning, path, room);
    if (pin === null) continue;
    pins.push({ path, sha256: pin.sha256 });
    room -= pin.kept;
    if (pin.kept < pin.bytes)
      warnings.push(`${path} decides a check and is too large to be kept: a change of it is seen, but cannot be undone`);
  }
  return { pins, warnings };
}

/** `kept`: how many of its bytes; all or none. */
async function pinOf(
  { disk, texts, workspace }: Pinning,
  path: string,
  room: number,
): Promise<{ sha256: string; bytes: number; kept: number } | null> {
  const file = join(workspace, path);
  const real = await disk.real(file);
  const standing = real === null ? null : await disk.standing(real);
  if (standing?.kind !== 'file') return null;
  const { bytes } = standing;
  if (bytes > PINNED_BYTES_MAX || bytes > room) return { sha256: await disk.sha256(file), bytes, kept: 0 };
  const content = await disk.read(file);
  return content === null ? null : { sha256: await texts.put(content), bytes, kept: bytes };
}

/** Existing regular files inside the workspace that a `run:` command names as a word, what such a script reads in, and schemas. */
async function namedByChecks(pinning: Pinning, tasks: readonly PinnedFor[]): Promise<string[]> {
  const byId = new Map(tasks.map((task) => [task.id, task]));
  const found = new Map<string, Promise<string[]>>();
  const paths = new Set<string>();
  for (const task of tasks) {
    for (const name of task.checks.flatMap(namedBy)) {
      const files = found.get(name) ?? filesBehind(pinning, name);
      found.set(name, files);
      for (const path of await files) if (!paths.has(path) && !mayChange(task.id, byId, path)) paths.add(path);
    }
  }
  return [...paths];
}

/** The file of that name, and what it reads in. */
async function filesBehind(pinning: Pinning, name: string): Promise<string[]> {
  const path = await fileInside(pinning, name);
  if (path === null) return [];
  const file = join(pinning.workspace, path);
  const bytes = (await pinning.disk.standing((await pinning.disk.real(file)) ?? file))?.bytes ?? 0;
  const text = bytes > SCRIPT_BYTES_MAX ? null : ((await pinning.disk.read(file))?.toString('utf8') ?? null);
  const sourced = text === null ? [] : await Promise.all(sourcedBy(file, text).map((one) => fileInside(pinning, one)));
  return [path, ...sourced.filter((one) => one !== null)];
}

/** The path as the workspace names it, or null where no regular file of it stands there. */
async function fileInside({ disk, workspace }: Pinning, word: string): Promise<string | null> {
  const path = isAbsolute(word) ? word : join(workspace, word);
  if (!isInside(workspace, path)) return null;
  const real = await disk.real(path);
  if (real === null || !isInside(workspace, real) || isInside(join(workspace, '.donewhen'), real)) return null;
  return (await disk.standing(real))?.kind === 'file' ? relative(workspace, path) : null;
}
