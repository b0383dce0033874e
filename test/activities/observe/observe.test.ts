import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createDisk } from '../../../activities/files/disk.js';
import { createCompile } from '../../../activities/observe/compile.js';
import type { Prose } from '../../../activities/observe/compile-prompt.js';
import { createCompiledCache } from '../../../activities/observe/compiled-cache.js';
import { createConfirm } from '../../../activities/observe/confirm.js';
import { type ObservePorts, observe } from '../../../activities/observe.js';
import type { Claim, End } from '../../../core/values.js';
import { checkInput, openSite, type Site, sharedSupervisor } from '../../support/looks.js';

const supervisor = sharedSupervisor();
let site: Site;
const kept = new Map<string, Buffer>();
beforeEach(() => {
  site = openSite(supervisor);
  kept.clear();
});
afterEach(() => site.leave());
afterAll(() => supervisor.close());

const signal = new AbortController().signal;
const ports = (more: Partial<ObservePorts> = {}): ObservePorts => ({
  run: supervisor.run,
  environment: async () => ({ variables: site.context.variables, secrets: [] }),
  pinnedContent: async (_place, sha256) => kept.get(sha256) ?? null,
  ...more,
});
const observed = (more: Parameters<typeof checkInput>[1], with_: Partial<ObservePorts> = {}) =>
  observe(checkInput(site.place, more), ports(with_), signal);
const claim = (discovered: string[]): Claim => ({
  status: 'done',
  stateDelta: [],
  evidence: [],
  discovered,
  unresolved: [],
  risk: [],
  userAction: [],
});

/** Writes a file and pins it as it is. */
function pin(path: string, text: string): void {
  site.write(path, text);
  const sha256 = createHash('sha256').update(text).digest('hex');
  kept.set(sha256, Buffer.from(text));
  site.place.pinned.push({ path, sha256 });
}

it('every check is looked at, in its order, under the very text it has', async () => {
  site.write('a', 'x');
  const { looks } = await observed({ checks: ['file: a', 'human: nice?', 'run:  echo  two', 'file: b'] });
  expect(looks.map(({ check, is }) => [check, is])).toEqual([
    ['file: a', 'holds'],
    ['run:  echo  two', 'holds'],
    ['file: b', 'disproved'],
  ]);
});

it('no checks bring no looks: nothing that could be taken for a pass (A07, A09)', async () => {
  expect(await observed({})).toEqual({ looks: [], tampered: [], deviations: [], discovered: [] });
});

it('before the work it is seen whether an attempt of the task began that history does not know', async () => {
  const attempts = join(site.place.folder, 'attempts');
  mkdirSync(join(attempts, 'T1.1.1'), { recursive: true });
  mkdirSync(join(attempts, 'T10.1.1'), { recursive: true });
  writeFileSync(join(attempts, 'T10.1.1', 'claim.json'), '{}');
  const attempted = async (task: string, when: 'before' | 'after') => (await observed({ task, when })).attempted ?? false;
  expect([await attempted('T1', 'before'), await attempted('T10', 'before'), await attempted('T10', 'after')]).toEqual([
    false,
    true,
    false,
  ]);
});

describe('a pinned file that somebody changed (A21, R17)', () => {
  const check = 'run: node tests/pinned.mjs';
  const honest = "import { readFileSync } from 'node:fs'; if (readFileSync('out', 'utf8') !== 'right') process.exit(1);";

  // Seed 002 Working directory.
  it('is tampering, and its check holds only if it also holds with the file as it was', async () => {
    pin('tests/pinned.mjs', honest);
    site.write('out', 'wrong');
    site.write('tests/pinned.mjs', 'process.exit(0);');
    const { tampered, looks } = await observed({ when: 'after', task: 'T1', checks: [check] });
    expect([tampered, looks.map(({ is, saw }) => [is, saw])]).toEqual([
      ['tests/pinned.mjs'],
      [['disproved', 'only with the changed tests/pinned.mjs']],
    ]);
    expect(readdirSync(join(site.place.folder, 'scratch'))).toEqual([]);
  });

  it('lets nothing hold before the work either, whoever changed it', async () => {
    pin('tests/pinned.mjs', honest);
    site.write('out', 'wrong');
    site.write('tests/pinned.mjs', 'process.exit(0);');
    const { tampered, looks } = await observed({ when: 'before', task: 'T1', checks: [check] });
    expect([tampered, looks.map(({ is, saw }) => [is, saw])]).toEqual([[], [['disproved', 'only with the changed tests/pinned.mjs']]]);
  });

  it('does no harm when the work is right', async () => {
    pin('tests/pinned.mjs', honest);
    site.write('out', 'right');
    site.write('tests/pinned.mjs', `${honest} // tidied`);
    const { tampered, looks } = await observed({ when: 'after', task: 'T1', checks: [check] });
    expect([tampered, looks.map(({ is, saw }) => [is, saw])]).toEqual([['tests/pinned.mjs'], [['holds', 'exit 0']]]);
    expect(readFileSync(join(site.workspace, 'tests/pinned.mjs'), 'utf8')).toContain('tidied');
  });

  it('that was removed is tampering too, and so is a schema', async () => {
    pin('tests/pinned.mjs', honest);
    pin('schema.json', '{"required":["a"]}');
    site.write('data.json', '{}');
    rmSync(join(site.workspace, 'tests/pinned.mjs'));
    site.write('schema.json', '{}');
    const { tampered, looks } = await observed({ when: 'after', task: 'T1', checks: ['file: data.json is json schema.json'] });
    expect([tampered, looks.map(({ is, saw }) => [is, saw])]).toEqual([
      ['tests/pinned.mjs', 'schema.json'],
      [['disproved', 'only with the changed schema.json']],
    ]);
  });

  it('is no tampering when the task declares it, and none before the work', async () => {
    pin('tests/pinned.mjs', honest);
    site.write('tests/pinned.mjs', 'process.exit(0);');
    const tampered = async (more: object) => (await observed({ task: 'T1', ...more })).tampered;
    expect([
      await tampered({ when: 'after', writes: ['./tests/**'] }),
      await tampered({ when: 'after', writes: ['src/**'] }),
      await tampered({ when: 'before' }),
    ]).toEqual([[], ['tests/pinned.mjs'], []]);
  });

  it('in a workspace that is too large to be copied leaves the check unobservable', async () => {
    pin('tests/pinned.mjs', honest);
    site.write('out', 'right');
    site.write('tests/pinned.mjs', 'process.exit(0);');
    const { looks } = await observed({ when: 'after', task: 'T1', checks: [check] }, { scratchLimits: { bytesMax: 10, filesMax: 10 } });
    expect(looks.map(({ is, saw }) => [is, saw])).toEqual([
      ['unobservable', 'with tests/pinned.mjs as it was: the workspace is too large to be copied'],
    ]);
  });

  // Seed 002 Anti-patterns.
  it('is not the plan that we wrote ourselves after a replan', async () => {
    pin('PLAN.md', 'version 1');
    site.write('PLAN.md', 'version 2');
    const tampered = async () => (await observed({ when: 'after', task: 'T1' })).tampered;
    expect(await tampered()).toEqual(['PLAN.md']);
    site.write('.donewhen/demo/plan-2.md', 'version 2');
    expect(await tampered()).toEqual([]);
  });
});

describe('what a performer found out (R10)', () => {
  // Seed 002 §4.
  it('is verified when a check of its own holds, else reported', async () => {
    site.write('a.txt', 'seven rows');
    const items = [
      'the table has seven rows (check: file: a.txt contains "seven")',
      'it has eight (check: `file: a.txt contains "eight"`)',
      'the command works (check: run: test -s a.txt).',
      'the moon table has 7 rows',
      'a person thinks so (check: human: is it so?)',
      'nobody can read this (check: magic)',
    ];
    const { discovered } = await observed({ when: 'after', task: 'T1', claim: claim(items) });
    expect(discovered).toEqual([
      { label: 'verified', fact: 'the table has seven rows', check: 'file: a.txt contains "seven"' },
      { label: 'reported, unconfirmed', fact: 'it has eight', check: 'file: a.txt contains "eight"' },
      { label: 'verified', fact: 'the command works', check: 'run: test -s a.txt' },
      { label: 'reported, unconfirmed', fact: 'the moon table has 7 rows' },
      { label: 'reported, unconfirmed', fact: 'a person thinks so (check: human: is it so?)' },
      { label: 'reported, unconfirmed', fact: 'nobody can read this (check: magic)' },
    ]);
  });
});

describe('the check that a performer names for what it found out', () => {
  const after = { when: 'after', task: 'T1', token: 'T1#1.1' } as const;
  const labels = async (items: string[], with_: Partial<ObservePorts> = {}) =>
    (await observed({ ...after, claim: claim(items) }, with_)).discovered.map(({ label, fact }) => `${label}: ${fact}`);

  // Seed 002 §4.
  it('has a copy of the workspace to itself, and undoes nothing of the task (R10)', async () => {
    site.write('a.txt', 'work');
    const items = [
      'cleaning up works (check: run: rm a.txt)',
      `by its whole path too (check: run: cd ${site.workspace} && rm a.txt)`,
      'no other saw that (check: run: test -s a.txt)',
    ];
    const { discovered, looks } = await observed({ ...after, checks: ['file: a.txt'], claim: claim(items) });
    expect([discovered.map(({ label }) => label), looks.map(({ is }) => is), readFileSync(join(site.workspace, 'a.txt'), 'utf8')]).toEqual([
      ['verified', 'verified', 'verified'],
      ['holds'],
      'work',
    ]);
  });

  it('that gets out of its copy is what the attempt did: told as tampering, and the checks of the task look last', async () => {
    pin('check.sh', 'exit 1\n');
    site.write('a.txt', 'work');
    const items = ['it tidies up (check: run: cd ../../../.. && test -d .donewhen && rm a.txt && echo exit 0 > check.sh)'];
    const { looks, tampered } = await observed({ ...after, checks: ['file: a.txt'], claim: claim(items) });
    expect([tampered, looks.map(({ is, saw }) => `${is}: ${saw}`)]).toEqual([['check.sh'], ['disproved: absent']]);
  });

  it('says nothing where it would hold in an empty folder as well', async () => {
    site.write('PLAN.md', '# PLAN: x\n');
    const items = ['run: true', 'run: echo 7 > rows && grep 7 rows', 'file: never absent', 'file: PLAN.md'];
    expect(await labels(items.map((check, index) => `claim ${index} (check: ${check})`))).toEqual(
      items.map((_check, index) => `reported, unconfirmed: claim ${index}`),
    );
  });

  it('is not run in a workspace that is too large to be copied, and a file is looked at all the same', async () => {
    site.write('a.txt', 'work');
    const items = ['one (check: run: test -s a.txt)', 'two (check: file: a.txt contains "work")'];
    expect(await labels(items, { scratchLimits: { bytesMax: 1, filesMax: 10 } })).toEqual(['reported, unconfirmed: one', 'verified: two']);
  });
});

describe('a check that a planner added', () => {
  const added = ['run: true', 'file: never absent', 'run: test -s a.txt', 'file: b.txt'];

  it('is refused where it holds before the work and where nothing is as well (A21)', async () => {
    site.write('a.txt', 'x');
    const { looks, refused } = await observed({ checks: [...added, 'run: exit 0'], added });
    expect([refused, looks.map(({ check, is }) => [check, is])]).toEqual([
      ['run: true', 'file: never absent'],
      [
        ['run: test -s a.txt', 'holds'],
        ['file: b.txt', 'disproved'],
        ['run: exit 0', 'holds'],
      ],
    ]);
  });

  it('is looked at like any other after the work', async () => {
    const { looks, refused } = await observed({ checks: ['run: true'], added, when: 'after', task: 'T1' });
    expect([refused, looks.map(({ is }) => is)]).toEqual([undefined, ['holds']]);
  });
});

describe('prose that the verifier role turns into checks', () => {
  const prose: Prose = { title: 'Part', task: 'Make out.', doneWhen: 'out is there', verifyBy: 'look at it' };
  const asking = (output: string, about: Prose | null = prose) => {
    const prompts: string[] = [];
    const compile = createCompile({
      ask: async ({ prompt, token, role }) => {
        prompts.push(`${role} ${token} ${prompt}`);
        return { output, end: { is: 'exited', code: 0 }, cost: { usd: 0.1, tokens: null } };
      },
      verifier: async () => 'mine',
      prose: async () => about,
      cache: createCompiledCache(createDisk(), join(site.place.folder, '../../../home')),
      timeoutMs: 1000,
      now: () => 0,
    });
    return { compile, prompts };
  };
  const before = { when: 'before', task: 'T1', token: 'T1#1.1' } as const;

  it('is asked blind, and what does not hold yet is looked at and kept', async () => {
    const { compile, prompts } = asking('I looked.\nChecks:\n- file: out\n- run: test -d .\n');
    const { looks, compiled } = await observed(before, { compile });
    expect([compiled, looks.map(({ check, is }) => [check, is])]).toEqual([['file: out'], [['file: out', 'disproved']]]);
    expect(prompts).toEqual([expect.stringMatching(/^verifier verify-[0-9a-f]{8}-T1#1\.1 /)]);
    expect(prompts[0]).toContain('Done when: out is there');
  });

  it('what holds already and would hold anywhere is refused: it observes nothing (A09)', async () => {
    await observed({ checks: ['run: git init -q . && git add -A'] });
    const { compile } = asking('Checks:\n- run: true\n- file: never absent\n- git: clean\n- human: is it nice?\n');
    expect(await observed(before, { compile })).toMatchObject({ looks: [], compiled: [] });
  });

  it('what holds already and not in an empty folder is kept', async () => {
    site.write('out', 'made');
    const { compile } = asking('Checks:\n- file: out\n- run: test -s out\n');
    const { looks, compiled } = await observed(before, { compile });
    expect([compiled, looks.map(({ is }) => is)]).toEqual([
      ['file: out', 'run: test -s out'],
      ['holds', 'holds'],
    ]);
  });

  it('what our own files make hold is refused: they stand in every workspace', async () => {
    site.write('PLAN.md', '# PLAN: x\nGoal: g\n');
    pin('check.sh', 'exit 0\n');
    const { compile } = asking('Checks:\n- file: PLAN.md\n- run: grep -q Goal PLAN.md\n- run: sh check.sh\n');
    expect(await observed(before, { compile })).toMatchObject({ looks: [], compiled: [] });
  });

  it('of a verifier that wrote, although it only reads, that is a deviation', async () => {
    const compile = createCompile({
      ask: async () => ({
        output: 'CANNOT TELL: no way',
        end: { is: 'exited', code: 0 },
        cost: { usd: 0, tokens: 0 },
        deviation: 'it changed a',
      }),
      verifier: async () => 'mine',
      prose: async () => prose,
      cache: createCompiledCache(createDisk(), join(site.place.folder, '../../../home')),
      timeoutMs: 1000,
      now: () => 0,
    });
    const confirm = async (_input: unknown, facts: readonly string[]) => ({ checks: facts.map(() => null), deviation: 'it changed b' });
    expect([
      (await observed(before, { compile })).deviations,
      (await observed({ ...before, when: 'after', claim: claim(['it is slow']) }, { confirm })).deviations,
    ]).toEqual([['it changed a'], ['it changed b']]);
  });

  it('no answer is no check', async () => {
    for (const said of ['', 'CANNOT TELL: no way', 'Checks:\n- <check>', 'Checks:\n- file: out\n- magic: wand\n']) {
      expect(await observed(before, { compile: asking(said).compile })).toMatchObject({ looks: [], compiled: [] });
    }
  });

  it('costs what the verifier says', async () => {
    expect((await observed(before, { compile: asking('Checks:\n- file: out\n').compile })).cost).toEqual({ usd: 0.1, tokens: null });
  });

  describe('is compiled once', () => {
    const kept = () => readdirSync(join(site.place.folder, 'compiled')).map((name) => join(site.place.folder, 'compiled', name));

    it('and found again by the words of the task, whichever task has them', async () => {
      await observed(before, { compile: asking('Checks:\n- file: out\n').compile });
      const second = asking('Checks:\n- file: another\n');
      const { compiled, cost } = await observed({ ...before, token: 'T9#1.1', task: 'T9' }, { compile: second.compile });
      expect([compiled, cost, second.prompts]).toEqual([['file: out'], undefined, []]);
      expect(JSON.parse(readFileSync(kept()[0] ?? '', 'utf8'))).toEqual({ task: 'T1', verifyBy: 'look at it', checks: ['file: out'] });
    });

    it('but not for other words, and not where it was no answer (E13)', async () => {
      await observed(before, { compile: asking('').compile });
      await observed(before, { compile: asking('CANNOT TELL: no way').compile });
      const answered = asking('Checks:\n- file: out\n');
      await observed(before, { compile: answered.compile });
      const other = asking('Checks:\n- file: another\n', { ...prose, doneWhen: 'another is there' });
      expect([(await observed(before, { compile: other.compile })).compiled, answered.prompts.length]).toEqual([['file: another'], 1]);
    });

    it('and what somebody else wrote in its place is not taken over (R17)', async () => {
      await observed(before, { compile: asking('Checks:\n- file: out\n').compile });
      writeFileSync(kept()[0] ?? '', JSON.stringify({ task: 'T1', verifyBy: 'look at it', checks: ['run: test -d .git || true'] }));
      expect((await observed(before, { compile: asking('Checks:\n- file: again\n').compile })).compiled).toEqual(['file: again']);
    });
  });

  it('waits for a usage limit of the verifier: the look is made again when it is over (R13)', async () => {
    let now = 0;
    const ends: Record<string, End> = {};
    const asked: string[] = [];
    const compile = createCompile({
      ask: async ({ token }) => {
        asked.push(token.replace(/^verify-[0-9a-f]{8}-/, ''));
        const known = ends[token];
        ends[token] ??= asked.length < 2 ? { is: 'limited', until: 1000, why: 'weekly' } : { is: 'exited', code: 0 };
        return {
          output: 'Checks:\n- file: out\n',
          end: ends[token],
          cost: { usd: 1, tokens: 1 },
          ...(known === undefined ? {} : { again: true }),
        };
      },
      verifier: async () => 'mine',
      prose: async () => prose,
      cache: createCompiledCache(createDisk(), join(site.place.folder, '../../../home')),
      timeoutMs: 1000,
      now: () => now,
    });
    const first = await observed(before, { compile });
    const early = await observed(before, { compile });
    now = 2000;
    const last = await observed(before, { compile });
    const limited = { until: 1000, why: 'the verifier: weekly' };
    expect([first.limited, first.cost, early.limited, early.cost, last.limited, last.compiled]).toEqual([
      limited,
      { usd: 1, tokens: 1 },
      limited,
      undefined,
      undefined,
      ['file: out'],
    ]);
    expect(asked).toEqual(['T1#1.1', 'T1#1.1', 'T1#1.1', 'T1#1.1.2']);
  });

  it('is not asked where the plan has checks, has no prose, or after the work', async () => {
    const one = asking('Checks:\n- file: out\n');
    await observed({ ...before, checks: ['file: a'] }, { compile: one.compile });
    await observed({ ...before, when: 'after' }, { compile: one.compile });
    const none = asking('Checks:\n- file: out\n', null);
    await observed(before, { compile: none.compile });
    expect([one.prompts, none.prompts]).toEqual([[], []]);
  });
});

describe('a discovery that nobody named a check for', () => {
  const after = { when: 'after', task: 'T1', token: 'T1#1.1' } as const;
  const proposing = (output: string, verifier: string | null = 'mine') => {
    const prompts: string[] = [];
    const confirm = createConfirm({
      ask: async ({ prompt, token, role }) => {
        prompts.push(`${role} ${token} ${prompt}`);
        return { output, end: { is: 'exited', code: 0 }, cost: { usd: 0.2, tokens: 7 } };
      },
      verifier: async () => verifier,
      timeoutMs: 1000,
    });
    return { confirm, prompts };
  };
  const facts = ['the port is 5433', 'the sky is green (check: file: sky contains "green")', 'the table has 7 rows', 'it is fast'];

  // Seed 002 §4.
  it('is verified where the verifier role knows one and we see it hold (R10)', async () => {
    site.write('config.yml', 'port: 5433\n');
    site.write('table', '8 rows\n');
    const { confirm, prompts } = proposing('Checks:\n- 1: file: config.yml contains "5433"\n- 2: file: table contains "7 rows"\n');
    const { discovered, cost } = await observed({ ...after, claim: claim(facts) }, { confirm });
    expect([discovered, cost, prompts]).toEqual([
      [
        { label: 'verified', fact: 'the port is 5433', check: 'file: config.yml contains "5433"' },
        { label: 'reported, unconfirmed', fact: 'the sky is green', check: 'file: sky contains "green"' },
        { label: 'reported, unconfirmed', fact: 'the table has 7 rows' },
        { label: 'reported, unconfirmed', fact: 'it is fast' },
      ],
      { usd: 0.2, tokens: 7 },
      [
        expect.stringMatching(
          /^verifier facts-[0-9a-f]{8}-T1#1\.1 [\s\S]*1\. the port is 5433\n2\. the table has 7 rows\n3\. it is fast\n/,
        ),
      ],
    ]);
  });

  it('is never confirmed by a command, by what is absent, or by prose', async () => {
    for (const said of [
      'Checks:\n- 1: run: true\n',
      'Checks:\n- 1: file: never absent\n',
      'Checks:\n- 1: human: is it so?\n',
      'Fact 1 is true.',
      '',
      'CANNOT TELL: x',
    ]) {
      const { discovered } = await observed({ ...after, claim: claim(['the port is 5433']) }, { confirm: proposing(said).confirm });
      expect(discovered).toEqual([{ label: 'reported, unconfirmed', fact: 'the port is 5433' }]);
    }
  });

  it('asks nobody where there is nothing to confirm, or nobody to ask', async () => {
    const one = proposing('Checks:\n- 1: file: a\n');
    const nobody = proposing('Checks:\n- 1: file: a\n', null);
    await observed({ ...after, claim: claim(['it works (check: file: a)']) }, { confirm: one.confirm });
    await observed({ ...after, claim: null }, { confirm: one.confirm });
    await observed({ ...after, claim: claim(['it works']) }, { confirm: nobody.confirm });
    expect([one.prompts, nobody.prompts]).toEqual([[], []]);
  });
});
