import { describe, expect, test } from 'vitest';
import { pathsIn, sourcesIn } from '../../../activities/load/shell-words.js';
import { fc } from '../../support/fast-check.js';

describe('the words of a command', () => {
  test.each<[string, string[]]>([
    [`cat 'a b' "c \\"d\\"" e\\ f;g|h>i --k=l && m`, ['cat', 'a b', 'c "d"', 'e f', 'g', 'h', 'i', 'l', 'm']],
    [`sh "a"'b'c`, ['sh', 'abc']],
    ['A=b.sh env C=d sh x 2>&1 <in', ['A=b.sh', 'b.sh', 'env', 'C=d', 'd', 'sh', 'x', '2', '1', 'in']],
    ["it's", ['its']],
    ['', []],
  ])('of %s', (command, words) => {
    expect(pathsIn(command)).toEqual(words);
  });

  test.each<[string, string]>([
    ['sh x', 'x'],
    ['sh -c "sh x"', 'x'],
    ["bash -euo pipefail -lc 'true; sh x'", 'x'],
    [`timeout 5 sh -c "sh -c 'sh x'"`, 'x'],
    ['eval sh x', 'x'],
    ['su me -c "sh x"', 'x'],
    ['. ./x', 'x'],
    ['source x', 'x'],
    ['"$PWD"/x', 'x'],
    ['sh $' + '{PWD}/x', 'x'],
    ['sh "$(pwd)/x"', 'x'],
    ['test "$(sh x)" = y', 'x'],
    ['test `sh x` = y', 'x'],
    ['cd sub && sh x', 'sub/x'],
    ['cd sub; cd ..; sh x', 'x'],
    ['cd /a/b && ./x', '/a/b/x'],
    ['(cd sub && true) && sh x', 'x'],
    ['cd sub && sh -c "cd deeper && ./x"', 'sub/deeper/x'],
    ['cd "$HOME" && sh x', 'x'],
    ['cd -- sub\nsh x', 'sub/x'],
    ['sub/../x', 'x'],
  ])('in %s the script is %s', (command, path) => {
    expect(pathsIn(command)).toContain(path);
  });

  test('a folder that is left is not where the script is looked for', () => {
    expect(pathsIn('cd sub && sh x')).not.toContain('x');
    expect(pathsIn('(cd sub && true) && sh x')).not.toContain('sub/x');
  });
});

test('a shell script reads in what follows a dot, and nothing else that it names', () => {
  const script = '#!/bin/sh\ncd "$(dirname "$0")" || exit\n. ./lib.sh\ncat data.txt\n[ -f x ] && source "$' + '{BASH_SOURCE%/*}/more.sh"\n';
  expect(sourcesIn(script, '/w/tools')).toEqual(['/w/tools/lib.sh', '/w/tools/more.sh']);
});

test('no text is too odd to be read', () => {
  const odd = fc.string({
    unit: fc.constantFrom(
      'a',
      '/',
      '.',
      ' ',
      '\n',
      '"',
      "'",
      '\\',
      '$',
      '(',
      ')',
      '`',
      ';',
      '&',
      '|',
      '<',
      '>',
      '=',
      '-',
      'c',
      'cd ',
      'sh ',
      '\0',
      '{',
      '}',
      '#',
      '\ud800',
    ),
  });
  fc.assert(
    fc.property(fc.oneof(odd, fc.string()), (text) => {
      expect(pathsIn(text).every((path) => path !== '')).toBe(true);
      expect(Array.isArray(sourcesIn(text, '/w'))).toBe(true);
    }),
  );
});

test.each(['"', "'", '\\', '(', '`', '"$(', 'sh -c "', 'cd a;', 'eval '])('%s a hundred thousand times is read', (piece) => {
  expect(Array.isArray(pathsIn(piece.repeat(100_000)))).toBe(true);
});
