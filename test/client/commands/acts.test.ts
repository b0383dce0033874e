import { describe, expect, it } from 'vitest';
import { attestCommand } from '../../../client/commands/attest.js';
import { decideCommand } from '../../../client/commands/decide.js';
import { messageCommand, steerCommand } from '../../../client/commands/steer.js';
import { type FakeService, fakeService, fakeWorld, heard, info, NOW } from '../support/fake-world.js';
import { runDocument } from '../support/run-documents.js';

const state = (phase: string, outcome: string | null = null) => ({ state: runDocument({ phase, outcome }) });
const running = (more: Partial<FakeService> = {}) =>
  fakeService({ runs: [info({ slug: 'demo' })], answers: state('dispatching'), ...more });
const full = { activity: 'record', failures: 6, since: NOW - 12_000, reason: 'LEDGER.md cannot be written: the disk is full' };
const by = { json: false, by: 'ana' };

describe('an act that the run applies', () => {
  it('is sent with its id, and its answer is shown', async () => {
    const fake = running({ acted: { applied: true, reason: 'recorded for T3' } });
    const io = heard();
    const exit = await attestCommand('demo', 'T3', { ...by, happened: 'yes', nowTrue: 'badge works' }, io, fakeWorld(fake));
    expect({ exit, said: io.said, acts: fake.acts, did: fake.did }).toEqual({
      exit: 0,
      said: { out: 'demo: attest was applied: recorded for T3\n', err: '' },
      acts: [
        {
          name: 'attest',
          id: 'act-1',
          payload: { task: 'T3', happened: 'yes', nowTrue: 'badge works', by: 'ana', id: 'act-1' },
          answerMs: 30_000,
        },
      ],
      did: ['close'],
    });
  });

  it('as JSON is one document', async () => {
    const io = heard();
    const exit = await steerCommand('pause', 'demo', { json: true, by: 'ana', reason: 'lunch', id: 'mine-1' }, io, fakeWorld(running()));
    expect({ exit, out: JSON.parse(io.said.out), err: io.said.err }).toEqual({
      exit: 0,
      out: { run: 'demo', act: 'pause', id: 'mine-1', applied: true, reason: '' },
      err: '',
    });
  });

  it('may name the workflow instead of the run', async () => {
    const fake = running();
    await steerCommand('stop', 'donewhen-demo', by, heard(), fakeWorld(fake));
    expect(fake.acts.map((act) => act.name)).toEqual(['stop']);
  });

  it.each([
    [
      'decide',
      () => decideCommand({ run: 'demo', gate: 'T2', decision: 'reject' }, { ...by, reason: 'too early', shown: '2' }, heard(), world()),
      { gate: 'T2', decision: 'reject', reason: 'too early', shown: '2' },
    ],
    [
      'message',
      () => messageCommand('demo', 'prefer the old API', { ...by, to: 'planner' }, heard(), world()),
      { to: 'planner', text: 'prefer the old API' },
    ],
    ['resume', () => steerCommand('resume', 'demo', by, heard(), world()), {}],
  ] as const)('%s carries what was said', async (name, send, payload) => {
    last = running();
    await send();
    expect(last.acts.map((act) => [act.name, act.payload])).toEqual([[name, { ...payload, by: 'ana', id: 'act-1' }]]);
  });
});

describe('an act on a run that has no worker', () => {
  const hosts = ['host donewhen-run-demo', 'stop hosting', 'close'];

  it.each([
    ['attest', 'dispatching', '`donewhen watch demo` follows the run to its end'],
    ['attest', 'waiting', '`donewhen watch demo` follows the run to its end'],
    ['stop', 'closed', 'run demo is closed: BLOCKED'],
    ['stop', 'recording', 'it is not recorded yet: `donewhen watch demo` follows the run to its end'],
  ] as const)('hosts one until %s has led to %s', async (name, phase, note) => {
    const fake = running({ served: false, answers: {}, whenHosted: state(phase, phase === 'closed' ? 'BLOCKED' : null) });
    const io = heard();
    const world = fakeWorld(fake);
    const exit =
      name === 'stop'
        ? await steerCommand(name, 'demo', by, io, world)
        : await attestCommand('demo', 'T3', { ...by, happened: 'yes' }, io, world);
    expect({ exit, said: io.said, acts: fake.acts.length, did: fake.did }).toEqual({
      exit: 0,
      said: {
        out: `demo: ${name} was applied\n`,
        err: `no worker answers for run demo: this command hosts one until ${name} is recorded\n${note}\n`,
      },
      acts: 1,
      did: hosts,
    });
  });

  it('hosts one where a worker is known and says nothing, too', async () => {
    const fake = running({ answers: {}, whenHosted: state('waiting') });
    expect([await steerCommand('resume', 'demo', by, heard(), fakeWorld(fake)), fake.did]).toEqual([0, hosts]);
  });

  it('is said again, under the same id, where the worker left before it took the act', async () => {
    const fake = running();
    const world = fakeWorld(fake);
    const open = world.open;
    let takes = 0;
    world.open = async (...words) => {
      const service = await open(...words);
      const { act } = service.runs;
      const unheard = async (...said: Parameters<typeof act>) => {
        const acted = await act(...said);
        return ++takes === 1 ? null : acted;
      };
      return { ...service, runs: { ...service.runs, act: unheard } };
    };
    const exit = await steerCommand('pause', 'demo', by, heard(), world);
    expect([exit, fake.acts.map((act) => act.id), fake.did]).toEqual([0, ['act-1', 'act-1'], hosts]);
  });

  it('does not stay for a record that cannot be written, and says why', async () => {
    const fake = running({ served: false, answers: {}, whenHosted: state('recording'), failing: [full] });
    const io = heard();
    await steerCommand('stop', 'demo', by, io, fakeWorld(fake));
    expect(io.said.err.split('\n')[1]).toEqual(
      'record keeps failing (6 times in 12s): LEDGER.md cannot be written: the disk is full; mend that and the run goes on by itself; until then nothing more is recorded, and `donewhen watch demo` follows the run to its end',
    );
  });
});

it('stop of a run whose record cannot be written says when it ends, and does not wait for it', async () => {
  const io = heard();
  const exit = await steerCommand('stop', 'demo', by, io, fakeWorld(running({ failing: [full] })));
  expect([exit, io.said.err]).toEqual([
    0,
    'the run ends when it can be recorded: record keeps failing (6 times in 12s): LEDGER.md cannot be written: the disk is full; mend that and the run goes on by itself\n',
  ]);
});

let last: FakeService = running();
const world = () => fakeWorld(last);

describe('an act that is not applied', () => {
  it('because the run refused it, exits 2 with the reason (G05)', async () => {
    const io = heard();
    const exit = await attestCommand(
      'demo',
      'T3',
      { ...by, happened: 'yes' },
      io,
      fakeWorld(running({ acted: { applied: false, reason: 'T3 is done already' } })),
    );
    expect({ exit, said: io.said }).toEqual({ exit: 2, said: { out: '', err: 'demo: attest was refused: T3 is done already\n' } });
  });

  it('because not even a worker of this command took it, exits 3 and says how to say it again', async () => {
    await expect(steerCommand('stop', 'demo', by, heard(), fakeWorld(running({ acted: null })))).rejects.toMatchObject({
      exitCode: 3,
      message:
        'the worker of run demo did not take it in time: `donewhen watch demo` hosts one; say it again with --id act-1, so that it is applied once',
    });
  });

  it('because the run works on another host and has no worker, exits 3, sends nothing and says where to say it', async () => {
    const memo = { ...info({ slug: 'demo' }).memo, host: 'host-b' };
    const fake = running({ runs: [info({ slug: 'demo', memo })], answers: {} });
    await expect(steerCommand('stop', 'demo', by, heard(), fakeWorld(fake))).rejects.toMatchObject({
      exitCode: 3,
      message:
        'run demo works on another host (host-b), and no worker answers for it: stop was not recorded; have one there (`donewhen watch demo`), then say it again',
    });
    expect([fake.acts, fake.did]).toEqual([[], ['close']]);
  });

  it('because the run is closed, exits 2', async () => {
    const closed = info({ slug: 'demo', status: 'completed', seen: { ...info({ slug: 'demo' }).seen, outcome: 'FAILED' } });
    await expect(steerCommand('pause', 'demo', by, heard(), fakeWorld(fakeService({ runs: [closed] })))).rejects.toMatchObject({
      exitCode: 2,
      message:
        'run demo is closed (FAILED), pause comes too late: `donewhen status demo` shows what is left; `donewhen resolve demo …` goes on where no plan was left, `donewhen run` where a gate is open',
    });
  });

  it('because there is no such run, exits 2 and names those that there are', async () => {
    await expect(steerCommand('pause', 'dmeo', by, heard(), fakeWorld(running()))).rejects.toMatchObject({
      exitCode: 2,
      message: 'there is no run dmeo: this server has demo',
    });
  });

  it.each([undefined, '', '  '])('because nobody says so (%o), exits 2 and asks no server', async (name) => {
    const fake = running();
    const options = name === undefined ? { json: false } : { json: false, by: name };
    await expect(steerCommand('stop', 'demo', options, heard(), fakeWorld(fake))).rejects.toMatchObject({
      exitCode: 2,
      message: 'stop needs --by NAME: who says so is part of the record',
    });
    expect(fake.did).toEqual([]);
  });

  it('because prose is no decision (G01), exits 2', async () => {
    await expect(
      decideCommand({ run: 'demo', gate: 'T2', decision: 'yes please' }, by, heard(), fakeWorld(running())),
    ).rejects.toMatchObject({
      exitCode: 2,
      message: 'decide takes approve or reject, not "yes please"',
    });
  });

  it('because happened is neither yes, no nor partly, exits 2', async () => {
    await expect(attestCommand('demo', 'T3', { ...by, happened: 'sure' }, heard(), fakeWorld(running()))).rejects.toMatchObject({
      exitCode: 2,
      message: 'attest needs --happened yes, no or partly, not "sure"',
    });
  });
});
