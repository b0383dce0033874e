import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { lstat, readlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { CommandResult } from '../process/wire.js';
import type { LookContext } from './context.js';
import { PLAIN } from './git-command.js';
import { commandSettings } from './run.js';

/** What git says of a workspace at one moment: enough to tell later what was changed since. */
export interface TreeState {
  /** null: nothing is committed yet. */
  head: string | null;
  /** Paths from the top of the repository that differ from HEAD. */
  changed: Record<string, ChangedPath>;
}

export interface ChangedPath {
  /** Of what stands there: a hash, the target of a link, `folder`, or `absent`. */
  print: string;
  /** HEAD has it. */
  tracked: boolean;
}

/** Why nothing can be said. */
export interface Unknown {
  unknown: string;
}

/** More files than these were changed before anybody began: it would take too long to look at each. */
export const CHANGED_PATHS_MAX = 5_000;
/** A larger file is told by its size and time. */
const HASHED_BYTES_MAX = 16 * 1024 * 1024;
const OUTPUT_BYTES_MAX = 2 * 1024 * 1024;
const GIT_MS_MAX = 60_000;
const QUIET = { GIT_OPTIONAL_LOCKS: '0', GIT_TERMINAL_PROMPT: '0', LC_ALL: 'C' };

/** The top of the repository that the workspace lies in; null: there is none. */
export function topOf(workspace: string): string | null {
  for (let folder = workspace; ; folder = dirname(folder)) {
    if (existsSync(join(folder, '.git'))) return folder;
    if (dirname(folder) === folder) return null;
  }
}

export async function treeState(top: string, context: LookContext): Promise<TreeState | Unknown> {
  const status = await git(['status', '--porcelain=v2', '--branch', '-z', '--untracked-files=all', '--no-renames', '--', '.'], context);
  const said = whyUnknown(status);
  if (said !== null) return { unknown: said };
  const { head, paths } = readStatus(status.text);
  if (paths.length > CHANGED_PATHS_MAX) return { unknown: `more than ${CHANGED_PATHS_MAX} files are changed already` };
  const changed: TreeState['changed'] = {};
  for (const { path, tracked } of paths) changed[path] = { print: await printOf(join(top, path)), tracked };
  return { head, changed };
}

/** `<state> NUL <path> NUL` of everything that two commits have differently; the empty tree stands for none. */
export async function committedBetween(
  before: string | null,
  after: string | null,
  context: LookContext,
): Promise<Map<string, string> | Unknown> {
  if (before === after) return new Map();
  const range = [before ?? EMPTY_TREE, after ?? EMPTY_TREE];
  const diff = await git(['diff', '--name-status', '-z', '--no-renames', '--no-ext-diff', ...range, '--', '.'], context);
  const said = whyUnknown(diff);
  if (said !== null) return { unknown: said };
  const fields = diff.text.split('\0');
  const found = new Map<string, string>();
  for (let at = 0; at + 1 < fields.length; at += 2) found.set(fields[at + 1] ?? '', fields[at] ?? '');
  return found;
}

const EMPTY_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';

function git(args: string[], context: LookContext): Promise<CommandResult> {
  const settings = commandSettings(context);
  return context.run({
    ...settings,
    program: { argv: ['git', ...PLAIN, ...args] },
    cwd: context.workspace,
    env: { ...settings.env, ...QUIET },
    timeoutMs: Math.min(settings.timeoutMs, GIT_MS_MAX),
    headBytes: OUTPUT_BYTES_MAX,
    tailBytes: 0,
  });
}

function whyUnknown({ end, errors, bytes }: CommandResult): string | null {
  if (end.is !== 'exited') return `git was not done in time (${end.is})`;
  if (end.code !== 0) return `git exits ${end.code}: ${errors.trim().split('\n')[0] ?? ''}`;
  return bytes > OUTPUT_BYTES_MAX ? `more than ${CHANGED_PATHS_MAX} files are changed` : null;
}

function readStatus(text: string): { head: string | null; paths: { path: string; tracked: boolean }[] } {
  let head: string | null = null;
  const paths: { path: string; tracked: boolean }[] = [];
  for (const line of text.split('\0')) {
    const oid = /^# branch\.oid ([0-9a-f]+)$/.exec(line)?.[1];
    if (oid !== undefined) head = oid;
    const ordinary = /^1 \S+ \S+ \S+ \S+ \S+ (\S+) \S+ ([\s\S]+)$/.exec(line);
    const unmerged = /^u(?: \S+){9} ([\s\S]+)$/.exec(line);
    if (ordinary !== null) paths.push({ path: ordinary[2] ?? '', tracked: !/^0+$/.test(ordinary[1] ?? '') });
    else if (unmerged !== null) paths.push({ path: unmerged[1] ?? '', tracked: true });
    else if (line.startsWith('? ')) paths.push({ path: line.slice(2), tracked: false });
  }
  return { head, paths };
}

export async function printOf(path: string): Promise<string> {
  try {
    const found = await lstat(path);
    if (found.isSymbolicLink()) return `link ${await readlink(path)}`;
    if (!found.isFile()) return found.isDirectory() ? 'folder' : 'special';
    if (found.size > HASHED_BYTES_MAX) return `${found.size} bytes, ${found.mtimeMs}`;
    const hash = createHash('sha256');
    for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
    return hash.digest('hex');
  } catch {
    return 'absent';
  }
}
