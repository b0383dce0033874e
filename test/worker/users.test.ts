import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ownIdentity } from '../../activities/process/identity.js';
import { countUsers, registerUser } from '../../worker/users.js';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'users-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

test('a process may use a server more than once, and each use ends on its own', () => {
  const [first, second] = [registerUser(home), registerUser(home)];
  const counts = [countUsers(home)];
  first.leave();
  counts.push(countUsers(home));
  second.leave();
  counts.push(countUsers(home));
  expect(counts).toEqual([2, 1, 0]);
});

test('a user whose process is gone does not count and is struck off', () => {
  mkdirSync(join(home, 'users'));
  writeFileSync(join(home, 'users', '1-1-dead'), JSON.stringify({ ...ownIdentity(), start: '1' }));
  expect({ count: countUsers(home), files: readdirSync(join(home, 'users')) }).toEqual({ count: 0, files: [] });
});

test('a home that was removed has no users', () => {
  rmSync(home, { recursive: true });
  expect(countUsers(home)).toBe(0);
});
