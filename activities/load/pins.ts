import { isAbsolute, join, normalize, relative } from 'node:path';
import picomatch from 'picomatch';
import { parseCheck } from '../../documents/check-line.js';
import { checksOf, type PlanDocument, type PlanTask } from '../../documents/plan.js';
import type { Disk } from '../files/disk.js';
import type { Place } from '../interface.js';
import type { Texts } from '../texts.js';
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
export type PinnedFor = Pick<PlanTask, 'id' | 'task' | 'doneWhen' | 'writes' | 'checks' | 'dependsOn'>;

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

/** Existing regular files inside the workspace that a `run:` command names as a word, and schemas. */
async function namedByChecks(pinning: Pinning, tasks: readonly PinnedFor[]): Promise<string[]> {
  const byId = new Map(tasks.map((task) => [task.id, task]));
  const real = new Map<string, Promise<string | null>>();
  const paths = new Set<string>();
  for (const task of tasks) {
    for (const word of task.checks.flatMap(namesIn)) {
      const found = real.get(word) ?? fileInside(pinning, word);
      real.set(word, found);
      const path = await found;
      if (path === null || paths.has(path) || mayChange(task, byId, path)) continue;
      paths.add(path);
    }
  }
  return [...paths];
}

/** Words of a check that may be the names of files. */
function namesIn(check: string): string[] {
  const parsed = parseCheck(check, { file: '', line: 0 }).check;
  if (parsed === null) return [];
  if (parsed.kind === 'run') return wordsOf(parsed.command);
  if (parsed.kind === 'file' && parsed.expect.is === 'json' && parsed.expect.schema !== null) return [parsed.expect.schema];
  return [];
}

/** As a shell would cut it, near enough: quotes hold a word together, operators end it, `--config=a.json` names a.json as well. */
export function wordsOf(command: string): string[] {
  const words: string[] = [];
  for (const [, single, double, bare] of command.matchAll(/'([^']*)'|"((?:[^"\\]|\\.)*)"|((?:[^\s'"|&;<>()\\]|\\.)+)/g)) {
    const word = single ?? double?.replace(/\\(.)/g, '$1') ?? bare?.replace(/\\(.)/g, '$1') ?? '';
    words.push(word);
    const value = /^[^=]+=(.+)$/.exec(word)?.[1];
    if (value !== undefined) words.push(value);
  }
  return words.filter((word) => word !== '' && !word.includes('\0'));
}

/** The path as the workspace names it, or null where no regular file of it stands there. */
async function fileInside({ disk, workspace }: Pinning, word: string): Promise<string | null> {
  const path = isAbsolute(word) ? normalize(word) : join(workspace, word);
  if (!isInside(workspace, path)) return null;
  const real = await disk.real(path);
  if (real === null || !isInside(workspace, real) || isInside(join(workspace, '.donewhen'), real)) return null;
  return (await disk.standing(real))?.kind === 'file' ? relative(workspace, path) : null;
}

/** Whether this task, or one it waits for, says that the file is its own to change. */
function mayChange(task: PinnedFor, byId: ReadonlyMap<string, PinnedFor>, path: string): boolean {
  const seen = new Set<string>();
  const queue = [task];
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    if (seen.has(next.id)) continue;
    seen.add(next.id);
    if (declares(next, path)) return true;
    for (const id of next.dependsOn) {
      const before = byId.get(id);
      if (before !== undefined) queue.push(before);
    }
  }
  return false;
}

/** `Writes` matches it, or `Task` or `Done when` names it. */
export function declares(task: Pick<PlanTask, 'task' | 'doneWhen' | 'writes'>, path: string): boolean {
  if (task.writes?.some((glob) => picomatch.isMatch(path, glob.replace(/^\.\//, ''), { dot: true })) === true) return true;
  const name = new RegExp(`(^|[^\\w./-])(\\./)?${path.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?![\\w/-]|\\.\\w)`);
  return name.test(task.task) || name.test(task.doneWhen);
}
