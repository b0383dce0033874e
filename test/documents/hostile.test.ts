import { describe, expect, it } from 'vitest';
import { parseCheck } from '../../documents/check-line.js';
import { parseConfig } from '../../documents/config.js';
import { parseLedger } from '../../documents/ledger.js';
import { renderLedger } from '../../documents/ledger-render.js';
import { parsePlan } from '../../documents/plan.js';
import { renderPlan } from '../../documents/plan-render.js';
import { parsePlannerAnswer } from '../../documents/planner-answer.js';
import { PROBLEMS_MAX } from '../../documents/problem.js';
import { parseReturnBlock } from '../../documents/return-block.js';
import { parseSideChannels } from '../../documents/side-channel.js';
import { parseSpec, requiredCriteria, sliceFor } from '../../documents/spec.js';
import { parseFactChecks, parseVerifierAnswer } from '../../documents/verifier-answer.js';

/** Large enough that work which grows with the square of the text does not end within the time of a test. */
const CHARS = 1_000_000;
const filled = (part: string, before = '', after = '') => before + part.repeat(Math.ceil(CHARS / part.length)) + after;
const many = (count: number, line: (index: number) => string) => Array.from({ length: count }, (_, index) => line(index)).join('');

const PLAN = '# PLAN: x\nGoal: g\nPlan version: 1\n';
const TASK = `${PLAN}## T1 — a\nTask: t\nDone when: d\n`;
const LEDGER = '# LEDGER: x\n';
const ENTRY = `${LEDGER}## T1 — a  [done]\nPlan version: 1\nVerification: verified\n`;

const ANY = [
  '\n',
  ' ',
  'a',
  '#',
  '`',
  '```\n',
  '- \n',
  '[',
  '<',
  '<a b>',
  '|',
  '\u001b[',
  '\u001b]',
  '.',
  'a: ',
  '\r',
  '## T1 \u2028',
  '"',
  '\0',
  '😀',
  '{"donewhen":',
  '\\',
].map((part) => filled(part));

const READERS: [string, (text: string) => unknown, string[]][] = [
  [
    'a plan',
    (text) => {
      const { plan, problems } = parsePlan(text, { file: 'PLAN.md' });
      if (plan !== null) renderPlan(plan);
      return problems;
    },
    [
      filled(' ', '# PLAN:', 'x'),
      filled(' ', `${PLAN}## T1`, 'x'),
      filled('-', `${PLAN}## T1 `),
      filled('## T1 — a\n', PLAN),
      many(10_000, (index) => `## T${index} — a\nDone when: x\nDepends on: X${index}\n`),
      PLAN + many(4_999, (index) => `## T${index} — a\nDone when: x\nDepends on: T${(index + 1) % 4_999}\n`),
      PLAN + many(4_998, (index) => `## T${index} — a\nDone when: x\nDepends on: T${index ^ 1}\n`),
      filled('T2, ', `${TASK}Depends on: `),
      filled('.', `${TASK}Depends on: `, 'x'),
      filled('{a,', `${TASK}Writes: `),
      filled('1h', `${TASK}Timeout: `),
      filled(' ', `${TASK}Verify by: \`a\``, 'x'),
      filled('`a``', `${TASK}Verify by: `),
      filled('`', `${TASK}Performer: inline\nRun: `),
      filled('Aa: b\n', TASK),
      filled('- run: true\n', `${TASK}Checks:\n`),
      filled(`- file: ${'a contains '.repeat(300)}\n`, `${TASK}Checks:\n`),
      filled(`- run: ${'`a` => '.repeat(500)}\n`, `${TASK}Checks:\n`),
      filled('## a\n', PLAN),
      filled('\n', `${TASK}Covers:`),
      filled(' \n', `${TASK}Performer:`),
    ],
  ],
  [
    'a contract',
    (text) => {
      const { spec, problems } = parseSpec(text, { file: 'SPEC.md' });
      requiredCriteria(spec);
      sliceFor(spec, ['AC-1']);
      return problems;
    },
    [
      filled('| FR-001 | Must |\n', '| ID | Priority |\n'),
      filled('| FR-1 '),
      many(12_000, (index) => `- AC-${index} (FR-${index}, X): y\n`),
      many(50_000, (index) => `- AC-${index} (FR-1): y\n`),
      filled('a\n', '- AC-001: x\n'),
      filled('FR-A-'),
      filled('#### a\n', '### Constraints\n'),
    ],
  ],
  [
    'a ledger',
    (text) => {
      const { ledger, problems } = parseLedger(text, { file: 'LEDGER.md' });
      renderLedger(ledger);
      return problems;
    },
    [
      LEDGER + many(8_000, (index) => `## T${index} — a  [done]\nVerification: verified\nContinues: T${index - 1}\n`),
      filled(' ', `${LEDGER}## T1 — `, '[done]'),
      filled('[', `${LEDGER}## T1 — `, '[done]'),
      filled('- `a` → before: x; after: y\n', `${ENTRY}Evidence:\n`),
      filled('`a', `${ENTRY}Evidence:\n- `),
      filled('; after', `${ENTRY}Evidence:\n- \`a\` → before: `),
      filled('  > a\n', `${ENTRY}Evidence:\n- \`a\` → after: y\n`),
      filled('- [verified] a (check: b)\n', `${ENTRY}Discovered:\n`),
      filled('version ', `${ENTRY}Gate: replan done `),
      filled('## a\n', LEDGER),
      filled('\n', `${ENTRY}Gate:`),
      filled('- a: b\n', `${ENTRY}Next inputs:\n`),
      many(60_000, (index) => `# T${index} [done]\n`),
    ],
  ],
  [
    'a return block',
    parseReturnBlock,
    [
      filled('status: done\n'),
      filled('status: done\n\n'),
      filled('status: done\n', '```\n'),
      filled('- a\n', 'status: done\nevidence:\n'),
      filled('a\n', 'status: done\nevidence:\n'),
      filled(' ', 'status: done', 'x'),
      filled('- <a b> → <c d>\n', 'status: done\nevidence:\n'),
      filled('<a ', 'status: done\nevidence:\n- '),
    ],
  ],
  [
    'the answer of a planner',
    parsePlannerAnswer,
    [filled('# PLAN: x\n'), filled('# PLAN: x\nGoal: g\n'), filled('# PLAN: x\nGoal: g\n```\n', '```\n'), filled('NO VALID PLAN: <a b>\n')],
  ],
  [
    'the answer of a verifier',
    (text) => [parseVerifierAnswer(text), parseFactChecks(text, 10)],
    [filled('Checks:\n- a\n'), filled('CANNOT TELL: <a>\n'), filled('- a\n', 'Checks:\n'), filled('- 1: file: a\n', 'Checks:\n')],
  ],
  ['a side channel line', parseSideChannels, []],
  [
    'a check',
    (text) => [parseCheck(text, { file: 'PLAN.md', line: 1 }), parseCheck(`file: ${text.slice(0, 3_900)}`, { file: 'PLAN.md', line: 1 })],
    [],
  ],
  [
    'a configuration',
    (text) => [parseConfig(text, { file: 'donewhen.yaml' }), parseConfig(text.slice(0, 32_000), { file: 'donewhen.yaml' })],
    [],
  ],
];

describe('a hostile text is read in the time that its length takes', () => {
  it.each(READERS)(
    'as %s',
    (_name, read, texts) => {
      for (const text of [...ANY, ...texts]) {
        const result = read(text);
        if (Array.isArray(result)) expect(result.length).toBeLessThanOrEqual(PROBLEMS_MAX + 1);
      }
    },
    240_000,
  );
});
