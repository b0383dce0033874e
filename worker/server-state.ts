import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { lifeOf, type ProcessIdentity, parseIdentity } from '../activities/process/identity.js';
import { writeWhole } from './files.js';

/**
 * What the warden says of its home's server, in `<home>/server.json`.
 * `starting` also means: it died and comes again, on the same file and port. `failed`: the warden gave up and ends.
 */
export type ServerPhase = 'starting' | 'ready' | 'ending' | 'failed';

export interface ServerState {
  phase: ServerPhase;
  ready: boolean;
  warden: ProcessIdentity;
  wardenPid: number;
  /** The server's own process, while there is one. */
  pid: number | null;
  startTime: string | null;
  port: number;
  uiPort: number;
  /** Of the executable: `1.9.1`. */
  version: string;
  /** Why it failed, and the way out; in one line. */
  why: string | null;
}

export function serverFileOf(home: string): string {
  return join(home, 'server.json');
}

export function writeServerState(home: string, state: Omit<ServerState, 'ready' | 'wardenPid'>): void {
  const whole: ServerState = { ...state, ready: state.phase === 'ready', wardenPid: state.warden.pid };
  writeWhole(serverFileOf(home), `${JSON.stringify(whole)}\n`);
}

/** What the last warden wrote, or null where there is nothing readable. It may be gone: see `wardenLives`. */
export function readServerState(home: string): ServerState | null {
  try {
    return parseServerState(JSON.parse(readFileSync(serverFileOf(home), 'utf8')));
  } catch {
    return null;
  }
}

export function wardenLives(state: ServerState): boolean {
  return lifeOf(state.warden) === 'alive';
}

const PHASES: readonly string[] = ['starting', 'ready', 'ending', 'failed'] satisfies ServerPhase[];

function isPhase(value: unknown): value is ServerPhase {
  return typeof value === 'string' && PHASES.includes(value);
}

function parseServerState(value: unknown): ServerState | null {
  if (typeof value !== 'object' || value === null) return null;
  const { phase, warden, pid, startTime, port, uiPort, version, why } = value as Record<string, unknown>;
  const identity = parseIdentity(warden);
  if (!isPhase(phase) || identity === null || typeof port !== 'number' || typeof uiPort !== 'number') return null;
  return {
    phase,
    ready: phase === 'ready',
    warden: identity,
    wardenPid: identity.pid,
    pid: typeof pid === 'number' ? pid : null,
    startTime: typeof startTime === 'string' ? startTime : null,
    port,
    uiPort,
    version: typeof version === 'string' ? version : 'unknown',
    why: typeof why === 'string' ? why : null,
  };
}
