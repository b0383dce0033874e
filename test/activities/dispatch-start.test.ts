import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { AgentAdapter, AgentRequest } from '../../activities/agents/adapter.js';
import { createCommandAdapter } from '../../activities/agents/command.js';
import { makeTmp, removeTmp, startOf } from '../../activities/dispatch-start.js';
import type { Place } from '../../activities/interface.js';

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'donewhen-start-')));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** What an adapter is told when it is asked for a start. */
async function told(more: { PATH?: string; checks?: string[]; workspace?: string } = {}): Promise<AgentRequest> {
  let seen: AgentRequest | null = null;
  const command = createCommandAdapter(['x']);
  const adapter: AgentAdapter = {
    ...command,
    start: (request) => {
      seen = request;
      return command.start(request);
    },
  };
  const workspace = more.workspace ?? root;
  const names = { slug: 'demo', workflowId: 'w', out: root, configSha256: '', specSha256: null, pinned: [], host: 'h', startedAt: 7 };
  const place: Place = { ...names, workspace, folder: join(root, 'run') };
  const environment = { variables: { PATH: more.PATH ?? process.env.PATH ?? '' }, secrets: [] };
  await startOf(adapter, { place, environment, role: 'performer', prompt: 'p', token: 'T1#1.1', session: null, checks: more.checks ?? [] });
  return seen!;
}

it('a sandbox is there when both of its programs are', async () => {
  mkdirSync(join(root, 'bin'));
  const has = async () => (await told({ PATH: join(root, 'bin') })).here.hasSandbox;
  const before = await has();
  for (const tool of ['bwrap', 'socat']) writeFileSync(join(root, 'bin', tool), '', { mode: 0o755 });
  expect([before, await has()]).toEqual([process.platform === 'darwin', true]);
});

it("git's common directory is looked up for a git check alone, also from a work tree beside it", async () => {
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: join(root, 'repo') });
  mkdirSync(join(root, 'repo'));
  git('init', '-q');
  git('commit', '-q', '--allow-empty', '-m', 'one');
  git('worktree', 'add', '-q', join(root, 'beside'));
  const at = async (workspace: string, checks: string[]) => (await told({ workspace: join(root, workspace), checks })).here.gitDir;
  expect([await at('beside', ['git: clean']), await at('repo', ['git: clean']), await at('repo', ['run: x'])]).toEqual([
    join(root, 'repo/.git'),
    join(root, 'repo/.git'),
    null,
  ]);
  expect((await told({ checks: ['git: clean'] })).here.gitDir).toBeNull();
});

it('the temporary folder of an attempt is its own, short, and removed at its end', async () => {
  const { folder, tmp } = await told();
  makeTmp(folder);
  makeTmp(folder);
  const { mode } = statSync(tmp);
  removeTmp(folder);
  expect([mode & 0o777, tmp.length < tmpdir().length + 24, existsSync(tmp)]).toEqual([0o700, true, false]);
});

it('a link that somebody else put in its place is not used', async () => {
  const { folder, tmp } = await told();
  symlinkSync(root, tmp);
  try {
    expect(() => makeTmp(folder)).toThrow('is not a folder of this user');
  } finally {
    rmSync(tmp);
  }
});
