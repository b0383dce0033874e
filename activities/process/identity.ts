import { execFileSync } from 'node:child_process';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname, platform } from 'node:os';

/**
 * A process that can be recognised later. A pid alone is given out again; together with the time it began it is not,
 * within one `space`: one boot of one machine, and there one pid namespace.
 */
export interface ProcessIdentity {
  pid: number;
  start: string;
  space: string;
}

/** `elsewhere`: after a restart, in another container or on another machine, where our process table says nothing of it. */
export type Life = 'alive' | 'gone' | 'elsewhere';

const PS_TIMEOUT_MS = 5_000;

/** The process that has this pid now. null: there is none, or it has ended and only waits to be collected. */
export function identityOf(pid: number): ProcessIdentity | null {
  const start = platform() === 'linux' ? startInProc(pid) : startInPs(pid);
  return start === null ? null : { pid, start, space: currentSpace() };
}

/** This process. */
export function ownIdentity(): ProcessIdentity {
  const own = identityOf(process.pid);
  if (own === null) throw new Error('cannot read when this process began: neither /proc nor ps answers');
  return own;
}

/** Whether a process that was seen earlier still runs. */
export function lifeOf(identity: ProcessIdentity): Life {
  if (identity.space !== currentSpace()) return 'elsewhere';
  return identityOf(identity.pid)?.start === identity.start ? 'alive' : 'gone';
}

/** Reads an identity back from JSON. What is not readable identifies nobody. */
export function parseIdentity(value: unknown): ProcessIdentity | null {
  if (typeof value !== 'object' || value === null) return null;
  const { pid, start, space } = value as Record<string, unknown>;
  if (typeof pid !== 'number' || !Number.isSafeInteger(pid) || pid <= 0) return null;
  return typeof start === 'string' && typeof space === 'string' ? { pid, start, space } : null;
}

/** What a process was started as; nothing when there is none. */
export function commandLineOf(pid: number): string {
  if (platform() === 'linux') return orEmpty(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' '));
  return orEmpty(() => execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { timeout: PS_TIMEOUT_MS, encoding: 'utf8' }));
}

let space: string | null = null;

function currentSpace(): string {
  space ??= `${hostname()} ${orEmpty(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim())} ${orEmpty(() => readlinkSync('/proc/self/ns/pid'))}`;
  return space;
}

function startInProc(pid: number): string | null {
  const stat = orEmpty(() => readFileSync(`/proc/${pid}/stat`, 'utf8'));
  // The name stands in parentheses and may itself hold spaces and parentheses: fields count from the last one.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state, start] = [fields[0], fields[19]];
  return start === undefined || state === 'Z' || state === 'X' ? null : start;
}

function startInPs(pid: number): string | null {
  const words = orEmpty(() =>
    execFileSync('ps', ['-o', 'state=,lstart=', '-p', String(pid)], { timeout: PS_TIMEOUT_MS, encoding: 'utf8' }).trim(),
  );
  const [state, ...started] = words.split(/\s+/);
  return state === undefined || state === '' || state.startsWith('Z') ? null : started.join(' ');
}

function orEmpty(read: () => string): string {
  try {
    return read();
  } catch {
    return '';
  }
}
