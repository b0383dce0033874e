import { expect, it } from 'vitest';
import { rowsOf } from '../../../client/present/rows.js';
import { readRunState } from '../../../client/run-state.js';
import { NOW } from '../support/fake-world.js';
import { entryDocument, runDocument } from '../support/run-documents.js';

it('a step that was delivered shows what its reviewer said, and that it is no approval', () => {
  const verdicts = ['APPROVED', 'REJECTED', 'N/A', null];
  const ledger = verdicts.map((verdict, index) => entryDocument(index + 1, `S${index + 1}`, { verdict }));
  const state = readRunState(runDocument({ ledger, plan: { version: 1, goal: 'A goal.', tasks: [] } }));
  const rows = state === null ? [] : rowsOf(state, NOW);
  expect(rows.map(({ detail, mood }) => [detail, mood])).toEqual([
    ['verified, APPROVED', 'good'],
    ['verified, REJECTED', 'waiting'],
    ['verified', 'good'],
    ['verified', 'good'],
  ]);
});
