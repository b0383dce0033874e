import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { checkCommand } from '../../../client/commands/check.js';
import { type FakeService, fakeService, fakeWorld, heard } from '../support/fake-world.js';
import { CONFIG, entryText, folderWith, ledgerText, planText, taskText } from '../support/folders.js';

let folder = '';
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function check(
  files: Record<string, string>,
  options: Partial<Parameters<typeof checkCommand>[1]> = {},
  looks = {},
  compiled = {},
  more: Partial<FakeService> = {},
) {
  rmSync(folder, { recursive: true, force: true });
  folder = folderWith({ 'donewhen.yaml': CONFIG, 'bin/node': '#!/bin/sh\n', ...files });
  chmodSync(join(folder, 'bin/node'), 0o755);
  const io = heard({ cwd: folder, env: { NO_COLOR: '1', PATH: join(folder, 'bin') } });
  const fake = fakeService({ looks, compiled, ...more });
  const exit = await checkCommand('.', { json: false, dryRun: false, strict: false, ...options }, io, fakeWorld(fake));
  return { exit, out: io.said.out.replaceAll(folder, 'HERE'), err: io.said.err.replaceAll(folder, 'HERE'), did: fake.did };
}

const good = {
  'PLAN.md': planText(
    taskText('T1'),
    taskText('T2', { depends: 'T1' }),
    taskText('T3', { depends: 'T1', checks: ['human: does it look nice?'], lines: 'Performer: human\n' }),
  ),
};

it('a workspace that `run` would refuse is said before it is tried; the plan is sound all the same', async () => {
  const uncommitted = 'HERE has changes that are not committed (a.ts); commit them, or start with --allow-dirty';
  const text = await check(good, {}, {}, {}, { uncommitted });
  const document = await check(good, { json: true }, {}, {}, { uncommitted });
  const resumed = await check(
    { ...good, 'LEDGER.md': ledgerText('demo', entryText('T1', 'done', 'plan holds')) },
    {},
    {},
    {},
    { uncommitted },
  );
  expect([text.exit, text.out.split('\n').at(-2), JSON.parse(document.out).finds, resumed.out.split('\n').at(-2)]).toEqual([
    0,
    `\`donewhen run\` would refuse a new run: ${uncommitted}`,
    { does: 'refuse', words: uncommitted },
    '`donewhen run` would find: LEDGER.md found: one task is recorded and not done again',
  ]);
});

it('nothing is mended in the files of others, whatever is wrong with them (J04)', async () => {
  const files = {
    'PLAN.md': `${planText(taskText('T1', { depends: 'T9' }), taskText('T1'))}\r\n  `,
    'SPEC.md': 'no spec',
    'LEDGER.md': '# LEDGER: other\n',
  };
  const { exit } = await check(files, { dryRun: true });
  const kept = Object.keys(files).map((name) => [name, readFileSync(join(folder, name), 'utf8')]);
  expect([exit, Object.fromEntries(kept)]).toEqual([2, files]);
});

describe('what the configuration asks for and cannot have is warned of', () => {
  const writing = (first: string, second: string) => ({
    'PLAN.md': planText(taskText('T1', { lines: first }), taskText('T2', { lines: second })),
    'donewhen.yaml': `${CONFIG}limits:\n  # parallel: 1\n  parallel: 2\n`,
  });
  const warning =
    'donewhen.yaml:6: warning: limits.parallel is 2, and no two tasks say in Writes that they write different files: they go one at a time, in the workspace itself\n';

  it.each([
    ['no task says what it writes', '', '', warning],
    ['only one says it', 'Writes: a\n', '', warning],
    ['both may write the same', 'Writes: a/**\n', 'Writes: a/b\n', warning],
    ['they write different files', 'Writes: a\n', 'Writes: b\n', ''],
  ])('parallel where %s', async (_what, first, second, err) => {
    expect((await check(writing(first, second))).err).toEqual(err);
  });

  it('worktrees', async () => {
    const { exit, err } = await check({ ...good, 'donewhen.yaml': `${CONFIG}workspace: { isolation: worktree }\n` });
    expect([exit, err]).toEqual([
      0,
      'donewhen.yaml:4: warning: workspace.isolation is worktree, which this version does not have: attempts work in the workspace itself\n',
    ]);
  });
});

it('a sound plan is drawn, and what `run` would do is said; no server is asked', async () => {
  expect(await check(good)).toEqual({
    exit: 0,
    out: [
      'demo  plan version 1, 3 tasks: sound',
      'Goal: The files are there.',
      '',
      'T1    Part T1     mine   1 check',
      '├ T2  Part T2     mine   1 check',
      "└ T3  Part T3     human  a person's word",
      '',
      'Workspace: HERE',
      'At most 2 dispatches before any replan (mine 2), 1 task for a person.',
      '`donewhen run` would find: new run demo',
      '',
    ].join('\n'),
    err: '',
    did: [],
  });
});

describe('every problem is said at once, with its place, and nothing is started', () => {
  it('of the plan, its contract, its agents and its configuration', async () => {
    const plan = planText(
      taskText('T1', { depends: 'T9', lines: 'Covers: AC-009\nPerformer: nobody-there\n' }),
      taskText('T2', { checks: ['magic: wand'] }),
    ).replace('Spec: none', 'Spec: ./SPEC.md');
    const spec = '# SPEC: x\n\n## Acceptance\n\n- AC-001: Given a, when b, then c.\n';
    const { exit, err } = await check({ 'PLAN.md': plan, 'SPEC.md': spec });
    expect({
      exit,
      places: err
        .trimEnd()
        .split('\n')
        .map((line) => line.split(' ')[0]),
    }).toEqual({
      exit: 2,
      places: ['PLAN.md:13:', 'PLAN.md:14:', 'PLAN.md:15:', 'PLAN.md:22:', 'SPEC.md:5:'],
    });
  });

  it.each([
    ['a dangling dependency', { 'PLAN.md': planText(taskText('T1', { depends: 'T7' })) }, /^PLAN\.md:13: T1 depends on T7/],
    ['no tasks', { 'PLAN.md': planText() }, /^PLAN\.md:\d+: .*task/],
    ['a wrong key in donewhen.yaml', { ...good, 'donewhen.yaml': `${CONFIG}limits: { paralel: 2 }\n` }, /^donewhen\.yaml:4: .*paralel/],
    [
      'a SPEC that is not there',
      { 'PLAN.md': good['PLAN.md'].replace('Spec: none', 'Spec: ./SPEC.md') },
      /^PLAN\.md:3: Spec names \.\/SPEC\.md, which does not exist in HERE/,
    ],
    [
      'a ledger of another plan',
      { ...good, 'LEDGER.md': ledgerText('some-other-plan', entryText('T1', 'done', 'plan holds')) },
      /^LEDGER\.md:1 is the ledger of another plan, "some-other-plan"/,
    ],
    [
      'no agent at all',
      { ...good, 'donewhen.yaml': 'limits: { parallel: 1 }\n' },
      /^PLAN\.md:7: T1 needs an agent, and none is installed \(claude, codex, gemini, agy, opencode\)/,
    ],
    [
      'a title without a letter',
      { 'PLAN.md': good['PLAN.md'].replace('PLAN: demo', 'PLAN: 日本') },
      /^PLAN\.md:1: the title "日本" has no letter a-z and no digit to name the run by: give it with --slug NAME/,
    ],
  ])('%s', async (_what, files, words) => {
    const { exit, err } = await check(files);
    expect({ exit, said: words.test(err) ? 'as wanted' : err }).toEqual({ exit: 2, said: 'as wanted' });
  });

  it('as JSON it is one document', async () => {
    const { exit, out } = await check({ 'PLAN.md': planText(taskText('T1', { depends: 'T7' })) }, { json: true });
    const document = JSON.parse(out);
    expect({ exit, sound: document.sound, run: document.run, problems: document.problems.length, finds: document.finds.does }).toEqual({
      exit: 2,
      sound: false,
      run: 'demo',
      problems: 1,
      finds: 'start',
    });
  });

  it('a place in a folder below names the way to it', async () => {
    folder = folderWith({ 'a/b/PLAN.md': planText(taskText('T1', { depends: 'T7' })), 'a/b/donewhen.yaml': CONFIG });
    const io = heard({ cwd: folder });
    await checkCommand('a/b', { json: false, dryRun: false, strict: false }, io, fakeWorld(fakeService()));
    expect(io.said.err.split(' ')[0]).toEqual('a/b/PLAN.md:13:');
  });
});

describe('a task without a usable check', () => {
  const prose = { 'PLAN.md': planText(taskText('T1', { checks: [] })) };

  it('is a warning that says how it would end (A09)', async () => {
    const { exit, err } = await check(prose);
    expect({ exit, err }).toEqual({
      exit: 0,
      err: 'PLAN.md:7: warning: T1 has no usable check: nobody fills the verifier role, so that it ends partial, unverified: give it Checks\n',
    });
  });

  it('whose Verify by reads like a check is told where a check belongs', async () => {
    const meant = prose['PLAN.md'].replace(/^Verify by: .*$/m, 'Verify by: file: CHANGES contains "x"');
    expect((await check({ 'PLAN.md': meant })).err).toEqual(
      'PLAN.md:7: warning: T1 has no usable check: its Verify by is prose; under Checks, as `- file: CHANGES contains "x"`, it is one\n',
    );
  });

  it('with --strict is an error', async () => {
    expect((await check(prose, { strict: true })).exit).toEqual(2);
  });
});

it('a plan that a replan left only a part of, without its record, is warned of', async () => {
  const whole = planText(taskText('T1'), taskText('T2'));
  const left = planText(taskText('T2')).replace('Plan version: 1', 'Plan version: 2');
  const { exit, err } = await check({ 'PLAN.md': left, '.donewhen/demo/plan-1.md': whole, '.donewhen/demo/plan-2.md': left });
  expect({ exit, err }).toEqual({
    exit: 0,
    err: 'PLAN.md:1: warning: the plan holds only what was left at version 2, and a fresh record begins from the whole plan: copy .donewhen/demo/plan-1.md over PLAN.md, or write the whole plan anew\n',
  });
});

it('a record that shows nothing of what it calls done, and is of a newer plan, is warned of', async () => {
  const bare = entryText('T9', 'done', 'plan holds').replace('Evidence:\n- looked → as said\n', '').replace('version: 1', 'version: 4');
  const { exit, err } = await check({ ...good, 'LEDGER.md': ledgerText('demo', bare) });
  expect([exit, err.trimEnd().split('\n')]).toEqual([
    0,
    [
      'LEDGER.md:3: warning: done without evidence: T9; that satisfies no criterion: write under Evidence what was seen, or take the entry out, so that its task is looked at again',
      'PLAN.md:1: warning: plan version 1 is older than the record: T9 in LEDGER.md is of version 4; put that plan back, or take a LEDGER.md that is not of this work away',
    ],
  ]);
});

describe('what `run` would find in the files', () => {
  it.each([
    ['plan holds', 'LEDGER.md found: one task is recorded and not done again'],
    ['replan required', 'LEDGER.md found: the planner is asked now because of T1'],
    ['replan exhausted', 'LEDGER.md found: T1 is exhausted: it is reported, and nobody is sent'],
    ['', 'LEDGER.md found: the gate of T1 is decided first'],
  ])('with a last gate "%s"', async (gate, words) => {
    const { exit, out } = await check({
      ...good,
      'LEDGER.md': ledgerText('demo', entryText('T1', gate === 'plan holds' ? 'done' : 'failed', gate)),
    });
    expect({ exit, found: out.split('\n').find((line) => line.startsWith('`donewhen run`')) }).toEqual({
      exit: 0,
      found: `\`donewhen run\` would find: ${words}`,
    });
  });
});

describe('checks that the verifier compiled in an earlier run', () => {
  const prose = { 'PLAN.md': planText(taskText('T1', { checks: [] })) };
  const compiled = { 'out-T1 exists.': ['file: out-T1', 'run: test -s out-T1'] };

  it('are shown, so that somebody can judge them, and the task has checks', async () => {
    const { exit, out, err } = await check(prose, { strict: true }, {}, compiled);
    expect([exit, err, out.split('\n').slice(3, 8)]).toEqual([
      0,
      '',
      [
        'T1  Part T1     mine  2 checks',
        '',
        'Workspace: HERE',
        'T1: the verifier turned its Verify by into these checks in an earlier run:',
        '    file: out-T1',
      ],
    ]);
  });

  it('are looked at by --dry-run', async () => {
    const holds = Object.fromEntries(compiled['out-T1 exists.'].map((line) => [line, { check: line, is: 'holds', saw: 'there' }]));
    expect((await check(prose, { dryRun: true }, holds, compiled)).exit).toBe(0);
  });

  it('never take the place of checks that the plan has', async () => {
    const { out } = await check({ 'PLAN.md': planText(taskText('T1')) }, {}, {}, compiled);
    expect(out).not.toContain('the verifier turned');
  });
});

it('an agent whose program is not here is said before anybody is sent', async () => {
  const config =
    'agents:\n  mine: { kind: command, command: [no-such-agent] }\n  other: { kind: command, command: [./agent.sh] }\nroles: { performer: mine, planner: other }\n';
  const warnings = [
    'donewhen.yaml:1: warning: agent mine: its program no-such-agent is not on PATH: install it, or change the agent in donewhen.yaml',
    'donewhen.yaml:1: warning: agent other: its program ./agent.sh is not there, or may not be run: install it, or change the agent in donewhen.yaml',
  ];
  const { exit, err } = await check({ ...good, 'donewhen.yaml': config });
  expect([exit, err.trimEnd().split('\n')]).toEqual([0, warnings]);
  expect((await check({ ...good, 'donewhen.yaml': config }, { strict: true })).exit).toBe(2);
});

describe('--dry-run', () => {
  const looked = (is: string) => ({ 'file: out-T1': { check: 'file: out-T1', is, saw: is === 'holds' ? 'there, 5 bytes' : 'absent' } });
  const one = { 'PLAN.md': planText(taskText('T1')) };

  it('is 0 where every check holds already', async () => {
    const { exit, out, did } = await check(one, { dryRun: true }, looked('holds'));
    expect({ exit, last: out.trimEnd().split('\n').slice(-3), did }).toEqual({
      exit: 0,
      last: ['1 task of 1 holds already and would not be sent:', 'T1  holds', '    file: out-T1  →  there, 5 bytes'],
      did: ['stop looking'],
    });
  });

  it.each(['disproved', 'unobservable'])('is 10 where one is %s', async (is) => {
    const { exit, out } = await check(one, { dryRun: true }, looked(is));
    expect([exit, out.trimEnd().split('\n').slice(-3)]).toEqual([
      10,
      ['No task holds already:', 'T1  to do', '    file: out-T1  →  absent'],
    ]);
  });

  it('is 10 where there is nothing to look at, or only a person can say', async () => {
    const prose = await check({ 'PLAN.md': planText(taskText('T1', { checks: [] })) }, { dryRun: true });
    const person = await check({ 'PLAN.md': planText(taskText('T1', { checks: ['human: nice?'] })) }, { dryRun: true });
    expect([prose.exit, person.exit]).toEqual([10, 10]);
  });

  const met = (spec: string) =>
    `# PLAN: demo\n\nSpec: ${spec}\nGoal: g\nPlan version: 1\nStatus: no-op\nAlready true because: it is there.\nEvidence: ls → there\nChecks:\n- file: out\n`;
  const seen = (is: 'holds' | 'disproved') => ({ 'file: out': { check: 'file: out', is, saw: is === 'holds' ? 'there' : 'absent' } });

  it('of a goal that is said to be met looks whether it is', async () => {
    const { exit, out } = await check({ 'PLAN.md': met('none') }, { dryRun: true }, seen('holds'));
    expect([exit, out.split('\n').slice(-4)]).toEqual([
      0,
      [expect.stringMatching(/^1 task of 1/), 'the goal  holds', '    file: out  →  there', ''],
    ]);
  });

  it('refuses a plan whose goal is not met as `run` does', async () => {
    const { exit, err } = await check({ 'PLAN.md': met('none') }, { dryRun: true }, seen('disproved'));
    expect([exit, err]).toEqual([2, 'PLAN.md:1: Status: no-op, but this does not hold: file: out (absent); plan what is left to do\n']);
  });

  it('needs checks of a goal that is said to be met where criteria of a SPEC depend on it, also without looking', async () => {
    const spec = '# SPEC: x\n\n## Acceptance\n\n- AC-001: Given a, when b, then c.\n';
    const { exit, err } = await check({ 'PLAN.md': met('./SPEC.md').replace(/Checks:\n.*\n/, ''), 'SPEC.md': spec });
    expect([exit, err]).toEqual([
      2,
      'PLAN.md:1: Status: no-op of a plan with a SPEC needs Checks: in its header, which show that the goal is met\n',
    ]);
  });

  it('is 2 and looks at nothing where the plan is not sound', async () => {
    expect(await check({ 'PLAN.md': planText(taskText('T1', { depends: 'T7' })) }, { dryRun: true })).toMatchObject({ exit: 2, did: [] });
  });
});

it('a folder without PLAN.md is said to lack it', async () => {
  folder = folderWith({ 'README.md': 'no plan here' });
  await expect(
    checkCommand('.', { json: false, dryRun: false, strict: false }, heard({ cwd: folder }), fakeWorld(fakeService())),
  ).rejects.toMatchObject({
    exitCode: 2,
    message: '. has no PLAN.md: name a folder that has one, or let `donewhen init` write a first one',
  });
});

it('the one known agent that is installed carries out a plan without donewhen.yaml', async () => {
  folder = folderWith({ ...good });
  mkdirSync(join(folder, 'bin'));
  writeFileSync(join(folder, 'bin', 'codex'), '#!/bin/sh\n', { mode: 0o755 });
  const io = heard({ cwd: folder, env: { NO_COLOR: '1', PATH: join(folder, 'bin') } });
  const exit = await checkCommand('.', { json: true, dryRun: false, strict: false }, io, fakeWorld(fakeService()));
  expect({ exit, performers: JSON.parse(io.said.out).plan.tasks.map((task: { performer: string }) => task.performer) }).toEqual({
    exit: 0,
    performers: ['codex', 'codex', 'human'],
  });
});
