import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createDisk } from '../../../activities/files/disk.js';
import { someOf } from '../../../activities/load/words.js';
import { openWorkspace, uncommitted } from '../../../activities/load/workspace.js';
import { temporaryFolder } from '../../support/disks.js';

const environment = { PATH: process.env.PATH, HOME: '/nonexistent', GIT_CONFIG_NOSYSTEM: '1' };
const portsIn = (home: string) => ({ disk: createDisk(), home, environment });

function git(cwd: string, ...args: string[]): string {
  return execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.org', ...args], { cwd, encoding: 'utf8', stdio: 'pipe' });
}

function repository(): string {
  const folder = temporaryFolder();
  git(folder, 'init', '-q', '-b', 'main');
  writeFileSync(join(folder, 'a.txt'), 'a\n');
  git(folder, 'add', '-A');
  git(folder, 'commit', '-qm', 'base');
  return folder;
}

describe('a given folder', () => {
  test('is its real path, whatever links led there (F07)', async () => {
    const home = temporaryFolder();
    mkdirSync(join(home, 'real'));
    symlinkSync(join(home, 'real'), join(home, 'link'));
    expect(await openWorkspace(portsIn(home), 'x', { path: join(home, 'link') })).toEqual({ is: 'open', path: join(home, 'real') });
  });

  test('has to be absolute and there, and the refusal says so (F03, F04, F08)', async () => {
    const home = temporaryFolder();
    writeFileSync(join(home, 'file'), '');
    const refusals = ['.', '', '/no/such/folder', '/c%3A/Users/user/project', join(home, 'file'), '/'];
    expect(await Promise.all(refusals.map((path) => openWorkspace(portsIn(home), 'x', { path })))).toEqual([
      { is: 'refused', problem: 'workspace "." is relative; give the absolute path of a folder' },
      { is: 'refused', problem: 'workspace "" is no path; give the absolute path of a folder' },
      { is: 'refused', problem: 'workspace "/no/such/folder" does not exist; make it, or give another' },
      { is: 'refused', problem: 'workspace "/c%3A/Users/user/project" does not exist; it looks percent-encoded: give the plain path' },
      { is: 'refused', problem: `workspace ${JSON.stringify(join(home, 'file'))} is no folder; give the absolute path of a folder` },
      { is: 'refused', problem: 'workspace "/" is the root of the disk; give a folder of its own' },
    ]);
  });
});

test('a start without a workspace gets a folder of its own under the home, the same each time', async () => {
  const home = temporaryFolder();
  const open = { is: 'open', path: join(home, 'runs', 'x') };
  expect(await openWorkspace(portsIn(home), 'x', undefined)).toEqual(open);
  expect(await openWorkspace(portsIn(home), 'x', undefined)).toEqual(open);
});

describe('a git workspace', () => {
  test('is cloned once, and the work in it is kept (I05)', async () => {
    const home = temporaryFolder();
    const origin = repository();
    const open = { is: 'open', path: join(home, 'runs', 'x', 'work') };
    expect(await openWorkspace(portsIn(home), 'x', { git: origin })).toEqual(open);
    writeFileSync(join(open.path, 'work.txt'), 'unsaved\n');
    expect(await openWorkspace(portsIn(home), 'x', { git: origin })).toEqual(open);
    expect(readFileSync(join(open.path, 'work.txt'), 'utf8')).toEqual('unsaved\n');
  });

  test('stands on the branch, tag or commit that was asked for', async () => {
    const origin = repository();
    const base = git(origin, 'rev-parse', 'HEAD').trim();
    git(origin, 'tag', 'v1');
    git(origin, 'checkout', '-qb', 'side');
    writeFileSync(join(origin, 'b.txt'), 'b\n');
    git(origin, 'add', '-A');
    git(origin, 'commit', '-qm', 'side');
    const there = await Promise.all(
      ['side', 'v1', base].map(async (ref) => {
        const home = temporaryFolder();
        const opened = await openWorkspace(portsIn(home), 'x', { git: origin, ref });
        return opened.is === 'open' && existsSync(join(opened.path, 'b.txt'));
      }),
    );
    expect(there).toEqual([true, false, false]);
  });

  test('that is not there is refused in words, without the password of its address (L01)', async () => {
    const home = temporaryFolder();
    const origin = repository();
    const refusal = async (wanted: { git: string; ref?: string }) => {
      const opened = await openWorkspace(portsIn(home), 'x', wanted);
      return opened.is === 'refused' ? opened.problem : opened.path;
    };
    expect(await refusal({ git: 'https://ana:geheim@127.0.0.1:1/x.git' })).toMatch(
      /^workspace https:\/\/\*\*\*@127\.0\.0\.1:1\/x\.git could not be cloned: (?!.*geheim)/,
    );
    expect(await refusal({ git: '--upload-pack=touch /tmp/x' })).toEqual(
      'workspace --upload-pack=touch /tmp/x is no git address; give a URL or a path',
    );
    expect(await refusal({ git: origin, ref: 'nowhere' })).toEqual(
      `workspace ${origin} has no ref "nowhere"; give a branch, a tag or a commit`,
    );
    expect(existsSync(join(home, 'runs', 'x', 'work'))).toEqual(false);
  });

  test('is not taken from another run: a folder with another origin is refused (I04)', async () => {
    const home = temporaryFolder();
    await openWorkspace(portsIn(home), 'x', { git: repository() });
    expect(await openWorkspace(portsIn(home), 'x', { git: repository() })).toMatchObject({
      is: 'refused',
      problem: expect.stringContaining('where something else is'),
    });
  });
});

describe('uncommitted changes', () => {
  test('are those of tracked files; ours and new files never count', async () => {
    const folder = repository();
    for (const name of ['PLAN.md', 'b c.txt']) writeFileSync(join(folder, name), 'x\n');
    git(folder, 'add', '-A');
    git(folder, 'commit', '-qm', 'more');
    for (const name of ['a.txt', 'b c.txt', 'PLAN.md', 'new.txt']) writeFileSync(join(folder, name), 'changed\n');
    expect(await uncommitted(portsIn(folder), folder, (path) => path === join(folder, 'PLAN.md'))).toEqual(['a.txt', 'b c.txt']);
  });

  test('are none where nothing changed, and unknown without git', async () => {
    const folder = repository();
    expect(await uncommitted(portsIn(folder), folder, () => false)).toEqual([]);
    expect(await uncommitted(portsIn(folder), temporaryFolder(), () => false)).toEqual(null);
  });

  test('are named up to five', () => {
    expect(someOf(['a', 'b'])).toEqual('a, b');
    expect(someOf(['a', 'b', 'c', 'd', 'e', 'f', 'g'])).toEqual('a, b, c, d, e and 2 more');
  });
});
