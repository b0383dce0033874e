import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { resolveCommand } from '../../../client/commands/resolve.js';
import { type RunOptions, runCommand } from '../../../client/commands/run.js';
import { startCommand } from '../../../client/commands/start.js';
import { UserError } from '../../../client/errors.js';
import { sha256Of } from '../../../client/record-text.js';
import type { RunInfo } from '../../../client/runs.js';
import { type FakeService, fakeService, fakeWorld, HOST, heard, info } from '../support/fake-world.js';
import { CONFIG, entryText, folderWith, ledgerText, planText, taskText } from '../support/folders.js';
import { entryDocument, runDocument } from '../support/run-documents.js';

let folder = '';
const plan = planText(taskText('T1'));
beforeEach(() => {
  folder = folderWith({ 'PLAN.md': plan, 'donewhen.yaml': CONFIG });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const memo = (more: Partial<RunInfo['memo']> = {}) => ({
  host: HOST,
  folder,
  out: folder,
  workspace: folder,
  planFile: join(folder, 'PLAN.md'),
  planSha256: sha256Of(plan),
  ...more,
});
const running = (more: Partial<RunInfo> = {}) => info({ slug: 'demo', memo: memo(), ...more });
const closedRun = (more: Partial<RunInfo> = {}) => running({ status: 'completed', endedAt: 0, ...more });
const closedState = (outcome: string, gate: string, more: Record<string, unknown> = {}) =>
  runDocument({
    phase: 'closed',
    outcome,
    ledger: [
      entryDocument(1, 'T1', {
        status: outcome === 'COMPLETED' ? 'done' : 'failed',
        blocker: outcome === 'COMPLETED' ? null : 'no-key',
        gates: [{ gate }],
        ...more,
      }),
    ],
  });
const done = { is: 'closed' as const, state: closedState('COMPLETED', 'plan holds') };

const PLAN_HERE = { is: 'plan', path: '.' } as const;

async function run(fake: FakeService, options: Partial<RunOptions> = {}) {
  const io = heard({ cwd: folder });
  const exit = await runCommand(PLAN_HERE, { json: false, again: false, allowDirty: false, ...options }, io, fakeWorld(fake)).catch(
    (error: { exitCode: number; message: string }) => error,
  );
  const clean = (text: string) => text.replaceAll(folder, 'HERE');
  const refused = typeof exit === 'number' ? null : { exit: exit.exitCode, message: clean(exit.message) };
  return { exit: refused ?? exit, out: clean(io.said.out), err: clean(io.said.err), did: fake.did, started: fake.started };
}

describe('run', () => {
  const LEFT = planText(taskText('T2', { lines: 'Continues: T1\n' })).replace('Plan version: 1', 'Plan version: 2');
  const keep = (name: string, text: string) => {
    mkdirSync(join(folder, '.donewhen/demo'), { recursive: true });
    writeFileSync(join(folder, '.donewhen/demo', name), text);
  };

  it('--again begins from the whole plan: what a replan left of it is refused with the way out, and nothing is moved', async () => {
    keep('plan-1.md', plan);
    keep('plan-2.md', LEFT);
    writeFileSync(join(folder, 'PLAN.md'), LEFT);
    writeFileSync(join(folder, 'LEDGER.md'), ledgerText('demo', entryText('T1', 'failed', 'replan done (plan version 2)')));
    const { exit, did } = await run(fakeService({ runs: [closedRun()], ended: done }), { again: true });
    expect([exit, did, existsSync(join(folder, 'LEDGER.md'))]).toEqual([
      {
        exit: 2,
        message:
          'PLAN.md:1: the plan holds only what was left at version 2, and a fresh record begins from the whole plan: copy .donewhen/demo/plan-1.md over PLAN.md, or write the whole plan anew',
      },
      [],
      true,
    ]);
  });

  it.each([
    ['a plan that a person wrote anew', planText(taskText('T1'), taskText('T3')).replace('Plan version: 1', 'Plan version: 2')],
    ['the first version', plan],
  ])('--again takes %s', async (_words, text) => {
    keep('plan-1.md', plan);
    keep('plan-2.md', LEFT);
    writeFileSync(join(folder, 'PLAN.md'), text);
    const { started } = await run(fakeService({ runs: [closedRun()], ended: done }), { again: true });
    expect(started.map(({ input }) => input)).toEqual([{ slug: 'demo', plan: text, workspace: { path: folder }, out: folder }]);
  });

  it('starts a new run on its own queue, hosts its worker, and watches it to its end', async () => {
    const { exit, out, did, started } = await run(fakeService({ ended: done }));
    expect({ exit, out: out.split('\n').slice(0, 3), did, started }).toEqual({
      exit: 0,
      out: ['new run demo', 'Web UI: http://127.0.0.1:8233/namespaces/default/workflows/donewhen-demo', 'T1 done (verified)'],
      did: ['host donewhen-run-demo', 'stop hosting', 'close'],
      started: [
        {
          slug: 'demo',
          type: 'executePlan',
          taskQueue: 'donewhen-run-demo',
          input: { slug: 'demo', plan, workspace: { path: folder }, out: folder },
          summary: 'demo: 1 task, The files are there.',
          memo: memo(),
        },
      ],
    });
  });

  it('hands SPEC.md, LEDGER.md and --allow-dirty over', async () => {
    const spec = '# SPEC: x\n\n## Acceptance\n\n- AC-001: Given a, when b, then c.\n';
    const ledger = ledgerText('demo', entryText('T1', 'done', 'plan holds'));
    const covering = planText(taskText('T1', { lines: 'Covers: AC-001\n' })).replace('Spec: none', 'Spec: ./SPEC.md');
    for (const [name, text] of Object.entries({ 'SPEC.md': spec, 'LEDGER.md': ledger, 'PLAN.md': covering }))
      writeFileSync(join(folder, name), text);
    const { out, started } = await run(fakeService({ ended: done }), { allowDirty: true });
    expect({ found: out.split('\n')[0], input: started[0]?.input }).toEqual({
      found: 'LEDGER.md found: one task is recorded and not done again',
      input: { slug: 'demo', plan: covering, spec, ledger, workspace: { path: folder }, out: folder, allowDirty: true },
    });
  });

  it('says what is wrong before it asks for a server', async () => {
    writeFileSync(join(folder, 'PLAN.md'), planText(taskText('T1', { depends: 'T1' })));
    const { exit, did } = await run(fakeService());
    expect({ exit, did }).toEqual({ exit: { exit: 2, message: 'PLAN.md:13: T1 depends on itself' }, did: [] });
  });

  it('rejoins the run that is there, with a worker of this terminal', async () => {
    const { exit, out, err, did, started } = await run(fakeService({ runs: [running()], ended: done }));
    expect({ exit, found: out.split('\n')[0], err, did, started }).toEqual({
      exit: 0,
      found: 'run demo is running: rejoined',
      err: '',
      did: ['host donewhen-run-demo', 'stop hosting', 'close'],
      started: [],
    });
  });

  it('rejoins a run on the standing queue without taking its work', async () => {
    const { did } = await run(fakeService({ runs: [running({ taskQueue: 'donewhen' })], ended: done }));
    expect(did).toEqual(['close']);
  });

  it('warns where PLAN.md is another plan than the running one', async () => {
    writeFileSync(join(folder, 'PLAN.md'), plan.replace('Make', 'Build'));
    const { err } = await run(fakeService({ runs: [running()], ended: done }));
    expect(err).toEqual('PLAN.md is not the plan that run demo carries out: `donewhen replan demo PLAN.md --by NAME` hands it over\n');
  });

  it('knows its own replanned PLAN.md', async () => {
    const second = plan.replace('Plan version: 1', 'Plan version: 2');
    writeFileSync(join(folder, 'PLAN.md'), second);
    mkdirSync(join(folder, '.donewhen/demo'), { recursive: true });
    writeFileSync(join(folder, '.donewhen/demo/plan-2.md'), second);
    const { err } = await run(fakeService({ runs: [running()], ended: done }));
    expect(err).toEqual('');
  });

  it('does not run a finished run again in silence (B16)', async () => {
    const { exit, did } = await run(fakeService({ runs: [closedRun()], ended: done }));
    expect({ exit, did }).toEqual({
      exit: { exit: 2, message: 'run demo closed COMPLETED: --again starts a fresh record' },
      did: ['close'],
    });
  });

  it('--again moves the whole old record away: an old outcome must not answer for a new attempt', async () => {
    writeFileSync(join(folder, 'LEDGER.md'), ledgerText('demo', entryText('T1', 'done', 'plan holds')));
    writeFileSync(join(folder, 'REPORT.md'), '# REPORT: demo\n');
    mkdirSync(join(folder, '.donewhen/demo/attempts/T1-1-1'), { recursive: true });
    writeFileSync(join(folder, '.donewhen/demo/plan-1.md'), plan);
    const fake = fakeService({ runs: [closedRun()], ended: done });
    const { exit, out, started } = await run(fake, { again: true });
    expect({
      exit,
      out: out.split('\n').slice(0, 2),
      ledger: started[0]?.input.ledger,
      left: readdirSync(join(folder, '.donewhen/demo')),
      moved: readdirSync(join(folder, '.donewhen/demo/runs/1')).sort(),
      here: readdirSync(folder).sort(),
      ignored: readFileSync(join(folder, '.donewhen/.gitignore'), 'utf8'),
    }).toEqual({
      exit: 0,
      out: ['a fresh record of demo: what was recorded so far moves to .donewhen/demo/runs/', 'moved to HERE/.donewhen/demo/runs/1'],
      ledger: undefined,
      left: ['runs'],
      moved: ['LEDGER.md', 'REPORT.md', 'attempts', 'plan-1.md'],
      here: ['.donewhen', 'PLAN.md', 'donewhen.yaml'],
      ignored: '*\n',
    });
  });

  it('--again judges the plan without the old record, before it moves anything', async () => {
    writeFileSync(join(folder, 'LEDGER.md'), ledgerText('demo', entryText('T1', 'done', 'plan holds')));
    writeFileSync(join(folder, 'PLAN.md'), planText(taskText('T2', { depends: 'T1' })));
    const { exit } = await run(fakeService({ runs: [closedRun()], ended: done }), { again: true });
    expect({ exit, kept: existsSync(join(folder, 'LEDGER.md')) }).toEqual({
      exit: { exit: 2, message: 'PLAN.md:13: T2 depends on T1, which this plan does not have' },
      kept: true,
    });
  });

  it('--again a second time gets a folder of its own', async () => {
    mkdirSync(join(folder, '.donewhen/demo/runs/1'), { recursive: true });
    writeFileSync(join(folder, 'LEDGER.md'), ledgerText('demo', entryText('T1', 'done', 'plan holds')));
    await run(fakeService({ runs: [closedRun()], ended: done }), { again: true });
    expect(existsSync(join(folder, '.donewhen/demo/runs/2/LEDGER.md'))).toEqual(true);
  });

  it('a closed run whose last gate required a replan goes on from its files', async () => {
    writeFileSync(join(folder, 'LEDGER.md'), ledgerText('demo', entryText('T1', 'failed', 'replan required')));
    const fake = fakeService({ runs: [closedRun()], ended: { is: 'closed', state: closedState('PARTIAL', 'replan required') } });
    const { out, started } = await run(fake);
    expect({ found: out.split('\n')[0], ledger: started[0]?.input.ledger !== undefined }).toEqual({
      found: 'run demo closed PARTIAL: a new execution from LEDGER.md, where the planner is asked now because of T1',
      ledger: true,
    });
  });

  it('the same title from another folder is not the same run', async () => {
    const elsewhere = running({ memo: memo({ folder: '/other' }) });
    const { exit } = await run(fakeService({ runs: [elsewhere] }));
    expect(exit).toEqual({
      exit: 2,
      message: 'run demo belongs to /other, not to HERE: start this plan under another name with --slug NAME',
    });
  });

  it('another name is another run', async () => {
    const { started } = await run(fakeService({ ended: done }), { slug: 'demo-2' });
    expect(started.map(({ slug, taskQueue }) => ({ slug, taskQueue }))).toEqual([{ slug: 'demo-2', taskQueue: 'donewhen-run-demo-2' }]);
  });

  it('a name that no workflow could have is refused', async () => {
    expect((await run(fakeService(), { slug: 'My Plan' })).exit).toEqual({
      exit: 2,
      message: 'PLAN.md:1: --slug My Plan is no name for a run: write it as my-plan',
    });
  });

  it('a start that the server refuses leaves no worker behind', async () => {
    const fake = fakeService();
    const world = fakeWorld(fake);
    const open: typeof world.open = async (...given) => {
      const service = await world.open(...given);
      return { ...service, runs: { ...service.runs, start: async () => Promise.reject(new Error('no')) } };
    };
    await runCommand(PLAN_HERE, { json: false, again: false, allowDirty: false }, heard({ cwd: folder }), { ...world, open }).catch(
      () => undefined,
    );
    expect(fake.did).toEqual(['host donewhen-run-demo', 'stop hosting', 'close']);
  });

  it('with --json nothing but the final state is on standard output', async () => {
    const { exit, out, err } = await run(fakeService({ ended: done }), { json: true });
    expect({ exit, out: JSON.parse(out), err: err.split('\n')[0] }).toEqual({ exit: 0, out: done.state, err: 'new run demo' });
  });
});

describe('start', () => {
  const start = async (fake: FakeService, json = false) => {
    const io = heard({ cwd: folder });
    const exit = await startCommand(PLAN_HERE, { json, again: false, allowDirty: false }, io, fakeWorld(fake));
    return { exit, said: io.said, did: fake.did };
  };

  it('leaves a worker behind and ends as soon as that has the run', async () => {
    const fake = fakeService();
    const world = fakeWorld(fake);
    const open: typeof world.open = async (...given) => {
      const service = await world.open(...given);
      return {
        ...service,
        leaveWorker: async (slug) => {
          fake.answers = { state: runDocument() };
          return service.leaveWorker(slug);
        },
      };
    };
    const io = heard({ cwd: folder });
    const exit = await startCommand(PLAN_HERE, { json: false, again: false, allowDirty: false }, io, { ...world, open });
    expect({ exit, said: io.said, did: fake.did, queue: fake.started[0]?.taskQueue }).toEqual({
      exit: 0,
      said: {
        out: 'run:         demo\nworkflow id: donewhen-demo\nWeb UI:      http://127.0.0.1:8233/namespaces/default/workflows/donewhen-demo\nwatch:       donewhen watch demo\n',
        err: 'new run demo\n',
      },
      did: ['leave a worker for demo', 'close'],
      queue: 'donewhen',
    });
  });

  it('of a run that has a worker leaves none', async () => {
    const { exit, said, did } = await start(fakeService({ runs: [running()], answers: { state: runDocument() } }), true);
    expect({ exit, out: JSON.parse(said.out), did }).toEqual({
      exit: 0,
      out: {
        run: 'demo',
        workflowId: 'donewhen-demo',
        runId: 'run-of-demo',
        taskQueue: 'donewhen-run-demo',
        address: '127.0.0.1:7233',
        namespace: 'default',
        url: 'http://127.0.0.1:8233/namespaces/default/workflows/donewhen-demo',
      },
      did: ['close'],
    });
  });

  it('whose input is refused is exit 2 with every problem', async () => {
    await expect(
      start(fakeService({ ended: { is: 'refused', type: 'InvalidInput', problems: ['the tree is dirty', 'and so on'] } })),
    ).rejects.toMatchObject({ exitCode: 2, message: 'the tree is dirty\nand so on' });
  });

  it('whose worker breaks is exit 3 at once, with what it said', async () => {
    const leftBehind = Promise.reject(new UserError('the worker that was left behind for run demo broke: no room', 3));
    leftBehind.catch(() => undefined);
    await expect(start(fakeService({ leftBehind }))).rejects.toMatchObject({
      exitCode: 3,
      message: 'the worker that was left behind for run demo broke: no room',
    });
  });

  it('whose worker never answers is exit 3', async () => {
    await expect(start(fakeService())).rejects.toMatchObject({ exitCode: 3 });
  });
});

describe('resolve', () => {
  const resolution = { json: false, by: 'ana', resolution: 'the key is there', check: 'test -s key' };
  const act = {
    name: 'resolve',
    id: 'act-1',
    payload: { blocker: 'no-key', resolution: 'the key is there', check: 'test -s key', by: 'ana', id: 'act-1' },
    answerMs: 660_000,
  };
  const exhausted = { is: 'closed' as const, state: closedState('BLOCKED', 'replan exhausted') };

  it('of a running run with a worker is told to it', async () => {
    const fake = fakeService({ runs: [running()], answers: { state: runDocument() }, acted: { applied: true, reason: 'T1 is reopened' } });
    const io = heard();
    const exit = await resolveCommand('demo', 'no-key', resolution, io, fakeWorld(fake));
    expect({ exit, out: io.said.out, acts: fake.acts, did: fake.did }).toEqual({
      exit: 0,
      out: 'demo: resolve was applied: T1 is reopened\n',
      acts: [act],
      did: ['close'],
    });
  });

  it('of a running run without a worker hosts one for the answer', async () => {
    const fake = fakeService({ runs: [running()] });
    await resolveCommand('demo', 'no-key', resolution, heard(), fakeWorld(fake));
    expect(fake.did).toEqual(['host donewhen-run-demo', 'stop hosting', 'close']);
  });

  it('of a run that closes at this very moment begins it again', async () => {
    writeFileSync(join(folder, 'LEDGER.md'), ledgerText('demo', entryText('T1', 'failed', 'replan exhausted')));
    const fake = fakeService({ runs: [running()], ended: exhausted, answers: { state: runDocument() } });
    const world = fakeWorld(fake);
    const open = world.open;
    world.open = async (...words) => {
      const service = await open(...words);
      const act = async () => {
        fake.runs = [closedRun()];
        throw new UserError('the run is closed: only `donewhen resolve` reopens one', 2);
      };
      return { ...service, runs: { ...service.runs, act } };
    };
    expect([await resolveCommand('demo', 'no-key', resolution, heard(), world), fake.started.length]).toEqual([0, 1]);
  });

  it('of a closed run begins it again with its record and the resolution, both or neither', async () => {
    const ledger = ledgerText('demo', entryText('T1', 'failed', 'replan exhausted'));
    writeFileSync(join(folder, 'LEDGER.md'), ledger);
    const fake = fakeService({ runs: [closedRun()], ended: exhausted });
    const exit = await resolveCommand('demo', 'no-key', resolution, heard(), fakeWorld(fake));
    expect({ exit, did: fake.did, acts: fake.acts, input: fake.started[0]?.input }).toEqual({
      exit: 0,
      did: ['host donewhen-run-demo', 'stop hosting', 'close'],
      acts: [act],
      input: { slug: 'demo', plan, ledger, workspace: { path: folder }, out: folder, allowDirty: true },
    });
  });

  it('of a closed run on the standing queue leaves a worker behind, as start did', async () => {
    writeFileSync(join(folder, 'LEDGER.md'), ledgerText('demo', entryText('T1', 'failed', 'replan exhausted')));
    const fake = fakeService({ runs: [closedRun({ taskQueue: 'donewhen' })], ended: exhausted });
    await resolveCommand('demo', 'no-key', resolution, heard(), fakeWorld(fake));
    expect(fake.did).toEqual(['host donewhen', 'leave a worker for demo', 'stop hosting', 'close']);
  });

  it.each([
    ['another blocker', 'no-door', exhausted, true, 'run demo has no open blocker no-door; open: no-key'],
    ['a run that is complete', 'no-key', done, true, 'run demo has no open blocker no-key; nothing of it is exhausted'],
    [
      'a ledger that is gone',
      'no-key',
      exhausted,
      false,
      'LEDGER.md of run demo is missing in HERE: put it back, there is nothing to go on from',
    ],
  ] as const)('%s is exit 2, and nothing is started', async (_what, blocker, ended, hasLedger, message) => {
    if (hasLedger) writeFileSync(join(folder, 'LEDGER.md'), ledgerText('demo', entryText('T1', 'failed', 'replan exhausted')));
    const fake = fakeService({ runs: [closedRun()], ended });
    const error = await resolveCommand('demo', blocker, resolution, heard(), fakeWorld(fake)).catch(
      (one: Error & { exitCode: number }) => one,
    );
    if (typeof error === 'number') throw new Error('it was resolved');
    expect({ exit: error.exitCode, message: error.message.replaceAll(folder, 'HERE'), started: fake.started }).toEqual({
      exit: 2,
      message,
      started: [],
    });
  });

  it('a refused resolution is exit 2 with the reason', async () => {
    const fake = fakeService({
      runs: [running()],
      answers: { state: runDocument() },
      acted: { applied: false, reason: 'the check does not hold: exit 1' },
    });
    const io = heard();
    expect([await resolveCommand('demo', 'no-key', resolution, io, fakeWorld(fake)), io.said.err]).toEqual([
      2,
      'demo: resolve was refused: the check does not hold: exit 1\n',
    ]);
  });
});
