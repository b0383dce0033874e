import { describe } from 'vitest';
import { type Sentence, tableOfSeed } from './support/seed-table.js';

/**
 * What seed 002 says with must, never, only, every, always or do not, in our own words: where it stands, the word of each such
 * sentence, and what docs/seed-002.md calls it.
 */
const SENTENCES: Sentence[] = [
  ['Beginning', 'always', 'Whoever does the work, verifying it and writing it down are never theirs'],
  ['Working directory', 'only', 'SPEC.md is only read'],
  ['Working directory', 'only', 'LEDGER.md has only one writer'],
  ['Execution modes', 'only', 'Between tasks only the ledger carries knowledge'],
  ['Execution modes', 'must; never', 'A task for a person is never done because it may be assumed'],
  ['Execution modes', 'never', 'A person gets the task, its Done when and what is to be said in plain words, never the return contract'],
  ['Execution modes', 'only', 'A person is only asked whether it happened, what is now true, and what was unexpected'],
  ['The loop', 'every', 'Every path reaches the ledger and then the gate, and no status skips either'],
  ['§1', 'never', 'A task with an entry is never dispatched again'],
  ['§1', 'never', 'What is left of it comes back as a task with a new id, so ledger and plan never disagree about what was attempted'],
  ['§1', 'do not', 'A dependent of blocked or failed work is not begun; the gate comes first'],
  ['§3', 'must', 'The brief stands alone and has exactly its parts'],
  ['§3', 'only', 'Only the return block is an answer, and one that was copied from the brief is none'],
  [
    '§3',
    'do not; do not; do not',
    'No check is claimed that was not run, no other task is done instead, nothing destructive is done unasked, the record is left alone',
  ],
  ['§3', 'every', 'Only the part of the contract that bears on the task, never the whole SPEC'],
  ['§4', 'do not', 'The performer does not judge its own success: the check is run again, now'],
  ['§4', 'do not', 'A claimed done that does not hold is failed, with the discrepancy, and is not softened'],
  ['§4', 'never; must', 'Done is never unverified; what cannot be observed is partial and named as unresolved'],
  ['§5', 'only', 'Nobody but the orchestrator writes the ledger'],
  ['§5', 'every', 'Every entry is closed with its gate'],
  ['§5', 'never', 'A run that was reopened says reopened, never done'],
  ['§5', 'only', 'The Gate line is the only one that is updated in place'],
  [
    '§5',
    'only',
    'The gate line is the only durable sign that the checkpoint was reached: a run that died before it is told from one that stopped',
  ],
  ['§5', 'only', 'Without Covers the entry is the only place of the promise: Done when and Restates are copied'],
  ['§5', 'every, never', 'The entry is written after every task, never at the end from memory'],
  ['§5', 'only', 'Covers is copied as it is, the only path back to the criteria'],
  ['§5', 'every', 'Every discovery has one of two labels; another one is an error of form'],
  ['§5', 'only', 'Continues and Reopens are copied: the ledger is the only place where the chain survives'],
  ['§5', 'do not', 'What became true, not what was touched; what was checked, not what was thought'],
  ['§5', 'always, never', "What destroys, or changes a person's data, is always a state delta and never left implicit"],
  ['§5', 'must', 'An error that changed how things ended must be recorded; one that left nothing behind may be left out'],
  ['§5', 'only, never', 'A past entry is never rewritten'],
  ['§6', 'every', 'Every status has exactly one continuation'],
  ['§6', 'must; must; must', 'After partial, blocked and failed the gate must run, with what is unresolved, the blocker, the discrepancy'],
  ['§7', 'every', 'The gate runs after every task, also when all goes well'],
  ['§7', 'never, only', 'Unconfirmed discoveries never redraw the strategy; at most they add one task that finds out'],
  ['§7', 'every', 'Three attempts end a lineage, whatever the newest blocker is called'],
  ['§7', 'never', 'Only a confirmed change from outside starts the count anew, and its first task carries Reopens, not Continues'],
  ['§7', 'do not', 'Nothing more is dispatched into a plan that is known to be wrong'],
  [
    '§8',
    'every',
    'The loop stops when every task is done or no_op, when there is none, when nothing routes around a blocker, when only another contract would help, or when a person says so',
  ],
  ['§8', 'never; every', 'It never stops silently: every exit writes the report'],
  ['Escalation', 'do not; only', 'What only a person may decide is asked, and never decided alone'],
  ['Resuming', 'only', 'Only then the first task without an entry follows, looked at before it is dispatched'],
  ['Resuming', 'do not', 'What is done is not done again'],
  [
    'Resuming',
    'only',
    'What is done is looked at again only where something may have undone it: here before a run ends well, where an attempt ended after that look',
  ],
  ['Anti-patterns', 'never', 'Nothing beside PLAN.md and LEDGER.md is a second source of truth'],
];

describe('the table of seed 002', () => {
  tableOfSeed({ seed: '002', sentences: SENTENCES });
});
