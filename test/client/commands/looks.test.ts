import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ledgerCommand } from '../../../client/commands/ledger.js';
import { listCommand } from '../../../client/commands/list.js';
import { planCommand } from '../../../client/commands/plan.js';
import { reportCommand } from '../../../client/commands/report.js';
import { statusCommand } from '../../../client/commands/status.js';
import { waitingCommand } from '../../../client/commands/waiting.js';
import { sha256Of } from '../../../client/record-text.js';
import type { Ended, RunInfo } from '../../../client/runs.js';
import { fakeService, fakeWorld, HOST, heard, info, NOW } from '../support/fake-world.js';
import { entryDocument, runDocument } from '../support/run-documents.js';

const text = { json: false };
const json = { json: true };
let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'donewhen-looks-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const run = (more: Partial<RunInfo> = {}) =>
  info({
    slug: 'demo',
    memo: { host: HOST, folder, out: folder, workspace: folder, planFile: join(folder, 'PLAN.md'), planSha256: null },
    ...more,
  });
const closed = (more: Partial<RunInfo> = {}) =>
  run({ status: 'completed', endedAt: 0, seen: { ...run().seen, outcome: 'COMPLETED' }, ...more });
/** A file of the run, and its hash among the texts that the run keeps. */
function recorded(file: string, content: string): void {
  writeFileSync(join(folder, file), content);
  const texts = join(folder, '.donewhen', 'demo', 'texts');
  mkdirSync(texts, { recursive: true });
  writeFileSync(join(texts, sha256Of(content)), content);
}
const done = runDocument({
  phase: 'closed',
  outcome: 'COMPLETED',
  ledger: [entryDocument(1, 'T1')],
  criteria: [{ id: 'T1', state: 'satisfied', label: 'verified', by: ['T1'] }],
});
const question = { kind: 'attest', task: 'T3', gate: null, ask: 'Does it open?', since: '2026-12-01T08:00:00.000Z' };

describe('status', () => {
  it('of a running run asks its worker', async () => {
    const io = heard();
    const exit = await statusCommand('demo', text, io, fakeWorld(fakeService({ runs: [run()], answers: { state: runDocument() } })));
    expect({ exit, first: io.said.out.split('\n')[0], page: io.said.out.trimEnd().split('\n').at(-1), err: io.said.err }).toEqual({
      exit: 0,
      first: 'demo  dispatching',
      page: 'Web UI: http://127.0.0.1:8233/namespaces/default/workflows/donewhen-demo',
      err: '',
    });
  });

  it('of a closed run needs no worker, and as JSON is the document as it is', async () => {
    const io = heard();
    const exit = await statusCommand('demo', json, io, fakeWorld(fakeService({ runs: [closed()], ended: { is: 'closed', state: done } })));
    expect({ exit, out: JSON.parse(io.said.out), err: io.said.err }).toEqual({ exit: 0, out: done, err: '' });
  });

  it('without a worker exits 3 and says who hosts one', async () => {
    await expect(statusCommand('demo', text, heard(), fakeWorld(fakeService({ runs: [run()] })))).rejects.toMatchObject({
      exitCode: 3,
      message: 'no worker answered for run demo in 5 s: `donewhen watch demo` hosts one here, `donewhen worker` a standing one',
    });
  });

  it('of a run that is known to have none exits 3 at once', async () => {
    await expect(statusCommand('demo', text, heard(), fakeWorld(fakeService({ runs: [run()], served: false })))).rejects.toMatchObject({
      exitCode: 3,
      message: 'run demo has no worker now: `donewhen watch demo` hosts one here, `donewhen worker` a standing one',
    });
  });

  it('of an unknown run exits 2 and names it', async () => {
    await expect(statusCommand('no-such-run', text, heard(), fakeWorld(fakeService()))).rejects.toMatchObject({
      exitCode: 2,
      message: 'there is no run no-such-run: this server has no runs yet',
    });
  });

  it('of a terminated run says where its record is', async () => {
    writeFileSync(join(folder, 'LEDGER.md'), '');
    const fake = fakeService({ runs: [closed({ status: 'terminated' })], ended: { is: 'terminated', words: 'by hand' } });
    await expect(statusCommand('demo', text, heard(), fakeWorld(fake))).rejects.toMatchObject({
      exitCode: 2,
      message: `run demo ended without a result (terminated): ${folder}/LEDGER.md is the record, and \`donewhen run\` goes on from it`,
    });
  });

  it('says what keeps failing, since when, and the way out', async () => {
    const failing = [{ activity: 'record', failures: 14, since: NOW - 130_000, reason: 'the disk is full; free some space' }];
    const fake = fakeService({ runs: [run()], answers: { state: runDocument({ phase: 'recording' }) }, failing });
    const [io, asJson] = [heard(), heard()];
    await statusCommand('demo', text, io, fakeWorld(fake));
    await statusCommand('demo', json, asJson, fakeWorld(fake));
    expect([io.said.out.split('\n')[3], JSON.parse(asJson.said.out)]).toEqual([
      'record keeps failing (14 times in 2m 10s): the disk is full; free some space; mend that and the run goes on by itself',
      {
        ...runDocument({ phase: 'recording' }),
        failing: [{ activity: 'record', failures: 14, since: '2026-12-01T08:57:50.000Z', reason: 'the disk is full; free some space' }],
      },
    ]);
  });

  it('the service is closed whatever happens', async () => {
    const fake = fakeService();
    await statusCommand('demo', text, heard(), fakeWorld(fake)).catch(() => undefined);
    expect(fake.did).toEqual(['close']);
  });
});

describe('list', () => {
  it('shows all runs without asking a worker', async () => {
    const io = heard();
    const exit = await listCommand(json, io, fakeWorld(fakeService({ runs: [closed()] })));
    expect({ exit, out: JSON.parse(io.said.out) }).toEqual({
      exit: 0,
      out: [
        {
          run: 'demo',
          workflowId: 'donewhen-demo',
          method: 'executePlan',
          phase: 'closed',
          outcome: 'COMPLETED',
          reason: null,
          tasksDone: 1,
          tasksTotal: 3,
          costUsd: null,
          waitingFor: [],
          startedAt: '2026-12-01T08:59:00.000Z',
          endedAt: '1970-01-01T00:00:00.000Z',
          folder,
        },
      ],
    });
  });
});

describe('list of a run whose workflow failed', () => {
  const shown = async (ended: Ended) => {
    const [io, asJson] = [heard(), heard()];
    const fake = fakeService({ runs: [closed({ status: 'failed' })], ended });
    await listCommand(text, io, fakeWorld(fake));
    await listCommand(json, asJson, fakeWorld(fake));
    const [{ outcome, reason }] = JSON.parse(asJson.said.out);
    return { last: io.said.out.trimEnd().split('\n').at(-1), outcome, reason };
  };

  it('because its start was refused says why it never began', async () => {
    const words = '/plans is in use by run other; wait for it, or give --workspace';
    expect(await shown({ is: 'refused', type: 'InvalidInput', problems: [words] })).toEqual({
      last: `demo never began, its start was refused: ${words}`,
      outcome: 'refused',
      reason: words,
    });
  });

  it('because it broke says so', async () => {
    expect(await shown({ is: 'broken', words: 'a bug' })).toEqual({
      last: 'demo broke, which is a defect: a bug',
      outcome: 'failed',
      reason: 'a bug',
    });
  });
});

describe('waiting', () => {
  it('lists what one run asks, with the answer as a command', async () => {
    const io = heard();
    const exit = await waitingCommand(
      'demo',
      json,
      io,
      fakeWorld(fakeService({ runs: [run()], answers: { state: runDocument({ waiting: [question] }) } })),
    );
    expect({ exit, out: JSON.parse(io.said.out) }).toEqual({
      exit: 0,
      out: [{ run: 'demo', ...question, answer: 'donewhen attest demo T3 --happened yes --by NAME' }],
    });
  });

  it('of all runs leaves out none: one without a worker shows what it last waited for', async () => {
    const io = heard();
    const seen = { ...run().seen, waitingFor: ['attest T3', 'decide G1', 'resolve T4'] };
    const exit = await waitingCommand(undefined, text, io, fakeWorld(fakeService({ runs: [run({ seen })] })));
    expect({ exit, said: io.said }).toEqual({
      exit: 0,
      said: {
        out: [
          'demo',
          '  T3  attest T3 (as last heard; no worker answers now)',
          '      donewhen attest demo T3 --happened yes --by NAME',
          '  G1  decide G1 (as last heard; no worker answers now)',
          '      donewhen decide demo G1 approve --by NAME',
          '  T4  resolve T4 (as last heard; no worker answers now)',
          '      donewhen resolve demo T4 --resolution TEXT --by NAME',
          '',
        ].join('\n'),
        err: 'no worker answers for run demo: `donewhen watch demo` hosts one\n',
      },
    });
  });

  it('of a run that waits without a worker is asked by one that this command hosts for a moment', async () => {
    const seen = { ...run().seen, waitingFor: ['attest T3'] };
    const io = heard();
    const fake = fakeService({ runs: [run({ seen })], served: false, whenHosted: { state: runDocument({ waiting: [question] }) } });
    await waitingCommand('demo', text, io, fakeWorld(fake));
    expect({ said: io.said, did: fake.did }).toEqual({
      said: {
        out: `demo\n  T3 (1h 00m)  ${question.ask}\n      donewhen attest demo T3 --happened yes --by NAME\n`,
        err: 'no worker answers for run demo: this command hosts one to ask it\n',
      },
      did: ['host donewhen-run-demo', 'stop hosting', 'close'],
    });
  });

  it('of a run that does something else sets nothing going', async () => {
    const fake = fakeService({ runs: [run()], served: false });
    await expect(waitingCommand('demo', text, heard(), fakeWorld(fake))).rejects.toMatchObject({
      exitCode: 3,
      message: 'run demo has no worker now: `donewhen watch demo` hosts one here, `donewhen worker` a standing one',
    });
    expect(fake.did).toEqual(['close']);
  });

  it('a closed run waits for nobody', async () => {
    const io = heard();
    expect([await waitingCommand('demo', text, io, fakeWorld(fakeService({ runs: [closed()] }))), io.said.out]).toEqual([
      0,
      'Nothing waits for a person.\n',
    ]);
  });
});

describe('ledger', () => {
  it('of a closed run is the file, without a worker', async () => {
    recorded('LEDGER.md', '# LEDGER: demo\n\n## T1 — Part T1  [done]\n');
    const io = heard();
    expect([await ledgerCommand('demo', text, io, fakeWorld(fakeService({ runs: [closed()] }))), io.said]).toEqual([
      0,
      { out: '# LEDGER: demo\n\n## T1 — Part T1  [done]\n', err: '' },
    ]);
  });

  it('of a closed run is the file with a warning where the run did not write it', async () => {
    recorded('LEDGER.md', '# LEDGER: demo\n');
    writeFileSync(join(folder, 'LEDGER.md'), '# LEDGER: another\n');
    const io = heard();
    expect([await ledgerCommand('demo', text, io, fakeWorld(fakeService({ runs: [closed()] }))), io.said]).toEqual([
      0,
      {
        out: '# LEDGER: another\n',
        err: 'this file is not what run demo wrote (it was changed since, or another run wrote its LEDGER.md in the same folder): `donewhen status demo` shows what the run itself knows\n',
      },
    ]);
  });

  it('of a closed run whose folder is gone says that nobody can tell whose it is', async () => {
    writeFileSync(join(folder, 'LEDGER.md'), '# LEDGER: demo\n');
    const io = heard();
    await ledgerCommand('demo', text, io, fakeWorld(fakeService({ runs: [closed()] })));
    expect(io.said).toEqual({
      out: '# LEDGER: demo\n',
      err: `whether run demo wrote this file cannot be told, for ${folder}/.donewhen/demo is gone: \`donewhen status demo\` shows what the run itself knows\n`,
    });
  });

  it('of a running run is the whole file where it is the one that the run wrote', async () => {
    const path = join(folder, 'LEDGER.md');
    writeFileSync(path, '# LEDGER: demo\nall of it\n');
    const io = heard();
    const answers = { ledger: { path, sha256: sha256Of('# LEDGER: demo\nall of it\n'), excerpt: 'all of it\n' } };
    await ledgerCommand('demo', text, io, fakeWorld(fakeService({ runs: [run()], answers })));
    expect(io.said).toEqual({ out: '# LEDGER: demo\nall of it\n', err: '' });
  });

  it('of a running run is what it wrote, not what somebody made of the file', async () => {
    const path = join(folder, 'LEDGER.md');
    writeFileSync(path, 'forged\n');
    const io = heard();
    const answers = { ledger: { path, sha256: sha256Of('ours\n'), excerpt: 'ours\n' } };
    await ledgerCommand('demo', text, io, fakeWorld(fakeService({ runs: [run()], answers })));
    expect(io.said).toEqual({
      out: 'ours\n',
      err: 'the file on disk was changed since: this is what the run wrote, at most 32 KB of it\n',
    });
  });

  it('without a worker is the file on disk, and says so', async () => {
    writeFileSync(join(folder, 'LEDGER.md'), 'on disk\n');
    const io = heard();
    await ledgerCommand('demo', text, io, fakeWorld(fakeService({ runs: [run()] })));
    expect(io.said).toEqual({ out: 'on disk\n', err: 'no worker answered: this is the file as it lies on disk\n' });
  });

  it('that nobody has is exit 2', async () => {
    const fake = fakeService({ runs: [run()], answers: { state: runDocument(), ledger: { path: '', sha256: '', excerpt: '' } } });
    await expect(ledgerCommand('demo', text, heard(), fakeWorld(fake))).rejects.toMatchObject({
      exitCode: 2,
      message: `run demo has no LEDGER.md in ${folder}: nothing is recorded yet`,
    });
  });
});

describe('report', () => {
  it('of a running run does not exist yet', async () => {
    await expect(reportCommand('demo', text, heard(), fakeWorld(fakeService({ runs: [run()] })))).rejects.toMatchObject({
      exitCode: 2,
      message: 'run demo is not closed, so there is no report yet: `donewhen status demo` shows where it is',
    });
  });

  it('as JSON has the facts and the text', async () => {
    recorded('REPORT.md', '# REPORT: demo\n');
    const io = heard();
    await reportCommand('demo', json, io, fakeWorld(fakeService({ runs: [closed()], ended: { is: 'closed', state: done } })));
    expect(JSON.parse(io.said.out)).toEqual({
      run: 'demo',
      workflowId: 'donewhen-demo',
      outcome: 'COMPLETED',
      criteria: [{ id: 'T1', state: 'satisfied', label: 'verified', by: ['T1'] }],
      dispatches: 0,
      cost: { usd: 0, tokens: 0, unknown: false },
      stopped: null,
      path: join(folder, 'REPORT.md'),
      sha256: sha256Of('# REPORT: demo\n'),
      text: '# REPORT: demo\n',
      note: null,
    });
  });
});

describe('plan', () => {
  const kept = () => {
    mkdirSync(join(folder, '.donewhen', 'demo'), { recursive: true });
    for (const version of [1, 2]) writeFileSync(join(folder, '.donewhen', 'demo', `plan-${version}.md`), `# PLAN: demo ${version}\n`);
  };

  it('of any version comes from the run’s folder', async () => {
    kept();
    const io = heard();
    await planCommand('demo', { json: false, version: '1' }, io, fakeWorld(fakeService({ runs: [closed()] })));
    expect(io.said.out).toEqual('# PLAN: demo 1\n');
  });

  it('of a closed run is the version that it ended with', async () => {
    kept();
    const io = heard();
    const state = runDocument({ phase: 'closed', outcome: 'COMPLETED', plan: { version: 2, goal: 'g', tasks: [] } });
    await planCommand('demo', text, io, fakeWorld(fakeService({ runs: [closed()], ended: { is: 'closed', state } })));
    expect(io.said.out).toEqual('# PLAN: demo 2\n');
  });

  it.each([
    ['7', 'run demo has no plan version 7: there are 1, 2'],
    ['one', '--version takes a plan version, as 2, not "one"'],
    ['0', '--version takes a plan version, as 2, not "0"'],
  ])('version %s is exit 2', async (version, message) => {
    kept();
    await expect(
      planCommand('demo', { json: false, version }, heard(), fakeWorld(fakeService({ runs: [closed()] }))),
    ).rejects.toMatchObject({ exitCode: 2, message });
  });
});

describe('plan of a pipeline', () => {
  const pipeline = () => {
    mkdirSync(join(folder, '.donewhen', 'demo'), { recursive: true });
    writeFileSync(join(folder, '.donewhen', 'demo', 'pipeline.yaml'), 'pipeline: demo\n');
    return fakeWorld(fakeService({ runs: [run({ type: 'runPipeline' })] }));
  };

  it('is the file that it was started with', async () => {
    const io = heard();
    expect([await planCommand('demo', text, io, pipeline()), io.said.out]).toEqual([0, 'pipeline: demo\n']);
  });

  it('has no versions', async () => {
    await expect(planCommand('demo', { json: false, version: '2' }, heard(), pipeline())).rejects.toThrow(
      'run demo carries out a pipeline, which has no versions: `donewhen ledger demo` says what its gates asked for',
    );
  });
});
