import { type EnsureOptions, ensureServer } from '../worker/ensure-server.js';
import { readServerState, wardenLives } from '../worker/server-state.js';

const LOOK_EVERY_MS = 500;
/** A server that cannot be brought back so often will not be; the command's own calls say so. */
const FAILURES_MAX = 5;

/**
 * While a command is open: when the warden of its server is gone, another one is started, on the same file and port. (A
 * server that dies alone is its warden's business.) Looks cost two small files each. Does not keep the process alive.
 */
export function keepServerAlive(options: EnsureOptions): { stop(): void } {
  let failures = 0;
  let isBusy = false;
  const look = async (): Promise<void> => {
    const state = readServerState(options.home.path);
    if (isBusy || (state !== null && wardenLives(state))) return;
    isBusy = true;
    try {
      await ensureServer(options);
      failures = 0;
    } catch {
      if (++failures >= FAILURES_MAX) clearInterval(timer);
    } finally {
      isBusy = false;
    }
  };
  const timer = setInterval(() => void look(), LOOK_EVERY_MS);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}
