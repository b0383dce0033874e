import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatCents, toCents } from '../src/money.mjs';

test('amounts are read as whole cents', () => {
  assert.deepEqual(['12', '12.5', '12.50', '-0.05'].map(toCents), [1200, 1250, 1250, -5]);
});

test('amounts are written with two digits', () => {
  assert.deepEqual([1200, 5, -1250].map(formatCents), ['12.00', '0.05', '-12.50']);
});

test('ten times ten cents are one euro, exactly', () => {
  const sum = Array.from({ length: 10 }, () => toCents('0.10')).reduce((a, b) => a + b, 0);
  assert.equal(sum, 100);
});

test('what is no amount is refused', () => {
  for (const text of ['', '1,50', '1.234', 'ten']) assert.throws(() => toCents(text), RangeError);
});
