import { isSettled } from '../core/ledger.js';
import type { Entry, EntryText } from '../core/values.js';
import { discoveryText } from './ledger-lines.js';
import { itemText } from './plain-text.js';
import type { ReportInput, Standing } from './report-input.js';
import { entryName, listed } from './report-words.js';

/** What is left behind: whatever is open, and whatever a reader must know although it is done. */
export function residualLines(input: ReportInput, standing: readonly Standing[]): string[] {
  const { entries, run, warnings } = input;
  const refused = run.handled.filter(({ applied }) => !applied);
  const applied = run.handled.filter((act) => act.applied);
  const lines = [
    ...listed('Not done:', standing.flatMap(openLine)),
    ...listed('Done, and not approved:', standing.flatMap(unapprovedLine)),
    ...listed(
      'Debt:',
      (input.debts ?? []).map((debt) => `- ${itemText(debt)}`),
    ),
    ...listed('Unresolved:', itemsOf(standing, 'unresolved')),
    ...listed('Risk:', itemsOf(standing, 'risk')),
    ...listed('Deviation:', itemsOf(standing, 'deviation')),
    ...listed('Discovered, and not confirmed:', discoveries(entries, 'reported, unconfirmed')),
    ...listed('Discovered, and confirmed:', discoveries(entries, 'verified')),
    ...listed('Why the plan went on, or was reopened:', entries.flatMap(gateLines)),
    ...listed(
      'Acts of people:',
      applied.map(({ name, by, reason }) => `- ${name} by ${itemText(by)}: ${itemText(reason)}`),
    ),
    ...listed(
      'Refused:',
      refused.map(({ name, by, reason }) => `- ${name} by ${itemText(by)}: ${itemText(reason)}`),
    ),
    ...listed(
      'Found, and not used:',
      run.found.map((file) => `- ${itemText(file)}`),
    ),
    ...listed(
      'Noted at the start:',
      warnings.map((warning) => `- ${itemText(warning)}`),
    ),
  ];
  return lines[0] === '' ? lines.slice(1) : lines;
}

function openLine({ entry, last }: Standing): string[] {
  if (isSettled(entry) && entry === last) return [];
  const blocker = entry.blocker === undefined ? '' : `; blocker: ${itemText(entry.blocker)}`;
  const gate = entry.gates.at(-1);
  const exhausted = gate?.is === 'exhausted' ? `; no plan is left${gate.why === '' ? '' : `: ${itemText(gate.why)}`}` : '';
  if (entry === last) return [`- ${entryName(entry)}${blocker}${exhausted}`];
  // Undone or taken on: where the line ended well, its beginning is history.
  return isSettled(last) ? [] : [`- ${entryName(entry)}${blocker}; went on as ${last.task}`];
}

/** A review did its job, and nobody may pass: what it found stands. */
function unapprovedLine({ entry, last }: Standing): string[] {
  const gate = entry.gates.at(-1);
  if (entry !== last || !isSettled(entry) || gate?.is !== 'exhausted') return [];
  return [`- ${entryName(entry)}; blocker: ${itemText(gate.blocker)}${gate.why === '' ? '' : `: ${itemText(gate.why)}`}`];
}

function itemsOf(standing: readonly Standing[], name: keyof Pick<EntryText, 'unresolved' | 'risk' | 'deviation'>): string[] {
  return standing.flatMap(({ entry, last }) => {
    const takenOn = name === 'unresolved' && entry !== last ? `; taken on by ${last.task} [${last.status}]` : '';
    return (entry.text?.[name] ?? []).map((item) => `- ${entry.task}: ${itemText(item)}${takenOn}`);
  });
}

function discoveries(entries: readonly Entry[], label: 'verified' | 'reported, unconfirmed'): string[] {
  return entries.flatMap((entry) =>
    (entry.text?.discovered ?? []).filter((one) => one.label === label).map((one) => `- ${entry.task}: ${discoveryText(one)}`),
  );
}

function gateLines(entry: Entry): string[] {
  return entry.gates.flatMap((gate) => {
    if (gate.is === 'holds') return gate.note === undefined ? [] : [`- ${entry.task}: ${itemText(gate.note)}`];
    if (gate.is !== 'reopened') return [];
    const words = gate.words === undefined ? '' : `: ${itemText(gate.words)}`;
    return [
      `- ${entry.task} was reopened with plan version ${gate.version}${gate.by === undefined ? '' : ` by ${itemText(gate.by)}, ${gate.label ?? 'unverified'}${words}`}`,
    ];
  });
}
