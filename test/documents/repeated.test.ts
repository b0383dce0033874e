import { expect, it } from 'vitest';
import { repeatedProblems } from '../../documents/adopted.js';
import { parseLedger } from '../../documents/ledger.js';
import { parsePlan } from '../../documents/plan.js';

const task = (id: string, more = '') =>
  `## ${id} — Part ${id}\nTask: Make it.\nDone when: It is there.\nVerify by: the checks below\nChecks:\n- file: out-${id}\n${more}`;

const plan = (version: number, ...tasks: string[]) =>
  parsePlan(`# PLAN: five\n\nGoal: g\nPlan version: ${version}\n\n${tasks.join('\n')}`, { file: 'PLAN.md', recorded: ['T1', 'T2'] }).draft;

const entries = (gate: string) =>
  parseLedger(
    `# LEDGER: five\n\n## T2 — Part T2  [blocked]\nPlan version: 1\nVerification: verified\nBlocker: budget-dispatches\nAttempt: 1, nobody was sent\nGate: ${gate}\n`,
    { file: 'LEDGER.md' },
  ).ledger.entries;

it('a newer plan that repeats what was stopped, under its old id, is refused with the way out', () => {
  const said = (gate: string, version: number, ...tasks: string[]) =>
    repeatedProblems(entries(gate), plan(version, ...tasks), 'PLAN.md').map(({ line, message }) => `${line}: ${message}`);
  const words = (field: string) =>
    `6: T2 is blocked in the ledger, and what has an entry is never sent again: give its work a new id with "${field}: T2"`;
  expect([
    said('replan exhausted', 2, task('T2')),
    said('replan required', 2, task('T2')),
    said('replan exhausted', 1, task('T2')),
    said('replan exhausted', 2, task('T2'), task('T3', 'Reopens: T2\n')),
    said('replan exhausted', 2, task('T3', 'Reopens: T2\n')),
  ]).toEqual([[words('Reopens')], [words('Continues')], [], [], []]);
});
