import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sha256Of } from '../../../activities/texts.js';
import { blockText, fenced } from '../../documents/pipeline/blocks.js';
import { openSite, type Site, sharedSupervisor } from '../../support/looks.js';
import { stepAt } from '../../support/pipeline-site.js';
import { commandOf, stepOf } from '../../support/pipeline-values.js';

const supervisor = sharedSupervisor();
let site: Site;
beforeEach(() => {
  site = openSite(supervisor);
});
afterEach(() => site.leave());
afterAll(() => supervisor.close());

const step = stepOf('1', { agent: 'okr.srs', artifacts: [{ key: 'srs', pattern: 'docs/srs-*.md' }] });
const answers = (artifacts: Record<string, string>, next: Record<string, string> = {}) =>
  `I did.\n${fenced(blockText({ artifacts, next }))}\n`;
const there = (path: string, text: string, before: string | null = null) => ({
  key: 'srs',
  path,
  is: 'there',
  matches: true,
  sha256: sha256Of(text),
  before: before === null ? null : sha256Of(before),
});

// Seed 003, Boss Parsing Rule 3; docs/interface.md §10, Artifacts.
describe('what is seen of a delivery', () => {
  it('is each path of its block, with what lay there before the work', async () => {
    site.write('docs/srs-old.md', 'old');
    const { delivery } = await stepAt(site, supervisor, step).carryOut(() => {
      site.write('docs/srs-new.md', 'new');
      return answers({ srs: '[docs/srs-new.md, docs/srs-old.md, docs/srs-none.md]' });
    });
    expect(delivery?.artifacts).toEqual([
      there('docs/srs-new.md', 'new'),
      there('docs/srs-old.md', 'old', 'old'),
      { key: 'srs', path: 'docs/srs-none.md', is: 'missing', matches: true, sha256: null, before: null },
    ]);
  });

  it('is where a path really is, and whether it fits its pattern', async () => {
    const { delivery } = await stepAt(site, supervisor, step).carryOut(() => {
      mkdirSync(join(site.workspace, 'docs'));
      symlinkSync('/etc/hostname', join(site.workspace, 'docs', 'srs-link.md'));
      site.write('docs/other.md', 'x');
      site.write('docs/srs-empty.md', '');
      return answers({ srs: '[docs/srs-link.md, docs/other.md, docs/srs-empty.md, ../srs-out.md]' });
    });
    expect(delivery?.artifacts.map(({ path, is, matches }) => [path, is, matches])).toEqual([
      ['docs/srs-link.md', 'outside', true],
      ['docs/other.md', 'there', false],
      ['docs/srs-empty.md', 'empty', true],
      ['../srs-out.md', 'outside', false],
    ]);
  });

  it('is also what it wrote and did not list', async () => {
    site.write('docs/srs-old.md', 'old');
    const { delivery } = await stepAt(site, supervisor, step).carryOut(() => {
      for (const name of ['a', 'b']) site.write(`docs/srs-${name}.md`, name);
      return answers({ srs: 'docs/srs-a.md' });
    });
    expect(delivery?.unlisted).toEqual([there('docs/srs-b.md', 'b')]);
  });

  it('is whether what it hands on is there', async () => {
    const { delivery } = await stepAt(site, supervisor, step).carryOut(() => {
      site.write('docs/notes.md', 'n');
      return answers({}, { notes: 'docs/notes.md', gone: 'docs/gone.md', out: '../out.md' });
    });
    expect(delivery?.nextInputs).toEqual([
      { key: 'notes', value: 'docs/notes.md', there: true },
      { key: 'gone', value: 'docs/gone.md', there: false },
      { key: 'out', value: '../out.md', there: false, outside: true },
    ]);
  });

  it('without a block in the answer is only what lies there', async () => {
    const { delivery } = await stepAt(site, supervisor, step).carryOut(() => {
      site.write('docs/srs-a.md', 'a');
      return 'I wrote docs/srs-a.md.';
    });
    expect(delivery).toEqual({ read: { is: 'none' }, artifacts: [], nextInputs: [], unlisted: [there('docs/srs-a.md', 'a')] });
  });

  it('of a command is what its patterns match, old and new; it gives no block', async () => {
    site.write('docs/srs-old.md', 'old');
    const command = commandOf('1', { artifacts: step.artifacts });
    const { delivery } = await stepAt(site, supervisor, command).carryOut(() => {
      site.write('docs/srs-new.md', 'new');
      return answers({ srs: 'docs/srs-new.md' });
    });
    expect(delivery).toEqual({
      read: { is: 'none' },
      artifacts: [there('docs/srs-new.md', 'new'), there('docs/srs-old.md', 'old', 'old')],
      nextInputs: [],
    });
  });
});

describe('what lay there before the work', () => {
  it('is that of the first look at a task: what an interrupted try of it wrote is new', async () => {
    const attempt = stepAt(site, supervisor, step);
    await attempt.look(1);
    site.write('docs/srs-a.md', 'a');
    const second = await attempt.look(1);
    await attempt.send(1, () => answers({ srs: 'docs/srs-a.md' }), 2);
    expect((await attempt.see(1, second, 2)).delivery?.artifacts).toEqual([there('docs/srs-a.md', 'a')]);
  });

  it('is of each further attempt its own', async () => {
    const attempt = stepAt(site, supervisor, step);
    const works = () => {
      site.write('docs/srs-a.md', 'a');
      return answers({ srs: 'docs/srs-a.md' });
    };
    await attempt.carryOut(works);
    expect((await attempt.carryOut(works, 2)).delivery?.artifacts).toEqual([there('docs/srs-a.md', 'a', 'a')]);
  });

  it('where nobody knows it any more makes nothing new (R11)', async () => {
    const attempt = stepAt(site, supervisor, step);
    const before = await attempt.look(1);
    await attempt.send(1, () => {
      site.write('docs/srs-a.md', 'a');
      return answers({ srs: 'docs/srs-a.md' });
    });
    rmSync(join(site.place.folder, 'texts'), { recursive: true });
    const { delivery } = await attempt.see(1, { baseline: before.baseline ?? '' });
    expect(delivery?.artifacts.map(({ is }) => is)).toEqual(['unobservable']);
  });
});

it('the answer of another try is not that of this one', async () => {
  const attempt = stepAt(site, supervisor, step);
  const before = await attempt.look(1);
  await attempt.send(1, () => answers({}));
  expect((await attempt.see(1, before, 2)).delivery?.read).toEqual({ is: 'none' });
});
