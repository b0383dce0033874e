// Finds the processes that a test run left behind: those that carry its mark in their environment, and no others (R14).
import { readdirSync, readFileSync } from 'node:fs';
import { delimiter } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** A server or worker that is ending may take this long. */
const WAIT_MS_MAX = 15_000;
const POLL_MS = 250;

function read(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/**
 * The environment with a mark in it. It stands in PATH, as a folder that does not exist: what gets an environment made for it (a
 * server, a supervisor, an agent) gets PATH, and nothing else that could tell whose it is.
 */
export function markedEnvironment(env, mark) {
  return { ...env, PATH: [env.PATH, `/nonexistent/${mark}`].filter(Boolean).join(delimiter) };
}

function markedWith(mark) {
  const own = String(process.pid);
  const carries = (pid) => [`/proc/${pid}/environ`, `/proc/${pid}/cmdline`].some((file) => read(file).includes(mark));
  return readdirSync('/proc').filter((pid) => /^\d+$/.test(pid) && pid !== own && carries(pid));
}

/** Waits for the processes of this run to end, ends the rest, and names them. Says nothing where there is no /proc. */
export async function endLeftovers(mark, { waitMsMax = WAIT_MS_MAX } = {}) {
  if (process.platform !== 'linux') return [];
  const giveUpAt = Date.now() + waitMsMax;
  while (markedWith(mark).length > 0 && Date.now() < giveUpAt) await sleep(POLL_MS);
  return markedWith(mark).map((pid) => {
    const command = read(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').trim();
    try {
      process.kill(Number(pid), 'SIGKILL');
    } catch {
      // It ended between the look and the signal.
    }
    return `left running: process ${pid} (${command.slice(0, 120)})`;
  });
}
