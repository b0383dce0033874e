import { entryHeading, isSection, namedTask } from '../../documents/ledger-heading.js';
import { sourceOf } from '../../documents/lines.js';

/** Lines that stand before a `Gate:` line of ours and belong to it. */
const NOTE = /^(Gate blocker|Gate note|Resolution):/;
const GATE = /^(\*\*Gate(:\*\*|\*\*:)|Gate:)/i;

/**
 * A ledger that people wrote, with the gate of one entry set: the line that decides it replaced, or one added at the end of
 * the entry where it has none (seed 002 §5: the one line that is updated in place). Everything else stays letter for
 * letter. An entry that is not there leaves the text as it is.
 */
export function withGate(ledger: string, task: string, gate: string): string {
  if (gate === '') return ledger; // Its planner is still being asked.
  const raw = ledger.split('\n');
  const plain = raw.map((line) => line.replace(/\r$/, '').replaceAll('\r', ' '));
  const sections = sectionsOf(plain);
  const entry = sections.findLast((section) => section.entryOf === task);
  if (entry === undefined) return ledger;
  // A checkpoint that names the task and has a gate of its own speaks after the entry.
  const deciding = sections.findLast((section) => section.gateAt !== null && (section.entryOf === task || section.checkpointOf === task));
  const ending = raw[entry.from]?.endsWith('\r') === true ? '\r' : '';
  const lines = gate
    .trimEnd()
    .split('\n')
    .map((line) => line + ending);
  if (deciding !== undefined && deciding.gateAt !== null) {
    let first = deciding.gateAt;
    while (first - 1 > deciding.from && NOTE.test(plain[first - 1] ?? '')) first -= 1;
    return [...raw.slice(0, first), ...lines, ...raw.slice(deciding.gateAt + 1)].join('\n');
  }
  let last = entry.to - 1;
  while (last > entry.from && plain[last]?.trim() === '') last -= 1;
  return [...raw.slice(0, last + 1), ...lines, ...raw.slice(last + 1)].join('\n');
}

interface Section {
  from: number;
  to: number;
  entryOf: string | null;
  checkpointOf: string | null;
  gateAt: number | null;
}

function sectionsOf(plain: string[]): Section[] {
  const { fenced } = sourceOf(plain.join('\n'));
  const sections: Section[] = [];
  for (const [index, line] of plain.entries()) {
    if (fenced[index] === 1) continue;
    const last = sections.at(-1);
    if (isSection(line)) {
      if (last !== undefined) last.to = index;
      const entryOf = entryHeading(line)?.task ?? null;
      sections.push({ from: index, to: plain.length, entryOf, checkpointOf: entryOf === null ? namedTask(line) : null, gateAt: null });
    } else if (last !== undefined && GATE.test(line)) last.gateAt = index;
  }
  return sections;
}
