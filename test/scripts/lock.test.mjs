import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { withLock } from '../../scripts/lock.mjs';

let path;
beforeEach(() => {
  path = join(mkdtempSync(join(tmpdir(), 'donewhen-lock-')), 'lock');
});
afterEach(() => rmSync(join(path, '..'), { recursive: true, force: true }));

it('of two that want the lock, the second waits for the first', async () => {
  const order = [];
  const work = (name) => async () => {
    order.push(`${name} begins`);
    await new Promise((resolve) => setTimeout(resolve, 20));
    order.push(`${name} ends`);
  };
  await Promise.all([withLock({ path, waitMsMax: 10_000 }, work('first')), withLock({ path, waitMsMax: 10_000 }, work('second'))]);
  expect(order).toEqual(['first begins', 'first ends', 'second begins', 'second ends']);
});

it('the lock of a process that is gone is taken over', async () => {
  writeFileSync(path, String(spawnSync('true').pid));
  expect(await withLock({ path, waitMsMax: 10_000 }, async () => 'in')).toBe('in');
});

it('the lock of a living process is not, and the refusal names it', async () => {
  writeFileSync(path, String(process.pid));
  await expect(withLock({ path, waitMsMax: 0 }, async () => 'in')).rejects.toThrow(`process ${process.pid} holds ${path}`);
});

it('work that fails gives the lock back', async () => {
  await expect(withLock({ path, waitMsMax: 0 }, async () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(existsSync(path)).toBe(false);
});
