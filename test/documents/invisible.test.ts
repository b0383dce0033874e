import { expect, it } from 'vitest';
import { parseCheck } from '../../documents/check-line.js';
import { withVisible } from '../../documents/invisible.js';
import { itemText, outputLines } from '../../documents/plain-text.js';
import { renderProblem } from '../../documents/problem.js';

it('what nobody sees is shown by its number', () => {
  expect(withVisible('all\u202e tests\u2066 pass\u200b\u2060\u{e0041}\ufeff a\u200db')).toBe(
    'all⟨U+202E⟩ tests⟨U+2066⟩ pass⟨U+200B⟩⟨U+2060⟩⟨U+E0041⟩⟨U+FEFF⟩ a⟨U+200D⟩b',
  );
});

it('real text is left as it is, in any writing', () => {
  const texts = [
    'é ü ñ e\u0301',
    '日本語 한국어',
    'שלום עולם',
    'می\u200cخواهم',
    'क्\u200dष',
    '👩\u200d👩\u200d👧 👩🏽\u200d💻 ❤\ufe0f 🏳\ufe0f\u200d🌈',
    '\u{1f3f4}\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}',
  ];
  expect(texts.map(withVisible)).toEqual(texts);
});

it('in a document neither an item nor the output of a check hides anything', () => {
  const hostile = 'fine\u202e\u0007\u001b[31m red\u001b[0m';
  expect([itemText(hostile), outputLines(hostile)]).toEqual(['fine⟨U+202E⟩ red', ['fine⟨U+202E⟩ red']]);
});

it('a check that hides something is refused', () => {
  const { check, problems } = parseCheck('run: npm test \u202e# x', { file: 'PLAN.md', line: 4 });
  expect([check, problems.map(renderProblem)]).toEqual([null, ['PLAN.md:4: run: it holds letters that nobody sees: npm test ⟨U+202E⟩# x']]);
});
