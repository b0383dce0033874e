import { rmSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { readRunState } from '../../client/run-state.js';
import type { Ended, RunInfo } from '../../client/runs.js';
import { openView } from '../../client/view.js';
import { type Watch, watchCommandFor, watchRun } from '../../client/watching.js';
import {
  type FakeService,
  type FakeWorld,
  fakeCanvas,
  fakeRuns,
  fakeService,
  fakeWorld,
  type Heard,
  heard,
  info,
  NOW,
} from './support/fake-world.js';
import { folderWith } from './support/folders.js';
import { entryDocument, runDocument, taskDocument } from './support/run-documents.js';

const question = { kind: 'attest', task: 'T1', gate: null, ask: 'Does it open?', since: null };
const done = runDocument({ phase: 'closed', outcome: 'COMPLETED', ledger: [entryDocument(1, 'T1')] });

async function watching(world: FakeWorld, io: Heard, more: Partial<Watch> = {}): Promise<number> {
  const service = await world.open({ json: false }, io, 'worker');
  return watchRun(
    {
      service,
      run: info({ slug: 'demo' }),
      common: { json: false },
      until: 'end',
      hosted: null,
      again: watchCommandFor('demo'),
      anew: '`donewhen run .`',
      ...more,
    },
    io,
    world,
  );
}

let folder = '';
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A run whose record lies in a folder that is there. */
function recorded(files: Record<string, string>) {
  folder = folderWith(files);
  return info({ slug: 'demo', memo: { ...info({ slug: 'demo' }).memo, out: folder } });
}

/** Ends once something has been done or said. */
function endingAfter(fake: FakeService, ready: () => boolean, end: Ended): void {
  fake.ended = new Promise((resolve) => {
    const look = () => (ready() ? resolve(end) : setImmediate(look));
    look();
  });
}

describe('on a pipe', () => {
  it('a line an event, then the outcome; the exit status is that of the run', async () => {
    const fake = fakeService({
      answers: {
        state: runDocument({
          plan: { version: 1, goal: 'g', tasks: [taskDocument('T1')] },
          active: [{ task: 'T1', performer: 'mine', stage: 'dispatching' }],
        }),
      },
    });
    const io = heard();
    endingAfter(fake, () => io.said.out.includes('dispatched'), { is: 'closed', state: done });
    const exit = await watching(fakeWorld(fake), io, { run: recorded({ 'LEDGER.md': '', 'REPORT.md': '' }) });
    expect({ exit, said: { ...io.said, out: io.said.out.replaceAll(folder, 'HERE') } }).toEqual({
      exit: 0,
      said: {
        out: 'T1 dispatched to mine\nT1 done (verified)\ndemo  COMPLETED  1 of 1 task done, 0 dispatches, cost $0.00, 0 tokens\nReport: HERE/REPORT.md\nLedger: HERE/LEDGER.md\n',
        err: '',
      },
    });
  });

  it('with --json standard output is the final state and nothing else', async () => {
    const fake = fakeService({ answers: { state: runDocument({ waiting: [question] }) } });
    const io = heard();
    endingAfter(fake, () => io.said.err !== '', { is: 'closed', state: done });
    const exit = await watching(fakeWorld(fake), io, { common: { json: true } });
    expect({ exit, out: JSON.parse(io.said.out), err: io.said.err }).toEqual({
      exit: 0,
      out: done,
      err: 'waiting for a person: T1: Does it open?: donewhen attest demo T1 --happened yes --by NAME\nT1 done (verified)\n',
    });
  });
});

it('a run that stays as it is is asked less often', async () => {
  let asked = 0;
  const answers = {
    get state() {
      asked += 1;
      return runDocument({ phase: 'dispatching' });
    },
  };
  const fake = fakeService({ answers });
  const world = fakeWorld(fake);
  const asks: number[] = [];
  const sleep = async () => {
    asks.push(asked);
    if (asks.length === 12) world.interruptNow();
  };
  await watching({ ...world, sleep }, heard());
  expect(asks).toEqual([1, 2, 3, 4, 5, 6, 6, 6, 7, 7, 7, 8]);
});

it('a run in which nothing happens is not asked again by the command that hosts its worker', async () => {
  let asked = 0;
  const answers = {
    get state() {
      asked += 1;
      return runDocument({ phase: 'dispatching' });
    },
  };
  const fake = fakeService({ answers, happened: 'run 7' });
  const world = fakeWorld(fake);
  const asks: number[] = [];
  const sleep = async () => {
    asks.push(asked);
    if (asks.length === 12) fake.happened = 'run 8';
    if (asks.length === 18) world.interruptNow();
  };
  const hosted = { failed: new Promise<never>(() => undefined), stop: async () => undefined };
  await watching({ ...world, sleep }, heard(), { hosted });
  // Once more when it may be that something happened since.
  expect(asks).toEqual([1, 2, 3, 4, 5, 6, 6, 6, 7, 7, 7, 7, 7, 7, 8, 8, 8, 8]);
});

it('what keeps failing is said once, and not at each look; again when it is something else (D16)', async () => {
  const full = { activity: 'record', failures: 6, since: NOW, reason: 'the disk is full; free some space and the run goes on by itself' };
  const fake = fakeService({ answers: { state: runDocument({ phase: 'recording' }) }, failing: [full] });
  const io = heard();
  endingAfter(fake, () => io.said.out.includes('notify'), { is: 'closed', state: done });
  const world = fakeWorld(fake);
  const sleep = world.sleep;
  world.sleep = (ms, signal) => {
    if (world.now() > NOW + 30_000) fake.failing = [{ ...full, activity: 'notify', since: null, reason: '' }];
    return sleep(ms, signal);
  };
  await watching(world, io);
  expect(io.said.out.split('\n').filter((line) => line.includes('failing'))).toEqual([
    'record keeps failing (6 times in 2s): the disk is full; free some space and the run goes on by itself',
    'notify keeps failing (6 times): it did not say why; mend that and the run goes on by itself',
  ]);
});

it('on a terminal one picture is drawn over the other, and the last one stays', async () => {
  const fake = fakeService({ answers: { state: runDocument() } });
  const canvas = fakeCanvas({ columns: 80, rows: 24 });
  const io = heard({ isTTY: true });
  endingAfter(fake, () => canvas.frames.length > 2, { is: 'closed', state: done });
  const exit = await watching(fakeWorld(fake, { canvas: async () => canvas }), io);
  expect({ exit, left: canvas.left, first: canvas.frames[0]?.split('\n')[0], out: io.said.out.split('\n')[0] }).toEqual({
    exit: 0,
    left: true,
    first: 'demo  dispatching',
    out: 'demo  COMPLETED  1 of 1 task done, 0 dispatches, cost $0.00, 0 tokens',
  });
});

describe('ends', () => {
  const ending = async (ended: Ended, more: Partial<Watch> = {}) => {
    const io = heard();
    const fake = fakeService({ ended, answers: { state: runDocument() } });
    return { exit: await watching(fakeWorld(fake), io, more), said: io.said };
  };

  it.each([
    ['COMPLETED', null, 0],
    ['NO_OP', null, 0],
    ['PARTIAL', null, 10],
    ['BLOCKED', null, 11],
    ['FAILED', null, 12],
    ['PARTIAL', { by: 'ana', reason: 'lunch' }, 13],
  ])('%s, stopped: %o, is exit %i', async (outcome, stopped, exit) => {
    expect((await ending({ is: 'closed', state: runDocument({ phase: 'closed', outcome, stopped }) })).exit).toEqual(exit);
  });

  it('an input that the workflow refused is exit 2 with every problem', async () => {
    expect(await ending({ is: 'refused', type: 'InvalidPlan', problems: ['PLAN.md:3: no', 'PLAN.md:9: never'] })).toEqual({
      exit: 2,
      said: { out: '', err: 'PLAN.md:3: no\nPLAN.md:9: never\n' },
    });
  });

  it.each([
    [{ 'LEDGER.md': '' }, '`donewhen run .` goes on from LEDGER.md'],
    [{}, 'nothing is recorded yet, `donewhen run .` begins it again'],
  ] as const)('a termination is exit 13 and says how to go on, with %o', async (files, way) => {
    expect(await ending({ is: 'terminated', words: 'by hand' }, { run: recorded(files) })).toEqual({
      exit: 13,
      said: { out: '', err: `run demo was terminated: by hand; ${way}\n` },
    });
  });

  it('names no file that is not there, and says of what lies elsewhere on which host it is', async () => {
    const lines = async (run: RunInfo) =>
      (await ending({ is: 'closed', state: done }, { run })).said.out.split('\n').filter((line) => /^(Report|Ledger)/.test(line));
    const elsewhere = { ...info({ slug: 'demo' }).memo, host: 'host-b' };
    expect([await lines(recorded({})), await lines(info({ slug: 'demo', memo: elsewhere }))]).toEqual([
      [],
      ['Report: /plans/demo/REPORT.md (on host host-b)', 'Ledger: /plans/demo/LEDGER.md (on host host-b)'],
    ]);
  });

  it('a result that is no run is a defect, not a success', async () => {
    expect(await ending({ is: 'closed', state: 'done' })).toEqual({
      exit: 1,
      said: { out: '', err: 'run demo ended with a result that is no run\n' },
    });
  });
});

describe('a run that waits for a person', () => {
  it('with --until waiting is exit 11, and is kept', async () => {
    const fake = fakeService({ answers: { state: runDocument({ phase: 'waiting', waiting: [question] }) } });
    const io = heard();
    const exit = await watching(fakeWorld(fake), io, { until: 'waiting' });
    expect({ exit, err: io.said.err }).toEqual({
      exit: 11,
      err: 'run demo waits for a person and is kept: after the answer, `donewhen watch demo` goes on with it\n',
    });
  });

  it.each([
    { phase: 'dispatching', waiting: [question] },
    { phase: 'waiting', waiting: [] },
    { phase: 'waiting', waiting: [{ ...question, kind: 'note' }] },
  ])('is not there while something else moves it on: $phase $waiting', async (state) => {
    const fake = fakeService({ answers: { state: runDocument(state) } });
    const world = fakeWorld(fake);
    let looks = 0;
    const exit = watching(
      { ...world, sleep: async () => (++looks > 5 ? world.interruptNow() : new Promise((resolve) => setImmediate(resolve))) },
      heard(),
      { until: 'waiting' },
    );
    expect(await exit).toEqual(130);
  });
});

describe('a worker', () => {
  it('is hosted when the run has none, and ends with the command', async () => {
    const fake = fakeService({ whenHosted: { state: runDocument({ active: [{ task: 'T1', performer: 'mine', stage: 'dispatching' }] }) } });
    const io = heard();
    endingAfter(fake, () => io.said.out.includes('T1 dispatched'), { is: 'closed', state: done });
    const exit = await watching(fakeWorld(fake), io);
    expect({ exit, did: fake.did, err: io.said.err }).toEqual({
      exit: 0,
      did: ['host donewhen-run-demo', 'stop hosting'],
      err: 'no worker answers for run demo: this command hosts one\n',
    });
  });

  it('that is known to be gone is replaced at once, without waiting for silence', async () => {
    const fake = fakeService({ served: false, answers: { state: runDocument() } });
    const io = heard();
    endingAfter(fake, () => fake.did.length > 0, { is: 'closed', state: done });
    const world = fakeWorld(fake);
    const before = world.now();
    await watching({ ...world, sleep: () => new Promise((resolve) => setImmediate(resolve)) }, io);
    expect({ did: fake.did, waited: world.now() - before }).toEqual({ did: ['host donewhen-run-demo', 'stop hosting'], waited: 0 });
  });

  it('is not hosted for a run of another host', async () => {
    const fake = fakeService();
    const io = heard();
    endingAfter(fake, () => io.said.out !== '', { is: 'closed', state: done });
    const run = info({ slug: 'demo', memo: { ...info({ slug: 'demo' }).memo, host: 'host-b' } });
    await watching(fakeWorld(fake), io, { run });
    expect({ did: fake.did, first: io.said.out.split('\n')[0] }).toEqual({
      did: [],
      first: 'no worker has answered for 10s; the run is kept and goes on when one is there',
    });
  });

  it('is not hosted while the server is away: that says nothing about workers', async () => {
    const fake = fakeService();
    const io = heard();
    endingAfter(fake, () => io.said.out !== '', { is: 'closed', state: done });
    const world = fakeWorld(fake);
    const away = async () => Promise.reject(new Error('the Temporal server at 127.0.0.1:7233 did not answer in time'));
    const service = { ...(await world.open({ json: false }, io, 'worker')), runs: { ...fakeRuns(fake), query: away } };
    await watchRun(
      { service, run: info({ slug: 'demo' }), common: { json: false }, until: 'end', hosted: null, again: '', anew: '' },
      io,
      world,
    );
    expect({ did: fake.did, first: io.said.out.split('\n')[0] }).toEqual({
      did: [],
      first: 'the Temporal server at 127.0.0.1:7233 did not answer in time',
    });
  });

  it('that broke ends the watching with its fault', async () => {
    const fake = fakeService();
    const hosted = { failed: Promise.reject(new Error('the worker broke')), stop: async () => void fake.did.push('stop hosting') };
    hosted.failed.catch(() => undefined);
    await expect(watching(fakeWorld(fake), heard(), { hosted })).rejects.toThrow('the worker broke');
    expect(fake.did).toEqual(['stop hosting']);
  });
});

it('Ctrl-C keeps the run, ends the worker and says how to go on', async () => {
  const fake = fakeService({ answers: { state: runDocument() } });
  const world = fakeWorld(fake);
  const io = heard();
  const service = await world.open({ json: false }, io, 'worker');
  const hosted = await service.host('donewhen-run-demo');
  const exit = watching(world, io, { hosted });
  await new Promise((resolve) => setImmediate(resolve));
  world.interruptNow();
  expect({ exit: await exit, did: fake.did, err: io.said.err }).toEqual({
    exit: 130,
    did: ['host donewhen-run-demo', 'stop hosting'],
    err: 'interrupted: run demo is kept and goes on when a worker is there: `donewhen watch demo`\n',
  });
});

it('a server that stays away ends the watching with its fault', async () => {
  const fake = fakeService({ answers: { state: runDocument() } });
  const world = fakeWorld(fake);
  const runs = { ...fakeRuns(fake), result: async () => Promise.reject(new Error('the server is away')) };
  const service = { ...(await world.open({ json: false }, heard(), 'worker')), runs };
  await expect(
    watchRun(
      { service, run: info({ slug: 'demo' }), common: { json: false }, until: 'end', hosted: null, again: '', anew: '' },
      heard(),
      world,
    ),
  ).rejects.toThrow('the server is away');
});

it('what a look that was under way says after the end is not told', async () => {
  const io = heard();
  const view = await openView({ run: 'demo', json: false }, io, fakeWorld(fakeService({})));
  view.close();
  view.show(readRunState(done), { topic: 'silence', words: 'nobody answers' });
  expect([io.said.out, io.said.err]).toEqual(['', '']);
});
