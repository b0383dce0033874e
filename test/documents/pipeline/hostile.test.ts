import { describe, expect, it } from 'vitest';
import { parseContext } from '../../../documents/pipeline/context.js';
import { parsePipeline } from '../../../documents/pipeline/file.js';
import { parseStepResult } from '../../../documents/pipeline/step-result.js';
import { filledIn } from '../../../documents/pipeline/values.js';
import { PROBLEMS_MAX } from '../../../documents/problem.js';

/** Large enough that work which grows with the square of the text does not end within the time of a test. */
const CHARS = 100_000;
const filled = (part: string, before = '', after = '') => before + part.repeat(Math.ceil(CHARS / part.length)) + after;

const START = '<!-- STEP-RESULT\n';
const BLOCK = `${START}step: 1\nagent: a\nstatus: SUCCESS\n/STEP-RESULT -->\n`;
const TEMPLATE = `${START}step: 1\nagent: a\nstatus: SUCCESS | FAILED\n/STEP-RESULT -->\n`;
const HEAD = 'pipeline: a\ngoal: g\nsteps:\n';

const READERS: [string, (text: string) => unknown, string[]][] = [
  [
    'an answer',
    parseStepResult,
    [
      filled(START),
      filled(BLOCK),
      filled(TEMPLATE),
      filled(`\`\`\`yaml\n${TEMPLATE}\`\`\`\n`),
      filled('```\nstep: 1\nagent: a\nstatus: x | y\n```\n'),
      filled('```yaml\n'),
      filled(' ', '', '/STEP-RESULT -->'),
      filled(' ', START, '/STEP-RESULT -->'),
      filled('/STEP-RESULT', START),
      filled('/STEP-RESULT --> ', START),
      filled('-->\n'),
      filled('<!-- '),
      filled(' ', '<!--', 'STEP-RESULT'),
      `${START}a: ${'['.repeat(30_000)}\n/STEP-RESULT -->`,
      `${START}${'a:\n '.repeat(8_000)}\n/STEP-RESULT -->`,
      `${START}${'- '.repeat(15_000)}\n/STEP-RESULT -->`,
      `${START}${'? '.repeat(15_000)}\n/STEP-RESULT -->`,
      `${START}critical-issues:\n${'- a: b\n'.repeat(4_000)}/STEP-RESULT -->`,
      `${START}${Array.from({ length: 4_000 }, (_, index) => `k${index}: 1\n`).join('')}/STEP-RESULT -->`,
    ],
  ],
  [
    'a pipeline',
    (text) => parsePipeline(text, { file: 'p.yaml', files: new Map() }).problems,
    [
      filled('  - { step: 1, agent: a, prompt: x }\n', HEAD),
      `${HEAD}${Array.from({ length: 499 }, (_, index) => `  - { step: ${index}, agent: a, prompt: x, gate: review, fix: ${index + 1} }\n`).join('')}`,
      `${HEAD}${'  - { step: 1, agnt: a }\n'.repeat(5_000)}`,
      `${HEAD}  - { step: 1, agent: a, prompt: "${'$'.repeat(100_000)}{a}" }\n`,
      `${HEAD}  - { step: 1, agent: a, prompt: x, inputs: { ${Array.from({ length: 5_000 }, (_, index) => `k${index}: 2.a`).join(', ')} } }\n`,
      `${HEAD}${'['.repeat(100_000)}`,
      `pipeline: a\ngoal: g\nvalues:\n${Array.from({ length: 15_000 }, (_, index) => `  k${index}: v\n`).join('')}`,
    ],
  ],
  ['a context', (text) => parseContext(text, { file: 'c.yaml' }).problems, [filled('  - { step: 1 }\n', 'steps:\n')]],
  ['a prompt', (text) => filledIn(text, [{ name: 'a', text: 'b' }]).text, [filled('$'), filled('${'), filled(`\${${'a'.repeat(50)}`)]],
];

const ANY = ['\n', ' ', 'a', '#', '`', '- \n', '<', '|', '\u001b[', '"', '\0', '😀', '{"donewhen":', '\\', 'a: ', '&a ', '*a ', '!!'].map(
  (part) => filled(part),
);

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

  it('and a block that looks like many is read as its last', () => {
    expect(parseStepResult(filled(TEMPLATE))).toEqual({ is: 'template' });
    expect(parseStepResult(filled(BLOCK))).toMatchObject({ is: 'result' });
  });
});
