import type { Pipeline } from '../../core/methods/pipeline-values.js';
import { stepNameOf } from '../../core/methods/run-pipeline-about.js';
import type { Entry } from '../../core/values.js';
import type { EntryDetails, LedgerDocument } from '../../documents/ledger.js';
import { renderGate } from '../../documents/ledger-gate.js';
import { renderEntryBody } from '../../documents/ledger-render.js';
import type { Link } from '../record/chain.js';
import type { Texts } from '../texts.js';

/** A start may be given a LEDGER.md of any size; a run carries the texts of its entries only up to here (R15). */
const ENTRY_TEXTS_BYTES_MAX = 100_000;

interface Recorded {
  entry: Entry;
  details: EntryDetails;
}

/** What a LEDGER.md without history says, completed from the pipeline. */
export function recordedSteps(ledger: LedgerDocument, { steps }: Pipeline): Recorded[] {
  return ledger.entries.flatMap((entry, index) => {
    const details = ledger.details[index];
    if (details === undefined) return [];
    const step = steps.find((one) => one.step === stepNameOf(entry.task));
    const completed: Entry = {
      ...entry,
      states: step?.states ?? entry.states,
      checks: entry.checks.length > 0 ? entry.checks : (step?.checks ?? []),
      performer: entry.performer === '' && entry.status !== 'no_op' ? (step?.performer ?? '') : entry.performer,
    };
    return [{ entry: completed, details }];
  });
}

/** Keeps each entry as a record of its own; a short ledger brings its texts along. */
export async function keptSteps(texts: Texts, recorded: Recorded[], planSha256: string): Promise<Entry[]> {
  const kept: Entry[] = [];
  for (const { entry, details } of recorded) {
    const link: Link = { is: 'entry', previous: null, entry, planSha256, text: renderEntryBody(entry, details), gate: renderGate(entry) };
    kept.push({ ...entry, sha256: await texts.put(JSON.stringify(link)) });
  }
  const isShort = Buffer.byteLength(JSON.stringify(kept)) <= ENTRY_TEXTS_BYTES_MAX;
  return isShort ? kept : kept.map((entry) => ({ ...entry, text: null }));
}
