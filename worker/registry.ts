import { readdirSync, readFileSync, rmdirSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { labelOf, lifeOf, ownIdentity, type ProcessIdentity, parseIdentity } from '../activities/process/identity.js';
import { codeOf, makeFolder, writeWhole } from './files.js';

/** `own`: hosted by a command for its run, with that terminal's environment. `standing`: by `dev` or `worker`. */
export type WorkerKind = 'own' | 'standing';

/** Which server a worker serves: queues of the same name on two servers have nothing to do with each other. */
export interface ServerKey {
  server: string;
  namespace: string;
}

/** A worker that serves or served a task queue from this home, in `<home>/workers/<queue>/<pid>-<start>.json`. */
export interface WorkerRecord extends ServerKey {
  queue: string;
  kind: WorkerKind;
  /** As Temporal knows it: what it started bears this name. */
  identity: string;
  process: ProcessIdentity;
  /** When it let go of the queue; null while it serves, and for ever where it was killed. */
  endedAt: number | null;
}

/** A worker in another container shows that it lives by touching its record. */
export const TOUCH_EVERY_MS = 10_000;
const FOREIGN_STALE_MS = 60_000;
/** Longer than any activity waits for a heartbeat of a worker that is gone. */
const RECORD_AGE_MS_MAX = 7 * 86_400_000;

function folderOf(home: string, queue: string): string {
  return join(home, 'workers', encodeURIComponent(queue));
}

/** Temporal's name for a worker of this process: it says on which host, and which process, started an activity. */
export function workerIdentityOf(hostId: string): string {
  const { pid, start } = ownIdentity();
  return `donewhen:${hostId}:${pid}:${start}`;
}

export interface Registration {
  touch(): void;
  /** Called when the worker has let go of the queue. The record stays: what it left open can be told from it. */
  end(): void;
}

const REGISTER_TRIES_MAX = 10;

/** Makes a worker known, before it takes its first task. */
export function registerWorker(home: string, worker: Omit<WorkerRecord, 'process' | 'endedAt'>): Registration {
  const record: WorkerRecord = { ...worker, process: ownIdentity(), endedAt: null };
  const file = join(folderOf(home, worker.queue), `${labelOf(record.process)}.json`);
  write(file, folderOf(home, worker.queue), record);
  removeOld(home);
  return {
    touch: () => {
      const now = new Date();
      try {
        utimesSync(file, now, now);
      } catch {
        write(file, folderOf(home, worker.queue), record);
      }
    },
    end: () => write(file, folderOf(home, worker.queue), { ...record, endedAt: Date.now() }),
  };
}

/** Whoever clears a closed run's folder away may do so between our two steps. */
function write(file: string, folder: string, record: WorkerRecord): void {
  for (let tries = 1; ; tries++) {
    makeFolder(folder);
    try {
      writeWhole(file, JSON.stringify(record));
      return;
    } catch (error) {
      if (codeOf(error) !== 'ENOENT' || tries >= REGISTER_TRIES_MAX) throw error;
    }
  }
}

/** The workers of a queue, other than this process, by whether they still serve it. */
export function workersOf(home: string, queue: string, key: ServerKey): { living: WorkerRecord[]; gone: WorkerRecord[] } {
  const folder = folderOf(home, queue);
  const living: WorkerRecord[] = [];
  const gone: WorkerRecord[] = [];
  for (const name of jsonIn(folder)) {
    const record = readRecord(join(folder, name));
    if (record === null || record.server !== key.server || record.namespace !== key.namespace) continue;
    if (labelOf(record.process) === labelOf(ownIdentity())) continue;
    (serves(record, join(folder, name)) ? living : gone).push(record);
  }
  return { living, gone };
}

/** The queues that a worker of this home ever served and nobody cleared away. */
export function knownQueues(home: string): string[] {
  return namesIn(join(home, 'workers')).map(decodeURIComponent);
}

/** Clears a queue away whose run is closed, and which this process does not serve. Stays where a worker registers at the same moment. */
export function forgetQueue(home: string, queue: string, key: ServerKey): void {
  const folder = folderOf(home, queue);
  const { living, gone } = workersOf(home, queue, key);
  if (living.length > 0) return;
  for (const { process } of [...gone, { process: ownIdentity() }]) rmSync(join(folder, `${labelOf(process)}.json`), { force: true });
  removeEmpty(folder);
}

function serves(record: WorkerRecord, file: string): boolean {
  if (record.endedAt !== null) return false;
  const life = lifeOf(record.process);
  return life === 'elsewhere' ? ageMs(file) < FOREIGN_STALE_MS : life === 'alive';
}

function removeOld(home: string): void {
  for (const queue of knownQueues(home)) {
    const folder = folderOf(home, queue);
    const old = jsonIn(folder).filter((name) => ageMs(join(folder, name)) > RECORD_AGE_MS_MAX);
    for (const name of old) rmSync(join(folder, name), { force: true });
    if (old.length > 0) removeEmpty(folder);
  }
}

function removeEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // Not empty: of another server, or of a worker that has just come.
  }
}

function readRecord(file: string): WorkerRecord | null {
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (typeof value !== 'object' || value === null) return null;
    const { queue, kind, identity, server, namespace, process, endedAt } = value as Record<string, unknown>;
    const parsed = parseIdentity(process);
    if (parsed === null || typeof queue !== 'string' || typeof identity !== 'string') return null;
    if (typeof server !== 'string' || typeof namespace !== 'string') return null;
    const known = { queue, identity, server, namespace, process: parsed };
    return { ...known, kind: kind === 'own' ? 'own' : 'standing', endedAt: typeof endedAt === 'number' ? endedAt : null };
  } catch {
    return null;
  }
}

function ageMs(file: string): number {
  const stat = statSync(file, { throwIfNoEntry: false });
  return stat === undefined ? 0 : Date.now() - stat.mtimeMs;
}

function jsonIn(folder: string): string[] {
  return namesIn(folder).filter((name) => name.endsWith('.json'));
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
