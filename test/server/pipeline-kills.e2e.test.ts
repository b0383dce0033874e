import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { closeScene, type Scene } from '../support/crash-scene.js';
import {
  afterLoss,
  endPipelineUndisturbed,
  killedAt,
  lostAt,
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

  test('when it goes on from LEDGER.md alone, its history and home gone in the middle of a fix', { timeout: TEST_MS }, async () => {
    expect(await lostAt(scene, 'S3@2-during')).toEqual(afterLoss(uncrashed, 'S3@2-during'));
  });
});
