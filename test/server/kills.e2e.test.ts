import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  begin,
  closeScene,
  EFFECTS,
  type End,
  endUndisturbed,
  finish,
  killRun,
  killServer,
  look,
  openScene,
  POINTS,
  type Scene,
  untilServes,
} from '../support/crash-scene.js';

const TEST_MS = 300_000;
const LOST = 'failed WorkerLost';

let scene: Scene;
let uncrashed: End;
beforeAll(async () => {
  uncrashed = await endUndisturbed();
}, TEST_MS);
beforeEach(() => {
  scene = openScene();
});
afterEach(() => closeScene(scene));

test('a run that nobody disturbs does each thing once', () => {
  expect({ code: uncrashed.code, effects: uncrashed.effects }).toEqual({ code: 0, effects: EFFECTS });
});

describe('the record is the same, and nothing was done twice', () => {
  test.each(POINTS)('when the worker is killed at: $step (B10)', { timeout: TEST_MS }, async ({ reach, goOn, begun, isAttended }) => {
    const first = begin(scene);
    await reach(scene);
    await killRun(first);
    if (isAttended !== true) goOn?.(scene);
    const second = begin(scene);
    if (isAttended === true && begun !== undefined)
      await scene.stage.until(`${begun} is asked for again`, async () => (await look(scene).scheduled(begun)) > 1);
    if (isAttended === true) goOn?.(scene);
    expect(await finish(scene, second)).toEqual(uncrashed);
    // Its successor spoke for it, so that no time-out had to (design.md §6).
    const ends = await look(scene).badEnds();
    expect(begun === undefined ? [LOST, ...new Set(ends)].slice(-1) : ends).toEqual([LOST]);
  });

  test.each(POINTS)('when worker, server and warden are killed at: $step (B13)', { timeout: TEST_MS }, async (point) => {
    const { reach, goOn, isAttended } = point;
    const first = begin(scene);
    await reach(scene);
    await Promise.all([killRun(first), killServer(scene, 'with its warden')]);
    if (isAttended !== true) goOn?.(scene);
    const second = begin(scene);
    if (isAttended === true) await untilServes(scene);
    if (isAttended === true) goOn?.(scene);
    expect(await finish(scene, second)).toEqual(uncrashed);
  });
});
