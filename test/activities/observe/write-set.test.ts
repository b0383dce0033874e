import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createDisk } from '../../../activities/files/disk.js';
import { type ObservePorts, observe } from '../../../activities/observe.js';
import { writeOutcome } from '../../../activities/process/attempt-files.js';
import { textsOf } from '../../../activities/texts.js';
import { checkInput, openSite, type Site, sharedSupervisor } from '../../support/looks.js';

const supervisor = sharedSupervisor();
let site: Site;
beforeEach(() => {
  site = openSite(supervisor);
});
afterEach(() => site.leave());
afterAll(() => supervisor.close());

function git(...args: string[]): void {
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.org', ...args], { cwd: site.workspace, stdio: 'pipe' });
}

function committed(files: Record<string, string>): void {
  for (const [path, text] of Object.entries(files)) site.write(path, text);
  git('init', '-q', '-b', 'main');
  git('add', '-A');
  git('commit', '-qm', 'base', '--allow-empty');
}

const remove = (path: string) => rmSync(join(site.workspace, path));

const ports = (others: string[]): ObservePorts => ({
  run: supervisor.run,
  environment: async () => ({ variables: site.context.variables, secrets: [] }),
  pinnedContent: (place, sha256) => textsOf(createDisk(), place).bytes(sha256),
  keepText: (place, text) => textsOf(createDisk(), place).put(text),
  othersWrites: async () => others,
});

/** What is seen of an attempt that does this, in a task that says that it writes these. */
async function seenOf(writes: string[] | null, work: () => void, more: { others?: string[]; checks?: string[] } = {}) {
  const { others = [], checks = [] } = more;
  const signal = new AbortController().signal;
  const task = { task: 'T1', token: 'T1#1.1', writes, checks };
  const before = await observe(checkInput(site.place, { ...task, when: 'before' }), ports(others), signal);
  work();
  const base = before.base === undefined ? {} : { base: before.base };
  const after = await observe(checkInput(site.place, { ...task, ...base, when: 'after' }), ports(others), signal);
  return { deviations: after.deviations, destroyed: after.destroyed ?? [] };
}

const NOTHING = { deviations: [], destroyed: [] };

describe('a write outside the write set is a deviation that code saw (I08)', () => {
  // Seed 002 §5.
  it('of a new file, a changed one and one that it committed', async () => {
    committed({ 'src/a.ts': 'a', 'docs/a.md': 'a' });
    const seen = await seenOf(['src/**'], () => {
      site.write('src/a.ts', 'b');
      site.write('src/new/b.ts', 'b');
      site.write('docs/a.md', 'b');
      site.write('notes.txt', 'n');
      git('add', 'docs');
      git('commit', '-qm', 'docs');
    });
    expect(seen).toEqual({ deviations: ['outside its Writes (src/**), changed while it worked: docs/a.md, notes.txt'], destroyed: [] });
  });

  it('of a task that only reads', async () => {
    committed({ a: 'a' });
    expect(await seenOf([], () => site.write('a', 'b'))).toEqual({
      deviations: ['although it writes nothing, changed while it worked: a'],
      destroyed: [],
    });
  });

  it('with the first of them named where they are many', async () => {
    committed({});
    const { deviations } = await seenOf(['x'], () => {
      for (let n = 1; n <= 8; n++) site.write(`f${n}`, 'x');
    });
    expect(deviations).toEqual(['outside its Writes (x), changed while it worked: f1, f2, f3, f4, f5 and 3 more']);
  });

  it('whatever was changed before, and changed again', async () => {
    committed({ a: 'a', b: 'b' });
    site.write('a', 'by a person');
    site.write('b', 'by a person');
    expect(await seenOf(['x'], () => site.write('a', 'again'))).toEqual({
      deviations: ['outside its Writes (x), changed while it worked: a'],
      destroyed: [],
    });
  });

  it('before the first commit, on another branch, and by a link', async () => {
    git('init', '-q', '-b', 'main');
    const { deviations } = await seenOf(['x'], () => {
      site.write('a', 'a');
      git('add', 'a');
      git('commit', '-qm', 'first');
      git('checkout', '-q', '-b', 'side');
      symlinkSync('/etc/hostname', join(site.workspace, 'b'));
    });
    expect(deviations).toEqual(['outside its Writes (x), changed while it worked: a, b']);
  });

  it('in a workspace that is a part of the repository only counts what is inside', async () => {
    committed({ 'part/a': 'a', other: 'o' });
    const part = { ...site, workspace: join(site.workspace, 'part') };
    const whole = site;
    site = { ...part, place: { ...site.place, workspace: part.workspace, out: part.workspace } };
    const { deviations } = await seenOf(['x'], () => {
      whole.write('other', 'changed');
      whole.write('part/b', 'b');
    });
    site = whole;
    expect(deviations).toEqual(['outside its Writes (x), changed while it worked: b']);
  });
});

describe('no deviation is', () => {
  it('what the task says that it writes, also by a folder and with a dot', async () => {
    committed({ 'docs/a.md': 'a' });
    const seen = await seenOf(['./docs/', '.github/**', 'README.*'], () => {
      for (const path of ['docs/a.md', 'docs/deep/b.md', '.github/ci.yml', 'README.md']) site.write(path, 'b');
    });
    expect(seen).toEqual(NOTHING);
  });

  it('what we write ourselves, what git ignores, and what is as it was', async () => {
    committed({ '.gitignore': 'dist/\n', a: 'a' });
    site.write('b', 'not committed');
    const seen = await seenOf(['x'], () => {
      for (const path of [
        'PLAN.md',
        'LEDGER.md',
        'LEDGER.found-20261130T210000Z.md',
        '.LEDGER.md.17-0a1b2c3d-4.tmp',
        'dist/out',
        '.donewhen/demo/y',
      ])
        site.write(path, 'x');
      site.write('a', 'a');
      git('add', 'b');
      git('commit', '-qm', 'as it was');
    });
    expect(seen).toEqual(NOTHING);
  });

  it('what was committed before the attempt began: only what comes after its base is its own (A08)', async () => {
    committed({ a: 'a' });
    git('checkout', '-q', '-b', 'work');
    site.write('b', 'of an earlier hand');
    git('add', 'b');
    git('commit', '-qm', 'ahead of main already');
    expect(await seenOf(['x'], () => site.write('x', 'mine'))).toEqual(NOTHING);
  });

  it('a file that decides checks: that is tampering, and is said as that', async () => {
    committed({ 'check.sh': 'exit 1\n' });
    site.place.pinned.push({ path: 'check.sh', sha256: '0'.repeat(64) });
    expect(await seenOf(['x'], () => site.write('check.sh', 'exit 0\n'))).toEqual(NOTHING);
  });

  it('what a task beside it may have written', async () => {
    committed({});
    const seen = await seenOf(['src/**'], () => site.write('docs/a', 'a'), { others: ['docs/**'] });
    expect(seen).toEqual(NOTHING);
  });

  it('what the checks leave behind', async () => {
    committed({});
    expect(await seenOf(['x'], () => undefined, { checks: ['run: date +%N > stamp'] })).toEqual(NOTHING);
  });

  it('anything, where the task does not say what it writes, or git is not there', async () => {
    expect(await seenOf(['x'], () => site.write('a', 'a'))).toEqual(NOTHING);
    committed({});
    expect(await seenOf(null, () => site.write('b', 'b'))).toEqual(NOTHING);
  });
});

describe('what no attempt may take away is told, whatever its task says that it writes:', () => {
  it('the repository', async () => {
    committed({ 'src/a.ts': 'a' });
    const gone = () => rmSync(join(site.workspace, '.git'), { recursive: true });
    const told = { deviations: ['the repository is gone: .git was there before it worked'], destroyed: ['removed .git'] };
    expect(await seenOf(null, gone)).toEqual(told);
    committed({ 'src/a.ts': 'a' });
    expect(await seenOf(['src/**'], gone)).toEqual(told);
  });

  it('the folder where the run keeps its record, as the supervisor of the attempt saw', async () => {
    const dir = join(site.place.folder, 'attempts/T1.1.1');
    const outcome = { token: 'T1#1.1', end: { is: 'exited', code: 0 }, startedAt: 0, endedAt: 0, bytes: 0, sha256: '' } as const;
    mkdirSync(dir, { recursive: true });
    expect([
      await seenOf(null, () => writeOutcome(dir, { ...outcome, cleared: true })),
      await seenOf(null, () => writeOutcome(dir, outcome)),
    ]).toEqual([
      { deviations: ['.donewhen, where the run keeps its record, was taken away or replaced; it is put back'], destroyed: [] },
      NOTHING,
    ]);
  });

  it('but not what was gone before it, or was not there', async () => {
    expect(await seenOf(null, () => git('init', '-q'))).toEqual(NOTHING);
  });
});

describe('what is gone is never left implicit (seed 002 §5)', () => {
  it('a file that git has, one that it does not have, and a change that was not committed', async () => {
    committed({ a: 'a', b: 'b', c: 'c' });
    site.write('untracked', 'mine');
    site.write('c', 'my change');
    const seen = await seenOf(['**'], () => {
      remove('a');
      git('rm', '-q', 'b');
      git('commit', '-qm', 'away with it', 'b');
      remove('untracked');
      git('checkout', '-q', '--', 'c');
    });
    expect(seen).toEqual({ deviations: [], destroyed: ['removed a, b, untracked', 'lost, what was not committed of c'] });
  });

  it('but not what came and went, or moved on into a commit', async () => {
    committed({ a: 'a' });
    site.write('a', 'my change');
    const seen = await seenOf(['**'], () => {
      site.write('temporary', 't');
      git('add', 'temporary');
      remove('temporary');
      site.write('a', 'my change and more');
      git('commit', '-qm', 'both', 'a');
    });
    expect(seen).toEqual(NOTHING);
  });
});

describe('what cannot be compared is said, never passed over', () => {
  it.each<[string, string, () => void]>([
    ['the repository is broken', 'git exits 128: fatal: ', () => rmSync(join(site.workspace, '.git/HEAD'))],
  ])('%s', async (_how, why, work) => {
    committed({ a: 'a' });
    const { deviations } = await seenOf(['x'], work);
    expect(deviations).toEqual([expect.stringContaining(`whether it wrote outside its Writes could not be seen: ${why}`)]);
  });
});

describe('a file that decides what a check runs, and that no command names, is told when it changed', () => {
  const manifest = (scripts: object, more: object = {}) => JSON.stringify({ scripts, ...more });
  const changed = (what: string) => ({
    deviations: [`changed while it worked: ${what}, which decides what a check of this task runs`],
    destroyed: [],
  });

  it('the scripts of package.json, and not its dependencies', async () => {
    site.write('package.json', manifest({ test: 'exit 1' }));
    const seen = (after: string) => seenOf(null, () => site.write('package.json', after), { checks: ['run: npm test'] });
    expect(await seen(manifest({ test: 'exit 1' }, { dependencies: { a: '1.0.0' } }))).toEqual(NOTHING);
    expect(await seen(manifest({ test: 'true' }))).toEqual(changed('the scripts of package.json'));
  });

  it('a Makefile, also in the folder that the command goes to', async () => {
    site.write('web/Makefile', 'test:\n\texit 1\n');
    const weaken = () => site.write('web/Makefile', 'test:\n\ttrue\n');
    expect(await seenOf(null, weaken, { checks: ['run: make -C web test'] })).toEqual(changed('web/Makefile'));
    site.write('web/Makefile', 'test:\n\texit 1\n');
    expect(await seenOf(null, weaken, { checks: ['run: true'] })).toEqual(NOTHING);
  });

  it('unless the task says that it writes it', async () => {
    site.write('justfile', 'test:\n  false\n');
    expect(await seenOf(['justfile'], () => site.write('justfile', 'test:\n  true\n'), { checks: ['run: just test'] })).toEqual(NOTHING);
  });
});
