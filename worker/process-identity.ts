import { execFileSync } from 'node:child_process';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname, platform } from 'node:os';
import { machineId } from './home.js';

/**
 * A process that can be recognised later. A pid alone is reused; with its start time it is not, within one `space`: a
 * boot of one machine, and there one pid namespace.
 */
export interface ProcessIdentity {
  pid: number;
  start: string;
  machine: string;
  boot: string;
  space: string;
}

/** `elsewhere`: on another machine or in another container, where a pid says nothing to us. */
export type Life = 'alive' | 'gone' | 'elsewhere';

let own: ProcessIdentity | null = null;

/** This process. */
export function ownIdentity(): ProcessIdentity {
  own ??= identityOf(process.pid);
  if (own === null) throw new Error('cannot read the start time of this process: /proc or ps is missing');
  return own;
}

/** The process that has this pid now, or null when there is none. */
export function identityOf(pid: number): ProcessIdentity | null {
  const start = startOf(pid);
  return start === null ? null : { pid, start, ...here() };
}

/** Whether a process that was seen earlier still runs. Zombies are gone: they act no more. */
export function lifeOf(identity: ProcessIdentity): Life {
  const now = here();
  if (identity.boot !== now.boot) return identity.machine === now.machine ? 'gone' : 'elsewhere';
  if (identity.space !== now.space || identity.machine !== now.machine) return 'elsewhere';
  return startOf(identity.pid) === identity.start ? 'alive' : 'gone';
}

export function sameProcess(a: ProcessIdentity, b: ProcessIdentity): boolean {
  return a.pid === b.pid && a.start === b.start && a.space === b.space && a.boot === b.boot && a.machine === b.machine;
}

/** For file names and worker identities. */
export function labelOf(identity: ProcessIdentity): string {
  return `${identity.pid}-${identity.start}`;
}

/** Reads an identity back from JSON, or null: a file that says nothing readable proves nothing. */
export function parseIdentity(value: unknown): ProcessIdentity | null {
  if (typeof value !== 'object' || value === null) return null;
  const { pid, start, machine, boot, space } = value as Record<string, unknown>;
  if (typeof pid !== 'number' || !Number.isSafeInteger(pid) || pid <= 0) return null;
  if (typeof start !== 'string' || typeof machine !== 'string' || typeof boot !== 'string' || typeof space !== 'string') return null;
  return { pid, start, machine, boot, space };
}

let place: Pick<ProcessIdentity, 'machine' | 'boot' | 'space'> | null = null;

function here(): Pick<ProcessIdentity, 'machine' | 'boot' | 'space'> {
  place ??= {
    machine: machineId() ?? hostname(),
    boot: readOr('/proc/sys/kernel/random/boot_id', '').trim().slice(0, 8),
    space: linkOr('/proc/self/ns/pid', ''),
  };
  return place;
}

function startOf(pid: number): string | null {
  return platform() === 'linux' ? startFromProc(pid) : startFromPs(pid);
}

function startFromProc(pid: number): string | null {
  const stat = readOr(`/proc/${pid}/stat`, '');
  // The command's name stands in parentheses and may hold spaces and parentheses itself; fields are counted after the last one.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state, start] = [fields[0], fields[19]];
  return state === undefined || start === undefined || state === 'Z' || state === 'X' ? null : start;
}

const PS_TIMEOUT_MS = 5_000;

function startFromPs(pid: number): string | null {
  try {
    const words = execFileSync('ps', ['-o', 'state=,lstart=', '-p', String(pid)], { timeout: PS_TIMEOUT_MS, encoding: 'utf8' }).trim();
    const [state, ...started] = words.split(/\s+/);
    if (state === undefined || state.startsWith('Z') || started.length === 0) return null;
    return String(Date.parse(started.join(' ')) / 1000);
  } catch {
    return null; // ps exits 1 when there is no such process.
  }
}

function readOr(file: string, otherwise: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return otherwise;
  }
}

function linkOr(file: string, otherwise: string): string {
  try {
    return readlinkSync(file);
  } catch {
    return otherwise;
  }
}
