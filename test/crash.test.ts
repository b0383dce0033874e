import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tokenOf } from '../core/attempt.js';
import { nextMoves } from '../core/run.js';
import type { Move, Run } from '../core/values.js';
import { type Driver, nextOf, STEP_MS } from './support/driver.js';
import { ledgerText } from './support/paper-record.js';
import { ROOT } from './support/sources.js';
import { driverOf, parseTranscript, type Transcript } from './support/transcript.js';

/**
 * Whatever dies, and whenever: a run goes on from what the engine recorded, comes to the same ledger, and nothing is done
 * twice (R1, R2, R3). The engine keeps what was answered; of a move whose answer is gone it does not know whether it was
 * made. Looks and writes are made again. Performers and planners are asked for by the same token.
 */
/** Each differs from the others in what a crash can fall between. */
const SCENARIOS = [
  '01-works',
  '02-held-already',
  '03-claimed-and-not-there',
  '05-three-attempts',
  '08-blocked-then-resolved',
  '09-attested',
  '13-agent-and-person',
  '15-usage-limit',
  '16-killed-twice',
  '17-killed-after-the-work',
  '18-not-repeatable',
  '19-budget',
  '20-undone-at-the-end',
  '27-news-and-a-new-plan',
  '28-a-planner-that-cheats',
  '30-paused',
  '32-side-by-side',
  '47-row-signal',
  '51-row-attested-yes',
  '63-resumed-exhausted-then-resolved',
  '70-a-rumour',
  '71-a-planner-that-writes-evidence',
  '72-a-planner-at-its-limit',
  '76-approved',
];

/** What only the performer could say is gone with its outcome: here that it went another way. */
const RESTS_ON_ITS_CLAIM = new Set(['27-news-and-a-new-plan', '70-a-rumour']);

const MOVES_MAX = 200;

/** What is left of the machine. */
type Crash =
  /** The worker died before it began; nothing was done. */
  | 'before'
  /** The worker died; the supervisor of an attempt outlived it and kept the outcome. */
  | 'after'
  /** Everything died: of an attempt only what it did to the world is left. */
  | 'after, with its supervisor';

function read(name: string): Transcript {
  return parseTranscript(readFileSync(join(ROOT, `test/transcripts/${name}.txt`), 'utf8'));
}

/** What the engine recorded, and nothing else. */
function recorded(run: Run): Run {
  return JSON.parse(JSON.stringify(run)) as Run;
}

/** Makes the next move, loses its answer, and wakes up on another machine. false: there was nothing to make. */
function crash(driver: Driver, how: Crash): boolean {
  const move = nextOf(driver.run);
  if (move === null || move.is === 'wait') return false;
  if (how !== 'before') driver.world.make(move, driver.run, driver.run.clock + STEP_MS);
  if (how === 'after, with its supervisor' && move.is === 'dispatch') driver.world.forget(move.token);
  driver.run = recorded(driver.run);
  for (const pending of nextMoves(driver.run).filter(isAct)) {
    driver.take({ move: pending.id, at: driver.run.clock, is: 'unclear', counts: false }, pending);
  }
  return true;
}

/** The engine starts these once; of every one that was under way it says that it does not know. */
function isAct(move: Move): boolean {
  return move.is === 'dispatch' || move.is === 'replan';
}

interface End {
  ledger: string;
  statuses: string[];
  outcome: Run['outcome'];
  acts: string[];
  /** Texts by the number of their write. */
  writes: string[];
}

function endOf(driver: Driver): End {
  const { run, world } = driver;
  const statuses = run.ledger.map((entry) => [entry.task, entry.status, entry.label, entry.blocker, entry.gates.at(-1)?.is].join(' '));
  return { ledger: ledgerText(driver), statuses, outcome: run.outcome, acts: world.acts, writes: [...world.writes.values()] };
}

/** Without a crash, and with one at each of its moves. */
function everyCrash(name: string, how: Crash): { whole: End; crashed: Driver[] } {
  const transcript = read(name);
  const whole = driverOf(transcript);
  whole.carryOut();
  const crashed: Driver[] = [];
  for (let at = 0; at < MOVES_MAX; at++) {
    const driver = driverOf(transcript);
    let steps = 0;
    while (steps < at && driver.step()) steps++;
    if (steps < at || driver.run.outcome !== null) break;
    if (crash(driver, how)) crashed.push(driver);
  }
  for (const driver of crashed) driver.carryOut();
  return { whole: endOf(whole), crashed };
}

describe.each(SCENARIOS)('%s', (name) => {
  it.each(['before', 'after'] as const)('dies %s each of its moves: the same ledger, and nothing is done twice (B10, C02, B11)', (how) => {
    const { whole, crashed } = everyCrash(name, how);
    expect(crashed.length).toBeGreaterThan(0);
    expect(crashed.map(endOf)).toEqual(crashed.map(() => whole));
  });

  it('dies after every single move, once each: still the same ledger, and nothing is done twice', () => {
    const transcript = read(name);
    const whole = driverOf(transcript);
    whole.carryOut();
    const driver = driverOf(transcript);
    for (let moves = 0; moves < MOVES_MAX && driver.run.outcome === null; moves++) {
      crash(driver, 'after');
      if (!driver.step()) break;
    }
    expect(endOf(driver)).toEqual(endOf(whole));
  });
});

describe.each(SCENARIOS.filter((name) => !RESTS_ON_ITS_CLAIM.has(name)))('%s', (name) => {
  it('dies with everything that ran: the same statuses, and only what was seen not to hold is done again', () => {
    const { whole, crashed } = everyCrash(name, 'after, with its supervisor');
    expect(crashed.map((driver) => [endOf(driver).statuses, driver.run.outcome])).toEqual(
      crashed.map(() => [whole.statuses, whole.outcome]),
    );
    expect(crashed.flatMap(doneAgainWithoutLooking)).toEqual([]);
  });
});

/** Second tries that no look before them had found necessary. */
function doneAgainWithoutLooking(driver: Driver): string[] {
  return driver.steps.flatMap(({ move, before }, at) => {
    if (move?.is !== 'dispatch' || move.attempt.number === 1 || driver.steps[at]?.input === null) return [];
    const looked = driver.steps.slice(0, at).findLast((step) => step.move?.is === 'observe' && step.move.when === 'after');
    const disproved =
      looked !== undefined &&
      looked.input !== null &&
      'is' in looked.input &&
      looked.input.is === 'observed' &&
      looked.input.observation.looks.some((look) => look.is === 'disproved');
    return disproved ? [] : [`${tokenOf(move.attempt)} at ${before.clock}`];
  });
}
