import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { closeScene, type Scene } from '../support/crash-scene.js';
import {
  ATTEMPTS,
  endPipelineUndisturbed,
  killedAt,
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
