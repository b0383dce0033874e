import { describe, expect, test } from 'vitest';
import { createDisk } from '../../activities/files/disk.js';
import type { Place, ReplanInput } from '../../activities/interface.js';
import { createPlans } from '../../activities/plans.js';
import type { Ask } from '../../activities/ports.js';
import { createReplan } from '../../activities/replan.js';
import { sha256Of, textsOf } from '../../activities/texts.js';
import type { End, GateRecord } from '../../core/values.js';
import { parseConfig } from '../../documents/config.js';
import { temporaryFolder } from '../support/disks.js';
import { CONFIG_TEXT } from '../support/load-values.js';
import { entryOf, planText, recorder, worldIn } from '../support/record-values.js';

const COST = { usd: 0.1, tokens: 50 };
const EXITED: End = { is: 'exited', code: 0 };
const SECOND = planText(2, [{ id: 'T3', more: 'Continues: T1\n' }], 'Replanned because: T1 left nothing\n');

async function world(config = CONFIG_TEXT) {
  const { place, planSha256 } = await worldIn(temporaryFolder());
  const parsed = parseConfig(config, { file: 'donewhen.yaml' }).config;
  const texts = textsOf(createDisk(), place);
  const configured: Place = { ...place, configSha256: await texts.put(JSON.stringify(parsed)) };
  const failed = entryOf('T1', { status: 'failed', blocker: 'a-wall', gates: [{ is: 'required', at: 0 }] });
  const { sha256 } = await recorder(configured).write({ is: 'entry', entry: failed, planSha256 });
  const input: ReplanInput = {
    place: configured,
    token: 'plan-2-T1#1.1',
    ask: {
      question: 'replan',
      triggers: [{ seq: 1, task: 'T1', sha256: sha256 ?? null }],
      problems: [],
      resolution: null,
      gate: 'replan required',
      timeoutMs: 1000,
    },
    given: null,
    plan: { version: 1, sha256: planSha256 },
    entries: [{ task: 'T1', sha256: sha256 ?? null }],
    notes: [],
  };
  return { input, texts };
}

function planner(output: string, end: End = EXITED, more: { deviation?: string } = {}) {
  const asked: Ask[] = [];
  const disk = createDisk();
  const replan = createReplan({
    disk,
    plans: createPlans(disk),
    environment: { ANTHROPIC_API_KEY: 'geheim-geheim-geheim' },
    ask: async (ask) => {
      asked.push(ask);
      return { output, end, cost: COST, ...more };
    },
  });
  return { replan, asked };
}

const answer = async (output: string, end?: End) => {
  const { input } = await world();
  return (await planner(output, end).replan(input)).planned;
};

test('the planner is asked by its token with plan, record and rules, and its plan comes back as values, its text kept', async () => {
  const { input, texts } = await world();
  const { replan, asked } = planner(`I thought about it.\n\n${SECOND}`);
  const { planned, cost } = await replan(input);
  expect(cost).toEqual(COST);
  expect(planned).toMatchObject({
    is: 'plan',
    plan: {
      version: 2,
      goal: 'The files are there.',
      because: 'T1 left nothing',
      noOp: false,
      tasks: [{ id: 'T3', performer: 'mine', continues: 'T1', checks: ['file: out-T3'] }],
    },
  });
  expect(planned.is === 'plan' && (await texts.text(planned.plan.sha256))).toEqual(SECOND);
  const [ask] = asked;
  expect({ ...ask, prompt: '', place: '' }).toEqual({
    place: '',
    planSha256: input.plan.sha256,
    token: expect.stringMatching(/^plan-2-T1-[0-9a-f]{8}#1\.1$/),
    role: 'planner',
    agent: 'mine',
    task: 'T1',
    prompt: '',
    timeoutMs: 1000,
  });
  for (const words of ['Plan version: 1', '## T1 — Part T1  [failed]', 'Blocker: a-wall', '`Plan version: 2`', 'the first free one is T3'])
    expect(ask?.prompt).toContain(words);
});

describe('an answer that is no plan', () => {
  test('that none is possible, or that the plan holds, is taken as said', async () => {
    expect(await answer('NO VALID PLAN: nothing more to try')).toEqual({ is: 'none', reason: 'nothing more to try' });
    expect(await answer('PLAN HOLDS: it is there')).toEqual({ is: 'holds', reason: 'it is there' });
  });

  test.each(['', '   \n', 'I would simply try again.', 'Sorry, I cannot help with that.', '{"verdict":'])(
    '%j is unreadable, never consent (E09)',
    async (output) => {
      expect(await answer(output)).toMatchObject({ is: 'unreadable' });
    },
  );

  test.each<[End, string]>([
    [{ is: 'exited', code: 3 }, 'the planner exited with 3'],
    [{ is: 'signalled', signal: 'SIGKILL' }, 'the planner was ended by SIGKILL'],
    [{ is: 'lost' }, 'the planner was lost'],
    [{ is: 'timeout' }, "the planner's time ran out"],
  ])('says how the planner ended: %j', async (end, words) => {
    const planned = await answer('', end);
    expect(planned.is === 'unreadable' && planned.problems[0]).toEqual(words);
  });

  test('a planner at its usage limit has not answered yet: it is waited for (R13)', async () => {
    const limited: End = { is: 'limited', until: 5, why: 'the weekly limit' };
    expect(await answer('', limited)).toEqual({ is: 'limited', until: 5, why: 'the weekly limit' });
    expect(await answer(SECOND, limited)).toMatchObject({ is: 'plan' });
  });

  test('and an exit status does not take a plan away', async () => {
    expect(await answer(SECOND, { is: 'exited', code: 1 })).toMatchObject({ is: 'plan' });
  });
});

describe('a plan with errors is unreadable, with every place', () => {
  test('in its text', async () => {
    expect(await answer(SECOND.replace('Depends on: —', 'Depends on: T9').replace('Done when: out-T3 exists.\n', ''))).toEqual({
      is: 'unreadable',
      problems: [expect.stringMatching(/^PLAN\.md:8: T3 has no Done when/), expect.stringMatching(/^PLAN\.md:\d+: T3 depends on T9/)],
    });
  });

  test('for a performer that nobody is', async () => {
    const planned = await answer(SECOND.replace('Continues: T1', 'Continues: T1\nPerformer: ghost'));
    expect(planned).toEqual({ is: 'unreadable', problems: [expect.stringContaining('T3 is for ghost, and no agent has that name')] });
  });

  test('but may depend on a task that is recorded', async () => {
    expect(await answer(SECOND.replace('Depends on: —', 'Depends on: T1'))).toMatchObject({
      is: 'plan',
      plan: { tasks: [{ dependsOn: ['T1'] }] },
    });
  });

  test('or if it is larger than a move may be (R15)', async () => {
    const tasks = Array.from({ length: 400 }, (_, n) => ({ id: `T${n + 3}`, more: `Writes: ${'w'.repeat(200)}/**\n` }));
    expect(await answer(planText(2, tasks))).toEqual({
      is: 'unreadable',
      problems: [expect.stringContaining("the plan's 400 tasks are together larger than 100000 bytes")],
    });
  });
});

test('a plan by a person is only read, and costs nothing', async () => {
  const { input } = await world();
  const { replan, asked } = planner('NO VALID PLAN: not asked');
  const { planned, cost } = await replan({ ...input, ask: null, given: SECOND });
  expect([planned.is, cost, asked]).toEqual(['plan', { usd: 0, tokens: 0 }, []]);
});

test('a secret in a plan is masked before the plan is kept (R16)', async () => {
  const { input, texts } = await world();
  const { planned } = await planner(SECOND.replace('Make out-T3.', 'Use geheim-geheim-geheim.')).replan(input);
  expect(planned.is === 'plan' && (await texts.text(planned.plan.sha256)).includes('geheim')).toEqual(false);
});

test('without a planner nobody is asked', async () => {
  const { input } = await world(CONFIG_TEXT.replace(', planner: mine', ''));
  const { replan, asked } = planner(SECOND);
  expect([(await replan(input)).planned, asked]).toEqual([
    { is: 'unreadable', problems: ['no agent fills the planner role; name one under roles.planner'] },
    [],
  ]);
});

test('what was refused before, a resolution and messages reach the planner', async () => {
  const { input } = await world();
  const { replan, asked } = planner('NO VALID PLAN: x');
  if (input.ask === null) throw new Error('nothing is asked');
  await replan({
    ...input,
    ask: { ...input.ask, problems: ['Plan version is 1; it must be 2'], resolution: { text: 'the key is there', by: 'ana' } },
    notes: [{ text: 'keep it small', by: 'bo' }],
  });
  for (const words of ['Plan version is 1; it must be 2', 'ana says, and it was confirmed: the key is there', '- bo: keep it small'])
    expect(asked[0]?.prompt).toContain(words);
});

test('an entry is shown with the gate that it has now, not with the one it was recorded with', async () => {
  const { input } = await world();
  const { replan, asked } = planner('NO VALID PLAN: x');
  const gates: GateRecord[] = [
    { is: 'required', at: 0 },
    { is: 'exhausted', blocker: 'a-wall', why: 'no way around it', final: false, at: 0 },
  ];
  await replan({ ...input, entries: input.entries.map((entry) => ({ ...entry, gates })) });
  const shown = asked[0]?.prompt.match(/^Cost: .*\n(?:Gate.*\n)+/gm);
  const gate = 'Cost: 0.12 USD, 900 tokens\nGate note: no way around it\nGate: replan exhausted\n';
  expect(shown).toEqual([gate, gate]);
});

test('ids of earlier plan versions are named as used', async () => {
  const { input } = await world();
  const { replan, asked } = planner('NO VALID PLAN: x');
  await replan({ ...input, retired: ['T7'] });
  expect(asked[0]?.prompt).toContain('(T1, T2, T7) may name another task; the first free one is T8');
});

test('a task that stands in the new plan with other words for the work is named, whatever its lines break like', async () => {
  const planned = async (task: string) =>
    answer(`${SECOND}\n## T2 — Part T2\nTask: ${task}\nDone when: out-T2 exists.\nChecks:\n- file: out-T2\nDepends on: —\n`);
  const reworded = async (task: string) => {
    const found = await planned(task);
    return found.is === 'plan' ? (found.plan.reworded ?? []) : found;
  };
  expect([await reworded('Make\n  out-T2.'), await reworded('Make something else.')]).toEqual([[], ['T2']]);
});

test('a header with another Spec or Goal is named with what it was, and other ways to write the same are not', async () => {
  const redefined = async (from: string, to: string) => {
    const found = await answer(SECOND.replace(from, to));
    return found.is === 'plan' ? found.plan.redefined : found;
  };
  expect(await redefined('Goal: The files are there.', 'Goal: Nothing at all.')).toEqual([{ field: 'Goal', was: 'The files are there.' }]);
  expect(await redefined('Spec: none — the contract is this plan', 'Spec: ./SPEC.md')).toEqual([{ field: 'Spec', was: 'none' }]);
  expect(
    await redefined('Spec: none — the contract is this plan\nGoal: The files are there.', 'Spec: none\nGoal: The files\n  are there.'),
  ).toEqual(undefined);
});

test('the Spec of the present plan is what a planner dropped', async () => {
  const { input, texts } = await world();
  const sha256 = await texts.put(planText(1, [{ id: 'T1' }]).replace('Spec: none — the contract is this plan', 'Spec: ./SPEC.md'));
  const redefined = async (plan: string) => {
    const { planned } = await planner(plan).replan({ ...input, plan: { version: 1, sha256 } });
    return planned.is === 'plan' ? planned.plan.redefined : planned;
  };
  expect(await redefined(SECOND)).toEqual([{ field: 'Spec', was: './SPEC.md' }]);
  expect(await redefined(SECOND.replace('Spec: none — the contract is this plan', 'Spec: SPEC.md'))).toEqual(undefined);
});

test('an entry whose record is unknown is named, and the rest is shown', async () => {
  const { input } = await world();
  const { replan, asked } = planner('NO VALID PLAN: x');
  await replan({ ...input, entries: [{ task: 'T0', sha256: null }, ...input.entries] });
  expect(asked[0]?.prompt).toContain('## T0 (its entry is in LEDGER.md)');
  expect(sha256Of(asked[0]?.prompt ?? '')).toHaveLength(64);
});

test('the same question has the same token, another one never has', async () => {
  const { input } = await world();
  const { replan, asked } = planner('NO VALID PLAN: x');
  const { ask, place } = input;
  if (ask === null) throw new Error('nothing is asked');
  const resolved = (text: string) => ({ ...input, ask: { ...ask, resolution: { text, by: 'ana' } } });
  for (const question of [input, input, resolved('a key'), resolved('another key'), { ...input, place: { ...place, startedAt: 2 } }])
    await replan(question);
  const tokens = asked.map((one) => one.token);
  expect([tokens[0] === tokens[1], new Set(tokens).size]).toEqual([true, 4]);
});

test('what a planner changed, although it only reads, stands beside its reason', async () => {
  const { input } = await world();
  const deviation = 'the planner, which only reads, changed a.txt';
  const said = async (output: string) => (await planner(output, EXITED, { deviation }).replan(input)).planned;
  expect(await said(SECOND)).toMatchObject({ is: 'plan', plan: { because: `T1 left nothing; ${deviation}` } });
  expect(await said('nonsense')).toEqual({ is: 'unreadable', problems: [...(await problemsOf('nonsense')), deviation] });
});

async function problemsOf(output: string): Promise<string[]> {
  const planned = await answer(output);
  return planned.is === 'unreadable' ? planned.problems : [];
}
