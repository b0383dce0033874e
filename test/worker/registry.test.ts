import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ownIdentity, type ProcessIdentity } from '../../activities/process/identity.js';
import { forgetQueue, knownQueues, registerWorker, type WorkerRecord, workersOf } from '../../worker/registry.js';

const key = { server: 'embedded', namespace: 'default' };
const queue = 'donewhen-run-demo';
let home: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'registry-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

function register() {
  return registerWorker(home, { ...key, queue, kind: 'own', identity: 'donewhen:host:1:2' });
}

/** The record of another process, as it would have written it. */
function writeOther(process: Partial<ProcessIdentity>, more: Partial<WorkerRecord> = {}): string {
  register();
  const folder = join(home, 'workers', queue);
  const [own] = readdirSync(folder);
  const record: WorkerRecord = JSON.parse(readFileSync(join(folder, own ?? ''), 'utf8'));
  rmSync(join(folder, own ?? ''));
  const other = { ...ownIdentity(), ...process };
  const file = join(folder, `${other.pid}-${other.start}.json`);
  writeFileSync(file, JSON.stringify({ ...record, process: other, ...more }));
  return file;
}

function counts(): { living: number; gone: number } {
  const { living, gone } = workersOf(home, queue, key);
  return { living: living.length, gone: gone.length };
}

describe('the register of workers', () => {
  test('does not name this process: nobody succeeds himself', () => {
    register();
    expect(counts()).toEqual({ living: 0, gone: 0 });
  });

  test('counts one whose process is gone as gone', () => {
    writeOther({ start: '1' });
    expect(counts()).toEqual({ living: 0, gone: 1 });
  });

  test('counts one that let go as gone, also while its process lives on', () => {
    writeOther({ pid: process.ppid, start: parentStart() }, { endedAt: 5 });
    expect(counts()).toEqual({ living: 0, gone: 1 });
  });

  test('counts one whose process lives as living', () => {
    writeOther({ pid: process.ppid, start: parentStart() });
    expect(counts()).toEqual({ living: 1, gone: 0 });
  });

  test('counts one in another container as living while it touches its record', () => {
    const file = writeOther({ pid: 7, space: 'pid:[1]' });
    const fresh = counts();
    utimesSync(file, 0, 0);
    expect({ fresh, old: counts() }).toEqual({ fresh: { living: 1, gone: 0 }, old: { living: 0, gone: 1 } });
  });

  test('keeps servers apart: the same queue name on two of them means two things', () => {
    writeOther({ start: '1' }, { server: 'cluster:7233' });
    expect(counts()).toEqual({ living: 0, gone: 0 });
  });

  test('forgets a queue with its dead workers, and not one that has a living worker', () => {
    writeOther({ start: '1' });
    forgetQueue(home, queue, key);
    const afterDead = knownQueues(home);
    writeOther({ pid: process.ppid, start: parentStart() });
    forgetQueue(home, queue, key);
    expect({ afterDead, afterLiving: knownQueues(home) }).toEqual({ afterDead: [], afterLiving: [queue] });
  });

  test('comes back when its folder was cleared away while it served', () => {
    const registration = register();
    rmSync(join(home, 'workers'), { recursive: true });
    registration.touch();
    expect(knownQueues(home)).toEqual([queue]);
  });

  test('drops records that are older than any activity', () => {
    const file = writeOther({ start: '1' });
    utimesSync(file, 0, 0);
    register();
    expect(counts()).toEqual({ living: 0, gone: 0 });
  });
});

function parentStart(): string {
  const stat = readFileSync(`/proc/${process.ppid}/stat`, 'utf8');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
}
