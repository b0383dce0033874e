import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Outcome, readClaim, readOutcome } from '../../activities/process/attempt-files.js';
import type { AttemptSpec } from '../../activities/process/wire.js';
import { carriedOut, openRoom, ordersOf, processesWith, uniqueSeconds, until } from './attempts.js';

/** How an attempt is ended from outside. */
export const ENDINGS = ['cancel', 'timeout', 'supervisor', 'unattended'] as const;
export type Ending = (typeof ENDINGS)[number];

export interface Victim {
  /** `word` is in the command line of at least one process that the program starts. */
  argv(word: string): string[];
  spec: Partial<AttemptSpec>;
  stdin?: string;
  /** Long enough to be up by then. */
  timeoutMs: number;
  /** How many processes of it have the word, once it is up. */
  processes: number;
}

export interface Killed {
  end: string;
  /** The moment its end was told. */
  alive: string[];
}

const NEVER_MS = 600_000;
const UNATTENDED_MS = 300;

/** Starts the victim under a supervisor of its own, waits until all of it is up, ends it, and says who is alive then. */
export async function kill(victim: Victim, ending: Ending, word = uniqueSeconds()): Promise<Killed> {
  const room = openRoom();
  try {
    const spec = room.attempt('T1.1.1', {
      ...victim.spec,
      argv: victim.argv(word),
      timeoutMs: ending === 'timeout' ? victim.timeoutMs : NEVER_MS,
      attendMs: ending === 'unattended' ? UNATTENDED_MS : NEVER_MS,
      stdinFile: victim.stdin === undefined ? null : stdinFile(room.dir, victim.stdin),
    });
    const { orders, give } = ordersOf(ending === 'cancel' ? 'stop' : 'leave');
    const outcome = carriedOut(room, spec, orders).catch(() => null);
    await until(() => processesWith(word).length >= victim.processes);
    if (ending === 'supervisor') killSupervisor(spec);
    if (ending === 'cancel' || ending === 'unattended') give();
    let told: Outcome | 'lost' | null = await outcome;
    if (ending === 'unattended') {
      await until(() => readOutcome(spec.dir) !== null);
      told = readOutcome(spec.dir);
    }
    return { end: endWords(told), alive: processesWith(word) };
  } finally {
    await room.leave();
  }
}

function stdinFile(dir: string, text: string): string {
  mkdirSync(dir, { recursive: true });
  const file = join(dir, 'brief.md');
  writeFileSync(file, text);
  return file;
}

function killSupervisor(spec: AttemptSpec): void {
  const claim = readClaim(spec.dir);
  if (claim === null || claim === 'unreadable') throw new Error('nobody has claimed the attempt');
  process.kill(claim.supervisor.pid, 'SIGKILL');
}

function endWords(outcome: Outcome | 'lost' | null): string {
  if (outcome === null || outcome === 'lost') return String(outcome);
  return outcome.end.is === 'cut' ? outcome.end.why : outcome.end.is;
}

export const TOLD: Record<Ending, string> = { cancel: 'stop', timeout: 'timeout', supervisor: 'lost', unattended: 'unattended' };
