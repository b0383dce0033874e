import { expect, it } from 'vitest';
import { endWords } from '../../core/end-words.js';

it('an attempt that was ended says whether its time was up or it had fallen silent', () => {
  expect([
    endWords({ is: 'timeout' }),
    endWords({ is: 'timeout', silentMs: 60_000 }),
    endWords({ is: 'timeout', silentMs: 90_000 }),
  ]).toEqual(['its time ran out', 'it printed nothing for 1 minute', 'it printed nothing for 1.5 minutes']);
});
