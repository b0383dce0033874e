import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  begin,
  closeScene,
  type End,
  endUndisturbed,
  finish,
  killServer,
  openScene,
  POINTS,
  type Scene,
  untilServes,
} from '../support/crash-scene.js';
import { serverOf } from '../support/onlooker.js';

const TEST_MS = 300_000;
/** The SDK gives up on telling that an activity has ended long before. */
const AWAY_MS = 15_000;
/** Heartbeats that stay away are noticed by then (workflows/activity-options.ts); the time that the server was away counts. */
const GOES_ON_MS = 40_000;

let scene: Scene;
let uncrashed: End;
beforeAll(async () => {
  uncrashed = await endUndisturbed();
}, TEST_MS);
beforeEach(() => {
  scene = openScene();
});
afterEach(() => closeScene(scene));

describe('the record is the same, and nothing was done twice', () => {
  test.each(POINTS)('when the server is killed at: $step', { timeout: TEST_MS }, async ({ reach, goOn, isAttended }) => {
    const run = begin(scene);
    await reach(scene);
    await killServer(scene, 'alone');
    if (isAttended === true) await untilServes(scene);
    goOn?.(scene);
    expect(await finish(scene, run)).toEqual(uncrashed);
  });

  test('when the server is away for fifteen seconds, in which an attempt ends', { timeout: TEST_MS }, async () => {
    const run = begin(scene);
    scene.stage.shut('T1-after');
    await scene.stage.reached('T1-after');
    const { wardenPid } = serverOf(scene.home);
    process.kill(wardenPid, 'SIGSTOP');
    await killServer(scene, 'alone');
    scene.stage.open('T1-after');
    await sleep(AWAY_MS);
    process.kill(wardenPid, 'SIGCONT');
    await scene.stage.until('the server is noticed to be gone', () => serverOf(scene.home).phase !== 'ready');
    await untilServes(scene);
    await scene.stage.until('the run goes on', () => scene.stage.text('LEDGER.md').includes('## T1'), GOES_ON_MS);
    expect(await finish(scene, run)).toEqual(uncrashed);
  });
});
