import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { attemptPath } from '../../activities/attempt-folder.js';
import { createLoad } from '../../activities/load.js';
import { claimToken, writeOutcome } from '../../activities/process/attempt-files.js';
import { ownIdentity } from '../../activities/process/identity.js';
import { sha256Of } from '../../activities/texts.js';
import { LIMITS_DEFAULT } from '../../core/limits.js';
import { temporaryFolder } from '../support/disks.js';
import { CONFIG_TEXT, committed, filePorts, gitIn, inFolder, loading, refusal } from '../support/load-values.js';
import { planText } from '../support/record-values.js';

const PLAN = planText(1, [{ id: 'T1' }, { id: 'T2', more: 'Writes: src/**\nTimeout: 30m\n' }]);
const SPEC = `# SPEC: demo

| ID | Requirement | Priority |
|---|---|---|
| FR-001 | Make it | Must |

### Constraints

- No network.

- AC-001 (FR-001): Given nothing, when made, then it is there.
- AC-002: Given it, when asked, then it answers.
`;
const metPlan = (spec: string, ...checks: string[]) =>
  `# PLAN: demo\n\nSpec: ${spec}\nGoal: g\nPlan version: 1\nStatus: no-op\nAlready true because: it is there.\nEvidence: ls → there\nChecks:\n${checks.map((check) => `- ${check}\n`).join('')}`;
const withSpec = (plan: string) => plan.replace('Spec: none — the contract is this plan', 'Spec: ./SPEC.md');

const entry = (id: string, status: string, { gate = 'plan holds', more = '', verification = 'verified' } = {}) =>
  `## ${id} — Part ${id}  [${status}]\nPlan version: 1\nDone when: out-${id} exists.\nState delta:\n- as recorded\nVerification: ${verification}\n${more}${gate === '' ? '' : `Gate: ${gate}\n`}\n`;
const ledger = (...entries: string[]) => `# LEDGER: demo\n\n${entries.join('')}`;

describe('a start becomes values', () => {
  test('whole', async () => {
    const workspace = inFolder({ 'PLAN.md': PLAN, 'donewhen.yaml': CONFIG_TEXT });
    const ports = filePorts(temporaryFolder());
    const loaded = await createLoad(ports)({
      plan: PLAN,
      workspace: { path: workspace },
      out: workspace,
      workflowId: 'donewhen-demo',
      now: 0,
    });
    const folder = join(workspace, '.donewhen', 'demo');
    const states = (id: string) => sha256Of(`out-${id} exists.`).slice(0, 16);
    const task = { performer: 'mine', dependsOn: [], covers: [], repeatable: true };
    expect(loaded).toEqual({
      place: {
        slug: 'demo',
        workflowId: 'donewhen-demo',
        workspace,
        out: workspace,
        folder,
        spare: join(ports.home, 'texts', 'demo'),
        configSha256: loaded.place.configSha256,
        specSha256: null,
        ledgerSha256: null,
        pinned: [
          { path: 'PLAN.md', sha256: sha256Of(PLAN) },
          { path: 'donewhen.yaml', sha256: sha256Of(CONFIG_TEXT) },
        ],
        host: 'host-1',
        startedAt: 0,
      },
      plan: {
        version: 1,
        goal: 'The files are there.',
        tasks: [
          { ...task, id: 'T1', title: 'Part T1', checks: ['file: out-T1'], writes: null, states: states('T1') },
          { ...task, id: 'T2', title: 'Part T2', checks: ['file: out-T2'], writes: ['src/**'], states: states('T2'), timeoutMs: 1_800_000 },
        ],
        sha256: sha256Of(PLAN),
        noOp: null,
      },
      criteria: null,
      entries: [],
      limits: LIMITS_DEFAULT,
      policy: { planner: true, onBlocked: 'report', askPlanner: 'on-news', finalSweep: true },
      searchAttributes: ['DonewhenPhase'],
      warnings: [],
      found: 'nothing was there: a new run',
    });
    expect(readdirSync(folder).sort()).toEqual(['plan-1.md', 'texts']);
    expect(readFileSync(join(folder, 'plan-1.md'), 'utf8')).toEqual(PLAN);
    expect(readFileSync(join(workspace, '.donewhen', '.gitignore'), 'utf8')).toEqual('*\n');
    expect(JSON.parse(readFileSync(join(folder, 'texts', loaded.place.configSha256), 'utf8'))).toMatchObject({
      roles: { performer: 'mine', planner: 'mine' },
    });
  });

  test('the same ones however often it is loaded', async () => {
    const workspace = inFolder({ 'PLAN.md': PLAN, 'donewhen.yaml': CONFIG_TEXT });
    const load = createLoad(filePorts(temporaryFolder()));
    const input = { plan: PLAN, workspace: { path: workspace }, workflowId: 'donewhen-demo', now: 0 };
    expect(await load(input)).toEqual(await load(input));
  });

  test('with a folder of its own where it was given none, and its record there', async () => {
    const ports = filePorts(temporaryFolder());
    const { place } = await createLoad(ports)({ plan: PLAN, config: CONFIG_TEXT, workflowId: 'donewhen-demo', now: 0 });
    const workspace = join(ports.home, 'runs', 'demo');
    expect([place.workspace, place.out]).toEqual([workspace, join(workspace, '.donewhen', 'demo')]);
  });

  test('in a clone of its own', async () => {
    const origin = committed(inFolder({ 'donewhen.yaml': CONFIG_TEXT, 'a.txt': 'a\n' }));
    const { place } = await loading('', { plan: PLAN, workspace: { git: origin } });
    expect(readFileSync(join(place.workspace, 'a.txt'), 'utf8')).toEqual('a\n');
  });

  // Seed 002 Working directory.
  test('with what SPEC.md requires, from the file that the plan names where nobody gave the text', async () => {
    const plan = withSpec(planText(1, [{ id: 'T1', more: 'Covers: FR-001, AC-001, AC-002\n' }]));
    const workspace = inFolder({ 'plans/PLAN.md': plan, 'plans/SPEC.md': SPEC, 'donewhen.yaml': CONFIG_TEXT });
    const { criteria, place } = await loading(workspace, { plan, out: join(workspace, 'plans') });
    expect(criteria).toEqual([
      { id: 'AC-001', through: null },
      { id: 'AC-002', through: null },
      { id: 'FR-001', through: ['AC-001'] },
    ]);
    expect(place.specSha256).toEqual(sha256Of(SPEC));
    expect(place.pinned.map((pin) => pin.path)).toEqual(['plans/PLAN.md', 'plans/SPEC.md', 'donewhen.yaml']);
  });

  test('with a plan whose goal holds already', async () => {
    const plan =
      '# PLAN: demo\n\nSpec: none\nGoal: g\nPlan version: 1\nStatus: no-op\nAlready true because: it is there.\nEvidence: ls → there\n';
    const { plan: loaded } = await loading(inFolder({}), { plan });
    expect(loaded).toMatchObject({ tasks: [], noOp: { because: 'it is there.', evidence: ['ls → there'], checks: [], seen: [] } });
  });

  test('with a plan whose goal holds already, as its checks see, and what they saw', async () => {
    const plan = metPlan('./SPEC.md', 'file: out contains "made"', 'run: test -s out');
    const workspace = inFolder({ out: 'made\n' });
    const { plan: loaded, criteria } = await loading(workspace, { plan, spec: SPEC });
    expect([loaded.noOp?.seen, criteria?.map(({ id }) => id)]).toEqual([
      [
        { check: 'file: out contains "made"', saw: expect.stringContaining('there') },
        { check: 'run: test -s out', saw: 'exit 0' },
      ],
      ['AC-001', 'AC-002', 'FR-001'],
    ]);
  });
});

describe('a start that is refused says everything at once', () => {
  test('with the place of each problem, and writes nothing', async () => {
    const plan = planText(1, [{ id: 'T1' }, { id: 'T1' }, { id: 'T2', more: 'Performer: codx\n' }]).replace(
      'Done when: out-T2 exists.\n',
      '',
    );
    const workspace = inFolder({ 'donewhen.yaml': 'agents: { codex: { kind: codex } }\nlimits: { paralel: 2 }\n' });
    expect(await refusal(loading(workspace, { plan, ledger: '# LEDGER: some-other-plan\n\n' }))).toEqual({
      type: 'InvalidPlan',
      problems: [
        expect.stringMatching(/^PLAN\.md:15: .*T1/),
        expect.stringMatching(/^PLAN\.md:23: T2 has no Done when/),
        expect.stringMatching(/^LEDGER\.md is the record of some-other-plan, and this plan is demo; /),
        expect.stringMatching(/^donewhen\.yaml:2: limits\.paralel .*parallel/),
      ],
    });
    expect(readdirSync(workspace)).toEqual(['donewhen.yaml']);
  });

  test.each<[string, object, string]>([
    ['plan', { plan: 5 }, 'input.plan must be the text of PLAN.md, not a number'],
    ['workspace', { workspace: { path: 5 } }, 'input.workspace must be {"path": "/absolute/folder"} or {"git": "url", "ref": "branch"}'],
    ['unknown', { taskQueue: 'x' }, 'input has an unknown key "taskQueue"; known are slug, plan, spec, ledger, workspace, config, out'],
  ])('where the input has a wrong form: %s', async (_title, wrong, words) => {
    expect(await refusal(loading(temporaryFolder(), { plan: PLAN, ...wrong } as { plan: string }))).toEqual({
      type: 'InvalidInput',
      problems: [words],
    });
  });

  test('where nobody could name the run', async () => {
    const { type, problems } = await refusal(
      loading(inFolder({ 'donewhen.yaml': CONFIG_TEXT }), { plan: PLAN.replace('# PLAN: demo', '# PLAN: 完了') }),
    );
    expect([type, problems]).toEqual([
      'InvalidInput',
      ['the run has no name: "完了" has no letter or digit of a-z and 0-9; give one with --slug'],
    ]);
  });

  test('where the workspace or the folder of the record is no place to work in', async () => {
    expect(await refusal(loading('/no/such/folder', { plan: PLAN, config: CONFIG_TEXT, out: 'here' }))).toEqual({
      type: 'InvalidInput',
      problems: [
        'workspace "/no/such/folder" does not exist; make it, or give another',
        'out "here" is no absolute path; give the folder where LEDGER.md goes',
      ],
    });
  });

  test('where our folder in the workspace leads out of it (F09)', async () => {
    const workspace = inFolder({ 'donewhen.yaml': CONFIG_TEXT });
    symlinkSync(temporaryFolder(), join(workspace, '.donewhen'));
    expect(await refusal(loading(workspace, { plan: PLAN }))).toMatchObject({
      type: 'InvalidInput',
      problems: [expect.stringContaining('is no folder; move it away')],
    });
  });

  test('where a required criterion is covered by nothing', async () => {
    const plan = withSpec(planText(1, [{ id: 'T1', more: 'Covers: FR-001, AC-001\n' }]));
    expect(await refusal(loading(inFolder({ 'donewhen.yaml': CONFIG_TEXT }), { plan, spec: SPEC }))).toEqual({
      type: 'InvalidPlan',
      problems: [expect.stringMatching(/^SPEC\.md:12: AC-002 is required/)],
    });
  });

  test('where the plan names a SPEC that is not there', async () => {
    const { problems } = await refusal(loading(inFolder({ 'donewhen.yaml': CONFIG_TEXT }), { plan: withSpec(PLAN) }));
    expect(problems).toEqual(['PLAN.md:1: Spec names ./SPEC.md, which is not there; put it beside the plan, or write Spec: none']);
  });

  test('where a goal is said to be met and nothing shows it, or a record says otherwise', async () => {
    const plan =
      '# PLAN: demo\n\nSpec: ./SPEC.md\nGoal: g\nPlan version: 1\nStatus: no-op\nAlready true because: it is there.\nEvidence: ls → there\n';
    const { type, problems } = await refusal(loading(temporaryFolder(), { plan, spec: SPEC, ledger: ledger(entry('T1', 'done')) }));
    expect([type, problems]).toEqual([
      'InvalidPlan',
      [
        'PLAN.md:1: Status: no-op cannot follow a record: LEDGER.md has entries; plan what is left',
        'PLAN.md:1: Status: no-op of a plan with a SPEC needs Checks: in its header, which show that the goal is met',
      ],
    ]);
  });
});

describe('a plan that says that its goal is met is refused where its own checks say otherwise (R8)', () => {
  test.each([
    ['disproved', ['file: out'], ['PLAN.md:1: Status: no-op, but this does not hold: file: out (absent); plan what is left to do']],
    [
      'one of two',
      ['file: there', 'run: exit 3'],
      ['PLAN.md:1: Status: no-op, but this does not hold: run: exit 3 (exit 3); plan what is left to do'],
    ],
    [
      'unobservable',
      ['run: kill -9 $$'],
      ['PLAN.md:1: Status: no-op, but this could not be observed: run: kill -9 $$ (killed by SIGKILL); plan what is left to do'],
    ],
    [
      'for a person to say',
      ['human: is it nice?'],
      ['PLAN.md:1: Status: no-op, but nobody was asked, or had time to look: human: is it nice?; plan what is left to do'],
    ],
  ])('%s', async (_how, checks, problems) => {
    const workspace = inFolder({ there: 'x' });
    for (const spec of ['./SPEC.md', 'none']) {
      const more = spec === 'none' ? {} : { spec: SPEC };
      expect(await refusal(loading(workspace, { plan: metPlan(spec, ...checks), ...more }))).toEqual({ type: 'InvalidPlan', problems });
      expect(existsSync(join(workspace, '.donewhen'))).toEqual(false);
    }
  });
});

describe('who performs', () => {
  const agentless = (plan = PLAN) => ({ plan });
  const installs = (...names: string[]) => ({ installed: async (name: string) => names.includes(name) });

  test('is the one known agent that is installed, in every role', async () => {
    const loaded = await loading(temporaryFolder(), agentless(), installs('codex'));
    expect([loaded.plan.tasks.map((task) => task.performer), loaded.policy.planner]).toEqual([['codex', 'codex'], true]);
  });

  test('also where donewhen.yaml says something else alone', async () => {
    const loaded = await loading(inFolder({ 'donewhen.yaml': 'limits: { dispatches: 3 }\n' }), agentless(), installs('claude'));
    expect([loaded.plan.tasks[0]?.performer, loaded.limits.dispatches]).toEqual(['claude', 3]);
  });

  test('must be said where none or several are installed', async () => {
    expect(await refusal(loading(temporaryFolder(), agentless()))).toEqual({
      type: 'InvalidInput',
      problems: [
        'T1, T2 need an agent, and none is known: install claude, codex, gemini, agy, opencode, or name a command under agents in donewhen.yaml (donewhen init writes one)',
      ],
    });
    expect(await refusal(loading(temporaryFolder(), agentless(), installs('claude', 'agy')))).toEqual({
      type: 'InvalidInput',
      problems: [
        'T1, T2 need an agent, and several are installed (claude, agy); name one under roles.performer in donewhen.yaml (donewhen init writes one)',
      ],
    });
    const two = 'agents: { a: { kind: codex }, b: { kind: gemini } }\n';
    expect((await refusal(loading(inFolder({ 'donewhen.yaml': two }), agentless()))).problems).toEqual([
      'T1, T2 need an agent, and donewhen.yaml has several (a, b); name one under roles.performer',
    ]);
  });

  test('need not be known where every task is inline, human or recorded', async () => {
    const plan = planText(1, [
      { id: 'T1' },
      { id: 'T2', more: 'Performer: human\n' },
      { id: 'T3', more: 'Performer: inline\nRun: touch out-T3\n' },
    ]);
    const loaded = await loading(temporaryFolder(), { plan, ledger: ledger(entry('T1', 'done')) });
    expect([loaded.plan.tasks.map((task) => task.performer), loaded.policy.planner]).toEqual([['', 'human', 'inline'], false]);
  });

  test('is an agent that there is (A17)', async () => {
    const plan = planText(1, [
      { id: 'T1', more: 'Performer: mega_reviewer\n' },
      { id: 'T2', more: 'Performer: mind\n' },
    ]);
    expect(await refusal(loading(inFolder({ 'donewhen.yaml': CONFIG_TEXT }), { plan }))).toEqual({
      type: 'InvalidPlan',
      problems: [
        'PLAN.md:13: T1 is for mega_reviewer, and no agent has that name; known are mine, inline, human',
        'PLAN.md:22: T2 is for mind, and no agent has that name; did you mean mine?; known are mine, inline, human',
      ],
    });
  });
});

describe('a LEDGER.md without history', () => {
  const resume = (text: string, plan = PLAN, more = {}) =>
    loading(inFolder({ 'donewhen.yaml': CONFIG_TEXT }), { plan, ledger: text, ...more });

  test('gives its entries, completed from the plan, each kept as a record', async () => {
    const loaded = await resume(ledger(entry('T1', 'done')));
    const [first] = loaded.entries;
    expect(first).toMatchObject({
      seq: 1,
      task: 'T1',
      status: 'done',
      label: 'verified',
      checks: ['file: out-T1'],
      states: loaded.plan.tasks[0]?.states,
      gates: [{ is: 'holds', at: 0 }],
      attempt: 1,
      text: { stateDelta: ['as recorded'] },
    });
    const kept = JSON.parse(readFileSync(join(loaded.place.folder, 'texts', first?.sha256 ?? ''), 'utf8'));
    expect(kept).toMatchObject({
      is: 'entry',
      previous: null,
      entry: { task: 'T1', text: { stateDelta: ['as recorded'] } },
      gate: 'Gate: plan holds\n',
    });
    expect(loaded.place.ledgerSha256).toEqual(sha256Of(ledger(entry('T1', 'done'))));
    expect(loaded.found).toEqual('a LEDGER.md with 1 entry: going on from T1 [done], plan holds, plan version 1 as before');
  });

  test('keeps of unfinished work how it was to be done and by whom, for the task that takes it up again', async () => {
    const plan = planText(1, [{ id: 'T1', more: 'Writes: src/**\nTimeout: 30m\nRepeatable: no\n' }, { id: 'T2' }]);
    const { entries } = await resume(
      ledger(
        entry('T1', 'failed', { gate: 'replan required', more: 'Blocker: x\n' }),
        entry('T2', 'done'),
        entry('T9', 'failed', { gate: 'replan required', more: 'Blocker: y\n' }),
      ),
      plan,
    );
    expect(entries.map(({ task, terms, performer }) => [task, terms, performer])).toEqual([
      ['T1', { writes: ['src/**'], repeatable: false, timeoutMs: 1_800_000 }, 'mine'],
      ['T2', undefined, ''],
      ['T9', undefined, 'mine'],
    ]);
  });

  test('says in words where the run goes on', async () => {
    const words = async (text: string, plan = PLAN) => (await resume(text, plan)).found;
    const second = planText(2, [{ id: 'T3', more: 'Continues: T1\n' }], 'Replanned because: x\n');
    expect(await words(ledger(entry('T1', 'done', { gate: '' })))).toMatch(/T1 \[done\], whose gate never ran, plan version 1 as before$/);
    expect(await words(ledger(entry('T1', 'failed', { gate: 'replan required', more: 'Blocker: x\n' })), second)).toMatch(
      /T1 \[failed\], replan required, plan version 2 is newer than its 1$/,
    );
    expect(await words('# LEDGER: demo\n')).toEqual('a LEDGER.md without entries: a new run');
    expect(await words('\n \n')).toEqual('nothing was there: a new run');
  });

  test('asks the planner about what an entry without a gate brought', async () => {
    const more = 'Discovered:\n- [verified] the table has 7 rows\nUnresolved:\n- the index\nDeviation: by hand\n';
    const { entries } = await resume(ledger(entry('T1', 'done', { gate: '', more })));
    expect([entries[0]?.news, entries[0]?.facts]).toEqual([
      ['deviation: by hand', '[verified] the table has 7 rows', 'unresolved: the index'],
      true,
    ]);
  });

  test('covers what its entries cover, so that the plan need not', async () => {
    const plan = withSpec(planText(2, [{ id: 'T2', more: 'Covers: AC-002\n' }]));
    const done = entry('T1', 'done').replace('Done when: out-T1 exists.', 'Covers: FR-001, AC-001');
    expect((await resume(ledger(done), plan, { spec: SPEC })).entries.map((one) => one.covers)).toEqual([['FR-001', 'AC-001']]);
    const partial = entry('T1', 'partial', { gate: 'replan done (plan version 2)' }).replace(
      'Done when: out-T1 exists.',
      'Covers: FR-001, AC-001',
    );
    expect((await refusal(resume(ledger(partial), plan, { spec: SPEC }))).problems).toEqual([
      expect.stringContaining('AC-001 is required'),
    ]);
  });

  test('of another plan is refused by name (B03)', async () => {
    expect(await refusal(resume(`# LEDGER: some-other-plan\n\n${entry('T1', 'done')}`))).toEqual({
      type: 'InvalidInput',
      problems: ['LEDGER.md is the record of some-other-plan, and this plan is demo; move the file away, or start afresh with --again'],
    });
    expect((await resume(ledger(entry('T1', 'done')), PLAN, { slug: 'demo-2' })).place.slug).toEqual('demo-2');
  });

  test('that says done of another promise than the plan is refused: nobody ever looked at the new one (R4)', async () => {
    const plan = PLAN.replace('Done when: out-T1 exists.', 'Done when: out-T1 is\n  perfect.');
    expect(await refusal(resume(ledger(entry('T1', 'done')), plan))).toEqual({
      type: 'InvalidPlan',
      problems: [
        'PLAN.md:7: T1 is recorded in LEDGER.md:3 with another Done when than here; give the new promise a new id, or put the old words back',
      ],
    });
  });

  test('that breaks the rules of a record is refused with the line', async () => {
    expect(await refusal(resume(ledger(entry('T1', 'done', { verification: 'unverified' }))))).toEqual({
      type: 'InvalidInput',
      problems: [expect.stringMatching(/^LEDGER\.md:8: T1 is done and unverified/)],
    });
  });

  test('shows nothing of what it calls done: only what code can look at again counts, and the other is named (R4)', async () => {
    const shown = entry('T8', 'done', { more: 'Evidence:\n- looked → there\n' });
    const text = ledger(entry('T1', 'done'), shown, entry('T9', 'done'), entry('T10', 'no_op', { verification: 'attested' }));
    const unshown = async (gate = '') => {
      const { entries, warnings } = await resume(text, PLAN, { config: CONFIG_TEXT + gate });
      return { tasks: entries.filter((one) => one.unshown === true).map((one) => one.task), warnings };
    };
    const words =
      '; that satisfies no criterion: write under Evidence what was seen, or take the entry out, so that its task is looked at again';
    expect([await unshown(), await unshown('gate: { finalSweep: off }\n')]).toEqual([
      { tasks: ['T9', 'T10'], warnings: [`LEDGER.md:21: warning: done without evidence: T9, T10${words}`] },
      { tasks: ['T1', 'T9', 'T10'], warnings: [`LEDGER.md:3: warning: done without evidence: T1, T9, T10${words}`] },
    ]);
  });

  test('is of a newer plan than PLAN.md: that is said', async () => {
    const newer = entry('T1', 'done', { more: 'Evidence:\n- looked → there\n' }).replace('Plan version: 1', 'Plan version: 4');
    expect((await resume(ledger(newer))).warnings).toEqual([
      'PLAN.md:1: warning: plan version 1 is older than the record: T1 in LEDGER.md is of version 4; put that plan back, or take a LEDGER.md that is not of this work away',
    ]);
  });

  test('of a thousand entries leaves its texts in the folder (R15)', async () => {
    const entries = Array.from({ length: 1000 }, (_, n) => entry(`X${n}`, 'done', { more: `Risk:\n- ${'r'.repeat(200)}\n` }));
    const loaded = await resume(ledger(...entries));
    expect(loaded.entries.every((one) => one.text === null && one.sha256 !== undefined)).toEqual(true);
    expect(Buffer.byteLength(JSON.stringify(loaded))).toBeLessThan(700_000);
  });
});

describe('one workspace, one run', () => {
  test('a second run is told who works there and how to get on (I13)', async () => {
    const workspace = inFolder({ 'donewhen.yaml': CONFIG_TEXT });
    await loading(workspace, { plan: PLAN });
    const second = { plan: PLAN.replace('# PLAN: demo', '# PLAN: second'), workflowId: 'donewhen-second' };
    expect(await refusal(loading(workspace, second))).toEqual({
      type: 'InvalidInput',
      problems: [
        `${workspace} is in use by run demo (donewhen-demo on host-1); wait for it, end it with donewhen stop demo, or give --workspace; if that run is gone, delete ${join(workspace, '.donewhen', 'lease.json')}`,
      ],
    });
    expect((await loading(workspace, second, { isOpen: async () => false })).place.slug).toEqual('second');
  });

  test('an attempt that still works there keeps another run out, whatever became of its own (R14)', async () => {
    const workspace = inFolder({ 'donewhen.yaml': CONFIG_TEXT });
    const dir = join(workspace, '.donewhen', 'lost', attemptPath('T1#1.1'));
    mkdirSync(dir, { recursive: true });
    const supervisor = ownIdentity();
    claimToken(dir, { token: 'T1#1.1', supervisor, socket: '/nowhere', mark: 'm', startedAt: 0, timeoutMs: 1 });
    expect(await refusal(loading(workspace, { plan: PLAN }))).toEqual({
      type: 'InvalidInput',
      problems: [
        `an attempt of run lost still works in ${workspace} (T1, since 1970-01-01T00:00:00.000Z, kept by process ${supervisor.pid}); wait for its end, end it with kill ${supervisor.pid}, or give --workspace`,
      ],
    });
    writeOutcome(dir, { token: 'T1#1.1', end: { is: 'exited', code: 0 }, startedAt: 0, endedAt: 1, bytes: 0, sha256: 'x' });
    expect((await loading(workspace, { plan: PLAN })).place.slug).toEqual('demo');
  });

  test('an attempt of its own that it asks for again is gone on with', async () => {
    const workspace = inFolder({ 'donewhen.yaml': CONFIG_TEXT });
    const claimed = (token: string) => {
      const dir = join(workspace, '.donewhen', 'demo', attemptPath(token));
      mkdirSync(dir, { recursive: true });
      claimToken(dir, { token, supervisor: ownIdentity(), socket: '/nowhere', mark: 'm', startedAt: 0, timeoutMs: 1 });
    };
    claimed('T1#1.1');
    expect((await loading(workspace, { plan: PLAN })).place.slug).toEqual('demo');
    claimed('T7#1.1');
    expect((await refusal(loading(workspace, { plan: PLAN }))).problems).toEqual([
      expect.stringContaining('an attempt of run demo still works'),
    ]);
  });

  test('worktrees are not there yet, so that a workspace is not shared under that setting either', async () => {
    const workspace = inFolder({ 'donewhen.yaml': `${CONFIG_TEXT}workspace: { isolation: worktree }\n` });
    const { warnings } = await loading(workspace, { plan: PLAN });
    const second = { plan: PLAN.replace('# PLAN: demo', '# PLAN: second'), workflowId: 'donewhen-second' };
    expect([warnings.some((words) => words.includes('worktree')), (await refusal(loading(workspace, second))).type]).toEqual([
      true,
      'InvalidInput',
    ]);
  });
});

describe('changes that nobody committed', () => {
  const dirty = () => {
    const workspace = committed(inFolder({ 'PLAN.md': PLAN, 'LEDGER.md': '', 'donewhen.yaml': CONFIG_TEXT, 'a.txt': 'a\n' }));
    for (const name of ['PLAN.md', 'LEDGER.md', 'a.txt']) writeFileSync(join(workspace, name), 'changed\n');
    writeFileSync(join(workspace, 'new.txt'), '');
    return workspace;
  };

  test('stop a first start, by name; our own files never do', async () => {
    const workspace = dirty();
    expect(await refusal(loading(workspace, { plan: PLAN, out: workspace }))).toEqual({
      type: 'InvalidInput',
      problems: [`${workspace} has changes that are not committed (a.txt); commit them, or start with --allow-dirty`],
    });
    expect(existsSync(join(workspace, '.donewhen'))).toEqual(false);
  });

  test('are let through when they are meant, and told in the report; where a record is gone on from they are its own', async () => {
    const words = 'the run began beside changes that were not committed, and nobody can tell them from its work: a.txt';
    const workspace = dirty();
    expect((await loading(workspace, { plan: PLAN, out: workspace, allowDirty: true })).warnings).toContain(words);
    const again = dirty();
    expect((await loading(again, { plan: PLAN, out: again, ledger: ledger(entry('T1', 'done')) })).warnings).not.toContain(words);
  });

  test('are none of ours: a run leaves a clean tree clean', async () => {
    const workspace = committed(inFolder({ 'PLAN.md': PLAN, 'donewhen.yaml': CONFIG_TEXT }));
    await loading(workspace, { plan: PLAN, out: workspace });
    expect(gitIn(workspace, 'status', '--porcelain')).toEqual('');
  });
});

test('a new folder for the record is made', async () => {
  const workspace = inFolder({ 'donewhen.yaml': CONFIG_TEXT });
  mkdirSync(join(workspace, 'real'));
  symlinkSync(join(workspace, 'real'), join(workspace, 'link'));
  const { place } = await loading(workspace, { plan: PLAN, out: join(workspace, 'link', 'record') });
  expect(place.out).toEqual(join(workspace, 'real', 'record'));
});
