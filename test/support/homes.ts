import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Home } from '../../worker/home.js';
import { endProcess } from '../../worker/server-process.js';
import { readServerState, wardenLives } from '../../worker/server-state.js';

/** A private home, with the environment that leads to it. Nothing of the user's Temporal settings comes along. */
export interface TestHome {
  path: string;
  home: Home;
  env: NodeJS.ProcessEnv;
  /** Ends what still runs for this home, and removes it. */
  remove(): Promise<void>;
}

const END_GRACE_MS = 10_000;

export function createTestHome(more: NodeJS.ProcessEnv = {}): TestHome {
  const path = mkdtempSync(join(tmpdir(), 'donewhen-home-'));
  const kept = Object.entries(process.env).filter(([name]) => !name.startsWith('TEMPORAL_'));
  const env = { ...Object.fromEntries(kept), TEMPORAL_CONFIG_FILE: join(path, 'none.toml'), DONEWHEN_HOME: path, ...more };
  return {
    path,
    home: { path, from: 'given' },
    env,
    remove: async () => {
      const state = readServerState(path);
      if (state !== null && wardenLives(state)) await endProcess(state.wardenPid, END_GRACE_MS);
      rmSync(path, { recursive: true, force: true });
    },
  };
}

/** Waits until something is so. Throws when it is not so in time, saying what. */
export async function until(what: string, isSo: () => boolean | Promise<boolean>, timeoutMs = 30_000): Promise<void> {
  for (const end = Date.now() + timeoutMs; !(await isSo()); ) {
    if (Date.now() > end) throw new Error(`not so after ${timeoutMs} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
