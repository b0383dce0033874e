import { getHeapStatistics } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { keepHeapSmall } from '../../worker/heap.js';

const GARBAGE_BYTES = 40_000_000;

it('what is garbage when a worker begins is collected, and no later context can collect by itself', () => {
  let garbage: number[] | null = Array.from({ length: GARBAGE_BYTES / 8 }, (_, index) => index + 0.5);
  const before = getHeapStatistics().used_heap_size;
  expect(garbage.length).toBe(GARBAGE_BYTES / 8);
  garbage = null;
  keepHeapSmall();
  expect(before - getHeapStatistics().used_heap_size > GARBAGE_BYTES / 2).toBe(true);
  expect(runInNewContext('typeof gc')).toBe('undefined');
});
