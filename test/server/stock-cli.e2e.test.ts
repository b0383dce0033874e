import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RunJson } from '../../core/run-json.js';
import { planText, taskText } from '../client/support/folders.js';
import type { Running } from '../support/command.js';
import { createTestHome, type TestHome } from '../support/homes.js';
import { onlookerAt } from '../support/onlooker.js';
import { createStage, makeFolder, type Stage } from '../support/stage.js';
import { type StockCli, stockCli } from '../support/stock-cli.js';

const TEST_MS = 240_000;

/** A task that needs no agent, and one that needs a person. */
const INLINE = taskText('T1', { lines: 'Performer: inline\nRun: echo made > out-T1\n' });
const BY_HAND = taskText('T2', { checks: ['human: does it open?'], lines: 'Performer: human\n', depends: 'T1' });
const planOf = (slug: string, ...tasks: string[]) => planText(...tasks).replace('# PLAN: demo', `# PLAN: ${slug}`);

let home: TestHome;
let stage: Stage;
let dev: Running;
let temporal: StockCli;

beforeAll(async () => {
  home = createTestHome();
  stage = createStage(home, { plan: planText(INLINE) });
  dev = stage.begin('dev', '--json');
  await stage.until('dev serves', () => dev.said().out.trimEnd().endsWith('}'));
  temporal = await stockCli(JSON.parse(dev.said().out).address);
}, TEST_MS);
afterAll(async () => {
  await stage.remove();
  await home.remove();
});

function file(name: string, content: string | Buffer): string {
  writeFileSync(join(stage.outside, name), content);
  return join(stage.outside, name);
}

const phaseOf = async (slug: string) => ((await temporal.query(slug, 'state')) as RunJson).phase;
const untilWaiting = (slug: string) => stage.until(`${slug} waits`, async () => (await phaseOf(slug)) === 'waiting');
const ledgerOf = (result: unknown) =>
  (result as RunJson).ledger.map(({ task, status, verification }) => `${task} ${status} ${verification}`);
const BOTH_DONE = ['T1 done verified', 'T2 done attested'];

async function startPlan(slug: string, ...tasks: string[]): Promise<void> {
  const plan = file(`${slug}.md`, planOf(slug, ...tasks));
  expect(await temporal.start(slug, '--input-file', plan, '--input-meta', 'encoding=binary/plain')).toMatchObject({ code: 0 });
}

describe('with nothing but the temporal command, a run', () => {
  test('is started from run.json, is found by its phase, answers every query, takes a signal and ends with its state', {
    timeout: TEST_MS,
  }, async () => {
    const workspace = makeFolder(join(stage.outside, 'elsewhere'));
    const input = { plan: planOf('by-file', INLINE, BY_HAND), workspace: { path: workspace }, config: { limits: { taskMinutes: 5 } } };
    await temporal.start('by-file', '--input-file', file('run.json', JSON.stringify(input)));
    await untilWaiting('by-file');
    const list = async () => {
      const runs = await temporal.json('workflow', 'list', '--query', "DonewhenPhase='waiting' AND DonewhenSlug='by-file'");
      return (runs as unknown as { execution: { workflowId: string } }[]).map((run) => run.execution.workflowId);
    };
    await stage.until('it is listed as waiting', async () => (await list()).length > 0);
    expect(await list()).toEqual(['donewhen-by-file']);
    expect(await temporal.query('by-file', 'waiting')).toMatchObject([
      { kind: 'attest', task: 'T2', ask: expect.stringContaining('does it open?') },
    ]);
    expect(await temporal.query('by-file', 'ledger')).toMatchObject({
      path: join(workspace, '.donewhen/by-file/LEDGER.md'),
      excerpt: readFileSync(join(workspace, '.donewhen/by-file/LEDGER.md'), 'utf8'),
    });
    expect(await temporal.query('by-file', 'report')).toEqual({ path: '', sha256: '', excerpt: '' });
    const said = { task: 'T2', happened: 'yes', nowTrue: 'it opens', by: 'ana' };
    expect((await temporal.signal('by-file', 'attest', '--input', JSON.stringify(said))).code).toEqual(0);
    const end = await temporal.end('by-file');
    expect([end.status, ledgerOf(end.result)]).toEqual(['COMPLETED', BOTH_DONE]);
    expect(await temporal.query('by-file', 'report')).toMatchObject({ excerpt: expect.stringContaining('Status: COMPLETED') });
  });

  test('is started from a PLAN.md as bytes and is carried out in a folder of its own; an update answers at once', {
    timeout: TEST_MS,
  }, async () => {
    await startPlan('by-bytes', INLINE, BY_HAND);
    await untilWaiting('by-bytes');
    expect([
      await temporal.update('by-bytes', 'attest', { task: 'T1', happened: 'yes', by: 'ana' }),
      await temporal.update('by-bytes', 'attest', { task: 'T2', happened: 'yes', by: 'ana' }),
    ]).toEqual([
      { applied: false, reason: 'T1 is done already' },
      { applied: true, reason: 'recorded for T2' },
    ]);
    expect(ledgerOf((await temporal.end('by-bytes')).result)).toEqual(BOTH_DONE);
    expect(existsSync(join(home.path, 'runs/by-bytes/out-T1'))).toEqual(true);
  });

  test('is started from the text of a plan alone', { timeout: TEST_MS }, async () => {
    await temporal.start('by-text', '--input', JSON.stringify(planOf('by-text', INLINE)));
    expect(ledgerOf((await temporal.end('by-text')).result)).toEqual(['T1 done verified']);
  });

  test('is started twice and runs once (C13)', { timeout: TEST_MS }, async () => {
    await startPlan('twice', INLINE, BY_HAND);
    await startPlan('twice', INLINE);
    await untilWaiting('twice');
    await temporal.update('twice', 'stop', { by: 'ana' });
    expect(((await temporal.end('twice')).result as RunJson).plan.version).toEqual(1);
  });

  test('goes on under another standing worker when the first one has ended', { timeout: TEST_MS }, async () => {
    const onlooker = onlookerAt(home);
    await startPlan('handed-on', INLINE, BY_HAND);
    await untilWaiting('handed-on');
    dev.child.kill('SIGINT');
    expect((await dev.ended).code).toEqual(130);
    dev = stage.begin('worker', '--json');
    await temporal.signal('handed-on', 'attest', '--input', '{"task":"T2","happened":"yes","by":"ana"}');
    expect(ledgerOf((await temporal.end('handed-on')).result)).toEqual(BOTH_DONE);
    await onlooker.close();
  });
});

describe('an input that is none fails the run at once, with every problem', () => {
  test.each([
    [
      'a plan with two faults',
      ['--input', JSON.stringify('# PLAN: x\n')],
      'InvalidPlan',
      ['PLAN.md:1: the plan has no Goal', 'PLAN.md:1: the plan has no task'],
    ],
    ['nothing', [], 'InvalidInput', ['the input is missing']],
    ['a number', ['--input', '7'], 'InvalidInput', ['the input is a number']],
    ['null', ['--input', 'null'], 'InvalidInput', ['the input is null']],
    ['a list', ['--input', '["# PLAN: x"]'], 'InvalidInput', ['the input is a list']],
    ['an empty text', ['--input', '""'], 'InvalidPlan', ['PLAN.md:1:']],
    [
      'unknown and wrong keys',
      ['--input', '{"plann":"x","spec":7}'],
      'InvalidInput',
      ['unknown key plann', 'plan: the text', 'spec: a text is wanted'],
    ],
    [
      'a workspace that is not there',
      ['--input', JSON.stringify({ plan: planOf('x', INLINE), workspace: { path: '/nowhere/at/all' } })],
      'InvalidInput',
      ['does not exist'],
    ],
    [
      'a wrong configuration',
      ['--input', JSON.stringify({ plan: planOf('x', INLINE), config: { limits: { paralel: 2 } } })],
      'InvalidInput',
      ['paralel'],
    ],
  ])('%s', { timeout: TEST_MS }, async (what, words, type, problems) => {
    const slug = `bad-${what.replaceAll(/[^a-z]/g, '')}`;
    expect((await temporal.start(slug, ...words)).code).toEqual(0);
    const { status, type: failed, message } = await temporal.end(slug);
    expect({ status, failed, missing: problems.filter((problem) => message?.includes(problem) !== true), message }).toEqual({
      status: 'FAILED',
      failed: type,
      missing: [],
      message,
    });
  });

  test('bytes that are no text', { timeout: TEST_MS }, async () => {
    const bytes = file('junk.bin', Buffer.from([0xff, 0xfe, 0x00, 0x9f]));
    await temporal.start('bad-bytes', '--input-file', bytes, '--input-meta', 'encoding=binary/plain');
    expect(await temporal.end('bad-bytes')).toMatchObject({ type: 'InvalidInput', message: 'the input is not UTF-8 text' });
  });
});

test('signals that nobody can read do no harm, are answered in the state, and a right one as bytes still counts (G05)', {
  timeout: TEST_MS,
}, async () => {
  await startPlan('noise', INLINE, BY_HAND);
  await untilWaiting('noise');
  const signals: [string, ...string[]][] = [
    ['approve-all', '--input', '{"by":"ana"}'],
    ['attest'],
    ['attest', '--input', '7'],
    ['attest', '--input', '["T2","yes"]'],
    ['attest', '--input', '{"task":"T2","happened":true,"by":"ana"}'],
    ['attest', '--input', '{"task":"T2","happened":"yes"}'],
    ['decide', '--input', '{"gate":"T2","decision":"approve","by":"ana"}'],
    ['stop', '--input', 'null'],
    ['attest', '--input-file', file('right.json', '{"task":"T2","happened":"yes","by":"ana"}'), '--input-meta', 'encoding=binary/plain'],
  ];
  for (const [name, ...words] of signals) expect((await temporal.signal('noise', name, ...words)).code).toEqual(0);
  const run = (await temporal.end('noise')).result as RunJson;
  expect({
    ledger: ledgerOf(run),
    messages: run.messages.map(({ name, applied }) => `${name} ${applied ? 'applied' : 'refused'}`),
  }).toEqual({
    ledger: BOTH_DONE,
    messages: ['message refused', ...Array(5).fill('attest refused'), 'decide refused', 'stop refused', 'attest applied'],
  });
  expect((await temporal.run('workflow', 'update', 'execute', '--workflow-id', 'donewhen-noise', '--name', 'approve')).code).toEqual(1);
});
