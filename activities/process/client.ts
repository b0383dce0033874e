import { spawn } from 'node:child_process';
import { closeSync, existsSync, mkdtempSync, openSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Asked, type Connection, openConnection } from './connection.js';
import type { CommandResult, CommandSpec, Reply } from './wire.js';

/** The worker's hand on its supervisor: a process that is started with the first request, and again should it have died. */
export interface Supervisor {
  /** Starts it now, so that the first check need not wait for it. */
  ready(): Promise<void>;
  /** Runs a command to its end, in a tree of its own. `signal` ends it early. Rejects when the supervisor dies meanwhile. */
  run(command: CommandSpec, signal?: AbortSignal): Promise<CommandResult>;
  ask(asked: Asked, signal?: AbortSignal): Promise<Reply>;
  /** Leaves it alone; it ends by itself once its attempts have. */
  close(): void;
}

/** A request that the supervisor could not fulfil, with the system's own word for why (`ENOSPC`). */
export class SupervisorFault extends Error {
  constructor(
    message: string,
    readonly code: string | null,
  ) {
    super(message);
  }
}

const READY_MS = 15_000;
const LOG_FILE = 'supervisor.log';
/** It holds no output and little else: a small heap keeps starting programs cheap. */
const HEAP_MB_MAX = 128;

/** `searchPath` is where the tools that keep process trees together are looked for. */
export function createSupervisor(options: { searchPath: string; entry?: string }): Supervisor {
  const entry = options.entry ?? compiledEntry();
  let connection: Promise<Connection> | null = null;
  let closed = false;
  const connected = (): Promise<Connection> => {
    if (closed) return Promise.reject(new Error('this worker has let go of its supervisor'));
    connection ??= launch(entry, options.searchPath, (dir) => {
      connection = null;
      if (!closed) removeUnlessItSpoke(dir);
    });
    connection.catch(() => {
      connection = null;
    });
    return connection;
  };
  const ask = async (asked: Asked, signal?: AbortSignal): Promise<Reply> => {
    const reply = await (await connected()).ask(asked, signal);
    if (reply.is === 'fault') throw new SupervisorFault(reply.error, reply.code);
    return reply;
  };
  return {
    ready: async () => void (await connected()),
    run: async (command, signal) => {
      const reply = await ask({ is: 'run', command }, signal);
      if (reply.is !== 'ran') throw new Error(`the supervisor answered a command with ${reply.is}`);
      return reply.result;
    },
    ask,
    close: () => {
      closed = true;
      void connection?.then((open) => open.close()).catch(() => undefined);
    },
  };
}

/** Starts a supervisor in a session of its own, so that nothing which ends this worker ends it too. */
async function launch(entry: string, searchPath: string, onEnd: (dir: string) => void): Promise<Connection> {
  // A socket's path may be no longer than about a hundred characters: not in the run's folder.
  const dir = mkdtempSync(join(tmpdir(), 'dw-'));
  const socketPath = join(dir, 's');
  const errors = openSync(join(dir, LOG_FILE), 'a', 0o600);
  try {
    const args = [`--max-old-space-size=${HEAP_MB_MAX}`, entry, socketPath, searchPath];
    const child = spawn(process.execPath, args, { detached: true, stdio: ['ignore', 'pipe', errors], env: {}, cwd: '/' });
    await new Promise<void>((resolve, reject) => {
      const limit = setTimeout(() => reject(new Error(`the supervisor did not start; see ${dir}/${LOG_FILE}`)), READY_MS);
      const settle = (then: () => void) => {
        clearTimeout(limit);
        then();
      };
      child.stdout?.once('data', () => settle(resolve));
      child.once('error', (error) => settle(() => reject(error)));
      child.once('exit', () => settle(() => reject(new Error(`the supervisor ended at once; see ${dir}/${LOG_FILE}`))));
    });
    child.stdout?.destroy();
    child.unref();
    return await openConnection(socketPath, () => onEnd(dir));
  } catch (error) {
    if (existsSync(entry)) throw error;
    rmSync(dir, { recursive: true, force: true });
    throw new Error(`${entry} is missing: build it with npm run build`);
  } finally {
    closeSync(errors);
  }
}

/** A supervisor that was killed leaves its folder. One that broke left words in it, for whoever wants to know why. */
function removeUnlessItSpoke(dir: string): void {
  try {
    if (statSync(join(dir, LOG_FILE)).size === 0) rmSync(dir, { recursive: true, force: true });
  } catch {
    // It is gone already.
  }
}

/** The compiled supervisor, also where the sources themselves run, as in the tests: plain Node starts it. */
function compiledEntry(): string {
  const here = fileURLToPath(import.meta.url);
  if (here.endsWith('.js')) return join(dirname(here), 'supervisor.js');
  return join(dirname(here), '..', '..', 'dist', 'activities', 'process', 'supervisor.js');
}
