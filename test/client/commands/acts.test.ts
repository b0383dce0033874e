import { describe, expect, it } from 'vitest';
import { attestCommand } from '../../../client/commands/attest.js';
import { decideCommand } from '../../../client/commands/decide.js';
import { messageCommand, steerCommand } from '../../../client/commands/steer.js';
import { type FakeService, fakeService, fakeWorld, heard, info } from '../support/fake-world.js';

const running = (more: Partial<FakeService> = {}) => fakeService({ runs: [info({ slug: 'demo' })], ...more });
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

  it('because no worker took it, exits 3 and says who hosts one', async () => {
    await expect(steerCommand('stop', 'demo', by, heard(), fakeWorld(running({ acted: null })))).rejects.toMatchObject({
      exitCode: 3,
      message:
        'no worker took it for run demo in 15 s: `donewhen watch demo` hosts one; say it again with --id act-1, so that it is applied once',
    });
  });

  it('because the run has no worker, exits 3 at once and sends nothing', async () => {
    const fake = running({ served: false });
    await expect(steerCommand('stop', 'demo', by, heard(), fakeWorld(fake))).rejects.toMatchObject({
      exitCode: 3,
      message: 'run demo has no worker now: `donewhen watch demo` hosts one here, `donewhen worker` a standing one',
    });
    expect(fake.acts).toEqual([]);
  });

  it('because the run is closed, exits 2', async () => {
    const closed = info({ slug: 'demo', status: 'completed', seen: { ...info({ slug: 'demo' }).seen, outcome: 'FAILED' } });
    await expect(steerCommand('pause', 'demo', by, heard(), fakeWorld(fakeService({ runs: [closed] })))).rejects.toMatchObject({
      exitCode: 2,
      message: 'run demo is closed (FAILED), pause comes too late: `donewhen resolve demo …` or `donewhen run` goes on with one',
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
