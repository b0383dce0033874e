import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createForest, findTool } from '../../../activities/process/forest.js';
import { PATH } from '../../support/attempts.js';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'donewhen-forest-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const tool = (name: string, text: string) => {
  writeFileSync(join(dir, name), `#!/bin/sh\n${text}\n`);
  chmodSync(join(dir, name), 0o755);
};

it('an executable is found in the order of the path; a folder or a plain file of its name is none', () => {
  mkdirSync(join(dir, 'unshare'));
  writeFileSync(join(dir, 'sh'), 'no program');
  tool('mine', 'exit 0');
  expect([findTool('unshare', dir), findTool('sh', dir), findTool('mine', `/nowhere::${dir}`), findTool('none', dir)]).toEqual([
    null,
    null,
    join(dir, 'mine'),
    null,
  ]);
});

it('where the kernel lends no namespaces, or the tools are too old, trees are kept by marks', async () => {
  for (const name of ['sh', 'cat', 'nsenter']) symlinkSync(findTool(name, PATH) ?? '', join(dir, name));
  tool('unshare', 'echo "unshare failed: Operation not permitted" >&2; exit 1');
  tool('setpriv', 'while [ "$1" != -- ]; do shift; done; shift; exec "$@"');
  expect((await createForest(dir)).kept).toBe('marks');
  expect((await createForest('')).kept).toBe('marks');
});

it('a setpriv that knows no parent-death signal is not used', async () => {
  tool('setpriv', 'echo "unrecognized option" >&2; exit 1');
  const { forest } = await createForest(dir);
  const tree = await forest.take('mark', 'act');
  expect(tree.enter(['program', 'argument'])).toEqual(['program', 'argument']);
});
