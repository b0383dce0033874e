import { appendFileSync, existsSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createDisk } from '../../activities/files/disk.js';
import type { RecordInput, RecordState } from '../../activities/interface.js';
import { createPlans } from '../../activities/plans.js';
import { createRecord } from '../../activities/record.js';
import type { Entry, GateRecord } from '../../core/values.js';
import { parseLedger } from '../../documents/ledger.js';
import { renderEntry } from '../../documents/ledger-render.js';
import { Crash, crashingDisk, temporaryFolder } from '../support/disks.js';
import { fc } from '../support/fast-check.js';
import { entryOf, FIRST_STATE, worldIn } from '../support/record-values.js';

const RUNS = 40;
/** On a machine that may be busy. */
const RUNS_TIMEOUT_MS = 120_000;
const required: GateRecord = { is: 'required', at: 0 };
const HAND =
  '# LEDGER: demo\n\n## H1 — By hand  [failed]\nPlan version: 1\nDone when: it holds.\nVerification: verified\nBlocker: b\nGate: replan required\n';
const HAND_DONE = HAND.replace('replan required', 'replan done (plan version 2)');

type Step =
  | { is: 'entry'; gate: 'open' | 'holds' | 'required'; crash: number | null }
  | { is: 'gate'; of: number; crash: number | null }
  | { is: 'meddle'; how: 'delete' | 'cut' | 'grow' | 'forge' | 'clear' };

const crash = fc.option(fc.nat({ max: 30 }), { nil: null });
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      is: fc.constant('entry' as const),
      gate: fc.constantFrom('open' as const, 'holds' as const, 'required' as const),
      crash,
    }),
  },
  { weight: 3, arbitrary: fc.record({ is: fc.constant('gate' as const), of: fc.nat({ max: 20 }), crash }) },
  {
    weight: 2,
    arbitrary: fc.record({
      is: fc.constant('meddle' as const),
      how: fc.constantFrom('delete' as const, 'cut' as const, 'grow' as const, 'forge' as const, 'clear' as const),
    }),
  },
);

function meddle(workspace: string, how: Extract<Step, { is: 'meddle' }>['how']): void {
  const ledger = join(workspace, 'LEDGER.md');
  if (how === 'clear') rmSync(join(workspace, '.donewhen'), { recursive: true, force: true });
  if (!existsSync(ledger)) return;
  const { length } = readFileSync(ledger);
  if (how === 'delete') rmSync(ledger);
  if (how === 'cut') truncateSync(ledger, Math.floor(length / 2));
  if (how === 'grow') appendFileSync(ledger, '\n## T99 — Forged  [done]\nGate: plan holds\n');
  if (how === 'forge') writeFileSync(ledger, 'forged\n');
}

/** What the next step of a random run is asked to write; null: nothing. */
function writeFor(one: Step, entries: Entry[], planSha256: string): RecordInput['write'] | null {
  if (one.is === 'entry') {
    const gates: GateRecord[] = one.gate === 'open' ? [] : one.gate === 'holds' ? [{ is: 'holds', at: 0 }] : [required];
    const status = one.gate === 'required' ? ({ status: 'failed', blocker: 'b' } as const) : {};
    return { is: 'entry', entry: entryOf(`T${entries.length + 1}`, { gates, ...status }), planSha256 };
  }
  if (one.is === 'gate') {
    const entry = entries[one.of % Math.max(1, entries.length)];
    if (entry === undefined) return { is: 'gate', task: 'H1', gates: [required, { is: 'done', version: 2, at: 0 }] };
    return {
      is: 'gate',
      task: entry.task,
      gates: entry.status === 'failed' ? [required, { is: 'done', version: 2, at: 0 }] : [{ is: 'holds', at: 0 }],
    };
  }
  return null;
}

// Seed 002 §5.
test('whatever dies and whoever meddles, LEDGER.md is the title, each entry once, and its newest gate', {
  timeout: RUNS_TIMEOUT_MS,
}, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), fc.boolean(), async (steps, byHand) => {
      const workspace = temporaryFolder();
      const { place, planSha256 } = await worldIn(workspace, {
        spare: join(temporaryFolder(), 'texts'),
        ...(byHand ? { ledger: HAND } : {}),
      });
      if (byHand) writeFileSync(join(workspace, 'LEDGER.md'), HAND);
      let state: RecordState = FIRST_STATE;
      let entries: Entry[] = [];
      let beginning = byHand ? HAND : '# LEDGER: demo\n';
      for (const one of steps) {
        if (one.is === 'meddle') meddle(workspace, one.how);
        const write = writeFor(one, entries, planSha256);
        if (write === null || (write.is === 'gate' && write.task === 'H1' && !byHand)) continue;
        const dying = crashingDisk(one.is === 'meddle' || one.crash === null ? Number.POSITIVE_INFINITY : one.crash, 'torn');
        const input = { place, state, write, restore: [] };
        await createRecord({ disk: dying.disk, plans: createPlans(dying.disk) })(input).catch((error: unknown) => {
          if (!(error instanceof Crash)) throw error;
        });
        ({ state } = await createRecord({ disk: createDisk(), plans: createPlans(createDisk()) })(input));
        if (write.is === 'entry') entries.push(write.entry);
        if (write.is === 'gate') entries = entries.map((entry) => (entry.task === write.task ? { ...entry, gates: write.gates } : entry));
        if (write.is === 'gate' && write.task === 'H1') beginning = HAND_DONE;
        const doneWhen = (entry: Entry) => ({ doneWhen: ['T1', 'T2'].includes(entry.task) ? `out-${entry.task} exists.` : null });
        const expected = beginning + entries.map((entry) => `\n${renderEntry(entry, doneWhen(entry))}`).join('');
        expect(readFileSync(join(workspace, 'LEDGER.md'), 'utf8')).toEqual(expected);
        expect(parseLedger(expected, { file: 'LEDGER.md' }).problems).toEqual([]);
      }
    }),
    { numRuns: RUNS },
  );
});
