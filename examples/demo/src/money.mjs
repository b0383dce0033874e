// Amounts are whole cents: a sum of cents is exact, a sum of fractions is not.

const AMOUNT = /^(-?)(\d+)(?:\.(\d{1,2}))?$/;

/** Reads an amount such as `12.5`. */
export function toCents(text) {
  const [, sign, whole, fraction = ''] = AMOUNT.exec(text.trim()) ?? [];
  if (whole === undefined) throw new RangeError(`${JSON.stringify(text)} is no amount of money`);
  const cents = Number(whole) * 100 + Number(fraction.padEnd(2, '0'));
  return sign === '-' ? -cents : cents;
}

/** Writes an amount with two digits after the point. */
export function formatCents(cents) {
  const digits = String(Math.abs(cents)).padStart(3, '0');
  return `${cents < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}
