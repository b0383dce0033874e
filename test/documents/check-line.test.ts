import { describe, expect, it } from 'vitest';
import type { Check } from '../../documents/check.js';
import { parseCheck, renderCheck } from '../../documents/check-line.js';
import { errorAt } from '../../documents/problem.js';
import { fc } from '../support/fast-check.js';

const place = { file: 'PLAN.md', line: 7 };
const read = (text: string) => parseCheck(text, place);
const wrong = (text: string) => {
  const { check, problems } = read(text);
  return { check, words: problems.map((problem) => `${problem.file}:${problem.line} ${problem.severity} ${problem.message}`) };
};

const UNDERSTOOD: [string, Check][] = [
  ['run: npm test', { kind: 'run', command: 'npm test', expect: { is: 'exit', code: 0 } }],
  ['- run: npm test', { kind: 'run', command: 'npm test', expect: { is: 'exit', code: 0 } }],
  ['- [ ] run: npm test', { kind: 'run', command: 'npm test', expect: { is: 'exit', code: 0 } }],
  ['run: `npm test`', { kind: 'run', command: 'npm test', expect: { is: 'exit', code: 0 } }],
  ['`run: npm test`', { kind: 'run', command: 'npm test', expect: { is: 'exit', code: 0 } }],
  ['run: test ! -e x => exit 1', { kind: 'run', command: 'test ! -e x', expect: { is: 'exit', code: 1 } }],
  ['run: x => exit 0', { kind: 'run', command: 'x', expect: { is: 'exit', code: 0 } }],
  ['run: ./say.sh => prints "a \\"b\\" => c"', { kind: 'run', command: './say.sh', expect: { is: 'prints', text: 'a "b" => c' } }],
  ["run: node -e '(a) => exit 3' => exit 2", { kind: 'run', command: "node -e '(a) => exit 3'", expect: { is: 'exit', code: 2 } }],
  ["run: node -e '(a) => exit 3'", { kind: 'run', command: "node -e '(a) => exit 3'", expect: { is: 'exit', code: 0 } }],
  ["run: sleep 1 # it's slow => exit 4", { kind: 'run', command: "sleep 1 # it's slow", expect: { is: 'exit', code: 4 } }],
  ['file: out', { kind: 'file', path: 'out', expect: { is: 'exists' } }],
  ['file: docs/**/*.md', { kind: 'file', path: 'docs/**/*.md', expect: { is: 'exists' } }],
  ['file: a/../b', { kind: 'file', path: 'a/../b', expect: { is: 'exists' } }],
  ['file: my notes.txt', { kind: 'file', path: 'my notes.txt', expect: { is: 'exists' } }],
  ['file: out absent', { kind: 'file', path: 'out', expect: { is: 'absent' } }],
  ['file: src/pay.ts contains "timeout"', { kind: 'file', path: 'src/pay.ts', expect: { is: 'contains', text: 'timeout' } }],
  ['file: `src/pay.ts` contains "a\\nb"', { kind: 'file', path: 'src/pay.ts', expect: { is: 'contains', text: 'a\nb' } }],
  ['file: what contains it contains "x"', { kind: 'file', path: 'what contains it', expect: { is: 'contains', text: 'x' } }],
  ['file: "what is absent" absent', { kind: 'file', path: 'what is absent', expect: { is: 'absent' } }],
  [
    'file: a.log matches /^ok \\d+\\/\\d+$/im',
    { kind: 'file', path: 'a.log', expect: { is: 'matches', source: '^ok \\d+\\/\\d+$', flags: 'im' } },
  ],
  ['file: a.json is json', { kind: 'file', path: 'a.json', expect: { is: 'json', schema: null } }],
  ['file: a.json is json schemas/a.json', { kind: 'file', path: 'a.json', expect: { is: 'json', schema: 'schemas/a.json' } }],
  ['http: GET http://127.0.0.1:8080/ping => 200', { kind: 'http', url: 'http://127.0.0.1:8080/ping', status: 200 }],
  ['http: get https://a.test/x?y=1 => 404 contains "no"', { kind: 'http', url: 'https://a.test/x?y=1', status: 404, contains: 'no' }],
  ['git: clean', { kind: 'git', expect: { is: 'clean' } }],
  ['git: commit HEAD~1', { kind: 'git', expect: { is: 'commit', rev: 'HEAD~1' } }],
  ['git: tracked docs/a.md', { kind: 'git', expect: { is: 'tracked', path: 'docs/a.md' } }],
  ['human: Does the badge\topen the door?', { kind: 'human', question: 'Does the badge open the door?' }],
  ['RUN: npm test', { kind: 'run', command: 'npm test', expect: { is: 'exit', code: 0 } }],
];

describe('a check line', () => {
  it.each(UNDERSTOOD)('%s is understood', (text, check) => {
    expect(read(text)).toEqual({ check, problems: [] });
  });

  it.each(UNDERSTOOD)('%s is the same check when its canonical text is read again', (_text, check) => {
    expect(read(renderCheck(check))).toEqual({ check, problems: [] });
  });

  it('of an unknown kind is an error that names the kinds', () => {
    expect(read('magic: wand')).toEqual({
      check: null,
      problems: [errorAt(place, '"magic: wand" is no check; a check begins with run:, file:, http:, git: or human:')],
    });
  });

  it('of a mistyped kind is an error with the kind that was meant', () => {
    expect(wrong('fiel: out').words).toEqual([
      'PLAN.md:7 error "fiel: out" is no check; did you mean file? (kinds: run, file, http, git, human)',
    ]);
  });

  it.each([
    'just words',
    '',
    'run:',
    'run: `   `',
    'run: x => exit zero',
    'run: x => exit 256',
    'run: x => prints text',
    'run: x => prints ""',
    'run: x => prints "a" b',
    'file:',
    'file: a contains timeout',
    'file: a contains "x" y',
    'file: a matches x',
    'file: a matches //',
    'file: a matches /(/',
    'file: a matches /a/g',
    'http: POST https://a.test/ => 200',
    'http: GET a.test => 200',
    'http: GET ftp://a.test/ => 200',
    'http: GET https://me:secret@a.test/ => 200',
    'http: GET https://a.test/',
    'http: GET https://a.test/ => 999',
    'http: GET https://a.test/ => 200 has "x"',
    'git: dirty',
    'git: commit',
    'git: commit --exec=x',
    'human:',
    `run: ${'x'.repeat(5000)}`,
    'run: a\nrm b',
  ])('%j is an error with its place, never a check', (text) => {
    const { check, words } = wrong(text);
    expect({ check, count: words.length, place: words[0]?.startsWith('PLAN.md:7 error ') }).toEqual({ check: null, count: 1, place: true });
  });

  it.each([
    ['../../etc/passwd', 'leaves the workspace'],
    ['a/../../b', 'leaves the workspace'],
    ['/etc/passwd', 'is absolute'],
    ['~/x', 'starts at a home folder'],
    ['file:///etc/passwd', 'is a URL'],
    ['C:\\x', 'holds a backslash'],
    ['c:x', 'names a drive'],
    ['%2e%2e/x', 'is percent-encoded'],
    ['{..,a}/x*', 'holds `..` in a pattern'],
    ['a\0b', 'is one line of text'],
    ['a\u0007b', 'holds a control character'],
    ['x'.repeat(1100), 'is longer than 1024 characters'],
  ])('names a path that is refused: %j (F03, F10)', (path, reason) => {
    for (const text of [`file: ${path}`, `file: ok is json ${path}`, `git: tracked ${path}`]) {
      const { check, words } = wrong(text);
      expect({ check, said: words[0]?.includes(reason) }).toEqual({ check: null, said: true });
    }
  });

  it('with an arrow in its command says its exit status, so that the arrow is not taken for where that begins', () => {
    const { check } = read('run: echo a => b => exit 0');
    expect(check === null ? null : [renderCheck(check), read(renderCheck(check)).check]).toEqual([
      'run: echo a => b => exit 0',
      { kind: 'run', command: 'echo a => b', expect: { is: 'exit', code: 0 } },
    ]);
  });

  it('never throws, and what it accepts survives its canonical text', () => {
    const words = fc.constantFrom(
      'run:',
      'file:',
      'http:',
      'git:',
      'human:',
      'contains',
      'matches',
      'is json',
      '"a"',
      "'",
      '"',
      '=>',
      'exit 3',
      '/x/',
      '`',
      'GET',
      '- ',
      '..',
      'absent',
      '\\',
      'prints',
      '\n',
    );
    const lines = fc.array(fc.oneof(words, fc.string(), fc.constant(' ')), { maxLength: 12 }).map((parts) => parts.join(' '));
    fc.assert(
      fc.property(lines, (text) => {
        const { check } = read(text);
        if (check !== null) expect(read(renderCheck(check)).check).toEqual(check);
      }),
      { numRuns: 5000 },
    );
  });
});
