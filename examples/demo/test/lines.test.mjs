import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseLines } from '../src/lines.mjs';

test('an item has a description, a quantity, a price and a rate', () => {
  assert.deepEqual(parseLines('# comment\n\nHosting; 2 ;12.49;19\n'), [
    { description: 'Hosting', quantity: 2, priceCents: 1249, rate: 19 },
  ]);
});

test('every wrong line is named, with its number and its fault, all at once', () => {
  const text = 'Hosting;1;12.49;19\nTrain;0;79.90;7\nPaper;3;cheap;7\nPens;3;1.20\n';
  assert.throws(() => parseLines(text), {
    name: 'LineError',
    message: 'line 2: quantity 0 is not a whole number above zero\nline 3: "cheap" is no amount of money\nline 4: 3 fields instead of 4',
  });
});

test('a rate is a whole number of percent from 0 to 100', () => {
  assert.throws(() => parseLines('Pens;3;1.20;101'), { message: 'line 1: tax rate 101 is not a whole number from 0 to 100' });
});
