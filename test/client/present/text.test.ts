import { describe, expect, it } from 'vitest';
import { columnsOf, costWords, cut, elapsed, elapsedSince, fit, harmless, oneLine, quoted, wrapped } from '../../../client/present/text.js';

it('wraps whole words, and cuts only what is longer than a line', () => {
  expect([wrapped('a disk that is full', 10), wrapped('/a/long/path is 日本', 6), wrapped('', 5)]).toEqual([
    ['a disk', 'that is', 'full'],
    ['/a/lon', 'g/path', 'is', '日本'],
    [''],
  ]);
});

describe('words of others on a terminal', () => {
  it.each([
    ['\u001b[31mred\u001b[0m', 'red'],
    ['\u001b]0;title\u0007text', 'text'],
    ['\u001b]8;;http://x\u001b\\link\u001b]8;;\u001b\\', 'link'],
    ['a\u0000b\u0008c\u007fd', 'abcd'],
    ['\u202egnp.exe', 'gnp.exe'],
    ['\u001bPq', 'q'],
  ])('%j steers nothing', (text, shown) => {
    expect(oneLine(text)).toEqual(shown);
  });

  it('many lines keep their lines, and tabs', () => {
    expect(harmless('a\r\nb\tc\rd')).toEqual('a\nb\tc\nd');
  });

  it('one line has no line breaks', () => {
    expect(oneLine('  a\n  b  ')).toEqual('a b');
  });
});

describe('columns', () => {
  it.each([
    ['abc', 3],
    ['日本', 4],
    ['é', 1],
    ['e\u0301', 1],
    ['🚀', 2],
    ['', 0],
  ])('%s takes %i', (text, columns) => {
    expect(columnsOf(text)).toEqual(columns);
  });

  it('what does not fit is cut and marked', () => {
    expect([cut('abcdef', 4), cut('日本語', 4), cut('abc', 3), cut('abc', 0)]).toEqual(['abc…', '日…', 'abc', '']);
  });

  it('fit fills up', () => {
    expect([fit('ab', 4), fit('日', 4), fit('abcdef', 4)]).toEqual(['ab  ', '日  ', 'abc…']);
  });
});

it.each([
  [0, '0s'],
  [59_999, '59s'],
  [61_000, '1m 01s'],
  [3_600_000, '1h 00m'],
  [90_061_000, '1d 01h'],
  [-5, '0s'],
])('%i ms are %s', (ms, words) => {
  expect(elapsed(ms)).toEqual(words);
});

it('an unknown time is no time', () => {
  expect([elapsedSince(null, 0), elapsedSince('soon', 0)]).toEqual(['', '']);
});

it.each([
  [{ usd: 0.4, tokens: 21000, estimatedUsd: null, unknown: false }, '$0.40, 21,000 tokens'],
  [{ usd: 0.4, tokens: 21000, estimatedUsd: null, unknown: true }, '$0.40, 21,000 tokens, and some unknown'],
  [{ usd: null, tokens: null, estimatedUsd: null, unknown: true }, 'unknown'],
  [{ usd: 0, tokens: 0, estimatedUsd: null, unknown: true }, 'unknown'],
  [{ usd: 0, tokens: 900, estimatedUsd: null, unknown: true }, '900 tokens, and some unknown'],
  [{ usd: 0, tokens: 0, estimatedUsd: null, unknown: false }, '$0.00, 0 tokens'],
  [{ usd: null, tokens: 5, estimatedUsd: null, unknown: false }, '5 tokens'],
  [{ usd: 0, tokens: 900, estimatedUsd: 0.12, unknown: false }, 'about $0.12 estimated, 900 tokens'],
  [{ usd: 0.4, tokens: 900, estimatedUsd: 0.12, unknown: true }, '$0.40, about $0.12 estimated, 900 tokens, and some unknown'],
])('cost %o is said as far as it is known: %s', (cost, words) => {
  expect(costWords(cost)).toEqual(words);
});

it('a shown command can be pasted into a shell', () => {
  expect([quoted('T1@2'), quoted('a b'), quoted("it's"), quoted('')]).toEqual(['T1@2', "'a b'", "'it'\\''s'", "''"]);
});
