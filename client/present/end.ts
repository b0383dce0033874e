import type { RecordFiles } from '../record-files.js';
import type { LedgerEntry, RunState } from '../run-state.js';
import { progressWords } from './rows.js';
import { headline, openLines, type Screen } from './status.js';
import { costWords, count, cut, oneLine } from './text.js';

/** The last words about a closed run: outcome, what is still open and why, and where the record is. */
export function endText(state: RunState, screen: Screen, files: RecordFiles): string {
  const stopped = state.stopped;
  const exhausted = state.ledger.filter((entry) => isOpenGate(entry.gates.at(-1)));
  return [
    `${headline(state, screen)}  ${progressWords(state)}, ${count(state.dispatches, 'dispatch', 'dispatches')}, cost ${costWords(state.cost)}`,
    ...(stopped === null
      ? []
      : [cut(`Stopped by ${oneLine(stopped.by)}${stopped.reason === '' ? '' : `: ${oneLine(stopped.reason)}`}`, screen.columns)]),
    ...exhausted.map((entry) => {
      const blocker = entry.blocker === null ? '' : ` by ${oneLine(entry.blocker)}`;
      return cut(
        `  ${entry.task} ${entry.status}${blocker}: ${oneLine(entry.gates.at(-1) ?? 'no gate yet')}${gateWords(entry)}`,
        screen.columns,
      );
    }),
    ...(state.outcome === 'COMPLETED' || state.outcome === 'NO_OP' ? [] : openLines(state, screen)),
    ...(files.report === null ? [] : [`Report: ${files.report}`]),
    ...(files.ledger === null ? [] : [`Ledger: ${files.ledger}`]),
  ].join('\n');
}

/** Where the entry itself has no blocker, the gate is what a person resolves. */
function gateWords({ blocker, gateBlocker, gateNote }: LedgerEntry): string {
  if (gateBlocker === null || gateBlocker === blocker) return '';
  return `, blocker ${oneLine(gateBlocker)}${gateNote === null ? '' : ` (${oneLine(gateNote)})`}`;
}

function isOpenGate(gate: string | undefined): boolean {
  return gate === undefined || gate === 'replan required' || gate === 'replan exhausted';
}
