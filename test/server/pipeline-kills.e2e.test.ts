import { rmSync } from 'node:fs';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { closeScene, killRun, killServer, type Scene } from '../support/crash-scene.js';
import {
  beginPipeline,
  endPipelineUndisturbed,
  finishPipeline,
  killedAt,
  openPipelineScene,
  type PipelineEnd,
  STEP_EFFECTS,
  type Victim,
} from '../support/pipeline-scene.js';

const TEST_MS = 300_000;
/** A forgotten artifact, a rejected review, its fix, the review of the fix, a check, a command; the rest is in test/long. */
const KILLS: [Victim, string[]][] = [
  ['worker', ['S3@2-before', 'tests']],
  ['server', ['S2-after', 'S13-during']],
  ['worker, server and warden', ['S5-during', 'S5@2-after']],
];

let scene: Scene;
let uncrashed: PipelineEnd;
beforeAll(async () => {
  uncrashed = await endPipelineUndisturbed();
}, TEST_MS);
beforeEach(() => {
  scene = openPipelineScene();
});
afterEach(() => closeScene(scene));

test('a pipeline that nobody disturbs does each thing once', () => {
  expect({ code: uncrashed.code, effects: uncrashed.effects }).toEqual({ code: 0, effects: STEP_EFFECTS });
});

describe('the record of a pipeline is the same, and nothing was done twice', () => {
  test.each(KILLS)('when is killed: %s, at %s', { timeout: TEST_MS }, async (victim, gates) => {
    expect(await killedAt(scene, gates, victim)).toEqual(uncrashed);
  });

  test.each([
    ['S8-after', 'STEP 8 — okr.dd, asked by start'],
    ['S3@2-during', 'STEP 3 — speckit.specify, asked by fix of S5'],
  ])('when it goes on from LEDGER.md alone, its history and home gone at %s', { timeout: TEST_MS }, async (gate, step) => {
    scene.stage.shut(gate);
    const first = beginPipeline(scene);
    await scene.stage.reached(gate);
    await Promise.all([killRun(first), killServer(scene, 'with its warden')]);
    rmSync(scene.home.path, { recursive: true });
    scene.stage.open(gate);
    const { report, ...end } = await finishPipeline(scene, beginPipeline(scene));
    const begun = `- TIME [PROCESSING] ${step}\n`;
    const log = uncrashed.log.replace(begun, `${begun}- TIME [START] okr, resumed\n${begun}`);
    expect(end).toEqual({ ...withoutReport(uncrashed), log });
    expect(report).toContain('Status: COMPLETED');
  });
});

function withoutReport({ report: _, ...end }: PipelineEnd) {
  return end;
}
