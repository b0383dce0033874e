import { expect, it } from 'vitest';
import { createTogether } from '../../activities/together.js';

/** A moment that is never over here: what is awaited must come by itself. */
const FOR_EVER_MS = 60_000;

function open<T>(): { promise: Promise<T>; resolve: (value: T) => void; reject: (error: Error) => void } {
  let resolve: (value: T) => void = () => undefined;
  let reject: (error: Error) => void = () => undefined;
  const promise = new Promise<T>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** A run's record and the next look, both begun; `told` grows as their answers are given. */
function both(momentMs: number, runs = { record: 'a', check: 'a' }) {
  const together = createTogether(momentMs);
  const record = open<string>();
  const check = open<string>();
  const told: string[] = [];
  const tell = (answer: string) => void told.push(answer);
  const ends = [
    together(runs.record, () => record.promise).then(tell, (error: Error) => tell(error.message)),
    together(runs.check, () => check.promise).then(tell),
  ];
  return { record, check, told, ends };
}

it('an entry that is written waits for the look that is under way', async () => {
  const { record, check, told, ends } = both(FOR_EVER_MS);
  record.resolve('recorded');
  await turn();
  expect(told).toEqual([]);
  check.resolve('looked');
  await Promise.all(ends);
  expect(told.sort()).toEqual(['looked', 'recorded']);
});

it('an entry that could not be written is told with the look, and the look is not lost', async () => {
  const { record, check, told, ends } = both(FOR_EVER_MS);
  check.resolve('looked');
  record.reject(new Error('no space'));
  await Promise.all(ends);
  expect(told.sort()).toEqual(['looked', 'no space']);
});

it('nobody waits longer than a moment', async () => {
  const { record, check, told, ends } = both(1);
  record.resolve('recorded');
  await ends[0];
  expect(told).toEqual(['recorded']);
  check.resolve('looked');
  await ends[1];
});

it('another run is never waited for', async () => {
  const { record, check, told, ends } = both(FOR_EVER_MS, { record: 'a', check: 'b' });
  record.resolve('recorded');
  await ends[0];
  expect(told).toEqual(['recorded']);
  check.resolve('looked');
  await ends[1];
});

it('what is done alone is told at once', async () => {
  expect(await createTogether(FOR_EVER_MS)('a', async () => 'looked')).toBe('looked');
});
