import { execFileSync } from 'node:child_process';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname, platform } from 'node:os';

/**
 * A process that can be recognised later. A pid alone is given out again; together with the time it began it is not, within
 * one `space`: a boot of one machine, and there one pid namespace.
 */
export interface ProcessIdentity {
  pid: number;
  start: string;
  machine: string;
  boot: string;
  space: string;
}

/** `elsewhere`: in another container or on another machine, where our process table says nothing of it. */
export type Life = 'alive' | 'gone' | 'elsewhere';

const PS_TIMEOUT_MS = 5_000;

let own: ProcessIdentity | null = null;

/** This process. */
export function ownIdentity(): ProcessIdentity {
  own ??= identityOf(process.pid);
  if (own === null) throw new Error('cannot read when this process began: neither /proc nor ps answers');
  return own;
}

/** The process that has this pid now. null: there is none, or it has ended and only waits to be collected. */
export function identityOf(pid: number): ProcessIdentity | null {
  const start = startOf(pid);
  return start === null ? null : { pid, start, ...here() };
}

/** Whether a process that was seen earlier still runs. Zombies are gone: they act no more. */
export function lifeOf(identity: ProcessIdentity): Life {
  const now = here();
  if (identity.machine !== now.machine) return 'elsewhere';
  // Nothing outlives a restart of its machine.
  if (identity.boot !== now.boot) return 'gone';
  if (identity.space !== now.space) return 'elsewhere';
  return startOf(identity.pid) === identity.start ? 'alive' : 'gone';
}

export function sameProcess(a: ProcessIdentity, b: ProcessIdentity): boolean {
  return a.pid === b.pid && a.start === b.start && a.space === b.space && a.boot === b.boot && a.machine === b.machine;
}

/** For file names. */
export function labelOf(identity: ProcessIdentity): string {
  return `${identity.pid}-${identity.start}`;
}

/** Reads an identity back from JSON. What is not readable identifies nobody. */
export function parseIdentity(value: unknown): ProcessIdentity | null {
  if (typeof value !== 'object' || value === null) return null;
  const { pid, start, machine, boot, space } = value as Record<string, unknown>;
  if (typeof pid !== 'number' || !Number.isSafeInteger(pid) || pid <= 0) return null;
  if (typeof start !== 'string' || typeof machine !== 'string' || typeof boot !== 'string' || typeof space !== 'string') return null;
  return { pid, start, machine, boot, space };
}

/** What a process was started as; nothing when there is none. */
export function commandLineOf(pid: number): string {
  if (platform() === 'linux') return orEmpty(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' '));
  return orEmpty(() => execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { timeout: PS_TIMEOUT_MS, encoding: 'utf8' }));
}

/** The machine's own id, or null where the system has none. */
export function machineId(): string | null {
  for (const file of ['/etc/machine-id', '/var/lib/dbus/machine-id']) {
    const id = orEmpty(() => readFileSync(file, 'utf8')).trim();
    if (id !== '') return id;
  }
  return platform() === 'darwin' ? hostname() : null;
}

let place: Pick<ProcessIdentity, 'machine' | 'boot' | 'space'> | null = null;

function here(): Pick<ProcessIdentity, 'machine' | 'boot' | 'space'> {
  place ??= {
    // Containers of one image have its machine id; each has a host name of its own.
    machine: `${machineId() ?? ''} ${hostname()}`,
    boot: orEmpty(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()),
    space: orEmpty(() => readlinkSync('/proc/self/ns/pid')),
  };
  return place;
}

function startOf(pid: number): string | null {
  return platform() === 'linux' ? startInProc(pid) : startInPs(pid);
}

function startInProc(pid: number): string | null {
  const stat = orEmpty(() => readFileSync(`/proc/${pid}/stat`, 'utf8'));
  // The name stands in parentheses and may itself hold spaces and parentheses: fields count from the last one.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state, start] = [fields[0], fields[19]];
  return state === undefined || start === undefined || state === 'Z' || state === 'X' ? null : start;
}

function startInPs(pid: number): string | null {
  const words = orEmpty(() =>
    execFileSync('ps', ['-o', 'state=,lstart=', '-p', String(pid)], { timeout: PS_TIMEOUT_MS, encoding: 'utf8' }).trim(),
  );
  const [state, ...started] = words.split(/\s+/);
  if (state === undefined || state === '' || state.startsWith('Z') || started.length === 0) return null;
  return String(Date.parse(started.join(' ')) / 1000);
}

function orEmpty(read: () => string): string {
  try {
    return read();
  } catch {
    return '';
  }
}
