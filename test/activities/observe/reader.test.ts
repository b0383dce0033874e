import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { askingReaders } from '../../../activities/dispatch-reader.js';
import type { Ask } from '../../../activities/ports.js';
import type { Supervisor } from '../../../activities/process/client.js';
import { openSite, type Site, sharedSupervisor } from '../../support/looks.js';

const supervisor = sharedSupervisor();
let site: Site;
beforeEach(() => {
  site = openSite(supervisor);
});
afterEach(() => site.leave());
afterAll(() => supervisor.close());

const SET_ASIDE = 'attempts/plan-2-T1.1.1/set-aside';

function git(...args: string[]): string {
  const env = { ...site.context.variables, GIT_CEILING_DIRECTORIES: join(site.workspace, '..') };
  return execFileSync('git', ['-C', site.workspace, '-c', 'user.name=a', '-c', 'user.email=a@example.org', ...args], {
    env,
    encoding: 'utf8',
  });
}

function committed(files: Record<string, string>): void {
  for (const [path, text] of Object.entries(files)) site.write(path, text);
  git('init', '-q', '-b', 'main');
  git('add', '-A');
  git('commit', '-qm', 'base');
}

const contentOf = (...path: string[]) => {
  const file = join(...path);
  return existsSync(file) ? readFileSync(file, 'utf8') : null;
};

/** What comes of a planner that does this while it is asked. */
async function deviationOf(work: () => void, more: { isAlone?: boolean; run?: Supervisor['run'] } = {}): Promise<string | undefined> {
  const ask = askingReaders(
    async () => {
      work();
      return { output: 'PLAN HOLDS: yes', end: { is: 'exited', code: 0 }, cost: { usd: 0, tokens: 0 } };
    },
    {
      run: more.run ?? supervisor.run,
      environment: async () => ({ variables: site.context.variables, secrets: [] }),
      isAlone: async () => more.isAlone ?? true,
    },
  );
  const asked: Ask = {
    place: site.place,
    token: 'plan-2-T1#1.1',
    role: 'planner',
    agent: 'mine',
    task: 'T1',
    planSha256: null,
    prompt: 'what now?',
    timeoutMs: 1000,
  };
  return (await ask(asked)).deviation;
}

describe('a role that only reads', () => {
  it('and wrote all the same is a deviation; the workspace is as it was, and what it wrote is kept', async () => {
    committed({ 'a.txt': 'a', 'gone.txt': 'g', 'dirty.txt': 'd' });
    site.write('dirty.txt', 'not committed');
    site.write('new.txt', 'of a performer');
    const words = await deviationOf(() => {
      site.write('a.txt', 'A');
      site.write('dirty.txt', 'D');
      site.write('more/made.txt', 'made');
      site.write('new.txt', 'N');
      rmSync(join(site.workspace, 'gone.txt'));
    });
    expect(words).toEqual(
      `the planner, which only reads, changed a.txt, dirty.txt, gone.txt, more/made.txt, new.txt; set aside in ${SET_ASIDE}`,
    );
    const names = ['a.txt', 'dirty.txt', 'gone.txt', 'more/made.txt', 'new.txt'];
    expect(names.map((name) => contentOf(site.workspace, name))).toEqual(['a', 'not committed', 'g', null, 'of a performer']);
    expect(names.map((name) => contentOf(site.place.folder, SET_ASIDE, name))).toEqual(['A', 'D', null, 'made', 'N']);
    expect(git('status', '--porcelain', '--', '.', ':!.donewhen')).toEqual(' M dirty.txt\n?? new.txt\n');
  });

  it('is told of whole, and what it wrote is kept, although who put it back died over that', async () => {
    committed({ 'a.txt': 'a', 'b.txt': 'b', 'c.txt': 'c' });
    site.write('b.txt', 'not committed');
    const work = () => {
      for (const name of ['a', 'b', 'c']) site.write(`${name}.txt`, name.toUpperCase());
    };
    let checkouts = 0;
    const dying: Supervisor['run'] = (command) => {
      const isCheckout = 'argv' in command.program && command.program.argv.includes('checkout');
      if (isCheckout && ++checkouts === 2) throw new Error('died');
      return supervisor.run(command);
    };
    await expect(deviationOf(work, { run: dying })).rejects.toThrow('died');
    const words = await deviationOf(() => undefined);
    const names = ['a.txt', 'b.txt', 'c.txt'];
    expect(words).toEqual(`the planner, which only reads, changed a.txt, b.txt, c.txt; set aside in ${SET_ASIDE}`);
    expect(names.map((name) => contentOf(site.workspace, name))).toEqual(['a', 'not committed', 'c']);
    expect(names.map((name) => contentOf(site.place.folder, SET_ASIDE, name))).toEqual(['A', 'B', 'C']);
  });

  it('keeps no copy of what it did not change', async () => {
    committed({ a: 'a' });
    site.write('.env', 'KEY=hunter2-forever');
    expect(await deviationOf(() => undefined)).toEqual(undefined);
    expect(existsSync(join(site.place.folder, 'attempts/plan-2-T1.1.1/before'))).toEqual(false);
  });

  it('and is asked again is told of once, and not of what others wrote since', async () => {
    committed({ a: 'a' });
    const first = await deviationOf(() => site.write('b', 'b'));
    site.write('c', 'of a performer');
    expect([first, await deviationOf(() => undefined), contentOf(site.workspace, 'c')]).toEqual([
      `the planner, which only reads, changed b; set aside in ${SET_ASIDE}`,
      first,
      'of a performer',
    ]);
  });

  it('and committed is told of: the history stays as it moved, and its files are put back all the same', async () => {
    committed({ a: 'a' });
    const before = git('rev-parse', 'HEAD').trim();
    const words = await deviationOf(() => {
      site.write('a', 'b');
      site.write('new', 'n');
      git('add', '-A');
      git('commit', '-qm', 'mine');
    });
    const after = git('rev-parse', 'HEAD').trim();
    expect(words).toEqual(
      `the planner, which only reads, moved HEAD from ${before} to ${after}, which is left as it is, and changed a, new; set aside in ${SET_ASIDE}`,
    );
    expect([contentOf(site.workspace, 'a'), existsSync(join(site.workspace, 'new'))]).toEqual(['a', false]);
    expect(['a', 'new'].map((name) => contentOf(site.place.folder, SET_ASIDE, name))).toEqual(['b', 'n']);
  });

  it('and committed only what others had written is told of, and their files stay', async () => {
    committed({ a: 'a' });
    site.write('b', 'of a performer');
    const before = git('rev-parse', 'HEAD').trim();
    const words = await deviationOf(() => {
      git('add', '-A');
      git('commit', '-qm', 'mine');
    });
    const after = git('rev-parse', 'HEAD').trim();
    expect([words, contentOf(site.workspace, 'b')]).toEqual([
      `the planner, which only reads, moved HEAD from ${before} to ${after}, which is left as it is`,
      'of a performer',
    ]);
  });

  it('is not held against what others may have written beside it', async () => {
    committed({ a: 'a' });
    expect([await deviationOf(() => site.write('b', 'b'), { isAlone: false }), contentOf(site.workspace, 'b')]).toEqual([undefined, 'b']);
  });
});
