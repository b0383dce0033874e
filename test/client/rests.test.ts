import { expect, it } from 'vitest';
import { CALM_AFTER_LOOKS, restsAfter } from '../../client/rests.js';

it('a run is asked once a second, a calm one or a large one more seldom, and none less than every ten', () => {
  const busy = [1_000, 200_000, 210_000, 550_000, 5_000_000].map((chars) => restsAfter({ chars, sameFor: 0 }));
  const calm = [1_000, 550_000].map((chars) => restsAfter({ chars, sameFor: CALM_AFTER_LOOKS }));
  expect({ busy, calm }).toEqual({ busy: [1, 1, 3, 6, 10], calm: [3, 6] });
});
