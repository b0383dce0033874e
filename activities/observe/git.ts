import type { GitExpectation } from '../../documents/check.js';
import { disproved, holds, type LookContext, quote, type Sight } from './context.js';
import { lookForChanges } from './git-clean.js';
import { codeOf, failed, git } from './git-command.js';

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
