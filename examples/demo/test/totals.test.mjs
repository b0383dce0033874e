import assert from 'node:assert/strict';
import { test } from 'node:test';
import { totalsOf } from '../src/totals.mjs';

const item = (quantity, priceCents, rate) => ({ description: 'x', quantity, priceCents, rate });

test('net, tax at each rate and gross add up', () => {
  assert.deepEqual(totalsOf([item(12, 9500, 19), item(1, 7990, 7), item(40, 335, 7), item(1, 1249, 19)]), {
    netCents: 136639,
    taxes: [
      { rate: 7, netCents: 21390, taxCents: 1497 },
      { rate: 19, netCents: 115249, taxCents: 21897 },
    ],
    grossCents: 160033,
  });
});

test('tax is rounded once a rate, not once an item', () => {
  const totals = totalsOf([item(1, 5, 10), item(1, 5, 10), item(1, 5, 10)]);
  assert.deepEqual(totals.taxes, [{ rate: 10, netCents: 15, taxCents: 2 }]);
});

test('half a cent of tax is rounded up', () => {
  assert.equal(totalsOf([item(1, 50, 1)]).taxes[0].taxCents, 1);
});

test('an invoice without items costs nothing', () => {
  assert.deepEqual(totalsOf([]), { netCents: 0, taxes: [], grossCents: 0 });
});
