import { expect, it } from 'vitest';
import { type Cause, createInterrupt } from '../../client/interrupt.js';

const interrupted = () => {
  const ends: number[] = [];
  return { ends, interrupt: createInterrupt((code) => ends.push(code)) };
};

it.each([
  ['signal', 130],
  ['pipe', 0],
  ['disk', 2],
] as const)('%s ends a command that leaves nothing running with %i at once', (cause, exit) => {
  const { ends, interrupt } = interrupted();
  interrupt.raise(cause);
  expect(ends).toEqual([exit]);
});

it.each(['signal', 'pipe', 'disk'] as const)('%s lets a command that leaves something running say how to go on', (cause) => {
  const { ends, interrupt } = interrupted();
  const signal = interrupt.take();
  interrupt.raise(cause);
  expect([signal.aborted, ends]).toEqual([true, []]);
});

it('only a second signal does not wait for that', () => {
  const { ends, interrupt } = interrupted();
  interrupt.take();
  for (const cause of ['signal', 'pipe', 'disk', 'signal'] satisfies Cause[]) interrupt.raise(cause);
  expect(ends).toEqual([130]);
});
