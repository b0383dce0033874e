import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type Outcome, readClaim } from '../../activities/process/attempt-files.js';
import { carryOut, type Orders } from '../../activities/process/attend.js';
import { createSupervisor, type Supervisor } from '../../activities/process/client.js';
import type { AttemptSpec, CommandSpec } from '../../activities/process/wire.js';

export const PATH = process.env.PATH ?? '';
const FIXTURES = join(dirname(dirname(fileURLToPath(import.meta.url))), 'fixtures');

export function performer(name: string, ...args: string[]): string[] {
  const file = join(FIXTURES, 'performers', name);
  return [name.endsWith('.mjs') ? process.execPath : 'sh', file, ...args];
}

export function fixture(name: string): string {
  return join(FIXTURES, name);
}

/** A folder of its own for one test, gone afterwards. */
export interface Room {
  dir: string;
  supervisor: Supervisor;
  /** An attempt whose folder is there; nothing has claimed it. */
  attempt(token: string, more: Partial<AttemptSpec>): AttemptSpec;
  command(script: string, more?: Partial<CommandSpec>): CommandSpec;
  /** As a crash would: SIGKILL. */
  killSupervisor(): Promise<void>;
  leave(): Promise<void>;
}

/** With a supervisor of its own, which ends with it, or with one that rooms share. */
export function openRoom(shared?: Supervisor): Room {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'donewhen-attempts-')));
  const supervisor = shared ?? createSupervisor({ searchPath: PATH });
  const env = { PATH };
  return {
    dir,
    supervisor,
    attempt: (token, more) => {
      const folder = join(dir, token);
      mkdirSync(folder, { recursive: true });
      const limits = { logBytesMax: 1024 * 1024, timeoutMs: 60_000, graceMs: 200, attendMs: 60_000 };
      const files = { dir: folder, logFile: join(folder, 'output.log'), stdinFile: null };
      return { token, cwd: dir, argv: ['true'], env, secrets: [], ...files, ...limits, ...more };
    },
    command: (script, more) => {
      const limits = { timeoutMs: 60_000, graceMs: 200, headBytes: 4096, tailBytes: 4096 };
      return { program: { script }, cwd: dir, env, secrets: [], ...limits, ...more };
    },
    killSupervisor: async () => {
      // A claim says who the supervisor is.
      const folder = join(dir, 'who');
      mkdirSync(folder, { recursive: true });
      const limits = { logBytesMax: 1024, timeoutMs: 60_000, graceMs: 200, attendMs: 60_000 };
      const files = { dir: folder, logFile: join(folder, 'output.log'), stdinFile: null };
      await supervisor.ask({ is: 'start', attempt: { token: 'who', cwd: dir, argv: ['true'], env, secrets: [], ...files, ...limits } });
      const claim = readClaim(folder);
      if (claim === null || claim === 'unreadable') throw new Error('the supervisor did not claim');
      process.kill(claim.supervisor.pid, 'SIGKILL');
    },
    leave: async () => {
      if (shared === undefined) supervisor.close();
      rmSync(dir, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Orders that a test gives while it attends. */
export function ordersOf(order: 'stop' | 'leave'): { orders: Orders; give(): void } {
  const controller = new AbortController();
  return { orders: { signal: controller.signal, order: () => order }, give: () => controller.abort(new Error('told to')) };
}

export function carriedOut(room: Room, spec: AttemptSpec, orders: Orders = ordersOf('leave').orders): Promise<Outcome | 'lost'> {
  return carryOut(spec, { supervisor: room.supervisor, orders, onLook: () => undefined });
}

/** Living processes of this host whose command line has this word. */
export function processesWith(word: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => {
      try {
        return readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ');
      } catch {
        return '';
      }
    })
    .filter((line) => line.includes(word));
}

/** Waits for something that is bound to come; the test's own limit ends the wait. */
export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await sleep(20);
}

/** A number of seconds that no other test sleeps. */
export function uniqueSeconds(): string {
  return `${7000 + Math.floor(Math.random() * 1000)}.${String(Math.random()).slice(2, 10)}`;
}
