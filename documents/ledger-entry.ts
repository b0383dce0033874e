import type { EntryDelivery } from '../core/methods/pipeline-values.js';
import type { Entry, EntryText, Label, LookResult } from '../core/values.js';
import { type Field, type Fields, fieldsOf, PARTS_MAX } from './fields.js';
import { ENTRY_RULES, type EntryBlock, idsIn, itemsIn, notTooMany, placedItemsIn, placeOf, textIn, wordsIn } from './ledger-block.js';
import { type EntryDetails, NOBODY_SENT, PERFORMER_UNKNOWN } from './ledger-document.js';
import { parseGate } from './ledger-gate.js';
import type { EntryHeading } from './ledger-heading.js';
import { evidenceItems, readCost, readDiscovery, readEvidence } from './ledger-lines.js';
import { oneLine, type Source } from './lines.js';
import { readArtifact, readMetric, readNextInputs, readVerdict } from './pipeline/ledger-delivery.js';
import { errorAt, type Problem, warningAt } from './problem.js';

export interface ReadEntryRange {
  file: string;
  /** Index of the heading, and of the line after the entry. */
  from: number;
  to: number;
  heading: EntryHeading;
}

export interface ReadEntry {
  /** `attempt` 0: the entry does not say. */
  entry: Entry;
  details: EntryDetails;
  problems: Problem[];
}

export function readEntry(source: Source, range: ReadEntryRange): ReadEntry {
  const { heading } = range;
  const { known, unknown, stray, cutAt } = fieldsOf(source, range.from + 1, range.to, ENTRY_RULES);
  const block = blockOf(range, known);
  if (cutAt !== null)
    block.problems.push(
      errorAt({ file: range.file, line: cutAt }, `${heading.task} has more than ${PARTS_MAX} fields, which no entry has`),
    );
  const { label, more } = labelOf(block);
  const attempt = attemptOf(block);
  const evidence = readEvidence(notTooMany(block, 'Evidence', evidenceItems(block.fields.get('Evidence'))));
  const words = [...evidence.words, ...(more === '' ? [] : [`verification: ${more}`])];
  const session = attempt.session === undefined ? {} : { session: attempt.session };
  const optional = optionalIds(block);
  const delivery = deliveryOf(block);
  const entry: Entry = {
    seq: 0,
    task: heading.task,
    title: heading.title,
    status: heading.status,
    label,
    planVersion: versionOf(block),
    attempt: attempt.number,
    performer: attempt.performer,
    covers: idsIn(block, 'Covers'),
    states: '',
    checks: evidence.checks,
    observed: observedOf(heading, label, evidence.evidence.length > 0),
    ...optional,
    ...(delivery === undefined ? {} : { delivery, ...session }),
    asOf: 0,
    gates: gatesOf(block, optional.blocker),
    cost: readCost(textIn(block, 'Cost') ?? ''),
    startedAt: 0,
    endedAt: 0,
    text: { ...textOfLists(block), evidence: evidence.evidence, words, ...session },
  };
  const details: EntryDetails = {
    task: heading.task,
    line: block.line,
    doneWhen: textIn(block, 'Done when') ?? null,
    restates: textIn(block, 'Restates') ?? null,
    unknown: [...attempt.unread, ...keptLines(unknown, stray)],
  };
  return { entry, details, problems: [...block.problems, ...ruleProblems(block, entry)] };
}

/** A field that is there twice: the later one stands, as in a ledger that is only appended to. */
function blockOf({ file, heading, from }: ReadEntryRange, known: readonly Field[]): EntryBlock {
  const block: EntryBlock = { file, heading, line: from + 1, fields: new Map(), problems: [] };
  for (const field of known) {
    const first = block.fields.get(field.name);
    const words = `${heading.task} has a second "${field.name}"; it stands, and the one in line ${first?.line} does not`;
    if (first !== undefined) block.problems.push(warningAt({ file, line: field.line }, words));
    block.fields.set(field.name, field);
  }
  return block;
}

function textOfLists(block: EntryBlock): Omit<EntryText, 'evidence' | 'words'> {
  return {
    stateDelta: itemsIn(block, 'State delta'),
    discovered: discoveries(block),
    unresolved: itemsIn(block, 'Unresolved'),
    risk: itemsIn(block, 'Risk'),
    userAction: itemsIn(block, 'User action'),
    deviation: itemsIn(block, 'Deviation'),
  };
}

function keptLines(unknown: readonly Field[], stray: Fields['stray']): string[] {
  const fields = unknown.map(({ name, line, value }) => ({
    line,
    text: [`${name}: ${value[0] ?? ''}`.trimEnd(), ...value.slice(1)].join('\n').trimEnd(),
  }));
  return [...fields, ...stray].sort((a, b) => a.line - b.line).map((line) => line.text);
}

/** Free text after the label is kept as evidence in words. No label, or another, is `unverified` (R11). */
function labelOf(block: EntryBlock): { label: Label; more: string } {
  const said = oneLine(textIn(block, 'Verification') ?? '');
  const word = /^[`*[]{0,4}(verified|attested|unverified)\b[`*\]]{0,4}/i.exec(said);
  if (word === null) return { label: 'unverified', more: said };
  const label = (word[1] ?? '').toLowerCase();
  return {
    label: label === 'verified' ? 'verified' : label === 'attested' ? 'attested' : 'unverified',
    more: said.slice(word[0].length).trim(),
  };
}

function versionOf(block: EntryBlock): number {
  const said = textIn(block, 'Plan version');
  const version = Number(/^\d{1,9}/.exec(said ?? '')?.[0] ?? 0);
  if (version > 0) return version;
  const { task } = block.heading;
  const why =
    said === undefined
      ? `${task} does not say of which Plan version it is`
      : `the Plan version of ${task}, "${oneLine(said).slice(0, 40)}", is no number from 1 on`;
  block.problems.push(warningAt(placeOf(block, 'Plan version'), `${why}; it is taken as 1`));
  return 1;
}

/** `1, claude, session abc`. Other tools count something else in this line: that is kept as it is. */
function attemptOf(block: EntryBlock): { number: number; performer: string; session?: string; unread: string[] } {
  const said = textIn(block, 'Attempt');
  if (said === undefined) return { number: 0, performer: '', unread: [] };
  const [count = '', performer = '', ...more] = oneLine(said)
    .split(', ')
    .map((part) => part.trim());
  if (!/^\d{1,9}$/.test(count)) return { number: 0, performer: '', unread: [`Attempt: ${said}`] };
  const session = more.join(', ');
  return {
    number: Number(count),
    performer: performer === PERFORMER_UNKNOWN || performer === NOBODY_SENT ? '' : performer,
    ...(session.startsWith('session ') ? { session: session.slice(8) } : {}),
    unread: [],
  };
}

function optionalIds(block: EntryBlock): Partial<Entry> {
  const found: Partial<Entry> = {};
  const [continues, reopens, undoes] = ['Continues', 'Reopens', 'Undoes'].map((name) => idsIn(block, name)[0]);
  const [blocker, askedBy, verdict] = ['Blocker', 'Asked by', 'Verdict'].map((name) => wordsIn(block, name));
  if (continues !== undefined) found.continues = continues;
  if (reopens !== undefined) found.reopens = reopens;
  if (undoes !== undefined) found.undoes = undoes;
  if (blocker !== undefined) found.blocker = blocker.replace(/^`|`$/g, '');
  if (askedBy !== undefined) found.askedBy = askedBy;
  if (verdict !== undefined) found.verdict = readVerdict(verdict);
  return found;
}

const DELIVERY = ['Artifacts', 'Metrics', 'Critical issues', 'Next inputs'];

/** What is not understood was not delivered (R11). */
function deliveryOf(block: EntryBlock): EntryDelivery | undefined {
  if (!DELIVERY.some((name) => block.fields.has(name))) return undefined;
  const artifacts = itemsIn(block, 'Artifacts').map((item) => ({ item, artifact: readArtifact(item) }));
  for (const { item, artifact } of artifacts)
    if (artifact === null)
      block.problems.push(
        warningAt(
          placeOf(block, 'Artifacts'),
          `the artifact "${item.slice(0, 60)}" of ${block.heading.task} is not understood, so that it counts as not delivered; write key: \`path\` → sha256 and its hash`,
        ),
      );
  return {
    artifacts: artifacts.flatMap(({ artifact }) => artifact ?? []),
    metrics: itemsIn(block, 'Metrics').flatMap((item) => readMetric(item) ?? []),
    criticalIssues: itemsIn(block, 'Critical issues'),
    nextInputs: readNextInputs(itemsIn(block, 'Next inputs')),
  };
}

function discoveries(block: EntryBlock): NonNullable<Entry['text']>['discovered'] {
  return placedItemsIn(block, 'Discovered').map((item) => {
    const { discovery, labelled } = readDiscovery(item.text);
    if (!labelled)
      block.problems.push(
        warningAt(
          { file: block.file, line: item.line },
          `a discovery of ${block.heading.task} has neither [verified] nor [reported, unconfirmed]; it is taken as unconfirmed`,
        ),
      );
    return discovery;
  });
}

/** What the last look came to, as far as status and label say it. */
function observedOf({ status }: EntryHeading, label: Label, hasEvidence: boolean): LookResult | null {
  if (label === 'unverified') return hasEvidence ? 'unobservable' : null;
  return status === 'done' || status === 'no_op' ? 'holds' : 'disproved';
}

function gatesOf(block: EntryBlock, blocker: string | undefined): Entry['gates'] {
  const said = textIn(block, 'Gate');
  if (said === undefined) return [];
  const lines = {
    gate: oneLine(said),
    gateBlocker: wordsIn(block, 'Gate blocker'),
    note: wordsIn(block, 'Gate note'),
    debt: wordsIn(block, 'Debt'),
    resolution: wordsIn(block, 'Resolution'),
    blocker,
  };
  const gates = parseGate(lines);
  if (gates === null)
    block.problems.push(
      warningAt(
        placeOf(block, 'Gate'),
        `the gate "${oneLine(said).slice(0, 60)}" of ${block.heading.task} is not understood; it is taken as not yet run`,
      ),
    );
  return gates ?? [];
}

/** What the seed never lets an entry say (R4, R6). */
function ruleProblems(block: EntryBlock, entry: Entry): Problem[] {
  const { task, status } = entry;
  const problems: Problem[] = [];
  const succeeded = status === 'done' || status === 'no_op';
  if (succeeded && entry.label === 'unverified') {
    problems.push(
      errorAt(
        placeOf(block, 'Verification'),
        `${task} is ${status} and unverified, and what nobody observed is not done; make it [partial], or write Verification: attested and who confirmed it`,
      ),
    );
  }
  if (!succeeded && entry.gates.at(-1)?.is === 'holds') {
    problems.push(errorAt(placeOf(block, 'Gate'), `${task} is ${status}, so its plan cannot simply hold; write Gate: replan required`));
  }
  if ((status === 'blocked' || status === 'failed') && entry.blocker === undefined) {
    problems.push(
      warningAt(
        { file: block.file, line: block.line },
        `${task} is ${status} and names no Blocker, so that the same obstacle cannot be told when it comes back`,
      ),
    );
  }
  return problems;
}
