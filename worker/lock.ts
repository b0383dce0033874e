import { randomBytes } from 'node:crypto';
import { linkSync, readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { lifeOf, ownIdentity, type ProcessIdentity, parseIdentity, sameProcess } from '../activities/process/identity.js';
import { makeFolder } from './files.js';

/** A holder on another machine or in another container, whose pid says nothing here, is gone when its lock is older. */
export const FOREIGN_LOCK_STALE_MS = 30_000;

const GENERATIONS_TRIED_MAX = 20;

export interface Lock {
  /** false once somebody has taken it over: whatever it protected must be let go at once. */
  isHeld(): boolean;
  /** Shows other machines that the holder lives. Call it more often than FOREIGN_LOCK_STALE_MS. */
  touch(): void;
  release(): void;
}

export type LockResult = { is: 'taken'; lock: Lock } | { is: 'held'; by: ProcessIdentity; where: 'here' | 'elsewhere' };

/**
 * Takes a folder's lock, or says who holds it. The lock is the file with the highest number; it names its holder. A lock
 * whose holder is gone is overtaken by making the next number, which only one can do, so no lock is ever removed under
 * its holder's feet.
 */
export function takeLock(folder: string): LockResult {
  makeFolder(folder);
  for (let tried = 0; tried < GENERATIONS_TRIED_MAX; tried++) {
    const newest = newestOf(folder);
    const holder = newest === 0 ? null : holderOf(folder, newest);
    if (holder !== null) return { is: 'held', ...holder };
    const generation = newest + 1;
    if (!make(folder, generation)) continue;
    // An older number may have been free only because its maker already cleaned up below a newer one.
    if (newestOf(folder) !== generation) {
      rmSync(fileOf(folder, generation), { force: true });
      continue;
    }
    removeBelow(folder, generation);
    return { is: 'taken', lock: lockOf(folder, generation) };
  }
  throw new Error(`cannot take the lock in ${folder}: others take it and let it go all the time; try again`);
}

function lockOf(folder: string, generation: number): Lock {
  const file = fileOf(folder, generation);
  return {
    isHeld: () => newestOf(folder) === generation && isOurs(file),
    touch: () => {
      const now = new Date();
      try {
        utimesSync(file, now, now);
      } catch {
        // Taken over, or the folder is gone: isHeld says so.
      }
    },
    release: () => letGo(folder, file),
  };
}

// The file stays, without a holder: were numbers used again, a slow taker could win one below a newer lock.
function letGo(folder: string, file: string): void {
  if (!isOurs(file)) return;
  const draft = join(folder, `draft-${randomBytes(6).toString('hex')}`);
  writeFileSync(draft, '{}');
  renameSync(draft, file);
}

function isOurs(file: string): boolean {
  const holder = parseHolder(file);
  return holder !== null && sameProcess(holder, ownIdentity());
}

function make(folder: string, generation: number): boolean {
  const draft = join(folder, `draft-${randomBytes(6).toString('hex')}`);
  writeFileSync(draft, JSON.stringify(ownIdentity()));
  try {
    // A link fails where the name exists, and the file it shows is whole from the first moment.
    linkSync(draft, fileOf(folder, generation));
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

function holderOf(folder: string, generation: number): { by: ProcessIdentity; where: 'here' | 'elsewhere' } | null {
  const file = fileOf(folder, generation);
  const by = parseHolder(file);
  if (by === null) return null;
  const life = lifeOf(by);
  switch (life) {
    case 'alive':
      return { by, where: 'here' };
    case 'gone':
      return null;
    case 'elsewhere':
      return ageMs(file) < FOREIGN_LOCK_STALE_MS ? { by, where: 'elsewhere' } : null;
    default:
      return life satisfies never;
  }
}

function parseHolder(file: string): ProcessIdentity | null {
  try {
    return parseIdentity(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return null;
  }
}

function ageMs(file: string): number {
  try {
    return Date.now() - statSync(file).mtimeMs;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

function newestOf(folder: string): number {
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch {
    return 0;
  }
  return Math.max(0, ...names.filter((name) => /^\d+\.json$/.test(name)).map((name) => Number.parseInt(name, 10)));
}

function removeBelow(folder: string, generation: number): void {
  for (const name of readdirSync(folder)) {
    if (/^\d+\.json$/.test(name) && Number.parseInt(name, 10) < generation) rmSync(join(folder, name), { force: true });
  }
}

function fileOf(folder: string, generation: number): string {
  return join(folder, `${generation}.json`);
}
