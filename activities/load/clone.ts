import { basename, dirname, join } from 'node:path';
import { git } from './git.js';
import type { Workspace, WorkspacePorts } from './workspace-ports.js';

const CLONE_TIMEOUT_MS = 10 * 60_000;
const GIT_TIMEOUT_MS = 60_000;
const REASON_CHARS_MAX = 300;

/**
 * A clone of its own for a run. It is made beside and renamed, so a half clone is never taken for a whole one; one that
 * is there already is this run's and is kept as it is, with whatever work it holds (I05).
 */
export async function cloneInto(ports: WorkspacePorts, wanted: { url: string; ref: string | null; folder: string }): Promise<Workspace> {
  const { disk } = ports;
  const refused = (why: string): Workspace => ({ is: 'refused', problem: `workspace ${withoutSecret(wanted.url)} ${why}` });
  if (wanted.url === '' || wanted.url.startsWith('-')) return refused('is no git address; give a URL or a path');
  if (wanted.ref !== null && (wanted.ref === '' || wanted.ref.startsWith('-'))) return refused(`has no ref ${JSON.stringify(wanted.ref)}`);
  const parent = dirname(wanted.folder);
  await disk.makeFolder(parent);
  const run = { cwd: parent, environment: ports.environment, timeoutMs: GIT_TIMEOUT_MS };
  if ((await disk.standing(wanted.folder)) !== null) {
    const origin = await git({ ...run, cwd: wanted.folder }, ['config', '--get', 'remote.origin.url']);
    if (origin.stdout.replace(/\n$/, '') !== wanted.url) {
      return refused(`was to be cloned into ${wanted.folder}, where something else is; move it away, or give the run another slug`);
    }
    return opened(ports, wanted.folder);
  }
  const beside = join(parent, `.${basename(wanted.folder)}.cloning`);
  await disk.remove(beside);
  const cloned = await git({ ...run, timeoutMs: CLONE_TIMEOUT_MS }, ['clone', '--quiet', '--', wanted.url, beside]);
  if (cloned.code !== 0) return refused(`could not be cloned: ${reason(cloned, wanted.url)}`);
  if (wanted.ref !== null) {
    const target = await checkoutOf({ ...run, cwd: beside }, wanted.ref);
    if (target === null) return refused(`has no ref ${JSON.stringify(wanted.ref)}; give a branch, a tag or a commit`);
    const out = await git({ ...run, cwd: beside }, ['checkout', '--quiet', ...target]);
    if (out.code !== 0) return refused(`could not be checked out: ${reason(out, wanted.url)}`);
  }
  await disk.rename(beside, wanted.folder);
  return opened(ports, wanted.folder);
}

async function opened(ports: WorkspacePorts, folder: string): Promise<Workspace> {
  return { is: 'open', path: (await ports.disk.real(folder)) ?? folder };
}

/** A branch is checked out as a branch, so that commits have a name; anything else detached. */
async function checkoutOf(run: Parameters<typeof git>[0], ref: string): Promise<string[] | null> {
  const branch = await git(run, ['rev-parse', '--verify', '--quiet', `refs/remotes/origin/${ref}`]);
  if (branch.code === 0) return ['-B', ref, '--track', `origin/${ref}`];
  const commit = await git(run, ['rev-parse', '--verify', '--quiet', `${ref}^{commit}`]);
  return commit.code === 0 ? ['--detach', commit.stdout.trim()] : null;
}

function reason(end: { code: number | null; stderr: string }, url: string): string {
  if (end.code === null) return 'git is not there, or its time ran out';
  const said = end.stderr.trim().split('\n').slice(-1)[0] ?? '';
  return withoutSecret(said.replaceAll(url, withoutSecret(url))).slice(0, REASON_CHARS_MAX);
}

/** R16: an address may carry a password. */
function withoutSecret(text: string): string {
  return text.replace(/\/\/[^/@\s]+@/g, '//***@');
}
