import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sha256Of } from '../../activities/texts.js';
import type { RunJson } from '../../core/run-json.js';
import { parseLedger } from '../../documents/ledger.js';
import type { Ran } from '../support/command.js';
import { createTestHome, type TestHome } from '../support/homes.js';
import { exampleFiles } from '../support/pipeline-scene.js';
import { createStage, normalised, type Stage } from '../support/stage.js';

const RUN_MS = 240_000;

let home: TestHome;
let stage: Stage;
let ran: Ran;
beforeAll(async () => {
  home = createTestHome();
  stage = createStage(home, { files: exampleFiles() });
  ran = await stage.run('run', '--pipeline', 'pipeline.yaml', '--json');
}, RUN_MS);
afterAll(async () => {
  await stage.remove();
  await home.remove();
});

/** One line an entry: what it came to, who asked for it, and what its reviewer says. */
function attemptsIn(ledger: string): string[] {
  const { entries } = parseLedger(ledger, { file: 'LEDGER.md', hash: sha256Of }).ledger;
  return entries.map(({ task, status, blocker, askedBy, verdict, gates }) =>
    [`${task} [${status}] ${askedBy}`, blocker, verdict === 'N/A' ? undefined : verdict, gates.at(-1)?.is]
      .filter((word) => word)
      .join(', '),
  );
}

const linesWith = (text: string, word: string) => text.split('\n').filter((line) => line.includes(word));

describe('the example pipeline, carried out whole', () => {
  test('is completed', () => {
    const run = JSON.parse(ran.out) as RunJson;
    expect([ran.code, run.method, run.outcome, run.dispatches]).toEqual([0, 'runPipeline', 'COMPLETED', 18]);
    // What the fix of its last review was there for.
    expect(stage.text('src/progress.mjs')).toContain('if (keyResults.length === 0) return 0;');
  });

  test('has every attempt in its ledger: what went wrong, who asked for the next one, and what reviews said', () => {
    expect(attemptsIn(stage.text('LEDGER.md'))).toEqual([
      'S1 [done] start, holds',
      'S2 [failed] start, artifact-missing-bd, done',
      'S2@2 [done] artifact-gate, holds',
      'S3 [done] start, holds',
      'S5 [done] start, REJECTED, done',
      'S3@2 [done] fix of S5, holds',
      'S5@2 [done] review of S3@2, APPROVED, holds',
      'S6 [failed] start, artifact-outside-plan, done',
      'S6@2 [done] artifact-gate, holds',
      'S7 [done] start, APPROVED, holds',
      'S8 [failed] start, artifact-stale-dd, done',
      'S8@2 [done] artifact-gate, holds',
      'S8b [done] start, holds',
      'S9 [done] start, holds',
      'S11 [done] start, REJECTED, done',
      'S10 [done] fix of S11, holds',
      'S11@2 [done] review of S10, APPROVED, holds',
      'S13 [done] start, holds',
    ]);
  });

  test('says in the words of the seed what its artifact gate found', () => {
    expect(linesWith(stage.text('LEDGER.md'), '[ARTIFACT GATE]')).toEqual([
      '- [ARTIFACT GATE] STEP 2 — missing: docs/output/ipa-docs/bd/bd-mod01.md. Re-invoking agent.',
      '- [ARTIFACT GATE] STEP 6 — outside: ../001-key-results-plan.md. Re-invoking agent.',
      '- [ARTIFACT GATE] STEP 8 — stale: docs/output/ipa-docs/dd/dd-mod01.md. Re-invoking agent.',
    ]);
  });

  test('has each of its steps complete in the context', () => {
    const context = stage.text('pipeline-context.yaml');
    expect(linesWith(context, 'status:')).toEqual(Array(12).fill('    status: COMPLETE'));
    expect(linesWith(context, 'interrupted_step:')).toEqual(['interrupted_step: null']);
  });

  test('tells the course of each step in its log', () => {
    const told = normalised(stage.text('00-boss.log.md'));
    expect(linesWith(told, 'STEP 5 ')).toEqual([
      '- TIME [PROCESSING] STEP 5 — okr.reviewspec, asked by start',
      '- TIME [DELIVERED] STEP 5 — S5, verdict REJECTED',
      '- TIME [ISSUE] STEP 5 — S5, 1 critical issue',
      '- TIME [PROCESSING] STEP 5 — okr.reviewspec, asked by review of S3@2',
      '- TIME [DELIVERED] STEP 5 — S5@2, verdict APPROVED',
    ]);
    expect(linesWith(told, '[ARTIFACT GATE]')).toHaveLength(3);
  });

  test('reports what was not delivered at first, and who took it on', () => {
    const report = stage.text('REPORT.md');
    expect(linesWith(report, 'taken on by')).toEqual([
      '- S2: missing: docs/output/ipa-docs/bd/bd-mod01.md; taken on by S2@2 [done]',
      '- S6: outside: ../001-key-results-plan.md; taken on by S6@2 [done]',
      '- S8: stale: docs/output/ipa-docs/dd/dd-mod01.md; taken on by S8@2 [done]',
    ]);
    expect(report).toContain('Required criteria satisfied: 12 of 12.');
  });

  test('and what it delivered is looked at again, until somebody changes it', async () => {
    const recheck = () => stage.run('report', 'okr', '--recheck');
    const before = await recheck();
    stage.write('docs/output/ipa-docs/bd/bd-mod01.md', 'changed by hand\n');
    const after = await recheck();
    expect({ before: before.code, after: after.code, said: linesWith(after.out, 'bd-mod01') }).toEqual({
      before: 0,
      after: 10,
      said: ['no longer holds  S2@2  artifact: docs/output/ipa-docs/bd/bd-mod01.md  →  changed since it was accepted'],
    });
  });
});
