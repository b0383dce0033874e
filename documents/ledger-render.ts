import { isUnsent } from '../core/ledger.js';
import type { Entry, EntryText } from '../core/values.js';
import { isBullet, isFenceLine, isNothing } from './fields.js';
import type { EntryDetails, LedgerDocument } from './ledger.js';
import { NOBODY_SENT, PERFORMER_UNKNOWN } from './ledger-document.js';
import { renderGate } from './ledger-gate.js';
import { renderCost, renderDiscovery, renderEvidence } from './ledger-lines.js';
import { renderDelivery, verdictText } from './pipeline/ledger-delivery.js';
import { itemText } from './plain-text.js';

/** What an entry's text needs beside the entry: of a run without `Covers`, the promise in its own words (seed 002 §5). */
export type EntryNotes = Partial<Pick<EntryDetails, 'doneWhen' | 'restates' | 'unknown'>>;

/** The text of LEDGER.md; what we wrote comes out letter for letter. */
export function renderLedger(ledger: LedgerDocument): string {
  const entries = ledger.entries.map((entry, index) => renderEntry(entry, ledger.details[index]));
  const preamble = ledger.preamble.length === 0 ? [] : [`${ledger.preamble.join('\n')}\n`];
  const foreword = ledger.foreword.length === 0 ? [] : [`${ledger.foreword.join('\n')}\n`];
  return [...foreword, ledgerTitle(ledger.title), ...preamble, ...entries, ...ledger.sections.map((section) => `${section}\n`)].join('\n');
}

/** The first line. Every entry follows after a blank line. */
export function ledgerTitle(title: string): string {
  return `# LEDGER: ${itemText(title)}\n`;
}

/** One entry, its gate last, with a line break at its end. */
export function renderEntry(entry: Entry, notes: EntryNotes = {}): string {
  return renderEntryBody(entry, notes) + renderGate(entry);
}

/** One entry without its gate, which alone is updated in place. */
export function renderEntryBody(entry: Entry, notes: EntryNotes = {}): string {
  const text = entry.text ?? NO_TEXT;
  const title = itemText(entry.title);
  const lines = [
    `## ${entry.task}${title === '' ? '' : ` — ${title}`}  [${entry.status}]`,
    `Plan version: ${entry.planVersion}`,
    ...(entry.covers.length === 0 ? [] : [`Covers: ${entry.covers.map(itemText).join(', ')}`]),
    ...field('Done when', notes.doneWhen),
    ...field('Restates', notes.restates),
    ...field('Undoes', entry.undoes),
    ...list('State delta', text.stateDelta),
    ...section('Evidence', renderEvidence(entry, text)),
    `Verification: ${entry.label}`,
    ...section('Discovered', text.discovered.map(renderDiscovery)),
    ...list('Unresolved', text.unresolved),
    ...list('Risk', text.risk),
    ...list('User action', text.userAction),
    ...deviations(text.deviation),
    ...field('Blocker', entry.blocker),
    ...field('Continues', entry.continues),
    ...field('Reopens', entry.reopens),
    ...field('Asked by', entry.askedBy),
    ...field('Verdict', verdictText(entry)),
    ...renderDelivery(entry.delivery),
    `Attempt: ${[String(entry.attempt), ...attemptWords(entry, text)].join(', ')}`,
    `Cost: ${renderCost(entry.cost)}`,
    ...(notes.unknown === undefined || notes.unknown.length === 0 ? [] : ['', ...notes.unknown]),
  ];
  return `${lines.join('\n')}\n`;
}

function attemptWords(entry: Entry, text: EntryText): string[] {
  const session = itemText(text.session ?? '');
  const nobody = entry.status === 'no_op' || isUnsent(entry) ? NOBODY_SENT : PERFORMER_UNKNOWN;
  return [entry.performer === '' ? nobody : itemText(entry.performer), ...(session === '' ? [] : [`session ${session}`])];
}

function field(name: string, value: string | null | undefined): string[] {
  const line = itemText(value ?? '');
  return line === '' ? [] : [`${name}: ${line}`];
}

/** One stands beside its name, unless it would be read as a list there. */
function deviations(items: readonly string[]): string[] {
  const lines = items.map(itemText).filter((item) => !isNothing(item));
  const [only = ''] = lines;
  return lines.length === 1 && !isBullet(only) && !isFenceLine(only) ? field('Deviation', only) : list('Deviation', lines);
}

function section(name: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`${name}:`, ...lines];
}

function list(name: string, items: readonly string[]): string[] {
  const lines = items.map(itemText).filter((item) => !isNothing(item));
  return section(
    name,
    lines.map((line) => `- ${line}`),
  );
}

const NO_TEXT: EntryText = {
  stateDelta: [],
  evidence: [],
  words: [],
  discovered: [],
  unresolved: [],
  risk: [],
  userAction: [],
  deviation: [],
};
