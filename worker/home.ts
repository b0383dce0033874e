import { createHash, randomBytes } from 'node:crypto';
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, platform } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { machineId } from '../activities/process/identity.js';
import { makeFolder } from './files.js';

/** Where the embedded server, its database and the register of workers live. */
export interface Home {
  path: string;
  /** `given`: DONEWHEN_HOME names it, so its server is its own and the well-known port is left alone. */
  from: 'default' | 'given';
}

type Environment = Record<string, string | undefined>;

/** DONEWHEN_HOME, or the usual place of the system. Makes nothing. */
export function homeOf(env: Environment): Home {
  const given = env.DONEWHEN_HOME;
  if (given !== undefined && given !== '') return { path: resolve(given), from: 'given' };
  const user = env.HOME || homedir();
  const path =
    platform() === 'darwin'
      ? join(user, 'Library', 'Application Support', 'donewhen')
      : join(absolute(env.XDG_DATA_HOME) ?? join(user, '.local', 'share'), 'donewhen');
  return { path, from: 'default' };
}

/** Where downloads are kept. Outside the home, so that a private home does not download again. Makes nothing. */
export function cacheOf(env: Environment): string {
  const user = env.HOME || homedir();
  return join(absolute(env.XDG_CACHE_HOME) ?? join(user, '.cache'), 'donewhen');
}

// The XDG specification ignores relative paths in its variables.
function absolute(path: string | undefined): string | null {
  return path !== undefined && isAbsolute(path) ? path : null;
}

/** Makes the home for its owner's eyes only: it holds prompts and answers inside the database. Calling it twice is safe. */
export function makeHome(home: Home): void {
  makeFolder(home.path);
}

/**
 * Eight hex digits that stay the same across restarts of this host. From the machine's id where there is one; else drawn
 * once and kept in the home, which is what a recreated container still has.
 */
export function hostIdOf(home: Home): string {
  const machine = machineId();
  return machine === null ? keptHostId(home) : shortHash(machine);
}

function keptHostId(home: Home): string {
  makeHome(home);
  const file = join(home.path, 'host-id');
  const kept = readOrNull(file)?.trim();
  if (kept) return kept;
  const draft = `${file}.${randomBytes(4).toString('hex')}`;
  writeFileSync(draft, randomBytes(4).toString('hex'));
  try {
    // A link never replaces: of two processes that draw at once, both read the first one's id.
    linkSync(draft, file);
  } catch {
    // Somebody else was first.
  } finally {
    rmSync(draft, { force: true });
  }
  return readFileSync(file, 'utf8').trim();
}

function shortHash(text: string): string {
  return createHash('sha256').update(`donewhen host ${text}`).digest('hex').slice(0, 8);
}

function readOrNull(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}
