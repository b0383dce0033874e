import { createHash } from 'node:crypto';
import { dirname, isAbsolute, join, normalize, relative } from 'node:path';
import picomatch from 'picomatch';
import { glob } from 'tinyglobby';
import type { ArtifactDemand, SeenArtifact } from '../../core/methods/pipeline-values.js';
import type { Disk } from '../files/disk.js';
import { isInside } from '../load/workspace.js';
import { isOurs, recordIn } from '../observe/ours.js';

/** Never a step's work: git's own, and what a run keeps; its record neither. */
const NOBODYS = ['.git', '.donewhen'];

/** Paths of artifacts with what they hold; a folder by all of its files. */
export type Baseline = Record<string, string>;

/** A file or a folder of the workspace as it is now. `before` is for whoever has the baseline. */
export type Sight = Pick<SeenArtifact, 'path' | 'is' | 'sha256'>;

export interface Workspace {
  disk: Disk;
  workspace: string;
  /** Where the record is written. */
  out: string;
}

/** What the patterns of a step match now, relative to the workspace; folders for patterns that end in a slash. */
export async function matchesOf({ workspace, out }: Pick<Workspace, 'workspace' | 'out'>, pattern: string): Promise<string[]> {
  const plain = withoutDot(pattern);
  const onlyDirectories = plain.endsWith('/');
  const found = await glob(onlyDirectories ? plain.slice(0, -1) : plain, {
    cwd: workspace,
    dot: true,
    followSymbolicLinks: false,
    expandDirectories: false,
    ...(onlyDirectories ? { onlyDirectories: true } : {}),
    ignore: NOBODYS.map((name) => `${name}/**`),
  });
  return found
    .map(withoutSlash)
    .filter((path) => !isNobodys(path) && !isRecord(join(workspace, path), out))
    .sort();
}

/** Everything that a step's patterns match, hashed. */
export async function baselineOf(at: Workspace, demands: readonly ArtifactDemand[], signal: AbortSignal): Promise<Baseline> {
  const baseline: Baseline = {};
  for (const { pattern } of demands) {
    for (const path of await matchesOf(at, pattern)) {
      signal.throwIfAborted();
      const { sha256 } = await sightOf(at, path, { isFolder: pattern.endsWith('/') });
      if (sha256 !== null) baseline[path] = sha256;
    }
  }
  return baseline;
}

/** `listed` is judged by where it really is: `outside` also through a link. `isFolder` null: either may stand there. */
export async function sightOf(at: Workspace, listed: string, { isFolder }: { isFolder: boolean | null }): Promise<Sight> {
  try {
    return await look(at, listed, isFolder);
  } catch {
    return { path: listed, is: 'unobservable', sha256: null };
  }
}

async function look({ disk, workspace, out }: Workspace, listed: string, isFolder: boolean | null): Promise<Sight> {
  const path = pathIn(workspace, listed);
  const nothing = (is: SeenArtifact['is'], name = path ?? listed): Sight => ({ path: name, is, sha256: null });
  if (path === null || isNobodys(path)) return nothing('outside', listed);
  const file = join(workspace, path);
  if (isRecord(file, out)) return nothing('outside');
  const real = await disk.real(file);
  if (real === null) return nothing('missing');
  if (!isInside(workspace, real) || isNobodys(relative(workspace, real)) || isRecord(real, out)) return nothing('outside');
  // Below a folder that is a link the patterns look at nothing, so that nobody would know what lay there before.
  if ((await disk.real(dirname(file))) !== dirname(file)) return nothing('irregular');
  const kind = (await disk.standing(real))?.kind;
  if (kind === 'folder' && isFolder !== false) {
    const { sha256, isEmpty } = await folderHash({ disk, out }, real);
    return { path, is: isEmpty ? 'empty' : 'there', sha256 };
  }
  if (kind !== 'file' || isFolder === true) return nothing('irregular');
  const bytes = (await disk.standing(real))?.bytes ?? 0;
  return { path, is: bytes === 0 ? 'empty' : 'there', sha256: await disk.sha256(real) };
}

/** null: it leaves the workspace by its name already. */
export function pathIn(workspace: string, listed: string): string | null {
  if (listed.trim() === '' || listed.includes('\0')) return null;
  const file = normalize(isAbsolute(listed) ? listed : join(workspace, listed));
  const path = withoutSlash(relative(workspace, withoutSlash(file)));
  return path === '' || path === '..' || path.startsWith('../') || isAbsolute(path) ? null : path;
}

export function isMatch(path: string, pattern: string): boolean {
  return picomatch.isMatch(path, withoutSlash(withoutDot(pattern)), { dot: true });
}

async function folderHash({ disk, out }: Pick<Workspace, 'disk' | 'out'>, folder: string): Promise<{ sha256: string; isEmpty: boolean }> {
  const files = (await glob('**/*', { cwd: folder, dot: true, followSymbolicLinks: false, expandDirectories: false })).sort();
  const hash = createHash('sha256');
  let isEmpty = true;
  for (const name of files) {
    const standing = await disk.standing(join(folder, name));
    if (standing?.kind !== 'file' || isRecord(join(folder, name), out)) continue;
    if (standing.bytes > 0) isEmpty = false;
    hash.update(`${JSON.stringify(name)} ${await disk.sha256(join(folder, name))}\n`);
  }
  return { sha256: hash.digest('hex'), isEmpty };
}

function isRecord(path: string, out: string): boolean {
  return isOurs(path, { written: recordIn(out), putBack: [] });
}

function isNobodys(path: string): boolean {
  return NOBODYS.includes(path.split('/')[0] ?? '');
}

function withoutDot(path: string): string {
  return path.replace(/^(?:\.\/)+/, '');
}

function withoutSlash(path: string): string {
  return path.replace(/\/+$/, '');
}
