import { sourceOf } from '../../documents/lines.js';

const HEADING = /^#{1,6}\s/;
/** Lines that stand before a `Gate:` line of ours and belong to it. */
const NOTE = /^(Gate blocker|Gate note|Resolution):/;
const GATE = /^(\*\*Gate(:\*\*|\*\*:)|Gate:)/i;

/**
 * A ledger that people wrote, with the gate of one entry set: its `Gate:` line replaced where it has one, added at its
 * end where it has none (seed 002 §5: the one line that is updated in place). Everything else stays letter for letter.
 * An entry that is not there leaves the text as it is.
 */
export function withGate(ledger: string, task: string, gate: string): string {
  const raw = ledger.split('\n');
  const plain = raw.map((line) => line.replace(/\r$/, '').replaceAll('\r', ' '));
  const { fenced } = sourceOf(plain.join('\n'));
  const isHeading = (index: number) => fenced[index] !== 1 && HEADING.test(plain[index] ?? '');
  let from = -1;
  for (let index = 0; index < plain.length; index += 1) if (isHeading(index) && namesTask(plain[index] ?? '', task)) from = index;
  if (from < 0) return ledger;
  let to = from + 1;
  while (to < raw.length && !isHeading(to)) to += 1;
  const ending = raw[from]?.endsWith('\r') === true ? '\r' : '';
  const lines = gate
    .trimEnd()
    .split('\n')
    .map((line) => line + ending);
  for (let index = to - 1; index > from; index -= 1) {
    if (fenced[index] === 1 || !GATE.test(plain[index] ?? '')) continue;
    let first = index;
    while (first - 1 > from && NOTE.test(plain[first - 1] ?? '')) first -= 1;
    return [...raw.slice(0, first), ...lines, ...raw.slice(index + 1)].join('\n');
  }
  let last = to - 1;
  while (last > from && plain[last]?.trim() === '') last -= 1;
  return [...raw.slice(0, last + 1), ...lines, ...raw.slice(last + 1)].join('\n');
}

function namesTask(heading: string, task: string): boolean {
  const words = heading.replace(/^#+\s+/, '');
  return words === task || (words.startsWith(task) && /^[\s—–:-]/.test(words.slice(task.length)));
}
