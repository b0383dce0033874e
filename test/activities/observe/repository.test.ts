import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { lookAt } from '../../../activities/observe/look.js';
import { keepBefore, seenOfReader, type Watched } from '../../../activities/observe/reader.js';
import { openSite, type Site, sharedSupervisor } from '../../support/looks.js';

const supervisor = sharedSupervisor();
let site: Site;
beforeEach(() => {
  site = openSite(supervisor);
  site.write('.donewhen/.gitignore', '*\n');
});
afterEach(() => site.leave());
afterAll(() => supervisor.close());

const NAMED = ['-c', 'user.name=a', '-c', 'user.email=a@example.org', '-c', 'protocol.file.allow=always'];

function gitIn(folder: string, ...args: string[]): string {
  return execFileSync('git', ['-C', folder, ...NAMED, ...args], { env: site.context.variables, encoding: 'utf8', stdio: 'pipe' }).trim();
}
const git = (...args: string[]) => gitIn(site.workspace, ...args);

function committed(files: Record<string, string>): void {
  for (const [path, text] of Object.entries(files)) site.write(path, text);
  git('init', '-q', '-b', 'main');
  git('add', '-A');
  git('commit', '-qm', 'base');
}

function hook(name: string, script: string): void {
  site.write(`.git/hooks/${name}`, `#!/bin/sh\n${script}\n`);
  chmodSync(join(site.workspace, '.git/hooks', name), 0o755);
}

const seenBy = async (check: string) => {
  const look = await lookAt(check, site.context);
  return [look?.is, look?.saw];
};

/** What is said of a verifier that does this. */
async function deviationOf(work: () => void): Promise<string | null> {
  const watched: Watched = { place: site.place, dir: join(site.place.folder, 'attempts/v'), role: 'verifier' };
  mkdirSync(watched.dir, { recursive: true });
  await keepBefore(watched, site.context);
  work();
  return seenOfReader(watched, site.context);
}

describe("in the user's own repository", () => {
  it('no hook is run by a look, or by what is put back', async () => {
    committed({ a: 'a' });
    for (const name of ['post-checkout', 'post-index-change', 'reference-transaction', 'pre-commit']) hook(name, 'touch "$PWD/hooked"');
    await seenBy('git: clean');
    await seenBy('git: commit HEAD');
    await deviationOf(() => site.write('a', 'b'));
    expect([readFileSync(join(site.workspace, 'a'), 'utf8'), existsSync(join(site.workspace, 'hooked'))]).toEqual(['a', false]);
  });

  it('a commit that its pre-commit hook refused is not there, and its files make the tree dirty', async () => {
    committed({ a: 'a' });
    hook('pre-commit', 'exit 1');
    site.write('a', 'b');
    expect(() => git('commit', '-qam', 'mine')).toThrow();
    expect([await seenBy('git: clean'), (await seenBy('git: commit HEAD~0^{/mine}'))[0]]).toEqual([
      ['disproved', '1 changed: a'],
      'disproved',
    ]);
  });

  it('a detached HEAD is looked at like a branch', async () => {
    committed({ a: 'a' });
    git('checkout', '-q', '--detach');
    expect([await seenBy('git: clean'), (await seenBy('git: commit HEAD'))[0], await deviationOf(() => site.write('a', 'b'))]).toEqual([
      ['holds', 'clean'],
      'holds',
      'the verifier, which only reads, changed a; set aside in attempts/v/set-aside',
    ]);
    expect([readFileSync(join(site.workspace, 'a'), 'utf8'), git('rev-parse', '--abbrev-ref', 'HEAD')]).toEqual(['a', 'HEAD']);
  });

  it('a change in a submodule makes the tree dirty', async () => {
    const other = join(site.workspace, '../other');
    mkdirSync(other);
    gitIn(other, 'init', '-q');
    gitIn(other, 'commit', '-q', '--allow-empty', '-m', 'x');
    committed({ a: 'a' });
    git('submodule', '--quiet', 'add', other, 'sub');
    git('commit', '-qm', 'sub');
    expect(await seenBy('git: clean')).toEqual(['holds', 'clean']);
    site.write('sub/new', 'x');
    expect(await seenBy('git: clean')).toEqual(['disproved', '1 changed: sub']);
  });

  it('a pointer to a large file is put back as the pointer that it is', async () => {
    const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${'0'.repeat(64)}\nsize 12\n`;
    committed({ 'big.bin': pointer, '.gitattributes': '*.bin filter=lfs diff=lfs merge=lfs -text\n' });
    expect(await seenBy('git: clean')).toEqual(['holds', 'clean']);
    await deviationOf(() => site.write('big.bin', 'fetched'));
    expect(readFileSync(join(site.workspace, 'big.bin'), 'utf8')).toEqual(pointer);
  });

  it('untracked files count, ignored outputs and what we write do not', async () => {
    committed({ a: 'a', '.gitignore': 'out/\n' });
    expect(
      await deviationOf(() => {
        for (const path of ['out/built', 'PLAN.md', 'LEDGER.md', 'REPORT.md', '.donewhen/demo/x']) site.write(path, 'x');
      }),
    ).toEqual(null);
    expect(await seenBy('git: clean')).toEqual(['holds', 'clean']);
    site.write('stray', 'x');
    expect(await seenBy('git: clean')).toEqual(['disproved', '1 changed: stray']);
  });
});
