import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createDisk } from '../../../activities/files/disk.js';
import type { CheckInput } from '../../../activities/interface.js';
import { type ObservePorts, observe } from '../../../activities/observe.js';
import { textsOf } from '../../../activities/texts.js';
import { checkInput, openSite, type Site, sharedSupervisor } from '../../support/looks.js';

const supervisor = sharedSupervisor();
let site: Site;
beforeEach(() => {
  site = openSite(supervisor);
});
afterEach(() => site.leave());
afterAll(() => supervisor.close());

const texts = () => textsOf(createDisk(), site.place);
const ports = (declared: string[]): ObservePorts => ({
  run: supervisor.run,
  environment: async () => ({ variables: site.context.variables, secrets: [] }),
  pinnedContent: (_place, sha256) => texts().bytes(sha256),
  keepText: (_place, text) => texts().put(text),
  declaredIn: async () => (path) => declared.includes(path),
});
const seen = (more: Partial<CheckInput>, declared: string[] = []) =>
  observe(checkInput(site.place, more), ports(declared), new AbortController().signal);

async function pin(path: string, text: string): Promise<void> {
  site.write(path, text);
  site.place.pinned.push({ path, sha256: await texts().put(text) });
}

/** What the looks around an attempt come to. */
async function around(
  check: string,
  work: () => void,
  { declared = [], before = () => {} }: { declared?: string[]; before?: () => void } = {},
) {
  const task = { task: 'T1', token: 'T1#1.1', checks: [check] };
  before();
  const { base } = await seen({ ...task, when: 'before' }, declared);
  work();
  const { looks, tampered } = await seen({ ...task, when: 'after', ...(base === undefined ? {} : { base }) }, declared);
  return { looks: looks.map(({ is, saw }) => `${is}: ${saw}`), tampered };
}

const HONEST = 'grep -q right out\n';

describe('a script that a check reaches in another way than by its name alone decides it all the same (A21)', () => {
  it.each([
    ['within another shell', 'run: sh -c "sh tools/check.sh"', 'tools/check.sh'],
    ['from a folder that the command goes to', 'run: cd tools && sh -c ". ./check.sh" && cd ..', 'tools/check.sh'],
    ['from where it stands', 'run: sh "$PWD/tools/../tools/check.sh"', 'tools/check.sh'],
  ])('%s', async (_how, check, path) => {
    await pin(path, 'exit 1\n');
    const { looks, tampered } = await around(check, () => site.write(path, 'true\n'));
    expect([looks, tampered]).toEqual([[`disproved: only with the changed ${path}`], [path]]);
  });

  it('by the path of the whole workspace', async () => {
    await pin('check.sh', HONEST);
    const { looks } = await around(`run: sh ${site.workspace}/check.sh`, () => site.write('check.sh', 'true\n'));
    expect(looks).toEqual(['disproved: only with the changed check.sh']);
  });

  it('because a script that is named reads it in', async () => {
    await pin('check.sh', '. ./lib.sh\nis_right\n');
    await pin('lib.sh', `is_right() { ${HONEST}}\n`);
    const { looks, tampered } = await around('run: sh check.sh', () => site.write('lib.sh', 'is_right() { true; }\n'));
    expect([looks, tampered]).toEqual([['disproved: only with the changed lib.sh'], ['lib.sh']]);
  });
});

describe('a check that goes through a recipe which the attempt changed must hold with the recipe as it was', () => {
  const manifest = (scripts: object) => JSON.stringify({ name: 'x', scripts });

  it('the scripts of package.json', async () => {
    site.write('package.json', manifest({ test: 'grep -q right out' }));
    const { looks, tampered } = await around('run: npm test', () => site.write('package.json', manifest({ test: 'true' })));
    expect([looks, tampered]).toEqual([['disproved: only with the changed package.json'], []]);
  });

  it('and does: then nothing is held against it', async () => {
    site.write('package.json', manifest({ test: 'grep -q right out' }));
    const { looks } = await around('run: npm test', () => {
      site.write('package.json', manifest({ test: 'grep -q "right" out' }));
      site.write('out', 'right');
    });
    expect(looks).toEqual(['holds: exit 0']);
  });

  it('but a script, or a target, that was not there is new', async () => {
    site.write('package.json', manifest({ test: 'false' }));
    site.write('Makefile', 'all:\n\tfalse\n');
    const added = await around('run: npm run lint', () => site.write('package.json', manifest({ test: 'false', lint: 'true' })));
    const target = await around('run: make lint', () => site.write('Makefile', 'all:\n\tfalse\nlint:\n\ttrue\n'));
    expect([added.looks, target.looks]).toEqual([['holds: exit 0'], ['holds: exit 0']]);
  });

  it('a Makefile', async () => {
    site.write('Makefile', 'test:\n\tgrep -q right out\n');
    const named = await around('run: make test', () => site.write('Makefile', 'test:\n\ttrue\n'));
    site.write('web/Makefile', 'all:\n\tgrep -q right out\n');
    const first = await around('run: make -C web', () => site.write('web/Makefile', 'all:\n\ttrue\n'));
    expect([named.looks, first.looks]).toEqual([
      ['disproved: only with the changed Makefile'],
      ['disproved: only with the changed web/Makefile'],
    ]);
  });

  it('a new one that takes the place of what was read', async () => {
    site.write('Makefile', 'test:\n\tgrep -q right out\n');
    const { looks } = await around('run: make test', () => site.write('GNUmakefile', 'test:\n\ttrue\n'));
    expect(looks).toEqual(['disproved: only with the changed GNUmakefile']);
  });

  it('a setting that changes what runs a script; of the other settings nothing is kept (R16)', async () => {
    site.write('package.json', manifest({ test: 'grep -q right out' }));
    site.write('.npmrc', '//registry.example.org/:_authToken=hush\n');
    const loosen = () => site.write('.npmrc', '//registry.example.org/:_authToken=hush\nscript-shell=/bin/true\n');
    const { looks } = await around('run: npm test', loosen);
    expect(looks).toEqual(['disproved: only with the changed .npmrc']);
    const kept = readdirSync(join(site.place.folder, 'texts')).map((name) => readFileSync(join(site.place.folder, 'texts', name), 'utf8'));
    expect(kept.join('\n')).not.toContain('hush');
  });

  it('unless the file is its own to change', async () => {
    site.write('Makefile', 'test:\n\tgrep -q right out\n');
    const { looks } = await around('run: make test', () => site.write('Makefile', 'test:\n\ttrue\n'), { declared: ['Makefile'] });
    expect(looks).toEqual(['holds: exit 0']);
  });
});

describe('the copy with a file as it was', () => {
  it('starts a script by its name, as it could be before', async () => {
    await pin('check.sh', '#!/bin/sh\ngrep -q right out\n');
    chmodSync(join(site.workspace, 'check.sh'), 0o755);
    const { looks } = await around('run: ./check.sh', () => {
      site.write('check.sh', '#!/bin/sh\n# tidied\ngrep -q right out\n');
      site.write('out', 'right');
    });
    expect(looks).toEqual(['holds: exit 0']);
  });

  it('is not written to through a link that leads out of it (F05)', async () => {
    const elsewhere = join(site.workspace, '..', 'elsewhere');
    mkdirSync(elsewhere);
    await pin('tools/check.sh', HONEST);
    const { looks } = await around('run: sh tools/check.sh', () => {
      rmSync(join(site.workspace, 'tools'), { recursive: true });
      writeFileSync(join(elsewhere, 'check.sh'), 'true\n');
      symlinkSync(elsewhere, join(site.workspace, 'tools'));
    });
    expect([looks, readFileSync(join(elsewhere, 'check.sh'), 'utf8')]).toEqual([
      ['disproved: only with the changed tools/check.sh'],
      'true\n',
    ]);
  });
});

describe('a pinned file that was changed before an attempt', () => {
  it('is not its tampering, so that what another task did is not undone, and still must not be what makes the check hold', async () => {
    await pin('check.sh', HONEST);
    const { looks, tampered } = await around('run: sh check.sh', () => {}, { before: () => site.write('check.sh', 'true\n') });
    expect([looks, tampered]).toEqual([['disproved: only with the changed check.sh'], []]);
  });

  it('and that it changes again is', async () => {
    await pin('check.sh', HONEST);
    const again = () => site.write('check.sh', 'exit 0\n');
    expect((await around('run: sh check.sh', again, { before: () => site.write('check.sh', 'true\n') })).tampered).toEqual(['check.sh']);
  });
});

describe('the final sweep, and the look after a resolution', () => {
  it.each(['sweep', 'resolution'] as const)('%s: what holds only with a changed pinned file does not hold', async (when) => {
    await pin('check.sh', HONEST);
    site.write('check.sh', 'true\n');
    const { looks } = await seen({ when, checks: ['run: sh check.sh'] });
    expect(looks.map(({ is, saw }) => `${is}: ${saw}`)).toEqual(['disproved: only with the changed check.sh']);
  });

  it('takes a file as it is that some task was to change', async () => {
    await pin('check.sh', HONEST);
    site.write('check.sh', 'true\n');
    const { looks } = await seen({ when: 'sweep', checks: ['run: sh check.sh'] }, ['check.sh']);
    expect(looks.map(({ is }) => is)).toEqual(['holds']);
  });
});
