import { copyFile, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { codeOf } from '../files/disk.js';
import type { Place } from '../interface.js';
import { someOf } from '../load/words.js';
import { isInside } from '../load/workspace.js';
import type { LookContext } from './context.js';
import { git } from './git-command.js';
import { isOurs } from './ours.js';
import { committedBetween, type TreeState, topOf, treeState, type Unknown } from './tree-state.js';
import { type Change, changesBetween } from './write-set.js';

/** What a role that only reads, or writes little, is held against; null: there is no repository, and nothing is compared. */
type Before = TreeState | Unknown | null;

/** What was seen of it, once: whoever asks for the answer again must not be told of what others wrote since. */
interface Seen {
  deviation: string | null;
}

/** What is to be set aside, and how HEAD was moved meanwhile, in words. */
interface Found {
  changes: Change[];
  moved: string | null;
}

export interface Watched {
  place: Place;
  /** The folder of the attempt, where this is kept. */
  dir: string;
  role: string;
  /** What it writes all the same; absent: it only reads. */
  may?: { write(path: string): boolean; words: string };
}

const BEFORE = 'before.json';
const SEEN = 'seen.json';
/** What is to be set aside, before anything is moved: who dies over it is gone on from. */
const FOUND = 'found.json';
/** What was not committed when it began, as it was; gone when it has ended. */
const COPIES = 'before';
const SET_ASIDE = 'set-aside';

/** Keeps what stands in the workspace before such a role begins. A second time it changes nothing. */
export async function keepBefore({ dir }: Watched, context: LookContext): Promise<void> {
  if ((await kept<Before>(dir, BEFORE)) !== undefined) return;
  const top = topOf(context.workspace);
  const before: Before = top === null ? null : await treeState(top, context);
  await mkdir(join(dir, COPIES), { recursive: true, mode: 0o700 });
  if (top !== null && before !== null && !('unknown' in before)) {
    for (const [path, { print }] of Object.entries(before.changed)) {
      if (isPrintOfFile(print) && !isOurs(join(top, path), context.ours))
        await copyFile(join(top, path), join(dir, COPIES, print)).catch(() => undefined);
    }
  }
  await keep(dir, BEFORE, before);
}

/** What the role changed that it was not to write, in words; what can be put back is put back, and what it wrote is kept. null: nothing. */
export async function seenOfReader(watched: Watched, context: LookContext): Promise<string | null> {
  const { dir } = watched;
  const earlier = await kept<Seen>(dir, SEEN);
  if (earlier !== undefined) return earlier.deviation;
  const before = await kept<Before>(dir, BEFORE);
  const deviation = before === undefined || before === null ? null : await deviationOf(before, watched, context);
  await keep(dir, SEEN, { deviation } satisfies Seen);
  await rm(join(dir, COPIES), { recursive: true, force: true });
  return deviation;
}

async function deviationOf(before: TreeState | Unknown, watched: Watched, context: LookContext): Promise<string | null> {
  const { role, may, dir } = watched;
  const does = may?.words ?? 'only reads';
  const top = topOf(context.workspace);
  const found = await kept<Found>(dir, FOUND);
  if (found !== undefined && top !== null && !('unknown' in before)) return asideWords(found, { before, top, watched, context });
  const after = top === null ? { unknown: 'the repository is gone' } : await treeState(top, context);
  if ('unknown' in before || 'unknown' in after || top === null)
    return `whether the ${role}, which ${does}, changed a file could not be seen: ${whyUnseen(before, after)}`;
  const committed = await committedBetween(before.head, after.head, { ...context, workspace: top });
  const moved = before.head === after.head ? null : `moved HEAD from ${before.head} to ${after.head}, which is left as it is`;
  if ('unknown' in committed) return `the ${role}, which ${does}, ${moved}; what it committed could not be seen: ${committed.unknown}`;
  const changes = await changesBetween(before, after, { committed, top });
  const theirs = changes.filter((change) => {
    const path = join(top, change.path);
    return isInside(context.workspace, path) && !isOurs(path, context.ours) && may?.write(relative(context.workspace, path)) !== true;
  });
  if (theirs.length === 0) return moved === null ? null : `the ${role}, which ${does}, ${moved}`;
  const all: Found = { changes: theirs, moved };
  await keep(dir, FOUND, all);
  return asideWords(all, { before, top, watched, context });
}

/** A commit stands, as history does; its files are put back where the work goes on, as if it had not been made. */
async function asideWords({ changes, moved }: Found, scene: Scene): Promise<string> {
  const { top, watched, context } = scene;
  const names = changes.map(({ path }) => relative(context.workspace, join(top, path)));
  const left = await setAside(changes, scene);
  const where = relative(watched.place.folder, join(watched.dir, SET_ASIDE));
  const did = `the ${watched.role}, which ${watched.may?.words ?? 'only reads'}, ${moved === null ? '' : `${moved}, and `}changed ${someOf(names)}`;
  return `${did}; set aside in ${where}${left.length === 0 ? '' : `, but left as it is: ${someOf(left)}`}`;
}

function whyUnseen(before: TreeState | Unknown, after: TreeState | Unknown): string {
  if ('unknown' in before) return before.unknown;
  return 'unknown' in after ? after.unknown : 'the repository is gone';
}

interface Scene {
  before: TreeState;
  top: string;
  watched: Watched;
  context: LookContext;
}

/** What could not be put back, by its path. */
async function setAside(changes: Change[], scene: Scene): Promise<string[]> {
  const left: string[] = [];
  for (const { path } of changes) if (!(await putBack(path, scene))) left.push(path);
  return left;
}

/** What is put back is at hand before anything is moved. */
async function putBack(path: string, { before, top, watched, context }: Scene): Promise<boolean> {
  const was = before.changed[path];
  const file = join(top, path);
  const copy = join(watched.dir, COPIES, was?.print ?? '');
  const isCommitted = was === undefined && before.head !== null && (await isIn(before.head, path, { ...context, workspace: top }));
  if (was !== undefined && was.print !== 'absent' && !(isPrintOfFile(was.print) && (await isThere(copy)))) return false;
  const aside = join(watched.dir, SET_ASIDE, path);
  // What stands there already is what it wrote; the file may be put back by now.
  if (!(await isThere(aside))) await moveTo(file, aside);
  if (was !== undefined && was.print !== 'absent') await copyFile(copy, file);
  if (!isCommitted) return true;
  const put = await git(['-c', 'core.hooksPath=/dev/null', 'checkout', '-q', before.head ?? '', '--', path], {
    ...context,
    workspace: top,
  });
  return put.end.is === 'exited' && put.end.code === 0;
}

async function isIn(head: string, path: string, whole: LookContext): Promise<boolean> {
  const { end } = await git(['cat-file', '-e', `${head}:${path}`], whole);
  return end.is === 'exited' && end.code === 0;
}

async function moveTo(file: string, aside: string): Promise<void> {
  await mkdir(dirname(aside), { recursive: true, mode: 0o700 });
  try {
    await rename(file, aside);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return;
    if (codeOf(error) !== 'EXDEV') throw error;
    await copyFile(file, aside);
    await rm(file);
  }
}

function isPrintOfFile(print: string): boolean {
  return /^[0-9a-f]{64}$/.test(print);
}

async function isThere(file: string): Promise<boolean> {
  return readFile(file).then(
    () => true,
    () => false,
  );
}

async function keep(dir: string, name: string, value: Before | Seen | Found): Promise<void> {
  const draft = join(dir, `${name}.${process.pid}`);
  await writeFile(draft, JSON.stringify(value), { mode: 0o600 });
  await rename(draft, join(dir, name));
}

/** undefined: it was never kept. */
async function kept<T extends Before | Seen | Found>(dir: string, name: string): Promise<T | undefined> {
  try {
    const value: T = JSON.parse(await readFile(join(dir, name), 'utf8'));
    return value;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}
