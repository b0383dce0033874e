import { existsSync, lstatSync, mkdirSync, readFileSync, readlinkSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, expect, it } from 'vitest';
import { openScratch, ScratchTooLarge } from '../../../activities/observe/scratch.js';
import { openSite, type Site, sharedSupervisor } from '../../support/looks.js';

const supervisor = sharedSupervisor();
let site: Site;
beforeEach(() => {
  site = openSite(supervisor);
});
afterEach(() => site.leave());
afterAll(() => supervisor.close());

it('a scratch copy has everything but our own records, with the given files as they were', async () => {
  site.write('src/a.txt', 'a');
  site.write('tests/t.mjs', 'changed');
  site.write('node_modules/x/index.js', 'x');
  site.write('.hidden', 'h');
  symlinkSync('src/a.txt', join(site.workspace, 'link'));
  mkdirSync(join(site.workspace, 'empty'));
  const { dir, end } = await openScratch(site.place, [
    { path: 'tests/t.mjs', content: Buffer.from('original') },
    { path: 'gone/schema.json', content: Buffer.from('{}') },
  ]);
  const text = (path: string) => readFileSync(join(dir, path), 'utf8');
  expect([text('src/a.txt'), text('tests/t.mjs'), text('gone/schema.json'), text('.hidden'), text('node_modules/x/index.js')]).toEqual([
    'a',
    'original',
    '{}',
    'h',
    'x',
  ]);
  expect([readlinkSync(join(dir, 'link')), lstatSync(join(dir, 'node_modules')).isSymbolicLink(), existsSync(join(dir, 'empty'))]).toEqual([
    'src/a.txt',
    true,
    true,
  ]);
  expect(existsSync(join(dir, '.donewhen'))).toBe(false);
  await end();
  expect(existsSync(dir)).toBe(false);
  expect(readFileSync(join(site.workspace, 'tests/t.mjs'), 'utf8')).toBe('changed');
});

it('a workspace with more than its limits is not copied, and nothing is left of the try', async () => {
  site.write('a', 'x'.repeat(100));
  site.write('b', 'y');
  await expect(openScratch(site.place, [], { bytesMax: 50, filesMax: 10 })).rejects.toThrow(ScratchTooLarge);
  await expect(openScratch(site.place, [], { bytesMax: 500, filesMax: 1 })).rejects.toThrow(ScratchTooLarge);
});
