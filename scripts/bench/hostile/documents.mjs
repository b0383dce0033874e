// Texts that cost the reader of a PLAN.md, SPEC.md or LEDGER.md most.
import { counted, filled, many, named, VALUES } from './units.mjs';

const PLAN = '# PLAN: x\nGoal: g\nPlan version: 1\n';
const TASK = `${PLAN}## T1 — a\nTask: t\nDone when: d\n`;
const HEADER_FIELDS = ['Spec', 'Goal', 'Plan version', 'Replanned because', 'Checks', 'Status: no-op\nEvidence'];
const TASK_FIELDS = [
  ...['Reasoning', 'Task', 'Done when', 'Verify by', 'Checks', 'Covers', 'Depends on', 'Restates', 'Continues', 'Performer', 'Run'],
  ...['Writes', 'Timeout', 'Repeatable', 'Odd'],
];
const task = (index, rest) => `## T${index} — a\nDone when: x\n${rest}\n`;

export const plan = {
  'a title of spaces': () => filled(' ', '# PLAN:', 'x'),
  'a heading of spaces': () => filled(' ', `${PLAN}## T1`, 'x'),
  'a heading of dashes': () => filled('-', `${PLAN}## T1 `),
  'one task again and again': () => filled('## T1 — a\n', PLAN),
  'tasks without end': () => counted((index) => task(index, 'Checks:\n- run: true'), PLAN),
  'tasks that wait for what is not there': () => counted((index) => task(index, `Depends on: X${index}`), PLAN),
  'tasks in a circle': () => PLAN + many(4_999, (index) => task(index, `Depends on: T${(index + 1) % 4_999}`)),
  'tasks in pairs': () => PLAN + many(4_998, (index) => task(index, `Depends on: T${index ^ 1}`)),
  'tasks in a knot': () =>
    PLAN + many(4_999, (index) => task(index, `Depends on: ${many(25, (other) => `T${(index * 7 + other * 13) % 4_999}, `)}`)),
  'tasks of many words': () => PLAN + many(4_999, (index) => task(index, `Task: ${'a b '.repeat(40)}`)),
  'ids that differ': () => counted((index) => `T${index}, `, `${TASK}Depends on: `),
  'criteria that differ': () => counted((index) => `AC-${index}, `, `${TASK}Covers: `),
  'globs that differ': () => counted((index) => `../a${index}, `, `${TASK}Writes: `),
  'globs in braces': () => filled('{a,', `${TASK}Writes: `),
  'code spans': () => filled('`a``', `${TASK}Verify by: `),
  'checks that differ': () => counted((index) => `- run: true ${index}\n`, `${TASK}Checks:\n`),
  'checks that are none': () => counted((index) => `- x${index}\n`, `${TASK}Checks:\n`),
  'checks of one word': () => filled(`- file: ${'a contains '.repeat(300)}\n`, `${TASK}Checks:\n`),
  'checks of arrows': () => filled(`- run: ${'`a` => '.repeat(500)}\n`, `${TASK}Checks:\n`),
  'fields that differ': () => counted((index) => `A${'abcdefghij'.charAt(index % 10)}${'abcdefghij'.charAt(index % 7)}: b\n`, TASK),
  'one field again and again': () => filled('Task: x\n', TASK),
  'fences in a value': () => filled('```\na\n```\n', TASK),
  ...Object.assign({}, ...HEADER_FIELDS.map((name) => named(name, VALUES, `# PLAN: x\n${name}:`))),
  ...Object.assign({}, ...TASK_FIELDS.map((name) => named(name, VALUES, `${PLAN}## T1 — a\n${name}:`))),
};

export const spec = {
  'rows of one id': () => filled('| FR-001 | Must |\n', '| ID | Priority |\n'),
  'rows that differ': () => counted((index) => `| FR-${index} | x |\n`, '| ID | Priority |\n'),
  'cells without end': () => filled('| FR-1 '),
  'criteria that name what is not there': () => counted((index) => `- AC-${index} (FR-${index}, X): y\n`),
  'criteria that name one requirement': () => counted((index) => `- AC-${index} (FR-1): y\n`),
  'criteria that name six': () => counted((index) => `- AC-${index} (FR-1, FR-2, FR-3, FR-4, FR-5, FR-6): y\n`),
  'criteria and requirements': () => counted((index) => (index % 2 === 1 ? `- AC-${index} (FR-${index - 1}): y\n` : `- FR-${index}: z\n`)),
  'one criterion, said otherwise each time': () => counted((index) => `- AC-1: ${index}\n`),
  'one criterion that names many': () => counted((index) => `FR-${index}, `, '- AC-1 ('),
  'one criterion over many lines': () => filled('a\n', '- AC-001: x\n'),
  'ids in one line': () => counted((index) => `FR-${index} `),
  'headings under a section': () => filled('#### a\n', '### Constraints\n'),
  'sections of one name': () => filled('### Out of scope\n- AC-1: x\n'),
  'headings with numbers': () => filled('### 1.1.1.1. \n'),
  'an id without end': () => filled('FR-A-'),
};

const LEDGER = '# LEDGER: x\n';
const ENTRY = `${LEDGER}## T1 — a  [done]\nPlan version: 1\nVerification: verified\n`;
const ENTRY_FIELDS = [
  ...['Plan version', 'Covers', 'Done when', 'State delta', 'Evidence', 'Verification', 'Discovered', 'Unresolved', 'Deviation', 'Blocker'],
  ...['Continues', 'Asked by', 'Verdict', 'Artifacts', 'Metrics', 'Critical issues', 'Next inputs', 'Attempt', 'Cost', 'Gate blocker'],
  ...['Gate note', 'Debt', 'Resolution', 'Gate', 'Odd'],
];
export const ledger = {
  'entries of one line': () => counted((index) => `# T${index} [done]\n`, LEDGER),
  'entries that continue': () => counted((index) => `## T${index} — a  [done]\nVerification: verified\nContinues: T${index - 1}\n`, LEDGER),
  'whole entries': () => counted((index) => ENTRY.replace(LEDGER, '').replace('T1', `T${index}`), LEDGER),
  'one entry again and again': () => filled('## T1 — a  [done]\n', LEDGER),
  'headings of no entry': () => filled('## a\n', LEDGER),
  'headings of an entry without a status': () => filled('## T1\n', LEDGER),
  checkpoints: () => filled('### Replan checkpoint — T1\nGate: plan holds\n', ENTRY),
  'a heading of spaces': () => filled(' ', `${LEDGER}## T1 — `, '[done]'),
  'a heading of brackets': () => filled('[', `${LEDGER}## T1 — `, '[done]'),
  'evidence of backticks': () => filled('`a', `${ENTRY}Evidence:\n- `),
  'evidence of one look': () => filled('; after', `${ENTRY}Evidence:\n- \`a\` → before: `),
  'evidence that differs': () => counted((index) => `- \`a${index}\` → before: x; after: y\n`, `${ENTRY}Evidence:\n`),
  'evidence of a file': () => filled('- `file: a contains "x"` → before: x; after: y\n', `${ENTRY}Evidence:\n`),
  'an excerpt': () => filled('  > a\n', `${ENTRY}Evidence:\n- \`a\` → after: y\n`),
  artifacts: () => filled(`- a: \`b\` → sha256 ${'0'.repeat(64)}\n`, `${ENTRY}Artifacts:\n`),
  'one gate again and again': () => filled('Gate: plan holds\n', ENTRY),
  'versions in a gate': () => filled('version ', `${ENTRY}Gate: replan done `),
  ...Object.assign({}, ...ENTRY_FIELDS.map((name) => named(name, VALUES, `${LEDGER}## T1 — a  [done]\n${name}:`))),
};
