import { existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createDisk } from '../../../activities/files/disk.js';
import type { DispatchInput, RecordInput } from '../../../activities/interface.js';
import { announcingSteps, recordingPipelines } from '../../../activities/pipeline/files.js';
import { createPlans } from '../../../activities/plans.js';
import { createRecord } from '../../../activities/record.js';
import type { Entry } from '../../../core/values.js';
import { temporaryFolder } from '../../support/disks.js';
import { pipelineOf, stepOf } from '../../support/pipeline-values.js';
import { entryOf, FIRST_STATE, worldIn } from '../../support/record-values.js';

const AT = Date.UTC(2026, 11, 1, 9);
const about = { pipeline: pipelineOf(stepOf('1'), stepOf('2', { gate: 'review', fix: '1' })) };
const required: Entry['gates'] = [{ is: 'required', at: AT }];
const exhausted: Entry['gates'] = [
  ...required,
  { is: 'exhausted', blocker: 'gate-S2-exhausted', why: 'not approved', final: false, at: AT },
];
const reopened: Entry['gates'] = [...exhausted, { is: 'reopened', version: 2, at: AT, by: 'ana', label: 'attested', words: 'by hand' }];
const attempt = (task: string, more: Partial<Entry> = {}) => entryOf(task, { askedBy: 'start', checks: [], endedAt: AT, ...more });

/** A pipeline's record, as the workflow has it written. */
async function scene(more: { ledger?: string } = {}) {
  const { place, planSha256 } = await worldIn(temporaryFolder(), more);
  const disk = createDisk();
  const ports = { disk, pinned: async () => about };
  const record = recordingPipelines(createRecord({ disk, plans: createPlans(disk) }), ports);
  const dispatch = announcingSteps(async () => ({ end: { is: 'exited', code: 0 }, cost: { usd: 0, tokens: 0 }, log: '' }), ports);
  let state = FIRST_STATE;
  const write = async (what: RecordInput['write']) => {
    state = (await record({ place, state, write: what, restore: [] })).state;
  };
  return {
    out: place.out,
    enter: (entry: Entry) => write({ is: 'entry', entry, planSha256 }),
    gate: (task: string, gates: Entry['gates']) => write({ is: 'gate', task, gates }),
    send: (task: string, step: string, askedBy: string) => {
      const briefing = { step: stepOf(step), askedBy };
      return dispatch({ place, task: { id: task }, step: { briefing, mends: false, at: AT, head: state.head } } as DispatchInput);
    },
    text: (name: string) => readFileSync(join(place.out, name), 'utf8'),
    log: () => readFileSync(join(place.out, '00-boss.log.md'), 'utf8').split('\n').slice(2, -1),
  };
}

const rows = (context: string) => context.split('\n').filter((line) => /interrupted_step|- step|status/.test(line));

describe('pipeline-context.yaml', () => {
  it('names the step before its agent is sent, and what came of it once that is recorded', async () => {
    const { send, enter, text } = await scene();
    await send('S1', '1', 'start');
    const begun = rows(text('pipeline-context.yaml'));
    await enter(attempt('S1'));
    expect([begun, rows(text('pipeline-context.yaml'))]).toEqual([
      ['interrupted_step: 1', '  - step: 1', '    status: RUNNING'],
      ['interrupted_step: null', '  - step: 1', '    status: COMPLETE'],
    ]);
  });

  it('takes up the record that a run without history went on from', async () => {
    const before =
      '# LEDGER: demo\n\n## S1 — agent-1  [done]\nPlan version: 1\nState delta:\n- made\nVerification: verified\nAsked by: start\nGate: plan holds\n\n';
    const { send, out, text } = await scene({ ledger: before });
    writeFileSync(join(out, 'LEDGER.md'), before);
    await send('S2', '2', 'start');
    expect(rows(text('pipeline-context.yaml'))).toEqual([
      'interrupted_step: 2',
      '  - step: 1',
      '    status: COMPLETE',
      '  - step: 2',
      '    status: RUNNING',
    ]);
  });

  it('replaces a link that somebody put there, and writes nothing through it', async () => {
    const { enter, out, text } = await scene();
    const elsewhere = join(temporaryFolder(), 'theirs');
    writeFileSync(elsewhere, 'theirs');
    symlinkSync(elsewhere, join(out, 'pipeline-context.yaml'));
    await enter(attempt('S1'));
    expect([readFileSync(elsewhere, 'utf8'), rows(text('pipeline-context.yaml')).length]).toEqual(['theirs', 3]);
  });
});

describe('00-boss.log.md', () => {
  it('has each event once, although the same is written twice', async () => {
    const { send, enter, log } = await scene();
    await send('S1', '1', 'start');
    await send('S1', '1', 'start');
    await enter(attempt('S1', { verdict: 'N/A' }));
    expect(log()).toEqual([
      '- 2026-12-01T09:00:00Z [PROCESSING] STEP 1 — agent-1, asked by start',
      '- 2026-12-01T09:00:00Z [DELIVERED] STEP 1 — S1, verdict N/A',
    ]);
  });

  it('tells of an entry only once its gate is known', async () => {
    const { enter, gate, out, log } = await scene();
    await enter(attempt('S2', { verdict: 'REJECTED', gates: [] }));
    const before = existsSync(join(out, '00-boss.log.md'));
    await gate('S2', exhausted);
    expect([before, log()]).toEqual([
      false,
      [
        '- 2026-12-01T09:00:00Z [DELIVERED] STEP 2 — S2, verdict REJECTED',
        '- 2026-12-01T09:00:00Z [ESCALATION] STEP 2 — gate-S2-exhausted: not approved',
      ],
    ]);
  });

  it('tells that a person reopened a gate, and of an entry from LEDGER.md nothing that it has told already', async () => {
    const first = await scene();
    await first.enter(attempt('S2', { verdict: 'REJECTED', gates: exhausted }));
    const ledger = first.text('LEDGER.md');
    const told = first.text('00-boss.log.md');
    const second = await scene({ ledger });
    writeFileSync(join(second.out, 'LEDGER.md'), ledger);
    writeFileSync(join(second.out, '00-boss.log.md'), told);
    await second.gate('S2', reopened);
    expect(second.log()).toEqual([...first.log(), '- 2026-12-01T09:00:00Z [REOPENED] STEP 2 — S2 by ana: by hand']);
  });

  it('is begun anew where somebody removed it', async () => {
    const { enter, out, log } = await scene();
    await enter(attempt('S1'));
    rmSync(join(out, '00-boss.log.md'));
    await enter(attempt('S2', { seq: 2, verdict: 'APPROVED' }));
    expect(log()).toEqual(['- 2026-12-01T09:00:00Z [DELIVERED] STEP 2 — S2, verdict APPROVED']);
  });
});
