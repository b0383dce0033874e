import {
  closeSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { readRegular } from '../files/regular.js';
import { type ProcessIdentity, parseIdentity } from './identity.js';

/** Who carries an attempt out: written once, before the performer is started (design.md §4). */
export interface ClaimRecord {
  token: string;
  supervisor: ProcessIdentity;
  socket: string;
  /** The value of ATTEMPT_MARK in the environment of every process of this attempt. */
  mark: string;
  startedAt: number;
  timeoutMs: number;
}

export type AttemptEnd =
  | { is: 'exited'; code: number }
  | { is: 'signalled'; signal: string }
  | { is: 'timeout' }
  /** It printed nothing for so long. */
  | { is: 'silent'; forMs: number }
  | { is: 'cut'; why: 'stop' | 'unattended' }
  | { is: 'unspawned'; error: string };

/** How an attempt ended: written before anybody is told. */
export interface Outcome {
  token: string;
  end: AttemptEnd;
  startedAt: number;
  endedAt: number;
  /** What the performer wrote, also where the log keeps only its beginning and its end. */
  bytes: number;
  /** Of all it wrote on stdout, masked. */
  sha256: string;
  /** Why the log is not complete. */
  logFault?: string;
  /** Its folder was taken away while it worked, or is reached by a link now. */
  cleared?: true;
}

/**
 * How often a supervisor touches its claims: who sees the claim of another container or boot, where our process table
 * says nothing, judges by that.
 */
export const SIGN_OF_LIFE_MS = 10_000;

const CLAIM_FILE = 'claim.json';
const OUTCOME_FILE = 'outcome.json';

export function claimFileIn(dir: string): string {
  return join(dir, CLAIM_FILE);
}

/**
 * Takes the token for good; false when somebody has it. A link of a finished file, because of a file that is made first
 * and filled afterwards a crash could leave the empty half, which says nothing of who has it.
 */
export function claimToken(dir: string, claim: ClaimRecord): boolean {
  const draft = join(dir, `.${CLAIM_FILE}.${claim.mark}`);
  writeDurably(draft, claim);
  try {
    linkSync(draft, claimFileIn(dir));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
  syncFolder(dir);
  return true;
}

/** null: nobody has claimed it. `unreadable`: somebody did, and the file says no more who. */
export function readClaim(dir: string): ClaimRecord | 'unreadable' | null {
  const value = readJson(claimFileIn(dir));
  if (value === undefined) return null;
  if (typeof value !== 'object' || value === null) return 'unreadable';
  const { token, socket, mark, startedAt, timeoutMs } = value as Record<string, unknown>;
  const supervisor = parseIdentity((value as Record<string, unknown>).supervisor);
  if (supervisor === null || typeof token !== 'string' || typeof socket !== 'string' || typeof mark !== 'string') return 'unreadable';
  if (typeof startedAt !== 'number' || typeof timeoutMs !== 'number') return 'unreadable';
  return { token, supervisor, socket, mark, startedAt, timeoutMs };
}

/** Whether the folder of an attempt is where it was claimed: neither gone nor reached by a link. */
export function isInPlace(dir: string): boolean {
  try {
    return realpathSync(dir) === dir && statSync(claimFileIn(dir)).isFile();
  } catch {
    return false;
  }
}

/** Whole or not at all, and on the disk before it returns. */
export function writeOutcome(dir: string, outcome: Outcome): void {
  // The performer may have removed everything; without an outcome its attempt would look as if it never was.
  mkdirSync(dir, { recursive: true });
  const draft = join(dir, `.${OUTCOME_FILE}.${process.pid}`);
  rmSync(draft, { recursive: true, force: true });
  writeDurably(draft, outcome);
  const file = join(dir, OUTCOME_FILE);
  // A folder in its place would not give way to a file.
  if (lstatSync(file, { throwIfNoEntry: false })?.isDirectory() === true) rmSync(file, { recursive: true, force: true });
  renameSync(draft, file);
  syncFolder(dir);
}

/** null: it has not ended, or what stands there is no outcome of ours, which proves nothing (R11). */
export function readOutcome(dir: string): Outcome | null {
  const value = readJson(join(dir, OUTCOME_FILE));
  if (typeof value !== 'object' || value === null) return null;
  const { token, startedAt, endedAt, bytes, sha256, logFault, cleared } = value as Record<string, unknown>;
  const end = parseEnd((value as Record<string, unknown>).end);
  if (end === null || typeof token !== 'string' || typeof sha256 !== 'string') return null;
  if (typeof startedAt !== 'number' || typeof endedAt !== 'number' || typeof bytes !== 'number') return null;
  const more = { ...(typeof logFault === 'string' ? { logFault } : {}), ...(cleared === true ? { cleared: true as const } : {}) };
  return { token, end, startedAt, endedAt, bytes, sha256, ...more };
}

function parseEnd(value: unknown): AttemptEnd | null {
  if (typeof value !== 'object' || value === null) return null;
  const { is, code, signal, why, error, forMs } = value as Record<string, unknown>;
  if (is === 'exited' && typeof code === 'number') return { is, code };
  if (is === 'signalled' && typeof signal === 'string') return { is, signal };
  if (is === 'timeout') return { is };
  if (is === 'silent' && typeof forMs === 'number') return { is, forMs };
  if (is === 'cut' && (why === 'stop' || why === 'unattended')) return { is, why };
  if (is === 'unspawned' && typeof error === 'string') return { is, error };
  return null;
}

/** undefined: nothing stands there. null: no JSON of ours does. */
function readJson(file: string): unknown {
  const bytes = readRegular(file);
  if (bytes === null) return isAnything(file) ? null : undefined;
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return null;
  }
}

function isAnything(file: string): boolean {
  try {
    return lstatSync(file, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}

function writeDurably(file: string, value: object): void {
  const fd = openSync(file, 'wx', 0o600);
  try {
    writeSync(fd, `${JSON.stringify(value)}\n`);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

function syncFolder(dir: string): void {
  const fd = openSync(dir, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
