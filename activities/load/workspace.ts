import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { isAbsolute, join, sep } from 'node:path';
import type { Disk } from '../files/disk.js';
import type { StartInput } from '../interface.js';
import { cloneInto } from './clone.js';
import { git } from './git.js';
import { someOf } from './words.js';
import type { Workspace, WorkspacePorts } from './workspace-ports.js';

const STATUS_TIMEOUT_MS = 60_000;

/** The real path of the workspace of a start: the given folder, a clone, or a folder of our own. Doing it twice is one. */
export async function openWorkspace(ports: WorkspacePorts, slug: string, wanted: StartInput['workspace']): Promise<Workspace> {
  const own = join(ports.home, 'runs', slug);
  if (wanted === undefined) return ownFolder(ports.disk, own);
  if ('git' in wanted) return cloneInto(ports, { url: wanted.git, ref: wanted.ref ?? null, folder: join(own, 'work') });
  return givenFolder(ports.disk, wanted.path);
}

async function ownFolder(disk: Disk, path: string): Promise<Workspace> {
  await disk.makeFolder(path);
  return { is: 'open', path: (await disk.real(path)) ?? path };
}

async function givenFolder(disk: Disk, path: string): Promise<Workspace> {
  const refused = (why: string): Workspace => ({ is: 'refused', problem: `workspace ${shown(path)} ${why}` });
  if (path === '' || path.includes('\0')) return refused('is no path; give the absolute path of a folder');
  if (!isAbsolute(path)) return refused('is relative; give the absolute path of a folder');
  const real = await disk.real(path);
  if (real === null) {
    const encoded = /%[0-9a-f]{2}/i.test(path) ? '; it looks percent-encoded: give the plain path' : '; make it, or give another';
    return refused(`does not exist${encoded}`);
  }
  if ((await disk.standing(real))?.kind !== 'folder') return refused('is no folder; give the absolute path of a folder');
  if (real === sep) return refused('is the root of the disk; give a folder of its own');
  try {
    await access(real, constants.W_OK);
  } catch {
    return refused('is not writable; give this worker the right to write there, or give another');
  }
  return { is: 'open', path: real };
}

function shown(path: string): string {
  return JSON.stringify(path.length > 200 ? `${path.slice(0, 200)}…` : path);
}

/** Whether `path` is `folder` or lies in it; both real. */
export function isInside(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

/** For the report, where it is allowed. */
export function dirtyWords(dirty: string[]): string {
  return `the run began beside changes that were not committed, and nobody can tell them from its work: ${someOf(dirty)}`;
}

/** Why a start is refused there, and the way out; null: nothing is in its way. */
export function uncommittedWords(workspace: string, dirty: string[] | null): string | null {
  if (dirty === null || dirty.length === 0) return null;
  return `${workspace} has changes that are not committed (${someOf(dirty)}); commit them, or start with --allow-dirty`;
}

/**
 * Tracked files with changes that nobody committed: after a run nobody could tell them from its work. null: no git
 * workspace, nothing to protect. `ours` never counts: plan, record and configuration may change under our hands.
 */
export async function uncommitted(
  ports: Pick<WorkspacePorts, 'environment'>,
  workspace: string,
  ours: (path: string) => boolean,
): Promise<string[] | null> {
  const run = { cwd: workspace, environment: ports.environment, timeoutMs: STATUS_TIMEOUT_MS };
  const top = await git(run, ['rev-parse', '--show-toplevel']);
  if (top.code !== 0) return null;
  const root = top.stdout.replace(/\n$/, '');
  const status = await git(run, [
    'status',
    '--porcelain=v1',
    '-z',
    '--untracked-files=no',
    '--no-renames',
    '--ignore-submodules=dirty',
    '--',
    '.',
  ]);
  if (status.code !== 0) return [`(git status failed: ${status.stderr.trim().split('\n')[0] ?? ''})`];
  return status.stdout
    .split('\0')
    .filter((line) => line.length > 3)
    .map((line) => line.slice(3))
    .filter((path) => !ours(join(root, path)));
}
