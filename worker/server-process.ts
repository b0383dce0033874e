import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { identityOf, lifeOf } from '../activities/process/identity.js';
import { SEARCH_ATTRIBUTES } from '../workflows/names.js';
import type { BoundedLog } from './bounded-log.js';
import { sleep } from './files.js';
import { onPath } from './on-path.js';
import { LOOPBACK } from './ports.js';
import { runProgram } from './run-program.js';

export interface ServerOptions {
  /** The Temporal CLI. */
  executable: string;
  home: string;
  database: string;
  port: number;
  uiPort: number;
  /** Words before the command (see `deathGuard`). */
  guard: string[];
}

const GUARD_PROBE_MS = 5_000;

/** The database of a home. There is no migration between versions of the CLI, so each minor version has its own. */
export function databaseOf(home: string, version: string): string {
  return join(home, `temporal-${version.split('.').slice(0, 2).join('.')}.db`);
}

/**
 * WAL with FULL keeps what was acknowledged through a power cut at little cost. The poll limit is 20 a second by default,
 * which holds a single run to some 20 workflow tasks a second, on any disk.
 */
export function serverArguments({ database, port, uiPort }: Pick<ServerOptions, 'database' | 'port' | 'uiPort'>): string[] {
  return [
    ...['server', 'start-dev', '--ip', LOOPBACK, '--port', String(port), '--ui-port', String(uiPort)],
    ...['--db-filename', database, '--sqlite-pragma', 'journal_mode=WAL', '--sqlite-pragma', 'synchronous=FULL'],
    ...['--dynamic-config-value', 'history.transferProcessorMaxPollRPS=10000', '--log-level', 'error'],
    ...SEARCH_ATTRIBUTES.flatMap(({ name, kind }) => ['--search-attribute', `${name}=${kind}`]),
  ];
}

/**
 * What to put before a command so that the kernel kills it when its parent dies, however it dies; nothing where the system
 * cannot. A server so guarded never meets a second one on the same file.
 */
export async function deathGuard(env: Record<string, string | undefined>): Promise<string[]> {
  const setpriv = process.platform === 'linux' ? onPath(env, 'setpriv') : null;
  if (setpriv === null) return [];
  const guard = [setpriv, '--pdeathsig', 'KILL', '--'];
  // Some systems have a smaller program of that name.
  const tried = await runProgram(setpriv, [...guard.slice(1), 'true'], { env: { PATH: env.PATH }, timeoutMs: GUARD_PROBE_MS });
  return tried.code === 0 ? guard : [];
}

/** Starts the server, with its output in the log. Call it from the main thread: a guard watches the thread that started it. */
export function startServer(options: ServerOptions, log: BoundedLog, env: Record<string, string | undefined>): ChildProcess {
  const [program = options.executable, ...words] = [...options.guard, options.executable, ...serverArguments(options)];
  const child = spawn(program, words, {
    cwd: options.home,
    env: serverEnvironment(options.home, env),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.stdout.on('data', (chunk: Buffer) => log.write(chunk.toString('utf8')));
  child.stderr.on('data', (chunk: Buffer) => log.write(chunk.toString('utf8')));
  return child;
}

/** Nothing of the user's Temporal settings and keys: this server and its tools are ours alone. */
export function serverEnvironment(home: string, env: Record<string, string | undefined>): Record<string, string | undefined> {
  return { PATH: env.PATH, TMPDIR: env.TMPDIR, LANG: env.LANG, HOME: home };
}

/** Servers on this database that no warden owns any more: they run on only where the kernel could not end them. */
export function orphansOn(database: string): number[] {
  let pids: number[];
  try {
    pids = readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number);
  } catch {
    return []; // Not Linux: server.json names the one we know of.
  }
  return pids.filter((pid) => {
    try {
      const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
      return words.includes('start-dev') && words[words.indexOf('--db-filename') + 1] === database;
    } catch {
      return false;
    }
  });
}

const LOOK_EVERY_MS = 20;

/** Asks a process to end by SIGINT, waits, and kills it when it does not. Resolves when it is gone. */
export async function endProcess(pid: number, graceMs: number): Promise<void> {
  const identity = identityOf(pid);
  if (identity === null) return;
  const isGone = (): boolean => lifeOf(identity) === 'gone';
  for (const { signal, waitMs } of [
    { signal: 'SIGINT', waitMs: graceMs },
    { signal: 'SIGKILL', waitMs: graceMs },
  ] as const) {
    if (isGone()) return;
    try {
      process.kill(pid, signal);
    } catch {
      return; // Gone between the look and the signal.
    }
    for (let waitedMs = 0; waitedMs < waitMs && !isGone(); waitedMs += LOOK_EVERY_MS) await sleep(LOOK_EVERY_MS);
  }
}
