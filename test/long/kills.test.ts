import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { identityOf } from '../../activities/process/identity.js';
import { readServerState, wardenLives } from '../../worker/server-state.js';
import { begin, closeScene, type End, endUndisturbed, look, openScene, recordOf, type Scene } from '../support/crash-scene.js';

const KILLS_MIN = 60;
/** After so many a run is left in peace, so that it comes to its end. */
const KILLS_A_RUN_MAX = 10;
/** Long enough for a worker to come up now and then, short enough to hit it on its way there. */
const PEACE_MS_MAX = 4_000;
const ACT_MS_MAX = 5_000;
const ACT_EVERY_MS = 200;

/** Printed, so that a failure can be had again: DONEWHEN_SEED=… */
const asked = process.env.DONEWHEN_SEED ?? '';
const SEED = /^\d+$/.test(asked) ? Number(asked) : randomInt(2 ** 31);
const VICTIMS = ['run', 'server', 'server and warden', 'all'] as const;
type Victim = (typeof VICTIMS)[number];

/** Mulberry32: small, and the same everywhere. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Only what is known to be the server or the warden of this home, and alive. */
function killServer(scene: Scene, victim: Victim): void {
  const state = readServerState(scene.home.path);
  if (state === null) return;
  if (victim !== 'server' && wardenLives(state)) process.kill(state.wardenPid, 'SIGKILL');
  if (state.pid !== null && identityOf(state.pid)?.start === state.startTime) process.kill(state.pid, 'SIGKILL');
}

/** A person who says the same until it is heard. */
async function answer(scene: Scene, over: AbortSignal): Promise<void> {
  for (; !over.aborted; await sleep(ACT_EVERY_MS)) {
    if (!scene.stage.isAsked()) continue;
    const { client, update } = look(scene);
    const said = { task: 'T4', happened: 'yes', by: 'ana', id: 'once' };
    const reply = await client.withDeadline(Date.now() + ACT_MS_MAX, () => update('attest', said)).catch(() => null);
    if (reply !== null) return;
  }
}

/** Kills at random moments, and begins again what a person would begin again. Answers with the number of kills. */
async function disturb(scene: Scene, random: () => number): Promise<number> {
  let run = begin(scene);
  for (let kills = 0; ; ) {
    const peace = kills < KILLS_A_RUN_MAX ? sleep(random() * PEACE_MS_MAX, null) : run.ended;
    const ended = await Promise.race([run.ended, peace]);
    if (ended !== null) {
      // A run that was closed just before its command was killed is not begun again.
      expect([ended.code, ended.code === 0 || ended.err.includes('closed COMPLETED')], ended.err).toEqual([expect.any(Number), true]);
      return kills;
    }
    const victim = VICTIMS[Math.floor(random() * VICTIMS.length)] ?? 'all';
    kills++;
    if (victim !== 'run') killServer(scene, victim);
    if (victim !== 'run' && victim !== 'all') continue;
    run.child.kill('SIGKILL');
    await run.ended;
    run = begin(scene);
  }
}

/** Whoever is asked may be told twice rather than never; nothing else happens twice. */
const record = ({ ledger, report, effects }: Pick<End, 'ledger' | 'report' | 'effects'>) => ({
  ledger,
  report,
  effects: effects.filter((effect, index) => !effect.startsWith('told') || effects.indexOf(effect) === index),
});

let scene: Scene | null = null;
afterEach(async () => {
  if (scene !== null) await closeScene(scene);
});

test(`${KILLS_MIN} kills at random moments change no record and repeat no effect (seed ${SEED})`, async () => {
  const uncrashed = await endUndisturbed();
  const random = seeded(SEED);
  for (let kills = 0; kills < KILLS_MIN; ) {
    scene = openScene();
    const over = new AbortController();
    const answering = answer(scene, over.signal);
    try {
      kills += await disturb(scene, random);
    } finally {
      over.abort();
      await answering;
    }
    expect(record(recordOf(scene)), `seed ${SEED}, after ${kills} kills`).toEqual(record(uncrashed));
    await closeScene(scene);
    scene = null;
  }
});
