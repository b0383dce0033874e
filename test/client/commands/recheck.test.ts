import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { recheckCommand } from '../../../client/commands/recheck.js';
import { type FakeService, fakeService, fakeWorld, HOST, heard, info } from '../support/fake-world.js';
import { folderWith } from '../support/folders.js';
import { entryDocument, runDocument } from '../support/run-documents.js';

let folder = '';
beforeEach(() => {
  folder = folderWith({});
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const seen = (check: string, is: 'holds' | 'disproved' | 'unobservable', saw: string) => ({ [check]: { check, is, saw } });

async function recheck(ledger: Record<string, unknown>[], looks = {}, json = false) {
  const memo = { host: HOST, folder, out: folder, workspace: folder, planFile: null, planSha256: null };
  const state = runDocument({ phase: 'closed', outcome: 'COMPLETED', ledger });
  const fake = fakeService({ runs: [info({ slug: 'demo', status: 'completed', memo })], ended: { is: 'closed', state }, looks });
  const io = heard();
  const exit = await recheckCommand('demo', { json }, io, fakeWorld(fake));
  return { exit, out: io.said.out, did: fake.did };
}

it('is 0 where every recorded check still holds', async () => {
  const looks = { ...seen('file: out-T1', 'holds', 'there, 5 bytes'), ...seen('file: out-T2', 'holds', 'there, 5 bytes') };
  expect(await recheck([entryDocument(1, 'T1'), entryDocument(2, 'T2')], looks)).toEqual({
    exit: 0,
    out: 'holds  T1  file: out-T1  →  there, 5 bytes\nholds  T2  file: out-T2  →  there, 5 bytes\ndemo: all 2 checks hold now\n',
    did: ['stop looking', 'close'],
  });
});

it('is 10 and names the task where one no longer holds', async () => {
  const looks = { ...seen('file: out-T1', 'holds', 'there'), ...seen('file: out-T2', 'disproved', 'absent') };
  const { exit, out } = await recheck([entryDocument(1, 'T1'), entryDocument(2, 'T2')], looks);
  expect({ exit, lines: out.trimEnd().split('\n').slice(1) }).toEqual({
    exit: 10,
    lines: ['no longer holds  T2  file: out-T2  →  absent', 'demo: 1 of 2 checks holds now'],
  });
});

it('a check that several tasks rest on is run once', async () => {
  const same = { evidence: [{ check: 'run: npm test', before: 'exit 1', after: 'exit 0', holds: true }], checks: ['run: npm test'] };
  const { out } = await recheck([entryDocument(1, 'T1', same), entryDocument(2, 'T2', same)], seen('run: npm test', 'holds', 'exit 0'));
  expect(out.split('\n')[0]).toEqual('holds  T1, T2  run: npm test  →  exit 0');
});

it('what a later task took over is not counted', async () => {
  const ledger = [
    entryDocument(1, 'T1', { status: 'failed', evidence: [{ check: 'file: out-T1', before: 'absent', after: 'absent', holds: false }] }),
    entryDocument(2, 'T2', { continues: 'T1' }),
  ];
  const { exit, out } = await recheck(ledger, {
    ...seen('file: out-T1', 'disproved', 'absent'),
    ...seen('file: out-T2', 'holds', 'there'),
  });
  expect({ exit, first: out.split('\n')[0] }).toEqual({ exit: 0, first: 'replaced  T1  file: out-T1  →  absent' });
});

it('what cannot be told is not held', async () => {
  const { exit, out } = await recheck([entryDocument(1, 'T1')], seen('file: out-T1', 'unobservable', 'permission denied'));
  expect({ exit, first: out.split('\n')[0] }).toEqual({ exit: 10, first: 'cannot be told  T1  file: out-T1  →  permission denied' });
});

it('of earlier executions the check lines are enough', async () => {
  const { exit } = await recheck([entryDocument(1, 'T1', { evidence: [] })], seen('file: out-T1', 'holds', 'there'));
  expect(exit).toEqual(0);
});

it('a person’s word is not asked again, and nothing else to run is no pass', async () => {
  const words = { evidence: [{ check: 'human: nice?', before: '', after: 'yes', holds: true }], checks: ['human: nice?'] };
  expect(await recheck([entryDocument(1, 'T1', words)])).toMatchObject({
    exit: 10,
    out: 'not run  T1  human: nice?  →  a person said so; not asked again\ndemo: no recorded check could be run again\n',
  });
});

it('as JSON it is one document', async () => {
  const { out } = await recheck([entryDocument(1, 'T1')], seen('file: out-T1', 'disproved', 'absent'), true);
  expect(JSON.parse(out)).toEqual({
    run: 'demo',
    holds: false,
    checks: [{ check: 'file: out-T1', tasks: ['T1'], held: true, replaced: false, is: 'disproved', saw: 'absent' }],
  });
});

it('of a run of another host says where to do it', async () => {
  const memo = { host: 'host-b', folder, out: folder, workspace: folder, planFile: null, planSha256: null };
  const fake = fakeService({ runs: [info({ slug: 'demo', status: 'completed', memo })], ended: { is: 'closed', state: runDocument() } });
  await expect(recheckCommand('demo', { json: false }, heard(), fakeWorld(fake))).rejects.toMatchObject({
    exitCode: 2,
    message: 'run demo worked on another host (host-b): run --recheck there',
  });
});

describe('of a pipeline', () => {
  const A = 'a'.repeat(64);
  const B = 'b'.repeat(64);
  const entry = (task: string, status: string, artifacts: string) =>
    `## ${task} — Step  [${status}]\n\nArtifacts:\n${artifacts}\n\nGate: plan holds\n`;

  async function recheckPipeline(ledger: string[] | null, artifacts: FakeService['artifacts']) {
    if (ledger !== null) writeFileSync(join(folder, 'LEDGER.md'), ['# LEDGER: demo\n', ...ledger].join('\n'));
    const memo = { host: HOST, folder, out: folder, workspace: folder, planFile: null, planSha256: null };
    const state = runDocument({ phase: 'closed', outcome: 'COMPLETED', ledger: [] });
    const runs = [info({ slug: 'demo', type: 'runPipeline', status: 'completed', memo })];
    const fake = fakeService({ runs, ended: { is: 'closed', state }, artifacts });
    const io = heard();
    const exit = await recheckCommand('demo', { json: false }, io, fakeWorld(fake));
    return { exit, out: io.said.out.trimEnd().split('\n') };
  }

  it('what was delivered is looked at again, of what was written over the last that was accepted', async () => {
    const ledger = [
      entry('S1', 'done', `- srs: \`docs/srs.md\` → sha256 ${A}`),
      entry('S2', 'failed', `- bd: \`docs/bd.md\` → sha256 ${A}`),
      entry(
        'S1@2',
        'done',
        `- srs: \`docs/srs.md\` → sha256 ${B}\n- more: \`docs/more.md\` → sha256 ${A}\n- old: \`docs/old.md\` → sha256 ${A}`,
      ),
    ];
    const now = { 'docs/srs.md': { is: 'there', sha256: B }, 'docs/more.md': { is: 'there', sha256: B } } as const;
    expect(await recheckPipeline(ledger, now)).toEqual({
      exit: 10,
      out: [
        'holds  S1@2  artifact: docs/srs.md  →  as it was accepted',
        'no longer holds  S1@2  artifact: docs/more.md  →  changed since it was accepted',
        'no longer holds  S1@2  artifact: docs/old.md  →  absent',
        'demo: 1 of 3 checks holds now',
      ],
    });
  });

  it('it is not told without its ledger', async () => {
    await expect(recheckPipeline(null, {})).rejects.toThrow('the LEDGER.md of run demo is not there');
  });
});
