import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ownIdentity } from '../../activities/process/identity.js';
import { type Lock, takeLock } from '../../worker/lock.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lock-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function taken(): Lock {
  const result = takeLock(folder);
  if (result.is !== 'taken') throw new Error('not taken');
  return result.lock;
}

function write(generation: number, text: string): void {
  writeFileSync(join(folder, `${generation}.json`), text);
}

describe('a lock', () => {
  test('names its holder to whoever comes second', () => {
    taken();
    expect(takeLock(folder)).toEqual({ is: 'held', by: ownIdentity(), where: 'here' });
  });

  test('can be taken again once it was let go, under a new number', () => {
    taken().release();
    const second = taken();
    expect({ files: readdirSync(folder), held: second.isHeld() }).toEqual({ files: ['2.json'], held: true });
  });

  test('of a process that is gone is overtaken', () => {
    write(4, JSON.stringify({ ...ownIdentity(), start: '1' }));
    expect({ held: taken().isHeld(), files: readdirSync(folder) }).toEqual({ held: true, files: ['5.json'] });
  });

  test('of an earlier boot of this machine is overtaken, whatever runs under that pid now', () => {
    write(1, JSON.stringify({ ...ownIdentity(), boot: 'earlier!' }));
    expect(taken().isHeld()).toBe(true);
  });

  test('that was cut short while it was written is overtaken', () => {
    write(1, '{"pid": 1');
    expect(taken().isHeld()).toBe(true);
  });

  test('of another container is respected while it is fresh', () => {
    const elsewhere = { ...ownIdentity(), space: 'pid:[1]' };
    write(1, JSON.stringify(elsewhere));
    expect(takeLock(folder)).toEqual({ is: 'held', by: elsewhere, where: 'elsewhere' });
  });

  test('is lost by its holder when somebody overtook it, and letting it go then harms nobody', () => {
    const old = taken();
    write(2, JSON.stringify({ ...ownIdentity(), pid: 1, start: '1' }));
    const held = old.isHeld();
    old.release();
    expect({ held, newest: readdirSync(folder).includes('2.json') }).toEqual({ held: false, newest: true });
  });

  test('is lost when its folder is removed', () => {
    const lock = taken();
    rmSync(folder, { recursive: true });
    expect(lock.isHeld()).toBe(false);
  });

  test('is held by one process at a time, also when holders are killed', async () => {
    const counter = join(folder, 'counter');
    writeFileSync(counter, '0');
    const program = fileURLToPath(new URL('../fixtures/lock-counter.mjs', import.meta.url));
    const ends = [...Array(6).keys()].map((index) => {
      const child = spawn(process.execPath, [program, join(folder, 'lock'), counter, '20', ...(index % 2 === 0 ? ['die'] : [])], {
        stdio: ['ignore', 'ignore', 'inherit'],
      });
      return new Promise((resolve) => child.once('exit', (code, signal) => resolve(signal ?? code)));
    });
    expect({ ends: await Promise.all(ends), sum: readFileSync(counter, 'utf8') }).toEqual({
      ends: ['SIGKILL', 0, 'SIGKILL', 0, 'SIGKILL', 0],
      sum: '120',
    });
  });
});
