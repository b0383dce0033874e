// A lock between processes of one machine: a file that holds the owner's process id. A dead owner holds nothing.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const RETRY_MS = 100;

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** The living owner of the lock, or null. A file that cannot be read was released, or is being written, this moment. */
function ownerOf(path) {
  try {
    const pid = Number(readFileSync(path, 'utf8'));
    return pid === 0 || isAlive(pid) ? pid : null;
  } catch {
    return 0;
  }
}

function take(path) {
  try {
    writeFileSync(path, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    return false;
  }
}

/** Runs `work` while holding the lock; throws when another living process keeps it for longer than `waitMsMax`. */
export async function withLock({ path, waitMsMax }, work) {
  const giveUpAt = Date.now() + waitMsMax;
  while (!take(path)) {
    if (ownerOf(path) === null) rmSync(path, { force: true });
    else if (Date.now() > giveUpAt) throw new Error(`process ${ownerOf(path)} holds ${path}: end it, or remove the file`);
    else await sleep(RETRY_MS);
  }
  try {
    return await work();
  } finally {
    rmSync(path, { force: true });
  }
}
