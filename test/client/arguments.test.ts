import { describe, expect, it } from 'vitest';
import { asksForOverview, OVERVIEW, overview } from '../../client/arguments/overview.js';
import { readArguments } from '../../client/arguments/program.js';
import { fakeService, fakeWorld, heard, info } from './support/fake-world.js';
import { runDocument } from './support/run-documents.js';

const read = async (...words: string[]) => {
  const io = heard();
  const found = await readArguments(words, io, () => '1.2.3');
  return { found: found.is === 'over' ? found.exit : found.is, said: io.said };
};

const VERBS =
  'run start check watch status list ledger report plan waiting attest decide resolve replan message pause resume stop dev worker init doctor'.split(
    ' ',
  );

describe('help', () => {
  it('of the whole is what the verbs say of themselves', async () => {
    const usages = OVERVIEW.flatMap(({ verbs }) => verbs.map(([usage]) => usage));
    const own = await Promise.all(VERBS.map(async (verb) => (await read(verb, '--help')).said.out.split('\n')[0]));
    expect(own).toEqual(usages.map((usage) => `Usage: donewhen ${usage.replace(/ |$/, ' [options] ').trimEnd()}`));
  });

  it('of the whole fits a terminal of eighty columns', () => {
    expect(
      overview()
        .split('\n')
        .filter((line) => line.length > 80),
    ).toEqual([]);
  });

  it.each([
    [['--help'], true],
    [['-h'], true],
    [['help'], true],
    [['help', 'run'], false],
    [['run', '--help'], false],
    [[], false],
  ])('%j asks for the whole: %s', (words, asks) => {
    expect(asksForOverview(words)).toEqual(asks);
  });

  it('names every verb', async () => {
    const { found, said } = await read('--help');
    expect({ found, missing: VERBS.filter((verb) => !new RegExp(`^  ${verb}\\b`, 'm').test(said.out)), err: said.err }).toEqual({
      found: 0,
      missing: [],
      err: '',
    });
  });

  it.each(VERBS)('of %s says what it does, its exit status and an example', async (verb) => {
    const { found, said } = await read(verb, '--help');
    const wanted = [`Usage: donewhen ${verb}`, 'Exit status:', 'Examples:', `  donewhen ${verb}`, '--json'];
    expect({ found, missing: wanted.filter((words) => !said.out.includes(words)) }).toEqual({ found: 0, missing: [] });
  });

  it('is also shown by help VERB', async () => {
    const { found, said } = await read('help', 'attest');
    expect({ found, usage: said.out.startsWith('Usage: donewhen attest') }).toEqual({ found: 0, usage: true });
  });

  it('without a verb is a mistake that is helped', async () => {
    const { found, said } = await read();
    expect({ found, helped: said.err.startsWith('Usage: donewhen <verb>') }).toEqual({ found: 2, helped: true });
  });

  it('--version is the version', async () => {
    expect(await read('--version')).toEqual({ found: 0, said: { out: '1.2.3\n', err: '' } });
  });
});

it.each([
  ['run', /swarm|goal/],
  ['start', /swarm|goal/],
])('the help of %s offers nothing that is not in this version', async (verb, absent) => {
  const { said } = await read(verb, '--help');
  expect([said.out.includes('Usage:'), absent.exec(said.out)]).toEqual([true, null]);
});

describe('a mistake is one line, exit 2, with the way out', () => {
  it.each([
    [['rnu', '.'], "unknown command 'rnu'; did you mean run?\n"],
    [['status', 'demo', '--jsn'], "unknown option '--jsn'; did you mean --json?\n"],
    [['status'], "missing required argument 'run'\n"],
    [['status', 'a', 'b'], "too many arguments for 'status'. Expected 1 argument but got 2.\n"],
    [['attest', 'demo', 'T3', '--by', 'ana'], "required option '--happened <answer>' not specified\n"],
    [
      ['attest', 'demo', 'T3', '--happened', 'maybe', '--by', 'ana'],
      "option '--happened <answer>' argument 'maybe' is invalid. Allowed choices are yes, no, partly.\n",
    ],
    [['attest', 'demo', 'T3', '--happened', 'yes'], "required option '--by <name>' not specified\n"],
    [
      ['decide', 'demo', 'T3', 'ok', '--by', 'ana'],
      "command-argument value 'ok' is invalid for argument 'decision'. Allowed choices are approve, reject.\n",
    ],
    [['stop', 'demo'], "required option '--by <name>' not specified\n"],
    [['resolve', 'demo', 'x', '--by', 'ana'], "required option '--resolution <text>' not specified\n"],
    [['run', '.', '--until', 'done'], "option '--until <state>' argument 'done' is invalid. Allowed choices are waiting.\n"],
    [['report', 'demo', '--format', 'pdf'], "option '--format <format>' argument 'pdf' is invalid. Allowed choices are md, json.\n"],
    [['status', 'demo', '--address'], "option '--address <host:port>' argument missing\n"],
  ])('%j', async (words, err) => {
    expect(await read(...words)).toEqual({ found: 2, said: { out: '', err } });
  });
});

it('with --json a mistake is a document, too', async () => {
  const { found, said } = await read('status', '--json');
  expect({ found, out: JSON.parse(said.out), err: said.err }).toEqual({
    found: 2,
    out: { error: { message: "missing required argument 'run'", exit: 2 } },
    err: "missing required argument 'run'\n",
  });
});

it('reading a command line connects to nothing and loads no verb', async () => {
  const fake = fakeService();
  const found = await readArguments(['status', 'demo'], heard(), () => '');
  expect([found.is, fake.did]).toEqual(['chosen', []]);
});

it.each([[['--json', 'status', 'demo']], [['status', '--json', 'demo']], [['status', 'demo', '--json']]])(
  'an option may stand anywhere: %j',
  async (words) => {
    const io = heard();
    const found = await readArguments(words, io, () => '');
    const fake = fakeService({ runs: [info({ slug: 'demo' })], answers: { state: runDocument() } });
    const exit = found.is === 'chosen' ? await found.chosen(io, fakeWorld(fake)) : null;
    expect([exit, JSON.parse(io.said.out).run]).toEqual([0, 'demo']);
  },
);

it.each([
  [['run', '.', '--pipeline', 'okr.yaml'], 'run carries out one thing: a plan, or the file after --pipeline'],
  [['run', 'okr.yaml'], 'okr.yaml is no PLAN.md: `donewhen run --pipeline okr.yaml` carries out a pipeline'],
  [['run', '--pipeline', 'nowhere.yaml'], 'nowhere.yaml does not exist: name the file of a pipeline'],
  [
    ['start', '--swarm', 'pswarm', '--goal', 'x'],
    '--swarm is not in this version: swarms are still to come; a PLAN.md or a pipeline is carried out',
  ],
  [['run', '.', '--from', '3'], '--from is for a pipeline: name its file with --pipeline FILE'],
  [['run', '--pipeline', 'okr.yaml', '--from', '3', '--only', '5'], '--from and --only exclude each other: give one of them'],
  [['run', '.', '--slug', ''], '--slug is empty: it needs a value'],
  [['start', '.', '--out', ' '], '--out is empty: it needs a value'],
  [['resolve', 'demo', 'x', '--resolution', 'y', '--by', 'ana', '--check', ''], '--check is empty: it needs a value'],
  [['run', ''], 'run needs a folder with a PLAN.md, or the file: `donewhen run .` takes this folder'],
  [['check', ''], 'the path of the plan is empty: name a folder with a PLAN.md, or the file'],
  [['status', ''], 'the name of the run is empty: `donewhen list` shows all'],
  [['run'], 'run needs a folder with a PLAN.md, or the file: `donewhen run .` takes this folder'],
])('%j is exit 2', async (words, message) => {
  const carriedOut = async () => {
    const found = await readArguments(words, heard(), () => '');
    return found.is === 'chosen' ? found.chosen(heard(), fakeWorld(fakeService())) : found.exit;
  };
  await expect(carriedOut()).rejects.toMatchObject({ exitCode: 2, message });
});

it('values reach the act that they belong to', async () => {
  const io = heard();
  const fake = fakeService({ runs: [info({ slug: 'demo' })] });
  const words = [
    'attest',
    'demo',
    'T3',
    '--happened',
    'partly',
    '--now-true',
    'half of it',
    '--unexpected',
    'rain',
    '--by',
    'ana',
    '--id',
    'a-1',
    '--shown',
    '2',
  ];
  const found = await readArguments(words, io, () => '');
  if (found.is !== 'chosen') throw new Error('not chosen');
  await found.chosen(io, fakeWorld(fake));
  expect(fake.acts.map((act) => act.payload)).toEqual([
    { task: 'T3', happened: 'partly', nowTrue: 'half of it', unexpected: 'rain', by: 'ana', shown: '2', id: 'a-1' },
  ]);
});
