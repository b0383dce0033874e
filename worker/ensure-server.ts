import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sameProcess } from '../activities/process/identity.js';
import { entryPoint } from './entry-point.js';
import { sleep } from './files.js';
import { type Home, makeHome } from './home.js';
import { lastLine } from './run-program.js';
import { ServerFault } from './server-fault.js';
import { readServerState, type ServerState, wardenLives } from './server-state.js';
import { findTemporalExecutable } from './temporal-executable.js';
import type { WardenOptions } from './warden-loop.js';

/** Longer than a warden needs to give up, so that its own words are heard. Fetching the executable is not counted. */
const READY_TIMEOUT_MS = 60_000;
const LOOK_EVERY_MS = 20;
/** More than one, because of two that start at once all but one go again; and one may be killed. */
const WARDENS_STARTED_MAX = 5;

export interface EnsureOptions {
  home: Home;
  cache: string;
  env: NodeJS.ProcessEnv;
}

/**
 * The home's server, which serves when this returns: found, waited for, or started. The caller is a registered user
 * already (see `registerUser`). Throws a ServerFault with the way out when there can be none.
 */
export async function ensureServer({ home, cache, env }: EnsureOptions): Promise<ServerState> {
  const before = readServerState(home.path);
  let warden: StartedWarden | null = null;
  let starts = 0;
  for (let until = Date.now() + READY_TIMEOUT_MS; ; await sleep(LOOK_EVERY_MS)) {
    const state = readServerState(home.path);
    const lives = state !== null && wardenLives(state);
    if (lives && state.phase === 'ready') return state;
    if (state !== null && isNewFailure(state, before))
      throw new ServerFault(state.why ?? `the embedded server failed: see ${home.path}/server.log`);
    if (Date.now() > until)
      throw new ServerFault(`the embedded server is not ready after ${READY_TIMEOUT_MS / 1000} s: see ${home.path}/server.log`);
    if (lives || warden?.isRunning()) continue;
    const problem = warden?.problem() ?? (starts >= WARDENS_STARTED_MAX ? `${starts} attempts, see ${home.path}/warden.log` : null);
    if (problem !== null) throw new ServerFault(`the embedded server could not be started: ${problem}`);
    const { path, version } = await findTemporalExecutable({ env, cache });
    makeHome(home);
    warden = startWarden({ home: home.path, executable: path, version, ports: home.from === 'default' ? 'well-known' : 'any' }, env);
    starts++;
    until = Date.now() + READY_TIMEOUT_MS;
  }
}

// An old failure is no reason not to try again; one that came while we wait is the answer.
function isNewFailure(state: ServerState, before: ServerState | null): boolean {
  return state.phase === 'failed' && !(before?.phase === 'failed' && sameProcess(before.warden, state.warden));
}

interface StartedWarden {
  isRunning(): boolean;
  /** What went wrong when it ended with another status than 0, or could not be started. */
  problem(): string | null;
}

function startWarden(options: WardenOptions, env: NodeJS.ProcessEnv): StartedWarden {
  const file = join(options.home, 'warden.log');
  const log = openSync(file, 'a', 0o600);
  let end: { problem: (() => string) | null } | null = null;
  try {
    const child = spawn(process.execPath, [entryPoint('worker/warden.js'), JSON.stringify(options)], {
      cwd: options.home,
      // Own session: neither Ctrl-C nor the terminal's end reaches it. None of this command's keys.
      detached: true,
      env: { PATH: env.PATH, HOME: env.HOME, TMPDIR: env.TMPDIR, LANG: env.LANG },
      stdio: ['ignore', 'ignore', log],
    });
    // Killed by somebody is no problem of its own: another one is started.
    child.once('exit', (code) => {
      end = { problem: code === 0 || code === null ? null : () => lastLine(readFileSync(file, 'utf8')) };
    });
    child.once('error', (error) => {
      end = { problem: () => error.message };
    });
    child.unref();
  } finally {
    closeSync(log);
  }
  return {
    isRunning: () => end === null,
    problem: () => end?.problem?.() ?? null,
  };
}
