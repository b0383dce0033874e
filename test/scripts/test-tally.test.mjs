import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readTally } from '../../scripts/test-tally.mjs';

let folder;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'donewhen-tally-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const file = (name, status, tests, message = '') => ({
  name: join(process.cwd(), name),
  status,
  message,
  assertionResults: tests.map(([test, fullName]) => ({ status: test, fullName })),
});

function tally(testResults, { status = 0, filtered = false } = {}) {
  const results = join(folder, 'results.json');
  if (testResults !== null) writeFileSync(results, JSON.stringify({ testResults }));
  return readTally({ project: 'fast', results, status, filtered });
}

it('passed, failed and skipped tests are counted, and all but the passed ones are named', () => {
  const results = [
    file('a.test.ts', 'failed', [
      ['passed', 'one'],
      ['failed', 'two'],
    ]),
    file('b.test.ts', 'passed', [['skipped', 'three']]),
  ];
  expect(tally(results, { status: 1 })).toEqual({ passed: 1, failures: ['a.test.ts: two'], skipped: ['b.test.ts: three'] });
});

it('a file that cannot be loaded is one failure, though it has no tests', () => {
  const results = [
    file('a.test.ts', 'failed', [], 'Cannot find module x\nimported from a'),
    file('b.test.ts', 'passed', [['passed', 'one']]),
  ];
  expect(tally(results, { status: 1 })).toEqual({ passed: 1, failures: ['a.test.ts: Cannot find module x'], skipped: [] });
});

it('a bad end without a failed test is a failure', () => {
  const results = [file('a.test.ts', 'passed', [['passed', 'one']])];
  expect(tally(results, { status: 'timeout' }).failures).toEqual(['project fast: vitest ended with timeout']);
});

it('no results are a failure', () => {
  expect(tally(null).failures).toEqual(['project fast: no results (vitest ended with 0)']);
});

it('a project in which nothing ran is a failure, unless a filter was given', () => {
  expect([tally([]).failures, tally([], { filtered: true }).failures]).toEqual([['project fast: nothing ran'], []]);
});
