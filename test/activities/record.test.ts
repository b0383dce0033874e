import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createDisk } from '../../activities/files/disk.js';
import type { PackedReport, RecordInput, ReportInput } from '../../activities/interface.js';
import { leasePath, takeLease } from '../../activities/load/lease.js';
import { createPlans } from '../../activities/plans.js';
import { createRecord } from '../../activities/record.js';
import { sha256Of, textsOf } from '../../activities/texts.js';
import { parseLedger } from '../../documents/ledger.js';
import { parsePlan } from '../../documents/plan.js';
import { packReport } from '../../workflows/pack-report.js';
import { Crash, crashingDisk, failingDisk, temporaryFolder } from '../support/disks.js';
import { entryOf, filesIn, NO_TEXT, planText, recorder, worldIn } from '../support/record-values.js';

type Write = RecordInput['write'];

/** Some hundred small worlds, on a machine that may be busy. */
const CRASHES_TIMEOUT_MS = 120_000;

const T1_TEXT = `## T1 — Part T1  [done]
Plan version: 1
Done when: out-T1 exists.
State delta:
- out-T1 exists
Evidence:
- \`file: out-T1\` → before: absent; after: there, 5 bytes
Verification: verified
Attempt: 1, mine
Cost: 0.12 USD, 900 tokens
Gate: plan holds
`;

const failed = (task: string, more = {}) =>
  entryOf(task, {
    status: 'failed',
    blocker: 'a-wall',
    observed: 'disproved',
    gates: [{ is: 'required', at: 0 }],
    text: { ...NO_TEXT, stateDelta: ['none that was observed'] },
    ...more,
  });

const ledgerIn = (folder: string) => readFileSync(join(folder, 'LEDGER.md'), 'utf8');

describe('LEDGER.md', () => {
  // Seed 002 §5.
  test('begins with the first entry, its promise in its own words and its gate last', async () => {
    const { place, planSha256 } = await worldIn(temporaryFolder());
    const { state, ...recorded } = await recorder(place).write({ is: 'entry', entry: entryOf('T1'), planSha256 });
    const text = `# LEDGER: demo\n\n${T1_TEXT}`;
    expect(ledgerIn(place.out)).toEqual(text);
    expect(recorded).toEqual({
      sha256: state.head,
      found: [],
      file: { name: 'LEDGER.md', path: join(place.out, 'LEDGER.md'), sha256: sha256Of(text), excerpt: text },
    });
  });

  test('grows by entries, and what it says is read again as what was recorded', async () => {
    const { place, planSha256 } = await worldIn(temporaryFolder());
    const record = recorder(place);
    await record.write({ is: 'entry', entry: entryOf('T1'), planSha256 });
    const second = await record.write({ is: 'entry', entry: failed('T2'), planSha256 });
    expect(second.file.sha256).toEqual(sha256Of(ledgerIn(place.out)));
    const { ledger, problems } = parseLedger(ledgerIn(place.out), { file: 'LEDGER.md' });
    expect(problems).toEqual([]);
    expect(ledger.entries.map(({ task, status, blocker, gates }) => ({ task, status, blocker, gates }))).toEqual([
      { task: 'T1', status: 'done', blocker: undefined, gates: [{ is: 'holds', at: 0 }] },
      { task: 'T2', status: 'failed', blocker: 'a-wall', gates: [{ is: 'required', at: 0 }] },
    ]);
  });

  // Seed 002 §5.
  test('names Covers alone where criteria stand for the promise', async () => {
    const { place, planSha256 } = await worldIn(temporaryFolder());
    await recorder(place).write({ is: 'entry', entry: entryOf('T1', { covers: ['AC-001'] }), planSha256 });
    expect(ledgerIn(place.out)).toContain('Covers: AC-001');
    expect(ledgerIn(place.out)).not.toContain('Done when');
  });

  test('gets the gate of its last entry at its end, when it is decided', async () => {
    const { place, planSha256 } = await worldIn(temporaryFolder());
    const record = recorder(place);
    await record.write({ is: 'entry', entry: entryOf('T1', { gates: [] }), planSha256 });
    expect(ledgerIn(place.out)).toEqual(`# LEDGER: demo\n\n${T1_TEXT.replace('Gate: plan holds\n', '')}`);
    await record.write({ is: 'gate', task: 'T1', gates: [{ is: 'holds', at: 0 }] });
    expect(ledgerIn(place.out)).toEqual(`# LEDGER: demo\n\n${T1_TEXT}`);
  });

  // Seed 002 §5.
  test('keeps one Gate line an entry, replaced where it stands', async () => {
    const { place, planSha256 } = await worldIn(temporaryFolder());
    const record = recorder(place);
    await record.write({ is: 'entry', entry: failed('T1'), planSha256 });
    await record.write({ is: 'entry', entry: entryOf('T2'), planSha256 });
    const required = { is: 'required', at: 0 } as const;
    await record.write({
      is: 'gate',
      task: 'T1',
      gates: [required, { is: 'exhausted', blocker: 'a-wall', why: 'the same wall twice', final: false, at: 0 }],
    });
    expect(ledgerIn(place.out).match(/^Gate.*/gm)).toEqual([
      'Gate note: the same wall twice',
      'Gate: replan exhausted',
      'Gate: plan holds',
    ]);
    const done = await record.write({ is: 'gate', task: 'T1', gates: [required, { is: 'done', version: 2, at: 0 }] });
    expect(ledgerIn(place.out).match(/^Gate.*/gm)).toEqual(['Gate: replan done (plan version 2)', 'Gate: plan holds']);
    expect(done.file.sha256).toEqual(sha256Of(ledgerIn(place.out)));
  });

  test('repeats the promise that the final check found undone', async () => {
    const { place, planSha256 } = await worldIn(temporaryFolder());
    const record = recorder(place);
    await record.write({ is: 'entry', entry: entryOf('T1'), planSha256 });
    await record.write({ is: 'entry', entry: failed('F1', { title: 'Final check', undoes: 'T1' }), planSha256 });
    expect(ledgerIn(place.out).split('\n\n')[2]).toContain(
      '## F1 — Final check  [failed]\nPlan version: 1\nDone when: out-T1 exists.\nUndoes: T1\n',
    );
  });

  test('shows queries the whole of a short file and the newest entries of a long one', async () => {
    const { place, planSha256 } = await worldIn(temporaryFolder());
    const record = recorder(place);
    const wide = { ...NO_TEXT, stateDelta: Array.from({ length: 20 }, (_, n) => `fact ${n} ${'x'.repeat(80)}`) };
    let excerpt = '';
    for (let n = 1; n <= 30; n += 1)
      ({ excerpt } = (await record.write({ is: 'entry', entry: entryOf(`T${n}`, { text: wide }), planSha256 })).file);
    expect(excerpt.startsWith(`… what is older is in ${join(place.out, 'LEDGER.md')}\n\n## T29 — Part T29  [done]\n`)).toEqual(true);
    expect(excerpt.endsWith('Gate: plan holds\n')).toEqual(true);
    expect(Buffer.byteLength(excerpt)).toBeLessThan(5000);
  });
});

describe('a LEDGER.md that somebody else wrote', () => {
  // Seed 002 Beginning, Working directory, §5.
  test('is saved beside, named, and never part of the record (R17)', async () => {
    const { place, planSha256 } = await worldIn(temporaryFolder());
    const record = recorder(place);
    await record.write({ is: 'entry', entry: entryOf('T1'), planSha256 });
    const forged = '# LEDGER: demo\n\n## T2 — Part T2  [done]\nVerification: verified\nGate: plan holds\n';
    writeFileSync(join(place.out, 'LEDGER.md'), forged);
    utimesSync(join(place.out, 'LEDGER.md'), 1_700_000_000, 1_700_000_000);
    const { found } = await record.write({ is: 'entry', entry: failed('T2'), planSha256 });
    expect(found).toEqual(['LEDGER.found-20231114T221320Z.md']);
    expect(readFileSync(join(place.out, 'LEDGER.found-20231114T221320Z.md'), 'utf8')).toEqual(forged);
    expect(ledgerIn(place.out).match(/^## .*/gm)).toEqual(['## T1 — Part T1  [done]', '## T2 — Part T2  [failed]']);
  });

  test('is put back when it is gone, and grows on', async () => {
    const { place, planSha256 } = await worldIn(temporaryFolder());
    const record = recorder(place);
    await record.write({ is: 'entry', entry: entryOf('T1'), planSha256 });
    rmSync(join(place.out, 'LEDGER.md'));
    const { found } = await record.write({ is: 'entry', entry: entryOf('T2'), planSha256 });
    expect(found).toEqual([]);
    expect(ledgerIn(place.out).match(/^## .*/gm)).toEqual(['## T1 — Part T1  [done]', '## T2 — Part T2  [done]']);
  });

  test('is not adopted when it was there before a run that did not begin with it', async () => {
    const { place, planSha256 } = await worldIn(temporaryFolder());
    writeFileSync(join(place.out, 'LEDGER.md'), '# LEDGER: demo\n\n## T9 — Old  [done]\n');
    const { found } = await recorder(place).write({ is: 'entry', entry: entryOf('T1'), planSha256 });
    expect(found).toEqual([expect.stringMatching(/^LEDGER\.found-/)]);
    expect(ledgerIn(place.out)).toEqual(`# LEDGER: demo\n\n${T1_TEXT}`);
  });

  // Seed 002 Working directory, Anti-patterns.
  test('is rebuilt from the newest record alone, by another process (B04)', async () => {
    const { place, planSha256 } = await worldIn(temporaryFolder());
    const record = recorder(place);
    await record.write({ is: 'entry', entry: failed('T1'), planSha256 });
    await record.write({
      is: 'gate',
      task: 'T1',
      gates: [
        { is: 'required', at: 0 },
        { is: 'done', version: 2, at: 0 },
      ],
    });
    const before = ledgerIn(place.out);
    writeFileSync(join(place.out, 'LEDGER.md'), 'gone\n');
    await recorder(place, createDisk(), record.state()).write({ is: 'entry', entry: entryOf('T2'), planSha256 });
    expect(ledgerIn(place.out).startsWith(before)).toEqual(true);
  });
});

describe('a LEDGER.md that the run went on from', () => {
  const HAND =
    '\ufeff# LEDGER: demo\r\n\r\n## T1 - Part T1 [failed]\r\nPlan version: 1\r\nDone when: out-T1 exists.\r\nVerification: verified\r\nBlocker: x\r\nGate: replan required\r\nMy own note.';

  // Seed 002 §5.
  test('stays letter for letter, but for the one Gate line', async () => {
    const { place, planSha256 } = await worldIn(temporaryFolder(), { ledger: HAND });
    writeFileSync(join(place.out, 'LEDGER.md'), HAND);
    const record = recorder(place);
    const gate = await record.write({
      is: 'gate',
      task: 'T1',
      gates: [
        { is: 'required', at: 0 },
        { is: 'done', version: 2, at: 0 },
      ],
    });
    expect(gate.found).toEqual([]);
    expect(ledgerIn(place.out)).toEqual(HAND.replace('replan required', 'replan done (plan version 2)'));
    const entry = await record.write({ is: 'entry', entry: entryOf('T2'), planSha256 });
    expect(entry.found).toEqual([]);
    expect(ledgerIn(place.out)).toEqual(
      `${HAND.replace('replan required', 'replan done (plan version 2)')}\n\n${T1_TEXT.replaceAll('T1', 'T2')}`,
    );
  });

  test('grows without being written anew, also where it has no last line end', async () => {
    const { place, planSha256 } = await worldIn(temporaryFolder(), { ledger: HAND });
    writeFileSync(join(place.out, 'LEDGER.md'), HAND);
    const disk = failingDisk({ operation: 'rename', code: 'EIO', path: (path) => path.includes('.LEDGER.md.') });
    await recorder(place, disk).write({ is: 'entry', entry: entryOf('T2'), planSha256 });
    expect(ledgerIn(place.out)).toEqual(`${HAND}\n\n${T1_TEXT.replaceAll('T1', 'T2')}`);
  });

  test('is written where the run keeps its files, if it was given as text', async () => {
    const { place, planSha256 } = await worldIn(temporaryFolder(), { ledger: HAND });
    const { found } = await recorder(place).write({ is: 'entry', entry: entryOf('T2'), planSha256 });
    expect(found).toEqual([]);
    expect(ledgerIn(place.out)).toEqual(`${HAND}\n\n${T1_TEXT.replaceAll('T1', 'T2')}`);
  });

  test('that changed since the start is saved beside', async () => {
    const { place, planSha256 } = await worldIn(temporaryFolder(), { ledger: HAND });
    writeFileSync(join(place.out, 'LEDGER.md'), `${HAND}\nand more`);
    const { found } = await recorder(place).write({ is: 'entry', entry: entryOf('T2'), planSha256 });
    expect(found).toEqual([expect.stringMatching(/^LEDGER\.found-/)]);
    expect(ledgerIn(place.out)).toEqual(`${HAND}\n\n${T1_TEXT.replaceAll('T1', 'T2')}`);
  });
});

describe('PLAN.md', () => {
  test('becomes the new version, and every version stays in the run’s folder', async () => {
    const { place, planSha256 } = await worldIn(temporaryFolder());
    writeFileSync(join(place.out, 'PLAN.md'), planText(1, [{ id: 'T1' }, { id: 'T2' }]));
    const second = planText(2, [{ id: 'T3' }], 'Replanned because: T1 left nothing\n');
    const sha256 = await textsOf(createDisk(), place).put(second);
    const record = recorder(place);
    await record.write({ is: 'entry', entry: failed('T1'), planSha256 });
    const { state, ...recorded } = await record.write({ is: 'plan', version: 2, sha256 });
    expect(recorded).toEqual({
      planSha256: sha256,
      found: [],
      file: { name: 'PLAN.md', path: join(place.out, 'PLAN.md'), sha256, excerpt: second },
    });
    expect(readFileSync(join(place.out, 'PLAN.md'), 'utf8')).toEqual(second);
    expect(readFileSync(join(place.folder, 'plan-2.md'), 'utf8')).toEqual(second);
    expect(state.bytes).toEqual(Buffer.byteLength(ledgerIn(place.out)));
    await record.write({
      is: 'gate',
      task: 'T1',
      gates: [
        { is: 'required', at: 0 },
        { is: 'done', version: 2, at: 0 },
      ],
    });
    expect(ledgerIn(place.out)).toContain('Gate: replan done (plan version 2)');
  });

  test('that somebody changed is saved beside before the new version stands there', async () => {
    const { place } = await worldIn(temporaryFolder());
    writeFileSync(join(place.out, 'PLAN.md'), 'mine\n');
    const sha256 = await textsOf(createDisk(), place).put(planText(2, [{ id: 'T3' }]));
    const { found } = await recorder(place).write({ is: 'plan', version: 2, sha256 });
    expect(found).toEqual([expect.stringMatching(/^PLAN\.found-/)]);
    expect(readFileSync(join(place.out, found[0] ?? ''), 'utf8')).toEqual('mine\n');
  });

  test('made by code has the reopened task first under its new id, and nobody waits for the old one', async () => {
    const plan = planText(1, [{ id: 'T1' }, { id: 'T2', more: 'Performer: mine\nWrites: src/**\n' }, { id: 'T3' }]).replace(
      /(## T3[\s\S]*)Depends on: —/,
      '$1Depends on: T1, T2',
    );
    const { place, planSha256 } = await worldIn(temporaryFolder(), { plan });
    const record = recorder(place);
    await record.write({ is: 'entry', entry: entryOf('T1'), planSha256 });
    await record.write({ is: 'entry', entry: failed('T2', { status: 'blocked', blocker: 'budget-dispatches' }), planSha256 });
    const edit = { task: 'T2', as: 'T4', reopens: 'T2', because: 'budget-dispatches is resolved: go on' };
    const recorded = await record.write({ is: 'plan', version: 2, sha256: planSha256, edit });
    const text = readFileSync(join(place.out, 'PLAN.md'), 'utf8');
    expect(recorded.planSha256).toEqual(sha256Of(text));
    const { plan: read, problems } = parsePlan(text, { file: 'PLAN.md', recorded: ['T1', 'T2'] });
    expect(problems).toEqual([]);
    expect(read?.version).toEqual(2);
    expect(read?.replannedBecause).toEqual('budget-dispatches is resolved: go on');
    expect(
      read?.tasks.map(({ id, doneWhen, dependsOn, reopens, restates, performer, writes, checks }) => ({
        id,
        doneWhen,
        dependsOn,
        reopens,
        restates,
        performer,
        writes,
        checks,
      })),
    ).toEqual([
      {
        id: 'T4',
        doneWhen: 'out-T2 exists.',
        dependsOn: [],
        reopens: 'T2',
        restates: 'out-T2 exists.',
        performer: 'mine',
        writes: ['src/**'],
        checks: ['file: out-T2'],
      },
      {
        id: 'T3',
        doneWhen: 'out-T3 exists.',
        dependsOn: ['T1', 'T4'],
        reopens: undefined,
        restates: undefined,
        performer: undefined,
        writes: null,
        checks: ['file: out-T3'],
      },
    ]);
  });

  test('made by code finds a task that has left the plan: in the version it was recorded under, or in a ledger written by hand', async () => {
    const hand =
      '# LEDGER: demo\n\n## T0 — Old part  [blocked]\nPlan version: 1\nDone when: out-T0 exists.\nEvidence:\n- `file: out-T0` → before: absent\nVerification: verified\nBlocker: b\nGate: replan exhausted\n';
    const { place, planSha256 } = await worldIn(temporaryFolder(), { ledger: hand });
    const now = await textsOf(createDisk(), place).put(planText(2, [{ id: 'T5' }]));
    const record = recorder(place);
    await record.write({ is: 'entry', entry: failed('T1'), planSha256 });
    const first = async (reopens: string, as: string) => {
      await record.write({ is: 'plan', version: 3, sha256: now, edit: { task: reopens, as, reopens, because: 'it can go on' } });
      return parsePlan(readFileSync(join(place.out, 'PLAN.md'), 'utf8'), { file: 'PLAN.md' }).draft.tasks.map(
        ({ id, doneWhen, checks }) => ({ id, doneWhen, checks }),
      );
    };
    const rest = { id: 'T5', doneWhen: 'out-T5 exists.', checks: ['file: out-T5'] };
    expect(await first('T1', 'T6')).toEqual([{ id: 'T6', doneWhen: 'out-T1 exists.', checks: ['file: out-T1'] }, rest]);
    expect(await first('T0', 'T7')).toEqual([{ id: 'T7', doneWhen: 'out-T0 exists.', checks: ['file: out-T0'] }, rest]);
  });
});

/** What the core says of a run that is over. */
function reportOf(planSha256: string, entries: ReportInput['entries'], more: Partial<ReportInput> = {}): PackedReport {
  const spent = { dispatches: 2, usd: 0.24, tokens: 1800, unknown: false, activeMs: 61_000 };
  const plan = { version: 1, goal: 'The files are there.', tasks: [], sha256: planSha256 };
  const policy = { planner: true, onBlocked: 'report', askPlanner: 'on-news', finalSweep: true } as const;
  return packReport({
    outcome: 'COMPLETED',
    run: { id: 'demo', plan, stopped: null, spent, spentInAll: spent, handled: [], found: [], policy },
    criteria: entries.map(({ task }) => ({ id: task, state: 'satisfied', label: 'verified', by: [task] })),
    entries,
    noOp: null,
    warnings: [],
    at: 1_700_000_000_000,
    ...more,
  });
}

describe('REPORT.md', () => {
  test('says what each criterion promised and what showed it, from the records, with the gates as they are now', async () => {
    const { place, planSha256 } = await worldIn(temporaryFolder());
    const record = recorder(place);
    const first = await record.write({ is: 'entry', entry: entryOf('T1'), planSha256 });
    const second = await record.write({ is: 'entry', entry: failed('T2'), planSha256 });
    await record.write({
      is: 'gate',
      task: 'T2',
      gates: [
        { is: 'required', at: 0 },
        { is: 'exhausted', blocker: 'a-wall', why: 'no way around', final: false, at: 0 },
      ],
    });
    const entries = [
      { task: 'T1', status: 'done', sha256: first.sha256 ?? null },
      { task: 'T2', status: 'failed', sha256: second.sha256 ?? null },
    ];
    const { file, found } = await record.write({ is: 'report', report: reportOf(planSha256, entries, { outcome: 'FAILED' }) });
    const text = readFileSync(join(place.out, 'REPORT.md'), 'utf8');
    expect({ file, found }).toEqual({
      file: { name: 'REPORT.md', path: join(place.out, 'REPORT.md'), sha256: sha256Of(text), excerpt: text },
      found: [],
    });
    for (const words of [
      '# REPORT: demo',
      'Status: FAILED',
      '- T1: satisfied, verified — out-T1 exists.\n  - T1 [done, verified]: `file: out-T1` → before: absent; after: there, 5 bytes',
      'no plan is left: no way around',
      'donewhen resolve demo a-wall',
    ])
      expect(text).toContain(words);
  });

  test('says why each plan version came, from the texts that are kept; one that is lost is left out', async () => {
    const { place, planSha256 } = await worldIn(temporaryFolder());
    const second = await textsOf(createDisk(), place).put(planText(2, [{ id: 'T3' }], 'Replanned because: T1 failed\n'));
    const plans = [
      { version: 1, sha256: planSha256 },
      { version: 2, sha256: second },
      { version: 3, sha256: '0'.repeat(64) },
    ];
    const { file } = await recorder(place).write({ is: 'report', report: reportOf(planSha256, [], { plans }) });
    expect(file.excerpt).toContain('Plan version: 1\n- version 1: T1, T2\n- version 2 (T1 failed): new T3\n\n');
  });

  test('has the words of SPEC.md for its criteria', async () => {
    const { place, planSha256 } = await worldIn(temporaryFolder());
    const specSha256 = await textsOf(createDisk(), place).put('# SPEC: demo\n\n- AC-001: Given a, when b, then c.\n');
    const record = recorder({ ...place, specSha256 });
    const criteria = [{ id: 'AC-001', state: 'satisfied', label: 'verified', by: [] }];
    await record.write({ is: 'report', report: reportOf(planSha256, [], { criteria }) });
    expect(readFileSync(join(place.out, 'REPORT.md'), 'utf8')).toContain('- AC-001: satisfied, verified — Given a, when b, then c.');
  });

  test('puts LEDGER.md back where somebody changed its middle, and says so', async () => {
    const { place, planSha256 } = await worldIn(temporaryFolder());
    const record = recorder(place);
    const wide = { ...NO_TEXT, stateDelta: Array.from({ length: 100 }, (_, n) => `fact ${n} ${'x'.repeat(80)}`) };
    const first = await record.write({ is: 'entry', entry: failed('T1', { text: wide }), planSha256 });
    const before = ledgerIn(place.out);
    writeFileSync(join(place.out, 'LEDGER.md'), before.replace('[failed]', '[done]  '));
    const { found } = await record.write({
      is: 'report',
      report: reportOf(planSha256, [{ task: 'T1', status: 'failed', sha256: first.sha256 ?? null }]),
    });
    expect(found).toEqual([expect.stringMatching(/^LEDGER\.found-/)]);
    expect(ledgerIn(place.out)).toEqual(before);
    expect(readFileSync(join(place.out, 'REPORT.md'), 'utf8')).toContain(`look at ${found[0]}`);
  });

  test('replaces an earlier one of ours without a trace, and saves one by somebody else', async () => {
    const { place, planSha256 } = await worldIn(temporaryFolder());
    const record = recorder(place);
    await record.write({ is: 'report', report: reportOf(planSha256, []) });
    expect((await record.write({ is: 'report', report: reportOf(planSha256, [], { outcome: 'PARTIAL' }) })).found).toEqual([]);
    writeFileSync(join(place.out, 'REPORT.md'), 'Status: COMPLETED\n');
    expect((await record.write({ is: 'report', report: reportOf(planSha256, [], { at: 1_700_000_100_000 }) })).found).toEqual([
      expect.stringMatching(/^REPORT\.found-/),
    ]);
  });

  test('of a run that went on from a LEDGER.md and did nothing leaves that file as it is', async () => {
    const ledger = '# LEDGER: demo\n\n## T1 — Part T1  [failed]\nGate: replan exhausted';
    const { place, planSha256 } = await worldIn(temporaryFolder(), { ledger });
    writeFileSync(join(place.out, 'LEDGER.md'), ledger);
    expect((await recorder(place).write({ is: 'report', report: reportOf(planSha256, []) })).found).toEqual([]);
    expect(ledgerIn(place.out)).toEqual(ledger);
  });

  test('of a run without an entry makes no LEDGER.md', async () => {
    const { place, planSha256 } = await worldIn(temporaryFolder());
    await recorder(place).write({
      is: 'report',
      report: reportOf(planSha256, [], { outcome: 'NO_OP', noOp: { because: 'it is there', evidence: ['ls'], checks: [] } }),
    });
    expect(readdirSync(place.out).sort()).toEqual(['.donewhen', 'REPORT.md']);
  });

  test('is written although the record was destroyed, and says what is lost', async () => {
    const { place, planSha256 } = await worldIn(temporaryFolder());
    const record = recorder(place);
    const { sha256 } = await record.write({ is: 'entry', entry: entryOf('T1'), planSha256 });
    const { head, ...rest } = record.state();
    const texts = join(place.folder, 'texts');
    for (const name of readdirSync(texts)) if (name !== planSha256) rmSync(join(texts, name));
    const after = recorder(place, createDisk(), { head, ...rest });
    await after.write({ is: 'report', report: reportOf(planSha256, [{ task: 'T1', status: 'done', sha256: sha256 ?? null }]) });
    const text = readFileSync(join(place.out, 'REPORT.md'), 'utf8');
    for (const words of ['was destroyed or changed', '- T1: no check could tell']) expect(text).toContain(words);
    expect(ledgerIn(place.out)).toContain('## T1');
  });

  test('and the final LEDGER.md are kept by their hash, so that a reader can tell later whether a file is still the one', async () => {
    const { place, planSha256 } = await worldIn(temporaryFolder());
    const record = recorder(place);
    const { sha256 } = await record.write({ is: 'entry', entry: entryOf('T1'), planSha256 });
    await record.write({ is: 'report', report: reportOf(planSha256, [{ task: 'T1', status: 'done', sha256: sha256 ?? null }]) });
    const texts = textsOf(createDisk(), place);
    const isKept = (name: string) => texts.has(sha256Of(readFileSync(join(place.out, name))));
    expect(await Promise.all(['LEDGER.md', 'REPORT.md'].map(isKept))).toEqual([true, true]);
  });

  test('gives the workspace back, and the spare place of its texts', async () => {
    const spare = join(temporaryFolder(), 'texts');
    const { place, planSha256 } = await worldIn(temporaryFolder(), { spare });
    await takeLease(createDisk(), place.workspace, { slug: 'demo', workflowId: 'donewhen-demo', host: 'h' }, async () => true);
    await recorder(place).write({ is: 'report', report: reportOf(planSha256, []) });
    expect([existsSync(leasePath(place.workspace)), existsSync(spare)]).toEqual([false, false]);
  });
});

describe('pinned files that an attempt changed', () => {
  test('are put back as the run began, and what stood there is saved beside (A21)', async () => {
    const pinned = [
      { path: 'PLAN.md', content: planText(1, [{ id: 'T1' }]) },
      { path: 'tools/check.sh', content: 'test -s out-T1\n' },
      { path: 'donewhen.yaml', content: 'agents: {}\n' },
    ];
    const { place, planSha256 } = await worldIn(temporaryFolder(), { pinned });
    mkdirSync(join(place.workspace, 'tools'));
    writeFileSync(join(place.workspace, 'PLAN.md'), 'softened\n');
    writeFileSync(join(place.workspace, 'tools/check.sh'), 'exit 0\n', { mode: 0o755 });
    const { found } = await recorder(place).write({ is: 'entry', entry: entryOf('T1'), planSha256 }, [
      'PLAN.md',
      'tools/check.sh',
      'donewhen.yaml',
      'unknown.md',
    ]);
    expect(found).toEqual([expect.stringMatching(/^PLAN\.found-.*\.md$/), expect.stringMatching(/^tools\/check\.found-.*\.sh$/)]);
    expect(pinned.map(({ path }) => readFileSync(join(place.workspace, path), 'utf8'))).toEqual(pinned.map(({ content }) => content));
    const { mode } = await import('node:fs').then((fs) => fs.statSync(join(place.workspace, 'tools/check.sh')));
    expect(mode & 0o777).toEqual(0o755);
  });

  test('come back in the plan’s newest version', async () => {
    const { place, planSha256 } = await worldIn(temporaryFolder(), { pinned: [{ path: 'PLAN.md', content: planText(1, [{ id: 'T1' }]) }] });
    const second = planText(2, [{ id: 'T3' }]);
    const sha256 = await textsOf(createDisk(), place).put(second);
    const record = recorder(place);
    await record.write({ is: 'plan', version: 2, sha256 });
    writeFileSync(join(place.out, 'PLAN.md'), 'softened\n');
    await record.write({ is: 'entry', entry: entryOf('T3'), planSha256 }, ['PLAN.md']);
    expect(readFileSync(join(place.out, 'PLAN.md'), 'utf8')).toEqual(second);
  });

  test('are never written through a folder that became a link (F05)', async () => {
    const { place, planSha256 } = await worldIn(temporaryFolder(), { pinned: [{ path: 'tools/check.sh', content: 'x\n' }] });
    const elsewhere = temporaryFolder();
    symlinkSync(elsewhere, join(place.workspace, 'tools'));
    await expect(recorder(place).write({ is: 'entry', entry: entryOf('T1'), planSha256 }, ['tools/check.sh'])).rejects.toMatchObject({
      type: 'CannotWrite',
      nonRetryable: false,
    });
    expect(readdirSync(elsewhere)).toEqual([]);
  });
});

describe('a disk that does not take it', () => {
  test('a full one leaves LEDGER.md as it was, and the next try writes the entry once', async () => {
    const { place, planSha256 } = await worldIn(temporaryFolder());
    const record = recorder(place);
    await record.write({ is: 'entry', entry: entryOf('T1'), planSha256 });
    const before = ledgerIn(place.out);
    const full = recorder(place, failingDisk({ operation: 'append', code: 'ENOSPC' }), record.state());
    await expect(full.write({ is: 'entry', entry: entryOf('T2'), planSha256 })).rejects.toMatchObject({
      type: 'CannotWrite',
      nonRetryable: false,
      message: expect.stringContaining('LEDGER.md'),
    });
    expect(ledgerIn(place.out)).toEqual(before);
    await record.write({ is: 'entry', entry: entryOf('T2'), planSha256 });
    expect(ledgerIn(place.out)).toEqual(`${before}\n${T1_TEXT.replaceAll('T1', 'T2')}`);
  });

  test('the folder of the record that became a link is named, and nothing is written through it (F05)', async () => {
    const { place, planSha256 } = await worldIn(temporaryFolder());
    const [elsewhere, out] = [temporaryFolder(), join(place.workspace, 'docs')];
    symlinkSync(elsewhere, out);
    await expect(recorder({ ...place, out }).write({ is: 'entry', entry: entryOf('T1'), planSha256 })).rejects.toMatchObject({
      type: 'CannotWrite',
      nonRetryable: false,
      message: `${out} now leads to ${elsewhere}; put the folder back and the run goes on by itself`,
    });
    expect(readdirSync(elsewhere)).toEqual([]);
  });

  test('our own folder is put back as a folder where a link stands in its place, and nothing is written through it (F05)', async () => {
    const { place, planSha256 } = await worldIn(temporaryFolder(), { spare: join(temporaryFolder(), 'texts') });
    const elsewhere = temporaryFolder();
    rmSync(join(place.workspace, '.donewhen'), { recursive: true });
    symlinkSync(elsewhere, join(place.workspace, '.donewhen'));
    await recorder(place).write({ is: 'entry', entry: entryOf('T1'), planSha256 });
    expect([readdirSync(elsewhere), lstatSync(join(place.workspace, '.donewhen')).isDirectory()]).toEqual([[], true]);
    expect(ledgerIn(place.out)).toEqual(`# LEDGER: demo\n\n${T1_TEXT}`);
  });

  test('a workspace that is gone is named (B17)', async () => {
    const { place, planSha256 } = await worldIn(join(temporaryFolder(), 'ws'));
    rmSync(place.workspace, { recursive: true });
    await expect(recorder(place).write({ is: 'entry', entry: entryOf('T1'), planSha256 })).rejects.toMatchObject({
      type: 'CannotWrite',
      message: `${place.workspace} is gone; put the folder back and the run goes on by itself`,
    });
  });
});

test('a performer that clears away everything git ignores loses nothing of the record (I03, I05)', async () => {
  const workspace = temporaryFolder();
  const { place, planSha256 } = await worldIn(workspace, { spare: join(temporaryFolder(), 'texts') });
  const record = recorder(place);
  await record.write({ is: 'entry', entry: failed('T1'), planSha256 });
  const first = ledgerIn(place.out);
  rmSync(join(workspace, '.donewhen'), { recursive: true });
  rmSync(join(workspace, 'LEDGER.md'));
  const { found } = await record.write({ is: 'entry', entry: entryOf('T2'), planSha256 });
  expect(found).toEqual([]);
  expect(ledgerIn(place.out)).toEqual(`${first}\n${T1_TEXT.replaceAll('T1', 'T2')}`);
  expect(readFileSync(join(workspace, '.donewhen', '.gitignore'), 'utf8')).toEqual('*\n');
});

test('a performer that clears our folder away, and makes it anew, does not free the workspace for another run (I13)', async () => {
  const { place, planSha256 } = await worldIn(temporaryFolder(), { spare: join(temporaryFolder(), 'texts') });
  rmSync(join(place.workspace, '.donewhen'), { recursive: true });
  mkdirSync(place.folder, { recursive: true });
  await recorder(place).write({ is: 'entry', entry: entryOf('T1'), planSha256 });
  expect({
    ignored: readFileSync(join(place.workspace, '.donewhen', '.gitignore'), 'utf8'),
    lease: JSON.parse(readFileSync(leasePath(place.workspace), 'utf8')),
  }).toEqual({ ignored: '*\n', lease: { slug: place.slug, workflowId: place.workflowId, host: place.host } });
});

/** A run's writes, one of each kind that there is; each is made by a world that stands as the ones before left it. */
function writesOf(planSha256: string, second: string): Write[] {
  const required = { is: 'required', at: 0 } as const;
  return [
    { is: 'entry', entry: entryOf('T1', { gates: [] }), planSha256 },
    { is: 'gate', task: 'T1', gates: [{ is: 'holds', at: 0 }] },
    { is: 'entry', entry: failed('T2'), planSha256 },
    { is: 'plan', version: 2, sha256: second },
    { is: 'gate', task: 'T2', gates: [required, { is: 'done', version: 2, at: 0 }] },
    { is: 'plan', version: 3, sha256: second, edit: { task: 'T2', as: 'T4', reopens: 'T2', because: 'it is resolved' } },
    { is: 'entry', entry: entryOf('T4', { planVersion: 3 }), planSha256: second },
    { is: 'report', report: reportOf(planSha256, [{ task: 'T4', status: 'done', sha256: null }]) },
  ];
}

/** The world after the writes before `at`; each try of the write at `at` gets a copy of it. */
async function worldBefore(at: number) {
  const { place, planSha256 } = await worldIn(temporaryFolder());
  writeFileSync(join(place.out, 'PLAN.md'), planText(1, [{ id: 'T1' }, { id: 'T2' }]));
  const second = await textsOf(createDisk(), place).put(planText(2, [{ id: 'T3' }]));
  const writes = writesOf(planSha256, second);
  const record = recorder(place);
  for (const write of writes.slice(0, at)) await record.write(write);
  return { place, state: record.state(), write: writes[at] ?? raise('no such write') };
}

function raise(words: string): never {
  throw new Error(words);
}

async function writeIn(
  world: Awaited<ReturnType<typeof worldBefore>>,
  dying: { after: number; how: 'before' | 'torn' } | null,
  meddle: (out: string) => void,
) {
  const { state, write } = world;
  const workspace = temporaryFolder();
  cpSync(world.place.workspace, workspace, { recursive: true, preserveTimestamps: true });
  const place = { ...world.place, workspace, out: workspace, folder: join(workspace, '.donewhen', 'demo') };
  meddle(workspace);
  let crashed = false;
  if (dying !== null) {
    const crashing = crashingDisk(dying.after, dying.how);
    const record = createRecord({ disk: crashing.disk, plans: createPlans(crashing.disk) });
    await record({ place, state, write, restore: [] }).catch((error: unknown) => {
      if (!(error instanceof Crash)) throw error;
    });
    crashed = crashing.crashed();
  }
  const { file, ...answer } = await createRecord({ disk: createDisk(), plans: createPlans(createDisk()) })({
    place,
    state,
    write,
    restore: [],
  });
  const files = filesIn(workspace);
  // What a dead process of this very number left is swept by its successor; here both are one process.
  for (const name of Object.keys(files)) if (name.endsWith('.tmp')) delete files[name];
  rmSync(workspace, { recursive: true });
  return { answer: { ...answer, file: { ...file, path: '' } }, files, crashed };
}

describe('killed between any two steps of a write, then written again (B10, I12)', () => {
  const still = () => undefined;
  const forge = (out: string) => {
    for (const name of ['LEDGER.md', 'PLAN.md', 'REPORT.md']) {
      writeFileSync(join(out, name), 'forged\n');
      utimesSync(join(out, name), 1_700_000_000, 1_700_000_000);
    }
  };
  const every = writesOf('', '').map((_write, at) => at);
  test.each<[string, (out: string) => void, 'before' | 'torn', number[]]>([
    ['alone', still, 'before', every],
    ['alone, in the middle of a file', still, 'torn', every],
    // One write of each kind of file.
    ['with forged files', forge, 'before', [2, 3, 7]],
  ])(
    'the files and the answer are as if nothing had happened, %s',
    { timeout: CRASHES_TIMEOUT_MS },
    async (_title, meddle, how, writes) => {
      for (const at of writes) {
        const world = await worldBefore(at);
        const whole = await writeIn(world, null, meddle);
        for (let after = 0; ; after += 1) {
          const again = await writeIn(world, { after, how }, meddle);
          if (!again.crashed) break;
          const expected = { at, after, answer: whole.answer, files: whole.files };
          expect({ at, after, answer: again.answer, files: again.files }).toEqual(expected);
        }
      }
    },
  );
});
