import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import type { Readable } from 'node:stream';
import type { AttemptEnd } from './attempt-files.js';
import { ATTEMPT_MARK, type Tree } from './tree.js';

/** `argv` is never read by a shell; a script is, and its two outputs come as one, in the order in which it wrote. */
export type Program = { argv: readonly string[] } | { script: string };

/** A program to run inside a tree. */
export interface Job {
  program: Program;
  cwd: string;
  env: Readonly<Record<string, string>>;
  mark: string;
  /** Its standard input; null: nothing to read. It is never a terminal and never stays open (an agent would wait for it). */
  stdinFile: string | null;
  timeoutMs: number;
  /** How long it may print nothing. Absent: as long as it likes. */
  idleMs?: number;
  graceMs: number;
  /** How long little output may wait in its pipe, so that a program which prints line by line does not wake us for each. */
  restMs?: number;
  onStdout(chunk: Buffer): void;
  onStderr(chunk: Buffer): void;
}

export interface RunningJob {
  pid: number | null;
  /** Resolves when the program and its whole tree have ended and all their output was handed over. */
  ended: Promise<AttemptEnd>;
  /** Asks the program to end, then makes it. The first reason stands. */
  stop(why: 'stop' | 'unattended'): void;
}

/** How long a program that was asked to end may take for it (docs/decisions/0002-process-trees.md). */
export const GRACE_MS = 5_000;
/** What timers can hold; a longer limit is none. */
const TIMEOUT_MS_MAX = 2 ** 31 - 1;
const GROUP_LOOK_MS = 50;
/** After the tree has ended nobody holds the pipes; where trees are only marked, somebody might. */
const DRAIN_MS_MAX = 2_000;
/** Far less than a pipe holds. */
const LITTLE_BYTES = 8 * 1024;

/** Changing the directory is the first step inside: entering a mount namespace from outside would undo it. */
const ENTER = 'cd -- "$1" || exit 126; shift;';

function entry(program: Program, cwd: string): string[] {
  const script = 'argv' in program && isScript(program.argv) ? program.argv[2] : undefined;
  if (script !== undefined) return ['/bin/sh', '-c', `${ENTER} ${script}`, '/bin/sh', cwd];
  if ('script' in program) return ['/bin/sh', '-c', `${ENTER} exec 2>&1; ${program.script}`, 'sh', cwd];
  return ['/bin/sh', '-c', `${ENTER} exec "$@"`, 'sh', cwd, ...program.argv];
}

/** `/bin/sh -c SCRIPT` and nothing more: the shell that enters can read it itself, which saves one. */
function isScript(argv: readonly string[]): boolean {
  return argv.length === 3 && argv[0] === '/bin/sh' && argv[1] === '-c';
}

/** Starts the program. `release` ends its tree (or hands it on clean) once the program itself has ended. */
export function startJob(job: Job, tree: Tree, release: () => Promise<void>): RunningJob {
  const spawned = spawnInside(job, tree);
  if (!('child' in spawned)) return { pid: null, ended: release().then(() => spawned), stop: () => undefined };
  const { child } = spawned;
  let cause: AttemptEnd | null = null;
  let hasExited = false;
  let graceTimer: NodeJS.Timeout | null = null;
  const cut = (why: AttemptEnd) => {
    if (cause !== null || hasExited) return;
    cause = why;
    const signal = (name: NodeJS.Signals) => child.pid !== undefined && tree.signal(child.pid, name);
    signal('SIGTERM');
    graceTimer = setTimeout(() => {
      signal('SIGKILL');
      void tree.end();
    }, job.graceMs);
  };
  const timer = setTimeout(() => cut({ is: 'timeout' }), Math.min(job.timeoutMs, TIMEOUT_MS_MAX));
  const drained = drain(child, job);
  const listening = listen(child, job.idleMs, cut);
  const exited = new Promise<AttemptEnd>((resolve) => {
    child.once('exit', (code, signal) => resolve(signal === null ? { is: 'exited', code: code ?? 0 } : { is: 'signalled', signal }));
    child.once('error', (error) => resolve({ is: 'unspawned', error: error.message }));
  });
  const ended = exited.then(async (end) => {
    if (cause !== null) await quiet(child.pid, tree, job.graceMs);
    hasExited = true;
    clearTimeout(timer);
    listening.end();
    if (graceTimer !== null) clearTimeout(graceTimer);
    await release();
    await drained();
    return cause ?? end;
  });
  return { pid: child.pid ?? null, ended, stop: (why) => cut({ is: 'cut', why }) };
}

function spawnInside(job: Job, tree: Tree): { child: ChildProcess } | Extract<AttemptEnd, { is: 'unspawned' }> {
  const [program, ...args] = tree.enter(entry(job.program, job.cwd));
  let stdin: number | null = null;
  try {
    stdin = job.stdinFile === null ? null : openSync(job.stdinFile, 'r');
    // Its own session and group: a Ctrl-C at our terminal is not meant for it, and the group can be signalled as one.
    const child = spawn(program ?? '', args, {
      env: { ...job.env, [ATTEMPT_MARK]: job.mark },
      cwd: '/',
      stdio: [stdin ?? 'ignore', 'pipe', 'pipe'],
      detached: true,
    });
    return { child };
  } catch (error) {
    return { is: 'unspawned', error: error instanceof Error ? error.message : String(error) };
  } finally {
    if (stdin !== null) closeSync(stdin);
  }
}

/** Ends a program that has printed nothing for so long. One timer a silence, and none a line: a program may print many. */
function listen(child: ChildProcess, idleMs: number | undefined, cut: (why: AttemptEnd) => void): { end(): void } {
  if (idleMs === undefined) return { end: () => undefined };
  let heardAt = performance.now();
  const heard = () => {
    heardAt = performance.now();
  };
  child.stdout?.on('data', heard);
  child.stderr?.on('data', heard);
  const look = () => {
    const leftMs = idleMs - (performance.now() - heardAt);
    if (leftMs <= 0) cut({ is: 'silent', forMs: idleMs });
    else timer = setTimeout(look, Math.min(Math.ceil(leftMs), TIMEOUT_MS_MAX));
  };
  let timer = setTimeout(look, Math.min(idleMs, TIMEOUT_MS_MAX));
  return { end: () => clearTimeout(timer) };
}

/** Empties both pipes from the first moment, and afterwards waits until they are empty. */
function drain(child: ChildProcess, { onStdout, onStderr, restMs }: Job): () => Promise<void> {
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const readings = [read(child.stdout, onStdout, restMs), read(child.stderr, onStderr, restMs)];
  return async () => {
    for (const reading of readings) reading.hurry();
    let timer: NodeJS.Timeout | undefined;
    const limit = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, DRAIN_MS_MAX);
    });
    await Promise.race([closed, limit]);
    clearTimeout(timer);
    child.stdout?.destroy();
    child.stderr?.destroy();
  };
}

/** After a little output the pipe is left alone for a while; who prints much is read without a rest. */
function read(stream: Readable | null, onChunk: (chunk: Buffer) => void, restMs = 0): { hurry(): void } {
  let isHurried = restMs === 0;
  let rest: NodeJS.Timeout | undefined;
  stream?.on('data', (chunk: Buffer) => {
    onChunk(chunk);
    if (isHurried || chunk.length >= LITTLE_BYTES) return;
    stream.pause();
    rest = setTimeout(() => stream.resume(), restMs);
  });
  return {
    hurry: () => {
      isHurried = true;
      clearTimeout(rest);
      stream?.resume();
    },
  };
}

/** The program has ended, others of its group may still be busy ending: they get the rest of the grace. */
async function quiet(leader: number | undefined, tree: Tree, graceMs: number): Promise<void> {
  for (let spentMs = 0; spentMs < graceMs; spentMs += GROUP_LOOK_MS) {
    if (leader === undefined || tree.isQuiet(leader)) return;
    await new Promise((resolve) => setTimeout(resolve, GROUP_LOOK_MS));
  }
}
