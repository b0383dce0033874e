import { toCents } from './money.mjs';

const FIELDS = 4;
const RATE_MAX = 100;

/** What is wrong with a file, one line a fault. */
export class LineError extends Error {
  name = 'LineError';
}

function parseLine(line) {
  const fields = line.split(';').map((field) => field.trim());
  if (fields.length !== FIELDS) throw new RangeError(`${fields.length} fields instead of ${FIELDS}`);
  const [description, quantity, price, rate] = fields;
  if (!/^[1-9]\d*$/.test(quantity)) throw new RangeError(`quantity ${quantity} is not a whole number above zero`);
  if (!/^\d+$/.test(rate) || Number(rate) > RATE_MAX) throw new RangeError(`tax rate ${rate} is not a whole number from 0 to ${RATE_MAX}`);
  return { description, quantity: Number(quantity), priceCents: toCents(price), rate: Number(rate) };
}

/** Reads the items of an invoice; throws a LineError that names every wrong line. */
export function parseLines(text) {
  const faults = [];
  const items = text.split('\n').flatMap((line, index) => {
    if (line.trim() === '' || line.startsWith('#')) return [];
    try {
      return [parseLine(line)];
    } catch (error) {
      faults.push(`line ${index + 1}: ${error.message}`);
      return [];
    }
  });
  if (faults.length > 0) throw new LineError(faults.join('\n'));
  return items;
}
