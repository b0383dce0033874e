import { toCents } from './money.mjs';

/** Reads the items of an invoice. */
export function parseLines(text) {
  return text
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
    .map((line) => {
      const [description, quantity, price, rate] = line.split(';');
      return { description: description.trim(), quantity: Number(quantity), priceCents: toCents(price), rate: Number(rate) };
    });
}
