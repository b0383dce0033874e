import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';

const invoice = (args, input) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['bin/invoice.mjs', ...args], { input, encoding: 'utf8' });
  return { status, stdout, stderr };
};

test('an invoice is printed with its items, the tax at each rate and the sum', () => {
  const { status, stdout } = invoice(['samples/march.csv']);
  assert.equal(status, 0);
  assert.deepEqual(
    stdout.split('\n').map((line) => line.replace(/ {2,}/g, ' ')),
    [
      'Consulting, March 12 x 95.00 1140.00',
      'Train to the customer 1 x 79.90 79.90',
      'Printed manuals 40 x 3.35 134.00',
      'Hosting 1 x 12.49 12.49',
      'Net 1366.39',
      'Tax 7 % on 213.90 14.97',
      'Tax 19 % on 1152.49 218.97',
      'Gross 1600.33',
      '',
    ],
  );
});

test('an invoice with a wrong line is refused: exit 2, the line, no stack trace', () => {
  assert.deepEqual(invoice(['-'], 'Pens;3\n'), { status: 2, stdout: '', stderr: 'invoice: line 1: 2 fields instead of 4\n' });
});

test('a missing file is named', () => {
  assert.deepEqual(invoice(['nowhere.csv']), { status: 2, stdout: '', stderr: 'invoice: nowhere.csv cannot be read\n' });
});

test('without a file it says how it is used', () => {
  assert.deepEqual(invoice([]), { status: 2, stdout: '', stderr: 'usage: invoice FILE   (- for standard input)\n' });
});
