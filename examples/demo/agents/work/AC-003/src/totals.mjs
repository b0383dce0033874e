/** Tax of a net amount at a rate in whole percent, half a cent rounded up. */
function taxOf(netCents, rate) {
  return Math.floor((netCents * rate + 50) / 100);
}

/** Adds up an invoice. Tax is rounded once a rate: the sum of rounded items would be another amount. */
export function totalsOf(items) {
  const netByRate = new Map();
  for (const { quantity, priceCents, rate } of items) netByRate.set(rate, (netByRate.get(rate) ?? 0) + quantity * priceCents);
  const taxes = [...netByRate].sort(([a], [b]) => a - b).map(([rate, netCents]) => ({ rate, netCents, taxCents: taxOf(netCents, rate) }));
  const netCents = taxes.reduce((sum, tax) => sum + tax.netCents, 0);
  return { netCents, taxes, grossCents: taxes.reduce((sum, tax) => sum + tax.taxCents, netCents) };
}
