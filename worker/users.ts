import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { labelOf, lifeOf, ownIdentity, parseIdentity } from '../activities/process/identity.js';
import { makeFolder, writeWhole } from './files.js';

/** Somebody for whom the embedded server must stay. */
export interface User {
  leave(): void;
}

function folderOf(home: string): string {
  return join(home, 'users');
}

/**
 * Registers this process as a user of the home's server. Must come before the first look at server.json: the warden says
 * `ending` first and counts users after, so one of the two sees the other. A process may register several times.
 */
export function registerUser(home: string): User {
  const folder = folderOf(home);
  makeFolder(folder);
  const file = join(folder, `${labelOf(ownIdentity())}-${randomBytes(4).toString('hex')}`);
  writeWhole(file, JSON.stringify(ownIdentity()));
  return { leave: () => rmSync(file, { force: true }) };
}

/** How many users live. Those whose process is gone are struck off. */
export function countUsers(home: string): number {
  let living = 0;
  for (const name of namesIn(folderOf(home))) {
    const life = lifeOfUser(join(folderOf(home), name));
    // A user elsewhere cannot reach a server that listens on this machine's loopback only.
    if (life === 'alive') living++;
    if (life === 'gone') rmSync(join(folderOf(home), name), { force: true });
  }
  return living;
}

function lifeOfUser(file: string): ReturnType<typeof lifeOf> | 'unreadable' {
  try {
    const identity = parseIdentity(JSON.parse(readFileSync(file, 'utf8')));
    return identity === null ? 'gone' : lifeOf(identity);
  } catch {
    return 'unreadable'; // It left between our two looks, or is being written beside its name.
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
