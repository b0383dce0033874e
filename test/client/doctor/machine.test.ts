import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { missing, note, ok, renderFindings } from '../../../client/doctor/finding.js';
import { databaseFindings, nodeFinding } from '../../../client/doctor/machine.js';

test('Node is good from 20.19 on', () => {
  expect(['18.20.4', '20.18.1', '20.19.0', '24.1.0'].map((version) => nodeFinding(version).status)).toEqual([
    'missing',
    'missing',
    'ok',
    'ok',
  ]);
});

test('a database of another version of the CLI is named, with the way to see its runs', () => {
  const home = mkdtempSync(join(tmpdir(), 'home-'));
  for (const name of ['temporal-1.8.db', 'temporal-1.8.db-wal', 'temporal-1.9.db']) writeFileSync(join(home, name), '');
  const findings = databaseFindings(home, '1.9.1');
  rmSync(home, { recursive: true });
  expect(findings).toEqual([
    {
      what: 'database',
      status: 'note',
      says: `${join(home, 'temporal-1.8.db')} holds runs of an embedded server that Temporal CLI 1.8 runs`,
      fix: 'to see them, name a CLI 1.8 in DONEWHEN_TEMPORAL_CLI',
    },
  ]);
});

test('a finding is a line, and a second one with the way out', () => {
  expect(renderFindings([ok('node', '20.20.2'), missing('git', 'not on PATH', 'install git'), note('agents', 'none')])).toBe(
    ['ok       node    20.20.2', 'missing  git     not on PATH', '                 → install git', 'note     agents  none'].join('\n'),
  );
});
