import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createDisk } from '../../../activities/files/disk.js';
import { baselineOf, isMatch, matchesOf, sightOf } from '../../../activities/pipeline/artifacts.js';
import { sha256Of } from '../../../activities/texts.js';
import { temporaryFolder } from '../../support/disks.js';
import { inFolder } from '../../support/load-values.js';

const disk = createDisk();
const NEVER = new AbortController().signal;

function workspaceWith(files: Record<string, string>): string {
  const outer = temporaryFolder();
  mkdirSync(join(outer, 'ws'));
  writeFileSync(join(outer, 'outside.md'), 'x');
  return inFolder(files, join(outer, 'ws'));
}

// Seed 003, Boss Parsing Rule 3; docs/interface.md §10, Artifacts.
describe('an artifact is judged by where it really is', () => {
  it.each([
    ['a file', 'docs/a.md', false, { path: 'docs/a.md', is: 'there', sha256: sha256Of('a') }],
    ['a file by its absolute path', 'ABSOLUTE/docs/a.md', false, { path: 'docs/a.md', is: 'there', sha256: sha256Of('a') }],
    ['a file with detours', './docs/../docs//a.md', false, { path: 'docs/a.md', is: 'there', sha256: sha256Of('a') }],
    ['nothing', 'docs/b.md', false, { path: 'docs/b.md', is: 'missing', sha256: null }],
    ['an empty file', 'docs/empty.md', false, { path: 'docs/empty.md', is: 'empty', sha256: sha256Of('') }],
    ['a file outside', '../outside.md', false, { path: '../outside.md', is: 'outside', sha256: null }],
    ['a link that leads out', 'docs/out.md', false, { path: 'docs/out.md', is: 'outside', sha256: null }],
    ['a link to a file inside', 'docs/in.md', false, { path: 'docs/in.md', is: 'there', sha256: sha256Of('a') }],
    ['a file below a folder that is a link', 'linked/a.md', false, { path: 'linked/a.md', is: 'irregular', sha256: null }],
    ['a folder where a file is wanted', 'docs', false, { path: 'docs', is: 'irregular', sha256: null }],
    ['a file where a folder is wanted', 'docs/a.md', true, { path: 'docs/a.md', is: 'irregular', sha256: null }],
    ['what belongs to git', '.git/config', false, { path: '.git/config', is: 'outside', sha256: null }],
    ['the record of the run', 'docs/LEDGER.md', false, { path: 'docs/LEDGER.md', is: 'outside', sha256: null }],
    ['a link to the record', 'docs/ledger-link.md', false, { path: 'docs/ledger-link.md', is: 'outside', sha256: null }],
    ['the workspace itself', '.', true, { path: '.', is: 'outside', sha256: null }],
    ['no path at all', '', false, { path: '', is: 'outside', sha256: null }],
  ] as const)('%s', async (_what, listed, isFolder, seen) => {
    const workspace = workspaceWith({ 'docs/a.md': 'a', 'docs/empty.md': '', 'docs/LEDGER.md': 'l', '.git/config': 'c' });
    symlinkSync('../../outside.md', join(workspace, 'docs', 'out.md'));
    symlinkSync('a.md', join(workspace, 'docs', 'in.md'));
    symlinkSync('LEDGER.md', join(workspace, 'docs', 'ledger-link.md'));
    symlinkSync('docs', join(workspace, 'linked'));
    expect(await sightOf({ disk, workspace, out: join(workspace, 'docs') }, listed.replace('ABSOLUTE', workspace), { isFolder })).toEqual(
      seen,
    );
  });

  it('a folder with a file that is not empty is there, and changes with any of its files', async () => {
    const workspace = workspaceWith({ 'out/a/x': 'x', 'out/b': '' });
    const look = () => sightOf({ disk, workspace, out: workspace }, 'out/', { isFolder: true });
    const before = await look();
    writeFileSync(join(workspace, 'out/b'), 'b');
    const after = await look();
    expect([before.is, after.is, before.sha256 === after.sha256]).toEqual(['there', 'there', false]);
  });

  it('a folder does not change with the record of the run in it', async () => {
    const workspace = workspaceWith({ 'out/a': 'a', 'out/LEDGER.md': 'x' });
    const look = () => sightOf({ disk, workspace, out: join(workspace, 'out') }, 'out/', { isFolder: true });
    const before = await look();
    writeFileSync(join(workspace, 'out/LEDGER.md'), 'more');
    expect(await look()).toEqual(before);
  });

  it('a folder with nothing but empty files is empty', async () => {
    const workspace = workspaceWith({ 'out/a': '' });
    expect((await sightOf({ disk, workspace, out: workspace }, 'out', { isFolder: true })).is).toBe('empty');
  });
});

describe('what a pattern matches', () => {
  it('are files, also hidden ones, and nothing of git or of the run', async () => {
    const workspace = workspaceWith({ 'a/x.md': '', 'a/.y.md': '', '.git/z.md': '', '.donewhen/r/z.md': '', 'a/x.txt': '' });
    expect(await matchesOf({ workspace, out: workspace }, '**/*.md')).toEqual(['a/.y.md', 'a/x.md']);
  });

  it('are never the record of the run, also while it is being written', async () => {
    const record = ['LEDGER.md', '00-boss.log.md', 'LEDGER.found-20261130T210000Z.md', '.REPORT.md.17-0a1b2c3d-4.tmp'];
    const workspace = workspaceWith(Object.fromEntries(['a.md', 'docs/LEDGER.md', ...record].map((path) => [path, 'x'])));
    expect(await matchesOf({ workspace, out: workspace }, '**/*')).toEqual(['a.md', 'docs/LEDGER.md']);
  });

  it('are folders where it ends in a slash', async () => {
    const workspace = workspaceWith({ 'specs/a/x': '', 'specs/b/x': '', 'specs/c': '' });
    expect(await matchesOf({ workspace, out: workspace }, './specs/*/')).toEqual(['specs/a', 'specs/b']);
  });

  it.each([
    ['specs/a/spec.md', 'specs/*/spec.md', true],
    ['specs/a/b/spec.md', 'specs/*/spec.md', false],
    ['out', 'out/', true],
  ])('%s and %s: %s', (path, pattern, does) => {
    expect(isMatch(path, pattern)).toBe(does);
  });

  it('is kept with what it holds, as it was before the work', async () => {
    const workspace = workspaceWith({ 'docs/a.md': 'a', 'docs/b.txt': 'b' });
    expect(await baselineOf({ disk, workspace, out: workspace }, [{ key: 'doc', pattern: 'docs/*.md' }], NEVER)).toEqual({
      'docs/a.md': sha256Of('a'),
    });
  });
});
