#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { LineError, parseLines } from '../src/lines.mjs';
import { formatCents } from '../src/money.mjs';
import { totalsOf } from '../src/totals.mjs';

const BAD_INPUT = 2;
const LABEL_WIDTH = 40;
const AMOUNT_WIDTH = 12;

function row(label, cents) {
  return `${label.padEnd(LABEL_WIDTH)}${formatCents(cents).padStart(AMOUNT_WIDTH)}`;
}

function render(items) {
  const { netCents, taxes, grossCents } = totalsOf(items);
  return [
    ...items.map(({ description, quantity, priceCents }) =>
      row(`${description}  ${quantity} x ${formatCents(priceCents)}`, quantity * priceCents),
    ),
    row('Net', netCents),
    ...taxes.map(({ rate, netCents: net, taxCents }) => row(`Tax ${rate} % on ${formatCents(net)}`, taxCents)),
    row('Gross', grossCents),
  ].join('\n');
}

function refuse(text) {
  console.error(text);
  process.exitCode = BAD_INPUT;
}

function main(file) {
  if (file === undefined) return refuse('usage: invoice FILE   (- for standard input)');
  let text;
  try {
    text = readFileSync(file === '-' ? 0 : file, 'utf8');
  } catch {
    return refuse(`invoice: ${file} cannot be read`);
  }
  try {
    console.log(render(parseLines(text)));
  } catch (error) {
    if (!(error instanceof LineError)) throw error;
    refuse(error.message.replace(/^/gm, 'invoice: '));
  }
}

main(process.argv[2]);
