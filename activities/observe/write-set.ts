import { join, relative } from 'node:path';
import { matchesWrites } from '../load/declared.js';
import { someOf } from '../load/words.js';
import { isInside } from '../load/workspace.js';
import type { LookContext } from './context.js';
import { isOurs } from './ours.js';
import { committedBetween, printOf, type TreeState, topOf, treeState, type Unknown } from './tree-state.js';

/** What an attempt did to the workspace, as far as git shows it. */
export interface Written {
  /** In words: what it wrote that its `Writes` do not name. */
  deviations: string[];
  /** In words: what is gone that was there before it (seed 002 §5: never left implicit). */
  destroyed: string[];
}

export interface WriteSets {
  /** Of the task; empty: it only reads. */
  own: readonly string[];
  /** Of tasks that may have worked at the same time. */
  others: readonly string[];
  /** Changed too, and reported as what they are. */
  tampered: readonly string[];
}

/** What changed since the base was taken (A08), held against what the task says it writes (I08). */
export async function writtenSince(before: TreeState | Unknown, sets: WriteSets, context: LookContext): Promise<Written> {
  const top = topOf(context.workspace);
  if ('unknown' in before) return unseen(before.unknown);
  const after = top === null ? { unknown: 'the repository is gone' } : await treeState(top, context);
  if (top === null || 'unknown' in after) return unseen('unknown' in after ? after.unknown : 'the repository is gone');
  const committed = await committedBetween(before.head, after.head, context);
  if ('unknown' in committed) return unseen(committed.unknown);
  const changes = await changesBetween(before, after, { committed, top });
  const inside = changes.flatMap((change) => {
    const path = join(top, change.path);
    const name = relative(context.workspace, path);
    if (!isInside(context.workspace, path) || isOurs(path, context.ours) || sets.tampered.includes(name)) return [];
    return [{ ...change, path: name }];
  });
  const outside = inside.filter(({ path }) => !matchesWrites(path, sets.own) && !matchesWrites(path, sets.others));
  return {
    deviations: outside.length === 0 ? [] : [outsideWords(outside, sets.own)],
    destroyed: [...listed('removed', inside, 'removed'), ...listed('lost, what was not committed of', inside, 'lost')],
  };
}

function unseen(why: string): Written {
  return { deviations: [`whether it wrote outside its Writes could not be seen: ${why}`], destroyed: [] };
}

export interface Change {
  path: string;
  how: 'written' | 'removed' | 'lost';
}

export async function changesBetween(
  before: TreeState,
  after: TreeState,
  { committed, top }: { committed: ReadonlyMap<string, string>; top: string },
): Promise<Change[]> {
  const changes: Change[] = [];
  for (const path of new Set([...Object.keys(before.changed), ...Object.keys(after.changed), ...committed.keys()])) {
    const was = before.changed[path];
    const is = after.changed[path];
    const now = is?.print ?? (await printOf(join(top, path)));
    if (was !== undefined && was.print === now) continue;
    const stood = was === undefined ? (is?.tracked ?? true) && committed.get(path) !== 'A' : was.print !== 'absent';
    if (now === 'absent') {
      if (stood) changes.push({ path, how: 'removed' });
    } else changes.push({ path, how: was !== undefined && is === undefined && !committed.has(path) ? 'lost' : 'written' });
  }
  return changes.sort((a, b) => (a.path < b.path ? -1 : 1));
}

function outsideWords(outside: Change[], own: readonly string[]): string {
  const names = someOf(outside.map(({ path }) => path));
  // Nobody saw who did it: what changed meanwhile is all that can be said.
  const set = own.length === 0 ? 'although it writes nothing' : `outside its Writes (${someOf([...own])})`;
  return `${set}, changed while it worked: ${names}`;
}

function listed(words: string, changes: Change[], how: Change['how']): string[] {
  const paths = changes.filter((change) => change.how === how).map(({ path }) => path);
  return paths.length === 0 ? [] : [`${words} ${someOf(paths)}`];
}
