import type { Socket } from 'node:net';
import { StringDecoder } from 'node:string_decoder';
import type { AttemptEnd } from './attempt-files.js';
import type { Program } from './job.js';

/** What the worker and its supervisor say to each other: one JSON value a line, over a socket that only this user can open. */
export type Request = { id: number } & (
  | { is: 'start'; attempt: AttemptSpec }
  /** Answered when the attempt has ended. Until then the attempt is attended. */
  | { is: 'attach'; dir: string }
  | { is: 'stop'; dir: string }
  | { is: 'look'; dir: string }
  | { is: 'run'; command: CommandSpec }
  /** Takes back an `attach` or a `run` of this connection. */
  | { is: 'cancel'; of: number }
);

export type Reply = { id: number } & (
  | { is: 'started' }
  | { is: 'claimed' }
  | { is: 'ended' }
  /** No attempt of this folder is carried out here. */
  | { is: 'unknown' }
  | { is: 'done' }
  | { is: 'seen'; state: AttemptState }
  | { is: 'ran'; result: CommandResult }
  | { is: 'fault'; error: string; code: string | null }
);

/** An attempt to carry out. Its folder exists; its files are written there. */
export interface AttemptSpec {
  token: string;
  dir: string;
  argv: string[];
  cwd: string;
  env: Record<string, string>;
  stdinFile: string | null;
  /** stdout, masked; stderr beside it as `<logFile>.err`. */
  logFile: string;
  logBytesMax: number;
  timeoutMs: number;
  /** How long it may print nothing. Absent: as long as it likes. */
  idleMs?: number;
  graceMs: number;
  /** How long it goes on when no worker attends it. */
  attendMs: number;
  /** Values that must not be kept anywhere (R16). */
  secrets: string[];
}

export interface AttemptState {
  pid: number | null;
  startedAt: number;
  bytes: number;
  lastLine: string;
  /** It has ended, and its end cannot be written: why, with the way out. */
  fault?: string;
}

/** A command to run and wait for: a check. */
export interface CommandSpec {
  program: Program;
  cwd: string;
  env: Record<string, string>;
  timeoutMs: number;
  graceMs: number;
  headBytes: number;
  tailBytes: number;
  /** A text to look for in the whole output. */
  find?: string;
  secrets: string[];
}

export interface CommandResult {
  end: AttemptEnd;
  /** Of a script both outputs as they came, of a program its stdout alone: its warnings would spoil what it answers (F11). */
  text: string;
  /** The beginning of a program's stderr. */
  errors: string;
  bytes: number;
  sha256: string;
  found: boolean;
}

/** A request carries an environment and a command line, a reply an excerpt. */
const LINE_BYTES_MAX = 8 * 1024 * 1024;

/** Calls back with each value that arrives; a peer that sends anything else is cut off. */
export function readLines(socket: Socket, onValue: (value: unknown) => void): void {
  const decoder = new StringDecoder('utf8');
  let held = '';
  socket.on('data', (chunk: Buffer) => {
    held += decoder.write(chunk);
    for (let end = held.indexOf('\n'); end >= 0; end = held.indexOf('\n')) {
      const line = held.slice(0, end);
      held = held.slice(end + 1);
      const value = parsed(line);
      if (value === undefined) socket.destroy();
      else onValue(value);
    }
    if (held.length > LINE_BYTES_MAX) socket.destroy();
  });
}

export function writeLine(socket: Socket, value: Request | Reply): void {
  if (!socket.destroyed) socket.write(`${JSON.stringify(value)}\n`);
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
