import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cacheOf, homeOf, hostIdOf, makeHome } from '../../worker/home.js';

test.skipIf(process.platform === 'darwin')('the home is the system’s data folder unless DONEWHEN_HOME names another', () => {
  expect([
    homeOf({ HOME: '/u' }),
    homeOf({ HOME: '/u', XDG_DATA_HOME: '/data' }),
    homeOf({ HOME: '/u', XDG_DATA_HOME: 'relative' }),
    homeOf({ HOME: '/u', DONEWHEN_HOME: '' }),
    homeOf({ HOME: '/u', DONEWHEN_HOME: '/private' }),
  ]).toEqual([
    { path: '/u/.local/share/donewhen', from: 'default' },
    { path: '/data/donewhen', from: 'default' },
    { path: '/u/.local/share/donewhen', from: 'default' },
    { path: '/u/.local/share/donewhen', from: 'default' },
    { path: '/private', from: 'given' },
  ]);
});

test('downloads are kept outside the home, so that a private home does not download again', () => {
  expect([cacheOf({ HOME: '/u', DONEWHEN_HOME: '/private' }), cacheOf({ HOME: '/u', XDG_CACHE_HOME: '/cache' })]).toEqual([
    '/u/.cache/donewhen',
    '/cache/donewhen',
  ]);
});

test('a host keeps its id', () => {
  const path = mkdtempSync(join(tmpdir(), 'home-'));
  const ids = [hostIdOf({ path, from: 'given' }), hostIdOf({ path, from: 'given' })];
  rmSync(path, { recursive: true });
  expect({ same: ids[0] === ids[1], form: /^[0-9a-f]{8}$/.test(ids[0] ?? '') }).toEqual({ same: true, form: true });
});

test.skipIf(process.platform !== 'linux')('a home that cannot be made is a fault at once, not one that is tried for ever', () => {
  expect(() => makeHome({ path: '/proc/nope/deep', from: 'given' })).toThrow(/ENOENT/);
});
