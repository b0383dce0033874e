import { realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isInside } from '../load/workspace.js';
import { sha256Of } from '../texts.js';
import { disproved, holds, type LookContext, type Sight, unobservable } from './context.js';
import { codeOf, failed, git, isCut, unwatched } from './git-command.js';
import { isOurs } from './ours.js';

const NAMES_SHOWN = 3;

/**
 * Whether nothing differs from what is committed. Whoever works in a repository can tell git what not to look at: what is
 * hidden by more than the .gitignore files, which are themselves looked at, is nothing that anybody saw (R11).
 */
export async function lookForChanges(context: LookContext): Promise<Sight> {
  const top = await git(['rev-parse', '--show-toplevel'], context);
  if (codeOf(top) !== 0) return failed(top, context);
  const root = top.text.replace(/\n$/, '');
  if (!isInside(await realpath(root).catch(() => root), context.workspace))
    return unobservable(`git is told to look elsewhere (core.worktree): ${root}`);
  const whole = { ...context, workspace: root };
  const status = await git(['status', '--porcelain=v1', '-z', '--untracked-files=no', '--ignore-submodules=none'], whole);
  const untracked = await git(['ls-files', '-z', '--others', '--exclude-standard'], whole);
  const others = await git(['ls-files', '-z', '--others', '--exclude-per-directory=.gitignore'], whole);
  const skipped = await unwatched(whole);
  const results = [status, untracked, others, skipped];
  const broken = results.find((result) => codeOf(result) !== 0);
  if (broken !== undefined) return failed(broken, context);
  const theirs = (paths: string[]) => paths.filter((path) => !isOurs(join(root, path), context.ours));
  const changed = theirs([...changedPaths(status.text), ...names(untracked.text)]);
  if (changed.length > 0) {
    const lines = changed.join('\n');
    return disproved(`${changed.length} changed: ${shown(changed)}`, { output: lines, excerpt: lines, sha256: sha256Of(lines) });
  }
  if (results.some(isCut)) return unobservable('git says more than can be read');
  const asleep = theirs(skipped.text.split('\n').flatMap((line) => (line === '' ? [] : [line.slice(2)])));
  if (asleep.length > 0) return unobservable(`git is told not to look (assume-unchanged, skip-worktree): ${shown(asleep)}`);
  const excluded = theirs(names(others.text));
  if (excluded.length > 0) return unobservable(`hidden by .git/info/exclude or core.excludesFile, not by a .gitignore: ${shown(excluded)}`);
  return (await lostHistory(context)) ?? (await hiddenByItself(whole)) ?? holds('clean', { sha256: status.sha256 });
}

/** Made anew, a repository is always clean. */
async function lostHistory(context: LookContext): Promise<Sight | null> {
  const { headBefore } = context;
  if (headBefore === undefined) return null;
  const there = await git(['cat-file', '-e', `${headBefore}^{commit}`], context);
  return codeOf(there) === 0 ? null : unobservable(`the commit that stood here before the work is gone (${headBefore.slice(0, 12)})`);
}

/** A folder that ignores all of itself is a cache; one that git keeps files of is none, and its ignore file is not committed. */
async function hiddenByItself(whole: LookContext): Promise<Sight | null> {
  const ignored = await git(['status', '--porcelain=v1', '-z', '--untracked-files=all', '--ignored=matching'], whole);
  if (codeOf(ignored) !== 0) return failed(ignored, whole);
  const files = names(ignored.text).filter((line) => /^!! (.*\/)?\.gitignore$/.test(line));
  for (const file of files.map((line) => line.slice(3)).filter((path) => !isOurs(join(whole.workspace, path), whole.ours))) {
    const kept = await git(['ls-files', '-z', '--', dirname(file)], whole);
    if (codeOf(kept) !== 0) return failed(kept, whole);
    if (kept.text !== '') return unobservable(`hidden by an ignore file that is not committed: ${file}`);
  }
  return null;
}

function names(text: string): string[] {
  return text.split('\0').filter((name) => name !== '');
}

function shown(paths: readonly string[]): string {
  return `${paths.slice(0, NAMES_SHOWN).join(', ')}${paths.length > NAMES_SHOWN ? ', …' : ''}`;
}

/** `XY path`, NUL after each; a rename is followed by the path that it had. */
function changedPaths(status: string): string[] {
  const fields = status.split('\0');
  const paths: string[] = [];
  for (let index = 0; index < fields.length; index += 1) {
    const field = fields[index] ?? '';
    if (field.length < 4) continue;
    paths.push(field.slice(3));
    if (/[RC]/.test(field.slice(0, 2))) {
      index += 1;
      paths.push(fields[index] ?? '');
    }
  }
  return paths.filter((path) => path !== '');
}
