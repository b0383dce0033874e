import { createReadStream, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { glob } from 'tinyglobby';
import type { Cost } from '../core/values.js';
import type { AgentAdapter, AgentReading, Variables } from './agents/adapter.js';
import { spentSince } from './agents/spent.js';
import { earlierTries } from './attempt-folder.js';
import type { Place } from './interface.js';

const CHUNK_BYTES = 1024 * 1024;
const FILES_MAX = 8;
const RECORD_BYTES_MAX = 64 * 1024 * 1024;

/**
 * Whether the session may be gone on in: its own record holds the brief of an earlier try of this task or, where one
 * attempt at a step mends another, of any attempt at that step. A CLI may give a blank session under an old id (B19),
 * and an agent that does not know what it did would do it again.
 */
export async function knowsAttempt(
  adapter: AgentAdapter,
  asked: { session: string; place: Place; token: string; mends: boolean },
  variables: Variables,
): Promise<boolean> {
  if (adapter.sessionFiles === undefined) return true;
  const { place, token, mends } = asked;
  const step = token.replace(/[@#].*$/, '');
  const tokens = mends ? [`${step}#`, `${step}@`] : [token.replace(/[\d.]+$/, '')];
  for (const file of await filesOf(adapter, asked.session, variables))
    for (const known of tokens) if (await contains(file, Buffer.from(markOf({ place, token: known })))) return true;
  return false;
}

/** The words that the brief of a try begins with; up to the numbers they are those of every try of its task. */
export function markOf({ place, token }: { place: Place; token: string }): string {
  return `Run ${place.slug} of ${place.startedAt ?? 0}, attempt ${token}`;
}

/** Until when, where only the session's record says so. */
export async function untilIn(adapter: AgentAdapter, session: string, variables: Variables): Promise<number | null> {
  if (adapter.limitIn === undefined) return null;
  for (const file of await filesOf(adapter, session, variables)) {
    const until = adapter.limitIn(textOf(file));
    if (until !== null) return until;
  }
  return null;
}

/** What an attempt has spent so far, where while it works only the session's record says so. */
export async function tokensSince(
  adapter: AgentAdapter,
  session: string,
  { variables, since }: { variables: Variables; since: number },
): Promise<number | null> {
  if (adapter.tokensIn === undefined) return null;
  for (const file of await filesOf(adapter, session, variables)) {
    const tokens = adapter.tokensIn(textOf(file), since);
    if (tokens !== null) return tokens;
  }
  return null;
}

/** A session's counters run on: what an earlier try of this task, or attempt at this step, was booked for is not booked again. */
export function costOfTry(adapter: AgentAdapter, reading: AgentReading, tried: { place: Place; token: string }): Cost {
  if (reading.countsSession !== true || reading.session === null) return reading.cost;
  for (const folder of earlierTries(tried.place.folder, tried.token)) {
    const log = join(tried.place.folder, folder, 'output.log');
    const earlier = adapter.read({ stdout: textOf(log), stderr: textOf(`${log}.err`), endedAt: 0 });
    if (earlier.session === reading.session && earlier.countsSession === true) return spentSince(reading.cost, earlier.cost);
  }
  return reading.cost;
}

async function filesOf(adapter: AgentAdapter, session: string, variables: Variables): Promise<string[]> {
  // A session names its file: what is no id must not become a pattern.
  if (adapter.sessionFiles === undefined || !/^[A-Za-z0-9_-]{1,200}$/.test(session)) return [];
  const files = adapter.sessionFiles(session, variables);
  if (files === null) return [];
  const { folder, pattern } = files;
  try {
    return (await glob(pattern, { cwd: folder, absolute: true, dot: true, followSymbolicLinks: false })).slice(0, FILES_MAX);
  } catch {
    return [];
  }
}

async function contains(file: string, wanted: Buffer): Promise<boolean> {
  let before = Buffer.alloc(0);
  try {
    for await (const chunk of createReadStream(file, { highWaterMark: CHUNK_BYTES })) {
      const seen = Buffer.concat([before, chunk]);
      if (seen.includes(wanted)) return true;
      before = seen.subarray(-wanted.length);
    }
  } catch {
    // What cannot be read is not known: a fresh session is the safe one.
  }
  return false;
}

function textOf(file: string): string {
  try {
    return readFileSync(file).subarray(-RECORD_BYTES_MAX).toString('utf8');
  } catch {
    return '';
  }
}
