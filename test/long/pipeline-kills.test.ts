import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { closeScene, type Scene } from '../support/crash-scene.js';
import {
  ATTEMPTS,
  afterLoss,
  endPipelineUndisturbed,
  killedAt,
  lostAt,
  MOMENTS,
  openPipelineScene,
  type PipelineEnd,
  VICTIMS,
} from '../support/pipeline-scene.js';

let scene: Scene;
let uncrashed: PipelineEnd;
beforeAll(async () => {
  uncrashed = await endPipelineUndisturbed();
});
beforeEach(() => {
  scene = openPipelineScene();
});
afterEach(() => closeScene(scene));

describe.each(VICTIMS)(
  'the record of a pipeline is the same, and nothing was done twice, when in every attempt is killed: %s',
  (victim) => {
    test.each(MOMENTS)('%s its effect', async (moment) => {
      const gates = ATTEMPTS.map((task) => `${task}-${moment}`);
      expect(await killedAt(scene, gates, victim)).toEqual({ ...uncrashed, err: expect.any(String) });
    });
  },
);

/** A stale artifact, a review, the review of a fix, a step that only mends, its review, and a command. */
const LOSSES = ['S8-after', 'S5-before', 'S5@2-during', 'S10-during', 'S11@2-after', 'S13-before'];

test.each(LOSSES)('a pipeline goes on from LEDGER.md alone, its history and home gone at %s', async (gate) => {
  expect(await lostAt(scene, gate)).toEqual(afterLoss(uncrashed, gate));
});
