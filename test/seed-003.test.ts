import { describe } from 'vitest';
import { type Sentence, tableOfSeed } from './support/seed-table.js';

/** What seed 003 says, in our own words: where it stands, the word of each such sentence, and what docs/seed-003.md calls it. */
const SENTENCES: Sentence[] = [
  ['Beginning', 'every, must', 'Every agent must end its answer with the block: without one there is no result'],
  ['Beginning', 'without', 'Status, artifacts and metrics come from the block, and the report is not read for them'],
  ['Format', 'form', 'The block is a comment, in a fence or not, with its ten keys'],
  ['Format', 'form', 'The status is SUCCESS or FAILED, and nothing else is one'],
  ['Format', 'form', 'The verdict is one of four words; what is none of them approves nothing'],
  ['Format', 'form', 'The agent gets the form with its step, its agent and its ids filled in'],
  ['Examples', 'step 1', 'A first step with its artifacts, metrics and inputs for the next'],
  ['Examples', 'step 5', 'A review that did its job and rejects is SUCCESS with REJECTED'],
  ['Boss Parsing Rule 1', 'extracts', 'The block is taken out of the answer; of several the last complete one counts'],
  ['Boss Parsing Rule 2', 'parses', 'Its content is YAML, and what cannot be read is no result'],
  [
    'Boss Parsing Rule 3',
    'mandatory, every, any',
    'Every path that is listed is looked for on the disk, and one that is missing makes the step failed',
  ],
  ['Boss Parsing Rule 3', 'do not', 'The context never says COMPLETE of a step whose artifact is missing'],
  ['Boss Parsing Rule 3', 'explicit', 'The same agent is asked again, and told which files are missing'],
  ['Boss Parsing Rule 3', 'log', 'The line of the artifact gate is logged, letter for letter'],
  ['Boss Parsing Rule 4', 'only after', 'Artifacts and metrics reach the context only after the artifact gate'],
  ['Boss Parsing Rule 5', 'no need', 'The gate is decided by the verdict, and nobody reads the report for it'],
  ['Boss Parsing Rule 6', 'if', 'REJECTED with critical issues, and only that, has them mended and reviewed again'],
  ['Artifact Verification Table', 'must', 'Each of the seven steps must leave its artifact, under its key, where its pattern says'],
  ['Artifact Verification Table', 'only', 'Reviews and the launch have nothing but their reports to look for'],
];

describe('the table of seed 003', () => {
  tableOfSeed({ seed: '003', sentences: SENTENCES });
});
