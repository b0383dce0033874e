import assert from 'node:assert/strict';
import { test } from 'node:test';
import { progressOf } from '../src/progress.mjs';

test('is the mean of the key results, with one decimal', () => {
  assert.equal(
    progressOf([
      { current: 1, target: 3 },
      { current: 1, target: 1 },
    ]),
    66.7,
  );
});
