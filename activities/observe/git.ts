import { join } from 'node:path';
import type { GitExpectation } from '../../documents/check.js';
import type { CommandResult } from '../process/wire.js';
import { disproved, holds, type LookContext, quote, type Sight, unobservable } from './context.js';
import { isOurs } from './ours.js';
import { commandSettings, unfinished } from './run.js';

/** What git needs to look without waiting, writing or translating. */
const QUIET = { GIT_OPTIONAL_LOCKS: '0', GIT_TERMINAL_PROMPT: '0', GIT_LITERAL_PATHSPECS: '1', LC_ALL: 'C' };
const NAMES_SHOWN = 3;

/** Read from git itself, each time (A01, A18): not from what somebody says of it. */
export function lookAtGit(expect: GitExpectation, context: LookContext): Promise<Sight> {
  switch (expect.is) {
    case 'clean':
      return lookForChanges(context);
    case 'commit':
      return lookForCommit(expect.rev, context);
    case 'tracked':
      return lookForTracked(expect.path, context);
  }
}

async function lookForChanges(context: LookContext): Promise<Sight> {
  const top = await git(['rev-parse', '--show-toplevel'], context);
  if (codeOf(top) !== 0) return failed(top, context);
  const status = await git(['status', '--porcelain=v1', '-z', '--untracked-files=all'], context);
  if (codeOf(status) !== 0) return failed(status, context);
  const root = top.text.replace(/\n$/, '');
  const changed = changedPaths(status.text).filter((path) => !isOurs(join(root, path), context.ours));
  if (changed.length === 0) return holds('clean', { sha256: status.sha256 });
  const shown = changed.slice(0, NAMES_SHOWN).join(', ');
  const saw = `${changed.length} changed: ${shown}${changed.length > NAMES_SHOWN ? ', …' : ''}`;
  return disproved(saw, { output: changed.join('\n'), excerpt: changed.join('\n'), sha256: status.sha256 });
}

/** `XY path`, NUL after each; a rename is followed by the path that it had. */
export function changedPaths(status: string): string[] {
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

async function lookForCommit(rev: string, context: LookContext): Promise<Sight> {
  const named = await git(['rev-parse', '--verify', '--quiet', '--end-of-options', `${rev}^{commit}`], context);
  if (codeOf(named) === 1) return disproved(`no commit ${quote(rev)}`);
  if (codeOf(named) !== 0) return failed(named, context);
  const commit = named.text.trim();
  const short = commit.slice(0, 12);
  const reachable = await git(['merge-base', '--is-ancestor', commit, 'HEAD'], context);
  if (codeOf(reachable) === 0) return holds(`commit ${short}, reachable`);
  return codeOf(reachable) === 1 ? disproved(`commit ${short} is not reachable from HEAD`) : failed(reachable, context);
}

async function lookForTracked(path: string, context: LookContext): Promise<Sight> {
  const listed = await git(['ls-files', '--error-unmatch', '-z', '--', path], context);
  if (codeOf(listed) === 0) return holds('tracked');
  return codeOf(listed) === 1 ? disproved('not tracked') : failed(listed, context);
}

function git(args: string[], context: LookContext): Promise<CommandResult> {
  const settings = commandSettings(context);
  return context.run({ ...settings, program: { argv: ['git', ...args] }, cwd: context.workspace, env: { ...settings.env, ...QUIET } });
}

function codeOf(result: CommandResult): number | null {
  return result.end.is === 'exited' ? result.end.code : null;
}

function failed(result: CommandResult, { timeoutMs }: LookContext): Sight {
  if (result.end.is !== 'exited') return unobservable(unfinished(result.end, timeoutMs));
  const [said = ''] = result.errors.trim().split('\n');
  if (/not a git repository/i.test(said)) return disproved('not a git repository');
  if (result.end.code === 127 || result.end.code === 126) return unobservable('git is not there');
  return unobservable(`git exits ${result.end.code}: ${said}`);
}
