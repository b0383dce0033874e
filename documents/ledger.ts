import type { EntryDetails, LedgerDocument } from './ledger-document.js';
import { readEntry } from './ledger-entry.js';
import { parseGate } from './ledger-gate.js';
import { type EntryHeading, entryHeading, isSection, namedTask } from './ledger-heading.js';
import { joined, oneLine, type Source, sourceOf } from './lines.js';
import { statesOf } from './plan.js';
import { errorAt, orderedProblems, type Problem, warningAt } from './problem.js';

export type { EntryDetails, LedgerDocument };

export interface ParsedLedger {
  ledger: LedgerDocument;
  problems: Problem[];
}

export interface ParseLedgerOptions {
  file: string;
  /**
   * sha256 in hex: fills `states` and `restates` from the texts of the entry. Without it, and where an entry has no
   * `Done when`, they say nothing of the promise: the caller fills them from the plan.
   */
  hash?: (text: string) => string;
}

/** Three attempts at every task of the largest plan, and other headings beside. */
const LEDGER_HEADINGS_MAX = 20_000;

const TITLE = /^#\s{0,8}LEDGER\s{0,8}:(.*)$/i;

/** Reads what we wrote, and what people and other tools write. An error: something that must not be guessed. */
export function parseLedger(text: string, options: ParseLedgerOptions): ParsedLedger {
  const { file } = options;
  const source = sourceOf(text);
  const titleAt = source.lines.findIndex((line, index) => source.fenced[index] === 0 && TITLE.test(line));
  const sections = sectionsOf(source, titleAt + 1);
  const ledger: LedgerDocument = {
    foreword: nonEmpty(joined(source.lines.slice(0, Math.max(0, titleAt)))),
    title: oneLine(TITLE.exec(source.lines[titleAt] ?? '')?.[1] ?? ''),
    entries: [],
    details: [],
    preamble: nonEmpty(joined(source.lines.slice(titleAt + 1, sections[0]?.from ?? source.lines.length))),
    sections: [],
  };
  const problems: Problem[] = [];
  const found: Problem[][] = [problems];
  if (ledger.title === '')
    problems.push(errorAt({ file, line: 1 }, 'there is no title; the first line of a ledger is # LEDGER: <name of the plan>'));
  if (source.openFence !== null)
    problems.push(
      errorAt(
        { file, line: source.openFence + 1 },
        'this fence is never closed, so that the entries after it cannot be told from its content; close it',
      ),
    );
  for (const { from, heading } of sectionsOf(source, 0, titleAt))
    if (heading !== null)
      problems.push(
        errorAt({ file, line: from + 1 }, `${heading.task} stands before the title, where no entry is read; move the title above it`),
      );
  const extra = sections[LEDGER_HEADINGS_MAX];
  if (extra !== undefined)
    problems.push(
      errorAt(
        { file, line: extra.from + 1 },
        `the ledger has more than ${LEDGER_HEADINGS_MAX} headings, and a run goes on from less; start afresh with --again`,
      ),
    );
  const at = new Map<string, number>();
  for (const section of extra === undefined ? sections : []) {
    if (section.heading === null) found.push(readSection(ledger, source, section, { file, at }));
    else found.push(addEntry(ledger, source, { ...section, heading: section.heading }, { file, at, hash: options.hash }));
  }
  return { ledger, problems: orderedProblems(found.flat()) };
}

interface LedgerSection {
  from: number;
  to: number;
  heading: EntryHeading | null;
}

/** In order; of too many, one more than may be. */
function sectionsOf(source: Source, from: number, end = source.lines.length): LedgerSection[] {
  const sections: LedgerSection[] = [];
  for (let index = from; index < end; index++) {
    const line = source.lines[index] ?? '';
    if (source.fenced[index] === 1 || !isSection(line)) continue;
    const last = sections.at(-1);
    if (last !== undefined) last.to = index;
    if (sections.length > LEDGER_HEADINGS_MAX) return sections;
    sections.push({ from: index, to: end, heading: entryHeading(line) });
  }
  return sections;
}

interface Context {
  file: string;
  /** Index of the entry of each task. */
  at: Map<string, number>;
  hash?: ((text: string) => string) | undefined;
}

function addEntry(
  ledger: LedgerDocument,
  source: Source,
  section: LedgerSection & { heading: EntryHeading },
  { file, at, hash }: Context,
): Problem[] {
  const { heading } = section;
  const place = { file, line: section.from + 1 };
  const first = at.get(heading.task);
  if (first !== undefined)
    return [
      errorAt(
        place,
        `${heading.task} has a second entry; the first is in line ${ledger.details[first]?.line}, and a task is recorded once`,
      ),
    ];
  const { entry, details, problems } = readEntry(source, { file, ...section });
  const previous = ledger.entries[at.get(entry.continues ?? entry.undoes ?? '') ?? -1];
  const attempt = entry.attempt > 0 ? entry.attempt : previous === undefined ? 1 : previous.attempt + (entry.undoes === undefined ? 1 : 0);
  at.set(heading.task, ledger.entries.length);
  ledger.entries.push({
    ...entry,
    seq: ledger.entries.length + 1,
    attempt,
    ...(hash === undefined ? {} : { states: statesOf(details.doneWhen ?? `${ledger.title} ${entry.task}`, hash) }),
    ...(hash === undefined || details.restates === null ? {} : { restates: statesOf(details.restates, hash) }),
  });
  ledger.details.push(details);
  return problems;
}

/** A checkpoint that names a task carries its gate, in the form that appends gates instead of overwriting them. */
function readSection(ledger: LedgerDocument, source: Source, section: LedgerSection, { file, at }: Context): Problem[] {
  const heading = source.lines[section.from] ?? '';
  ledger.sections.push(joined(source.lines.slice(section.from, section.to)));
  const place = { file, line: section.from + 1 };
  const index = at.get(namedTask(heading) ?? '');
  const entry = index === undefined ? undefined : ledger.entries[index];
  const gate = index === undefined ? undefined : lastGateLine(source, section);
  if (index !== undefined && entry !== undefined && gate !== undefined) {
    const lines = {
      gate: gate.slice('Gate:'.length),
      gateBlocker: undefined,
      note: undefined,
      debt: undefined,
      resolution: undefined,
      blocker: entry.blocker,
    };
    const gates = parseGate(lines);
    if (gates !== null) ledger.entries[index] = { ...entry, gates };
    return gates === null ? [warningAt(place, `the gate of ${entry.task} here is not understood; the entry's own stands`)] : [];
  }
  const words = oneLine(heading).slice(0, 60);
  // An entry that lost its status must not vanish: its task would be dispatched again (R2).
  if (/^#{2,3}\s{1,8}[TS]\d/.test(heading))
    return [
      errorAt(place, `"${words}" has no status that is known; write ## T1 — title  [done], [partial], [blocked], [failed] or [no_op]`),
    ];
  return [warningAt(place, `"${words}" is no entry; the section is kept, and nothing reads it`)];
}

function lastGateLine(source: Source, { from, to }: LedgerSection): string | undefined {
  for (let index = to - 1; index > from; index--) {
    const line = source.lines[index] ?? '';
    if (source.fenced[index] === 0 && /^Gate:/i.test(line)) return line;
  }
  return undefined;
}

function nonEmpty(text: string): string[] {
  return text === '' ? [] : text.split('\n');
}
