import { expect, test } from 'vitest';
import { databaseOf, serverArguments } from '../../worker/server-process.js';
import { compareAttributes } from '../../worker/server-setup.js';

const ALL = {
  DonewhenMethod: 'INDEXED_VALUE_TYPE_KEYWORD',
  DonewhenPhase: 'INDEXED_VALUE_TYPE_KEYWORD',
  DonewhenOutcome: 'INDEXED_VALUE_TYPE_KEYWORD',
  DonewhenSlug: 'INDEXED_VALUE_TYPE_KEYWORD',
  DonewhenTask: 'INDEXED_VALUE_TYPE_KEYWORD_LIST',
  DonewhenWaitingFor: 'INDEXED_VALUE_TYPE_KEYWORD_LIST',
  DonewhenTasksDone: 'INDEXED_VALUE_TYPE_INT',
  DonewhenTasksTotal: 'INDEXED_VALUE_TYPE_INT',
  DonewhenCostUsd: 'INDEXED_VALUE_TYPE_DOUBLE',
};

test('a database made by an earlier release gets the search attributes that it lacks', () => {
  const { DonewhenTask: _task, DonewhenCostUsd: _cost, ...earlier } = ALL;
  expect(compareAttributes(JSON.stringify({ customAttributes: earlier }))).toEqual({
    missing: [
      { name: 'DonewhenTask', kind: 'KeywordList' },
      { name: 'DonewhenCostUsd', kind: 'Double' },
    ],
    wrong: [],
  });
});

test('an attribute of another type is no attribute of ours', () => {
  expect(compareAttributes(JSON.stringify({ customAttributes: { ...ALL, DonewhenTask: 'INDEXED_VALUE_TYPE_TEXT' } }))).toEqual({
    missing: [],
    wrong: ['DonewhenTask is INDEXED_VALUE_TYPE_TEXT, not KeywordList'],
  });
});

test('a listing that cannot be read shows nothing, so everything is missing (R11)', () => {
  expect(compareAttributes('no listing').missing.length).toBe(Object.keys(ALL).length);
});

test('the server listens on the loopback only, keeps what it acknowledged, and is not held to twenty tasks a second', () => {
  const words = serverArguments({ database: databaseOf('/home', '1.9.1'), port: 7233, uiPort: 8233 });
  expect(words.slice(0, 16)).toEqual(
    [
      ['server', 'start-dev', '--ip', '127.0.0.1', '--port', '7233', '--ui-port', '8233', '--db-filename', '/home/temporal-1.9.db'],
      ['--sqlite-pragma', 'journal_mode=WAL', '--sqlite-pragma', 'synchronous=FULL'],
      ['--dynamic-config-value', 'history.transferProcessorMaxPollRPS=10000'],
    ].flat(),
  );
});
