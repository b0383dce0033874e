import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createDisk } from '../../../activities/files/disk.js';
import { hideRecord, showRecord } from '../../../activities/record/hidden.js';
import { temporaryFolder } from '../../support/disks.js';

function git(folder: string, ...args: string[]): string {
  const named = ['-c', 'user.name=a', '-c', 'user.email=a@example.org', ...args];
  return execFileSync('git', named, { cwd: folder, encoding: 'utf8', stdio: 'pipe' }).trim();
}

function repository(): string {
  const folder = temporaryFolder();
  git(folder, 'init', '-q');
  git(folder, 'commit', '-q', '--allow-empty', '-m', 'base');
  return folder;
}

function write(folder: string, ...names: string[]): void {
  for (const name of names) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), 'x');
  }
}

const OURS = ['LEDGER.md', 'REPORT.md', '.REPORT.md.7-0a-1.tmp', 'LEDGER.found-20261130T210000Z.md', '.donewhen/demo/x'];

describe('while a run works, git does not see what it writes itself (I03)', () => {
  const disk = createDisk();
  /** What an agent that adds all that is new takes along. */
  const added = (folder: string) => {
    git(folder, 'add', '-A');
    return git(folder, 'diff', '--cached', '--name-only').split('\n').sort();
  };

  test('and afterwards the list of the repository is as it was', async () => {
    const workspace = repository();
    const list = join(workspace, '.git/info/exclude');
    writeFileSync(list, '*.log');
    const place = { workspace, out: workspace, slug: 'demo' };
    write(workspace, ...OURS, 'mine.md', 'sub/LEDGER.md');
    await hideRecord(disk, place);
    await hideRecord(disk, place);
    expect(added(workspace)).toEqual(['mine.md', 'sub/LEDGER.md']);
    git(workspace, 'clean', '-fdq');
    expect(OURS.filter((name) => !existsSync(join(workspace, name)))).toEqual([]);
    await showRecord(disk, place);
    expect(readFileSync(list, 'utf8').trimEnd()).toEqual('*.log');
  });

  test('where the workspace is a part of it, a record lies in a folder of its own, and there was no list', async () => {
    const top = repository();
    rmSync(join(top, '.git/info'), { recursive: true, force: true });
    const workspace = join(top, 'app');
    const place = { workspace, out: join(workspace, 'the [record]'), slug: 'demo' };
    write(workspace, '.donewhen/demo/x', 'the [record]/LEDGER.md', 'the [record]/mine.md');
    await hideRecord(disk, place);
    expect(added(top)).toEqual(['app/the [record]/mine.md']);
  });

  test('in a worktree, and for each of several runs alone', async () => {
    const workspace = join(temporaryFolder(), 'tree');
    git(repository(), 'worktree', 'add', '-q', workspace);
    const [one, two] = ['one', 'two'].map((slug) => ({ workspace, out: join(workspace, slug), slug }));
    if (one === undefined || two === undefined) throw new Error('two runs');
    write(workspace, 'one/LEDGER.md', 'two/LEDGER.md');
    await hideRecord(disk, one);
    await hideRecord(disk, two);
    await showRecord(disk, one);
    expect(added(workspace)).toEqual(['one/LEDGER.md']);
  });

  test('but a list that is only a link is left as it is', async () => {
    const workspace = repository();
    const list = join(workspace, '.git/info/exclude');
    rmSync(list, { force: true });
    mkdirSync(dirname(list), { recursive: true });
    writeFileSync(join(workspace, 'my-list'), '*.log\n');
    symlinkSync('../../my-list', list);
    await hideRecord(disk, { workspace, out: workspace, slug: 'demo' });
    await showRecord(disk, { workspace, out: workspace, slug: 'demo' });
    expect([readlinkSync(list), readFileSync(list, 'utf8')]).toEqual(['../../my-list', '*.log\n']);
  });

  test('and nothing is written where there is no repository', async () => {
    const workspace = temporaryFolder();
    await hideRecord(disk, { workspace, out: workspace, slug: 'demo' });
    await showRecord(disk, { workspace, out: workspace, slug: 'demo' });
    expect(existsSync(join(workspace, '.git'))).toEqual(false);
  });
});
