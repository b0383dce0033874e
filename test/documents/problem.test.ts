import { describe, expect, it } from 'vitest';
import { didYouMean } from '../../documents/nearest.js';
import { errorAt, orderedProblems, renderProblem, warningAt } from '../../documents/problem.js';

const at = (line: number) => ({ file: 'PLAN.md', line });

describe('a problem', () => {
  it('says where, what and the way out in one line', () => {
    expect([errorAt(at(41), 'T4 depends on T9; did you mean T8?'), warningAt(at(2), 'no version')].map(renderProblem)).toEqual([
      'PLAN.md:41: T4 depends on T9; did you mean T8?',
      'PLAN.md:2: warning: no version',
    ]);
  });

  it('stands in the order of the text', () => {
    expect(orderedProblems([errorAt(at(3), 'c'), warningAt(at(1), 'a'), errorAt(at(2), 'b')]).map(({ message }) => message)).toEqual([
      'a',
      'b',
      'c',
    ]);
  });

  it('of which there are too many leaves the errors and says how many more there are', () => {
    const warnings = Array.from({ length: 300 }, (_, line) => warningAt(at(line + 1), 'w'));
    const shown = orderedProblems([...warnings, errorAt(at(299), 'e')]);
    expect([shown.length, shown.filter(({ message }) => message === 'e').length, shown.at(-1)]).toEqual([
      101,
      1,
      errorAt(at(299), '201 more problems are not listed; mend these first'),
    ]);
  });
});

describe('a suggestion', () => {
  it.each<[string, string[], string]>([
    ['T9', ['T1', 'T8', 'T2'], '; did you mean T8?'],
    ['paralel', ['parallel', 'taskMinutes'], '; did you mean parallel?'],
    ['fiel', ['run', 'file'], '; did you mean file?'],
    ['Depend on', ['Depends on', 'Done when'], '; did you mean Depends on?'],
    ['magic', ['run', 'file'], ''],
    ['x'.repeat(100), ['x'.repeat(99)], ''],
    ['T1', [], ''],
  ])('for %j of %j is %j', (word, candidates, hint) => {
    expect(didYouMean(word, candidates)).toBe(hint);
  });
});
