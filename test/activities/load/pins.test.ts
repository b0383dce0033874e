import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createDisk } from '../../../activities/files/disk.js';
import { declares } from '../../../activities/load/declared.js';
import { pinned } from '../../../activities/load/pins.js';
import { sha256Of, textsOf } from '../../../activities/texts.js';
import { parsePlan } from '../../../documents/plan.js';
import { temporaryFolder } from '../../support/disks.js';

interface TaskText {
  id: string;
  task?: string;
  doneWhen?: string;
  checks?: string[];
  more?: string;
  depends?: string;
}

function planOf(...tasks: TaskText[]) {
  const blocks = tasks.map(
    ({ id, task = 'Do it.', doneWhen = 'It is done.', checks = [], more = '', depends = '—' }) =>
      `## ${id} — ${id}\nTask: ${task}\nDone when: ${doneWhen}\nVerify by: the checks\nChecks:\n${checks.map((check) => `- ${check}\n`).join('')}${more}Depends on: ${depends}\n`,
  );
  const { draft } = parsePlan(`# PLAN: x\n\nSpec: none\nGoal: g\nPlan version: 1\n\n${blocks.join('\n')}`, { file: 'PLAN.md' });
  return draft;
}

async function pinsOf(files: Record<string, string>, plan: ReturnType<typeof planOf>, ours: string[] = []) {
  const workspace = temporaryFolder();
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(workspace, path, '..'), { recursive: true });
    writeFileSync(join(workspace, path), text);
  }
  const disk = createDisk();
  const texts = textsOf(disk, { folder: join(workspace, '.donewhen', 'x') });
  const { pins, warnings } = await pinned({ disk, texts, workspace }, { ours: ours.map((name) => join(workspace, name)), plan });
  return { pins: pins.map((pin) => pin.path), warnings, hashes: pins.map((pin) => pin.sha256), texts };
}

describe('what decides a check is pinned (A21)', () => {
  test('each word of a command that names a file of the workspace, and each schema, with its content kept', async () => {
    const plan = planOf({
      id: 'T1',
      checks: ['run: sh tools/check.sh --config=conf/a.json "with space.txt" missing.txt', 'file: out.json is json schema.json'],
    });
    const files = { 'tools/check.sh': 'exit 0\n', 'conf/a.json': '{}', 'with space.txt': 'x', 'schema.json': '{}', 'other.txt': '' };
    const { pins, hashes, texts } = await pinsOf(files, plan);
    expect(pins).toEqual(['tools/check.sh', 'conf/a.json', 'with space.txt', 'schema.json']);
    expect(hashes[0]).toEqual(sha256Of('exit 0\n'));
    expect(await texts.text(hashes[0] ?? '')).toEqual('exit 0\n');
  });

  test('what a shell script that is named reads in, from where it stands', async () => {
    const plan = planOf({ id: 'T1', checks: ['run: sh tools/check.sh'] });
    const files = {
      'tools/check.sh': '. "$(dirname "$0")/lib.sh"\nsource ./conf.sh\ncat data.txt\n',
      'tools/lib.sh': '. ./deeper.sh\n',
      'conf.sh': '',
      'data.txt': '',
      'deeper.sh': '',
    };
    expect((await pinsOf(files, plan)).pins).toEqual(['tools/check.sh', 'tools/lib.sh', 'conf.sh']);
  });

  test('what it names where the shell stands by then', async () => {
    const plan = planOf({ id: 'T1', checks: ['run: cd sub && bash -c "sh ./check.sh"', "run: sh -c '. ./lib.sh'", 'run: "$PWD/own.sh"'] });
    const files = { 'sub/check.sh': '', 'check.sh': '', 'lib.sh': '', 'own.sh': '' };
    expect((await pinsOf(files, plan)).pins).toEqual(['sub/check.sh', 'lib.sh', 'own.sh']);
  });

  test('our own files come first, where they are there', async () => {
    const plan = planOf({ id: 'T1', checks: ['run: sh check.sh'] });
    const { pins } = await pinsOf({ 'check.sh': '', 'PLAN.md': 'p', 'donewhen.yaml': 'y' }, plan, ['PLAN.md', 'SPEC.md', 'donewhen.yaml']);
    expect(pins).toEqual(['PLAN.md', 'donewhen.yaml', 'check.sh']);
  });

  test.each<[string, TaskText]>([
    ['its Task names', { id: 'T1', task: 'Mend `check.sh`, please.' }],
    ['its Done when names', { id: 'T1', doneWhen: './check.sh passes.' }],
    ['its Writes match', { id: 'T1', more: 'Writes: *.sh, docs/**\n' }],
  ])('not a file that %s', async (_title, task) => {
    const { pins } = await pinsOf({ 'check.sh': '' }, planOf({ ...task, checks: ['run: sh check.sh'] }));
    expect(pins).toEqual([]);
  });

  test('not a file that a task before is there to write, but one that an unrelated task names', async () => {
    const checks = ['run: node --test pay.test.mjs'];
    const before = planOf({ id: 'T1', task: 'Write pay.test.mjs.', checks: ['file: pay.test.mjs'] }, { id: 'T2', checks, depends: 'T1' });
    const unrelated = planOf({ id: 'T1', task: 'Write pay.test.mjs.', checks: ['file: pay.test.mjs'] }, { id: 'T2', checks });
    expect((await pinsOf({ 'pay.test.mjs': '' }, before)).pins).toEqual([]);
    expect((await pinsOf({ 'pay.test.mjs': '' }, unrelated)).pins).toEqual(['pay.test.mjs']);
  });

  test('nothing outside of the workspace, also by a link, no folder, and nothing of our own folder', async () => {
    const workspace = temporaryFolder();
    mkdirSync(join(workspace, 'dir'));
    mkdirSync(join(workspace, '.donewhen', 'x'), { recursive: true });
    writeFileSync(join(workspace, '.donewhen', 'lease.json'), '{}');
    symlinkSync('/etc/hostname', join(workspace, 'link'));
    const disk = createDisk();
    const texts = textsOf(disk, { folder: join(workspace, '.donewhen', 'x') });
    const plan = planOf({ id: 'T1', checks: ['run: cat link dir ../x /etc/hostname .donewhen/lease.json'] });
    expect(await pinned({ disk, texts, workspace }, { ours: [], plan })).toEqual({ pins: [], warnings: [] });
  });

  test('a plan that would pin too many says which it leaves (R15)', async () => {
    const names = Array.from({ length: 260 }, (_, n) => `f${n}`);
    const { pins, warnings } = await pinsOf(
      Object.fromEntries(names.map((name) => [name, ''])),
      planOf({ id: 'T1', checks: [`run: cat ${names.join(' ')}`] }),
    );
    expect(pins.length).toEqual(250);
    expect(warnings).toEqual(['260 files decide checks; only the first 250 of them are watched for changes']);
  });
});

test('a longer name or a longer path is another file', () => {
  const says = (task: string) => declares({ task, doneWhen: '', writes: null }, 'check.sh');
  expect([
    says('Write check.sh.'),
    says('see (check.sh)'),
    says('my-check.sh'),
    says('tools/check.sh'),
    says('check.sh.bak'),
    says('check.shell'),
  ]).toEqual([true, true, false, false, false, false]);
});

test('a file that is too large to be kept is watched by its hash alone, and that is said', async () => {
  const workspace = temporaryFolder();
  writeFileSync(join(workspace, 'big.bin'), '');
  truncateSync(join(workspace, 'big.bin'), 33 * 1024 * 1024);
  const disk = createDisk();
  const texts = textsOf(disk, { folder: join(workspace, '.donewhen', 'x') });
  const plan = planOf({ id: 'T1', checks: ['run: cmp big.bin other'] });
  const { pins, warnings } = await pinned({ disk, texts, workspace }, { ours: [], plan });
  expect([pins.map((pin) => pin.path), warnings]).toEqual([
    ['big.bin'],
    ['big.bin decides a check and is too large to be kept: a change of it is seen, but cannot be undone'],
  ]);
  expect(await texts.has(pins[0]?.sha256 ?? '')).toEqual(false);
});
