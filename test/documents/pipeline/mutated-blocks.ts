import { posix } from 'node:path';
import { expect } from 'vitest';
import { pathProblem } from '../../../documents/paths.js';
import { parseStepResult } from '../../../documents/pipeline/step-result.js';
import { withoutAnsi } from '../../../documents/plain-text.js';
import { fc } from '../../support/fast-check.js';
import { blockText, fenced } from './blocks.js';

/** What agents, and those who wish to be taken for done, put into a block or take out of it. */
const PIECES = [
  ...[
    '\n',
    '\r\n',
    '\t',
    ' ',
    ': ',
    '- ',
    '#',
    '"',
    "'",
    '`',
    '```',
    '```yaml',
    '~~~',
    '<',
    '>',
    '|',
    '&a',
    '*a',
    '{',
    '}',
    '[',
    ']',
    '!!',
    '%',
    '\\',
  ],
  ...[
    '\0',
    '\u2028',
    '\ufeff',
    '\ud800',
    '😀',
    '漢字',
    '\u001b[31m',
    '{"donewhen":{}}',
    '<!-- ',
    ' -->',
    '-->',
    '---',
    '...',
    '__proto__: 1',
  ],
  ...['<!-- STEP-RESULT', '/STEP-RESULT -->', 'STEP-RESULT', 'status: SUCCESS', 'status: FAILED', 'verdict: APPROVED', 'verdict: REJECTED'],
  ...[
    'SUCCESS | FAILED',
    '<file-path>',
    'critical-issues: []',
    'step: 2',
    'agent: other',
    '../x',
    '/etc/passwd',
    '~',
    'file:///x',
    'C:\\x',
    '%2e%2e/',
    './/',
    'a/../..',
  ],
];

const BLOCKS = [
  blockText({
    artifacts: { srs: 'docs/srs-a.md', more: '[a.md, contracts/]' },
    metrics: { count: '3', coverage: '85%' },
    next: { srs: 'docs/srs-a.md' },
  }),
  blockText({ step: '5', agent: 'okr.reviewspec', verdict: 'REJECTED', issues: ['Missing BR-002 in §5', 'Rule #3: none'] }),
  blockText({ status: 'FAILED', verdict: '' }),
  blockText({ status: 'SUCCESS | FAILED', verdict: 'APPROVED | REJECTED' }),
];

interface Edit {
  at: number;
  remove: number;
  insert: string;
}

const edit = fc.record<Edit>({ at: fc.nat(800), remove: fc.oneof(fc.constant(0), fc.nat(60)), insert: fc.constantFrom('', ...PIECES) });
const mutated = fc
  .record({
    first: fc.constantFrom('', ...BLOCKS),
    block: fc.constantFrom(...BLOCKS),
    isFenced: fc.boolean(),
    edits: fc.array(edit, { minLength: 1, maxLength: 6 }),
  })
  .map(({ first, block, isFenced, edits }) => {
    const text = isFenced ? fenced(block) : block;
    return edits.reduce((before, { at, remove, insert }) => before.slice(0, at) + insert + before.slice(at + remove), `${first}\n${text}`);
  });

/** No crash, nothing that is taken for more than it says, and no path that a gate would follow out of the workspace. */
export function readsMutatedBlocks(numRuns: number): void {
  let results = 0;
  fc.assert(
    fc.property(mutated, (answer) => {
      const read = parseStepResult(answer);
      if (read.is === 'unparsed') {
        expect(read.line).toBeGreaterThanOrEqual(1);
        expect(read.line).toBeLessThanOrEqual(answer.split(/\r\n?|\n/).length + 1);
        expect(read.why).not.toBe('');
      }
      if (read.is !== 'result') return;
      results++;
      const { result } = read;
      const said = withoutAnsi(answer).toUpperCase();
      expect(JSON.parse(JSON.stringify(result))).toEqual(result);
      expect([result.step, result.agent]).not.toContain('');
      // A success is said, and a verdict is a word of the answer: nothing is approved by absence (R11).
      expect(said).toContain(result.status);
      if (result.verdict !== null) expect(result.verdict).not.toMatch(/^(?:NULL|NONE|)$|\|/);
      if (result.verdict === 'APPROVED' || result.verdict === 'PASS') expect(said).toMatch(/VERDICT["'`]?\s*:[\s\S]*(?:APPROVED|PASS)/);
      for (const path of result.artifacts.flatMap(({ paths }) => paths))
        if (pathProblem(path) === null) expect(posix.resolve('/workspace', path)).toMatch(/^\/workspace(?:\/|$)/);
    }),
    { numRuns },
  );
  // Blocks that nothing can be read in any more would prove nothing.
  expect(results).toBeGreaterThan(numRuns / 10);
}
