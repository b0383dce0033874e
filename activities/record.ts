import { resolve } from 'node:path';
import type { Recorded, RecordInput } from './interface.js';
import { type LedgerHashes, type LedgerWrite, writeEntry, writeGate } from './record/ledger.js';
import { writePlan } from './record/plan-file.js';
import { writeReport } from './record/report-file.js';
import { restore } from './record/restore.js';
import { openSession, pathOf, type RecordMemory, type RecordPorts } from './record/session.js';

/**
 * Writes the record: LEDGER.md, PLAN.md, REPORT.md. The same input again gives the same files and the same answer,
 * wherever a try before it died (R5, R9). A disk that does not take it is a failure that may be retried; what stands on
 * it is whole all the same. Nobody else writes these files: what somebody else wrote is saved beside and named (R17).
 */
export function createRecord(ports: RecordPorts): (input: RecordInput) => Promise<Recorded> {
  const hashes: LedgerHashes = new Map();
  const memory: RecordMemory = { links: { links: new Map(), chars: 0 } };
  return async (input) => {
    const session = await openSession(ports, memory, input);
    await restore(session, input.restore);
    const { write, state, place } = input;
    const touched = input.restore.some((name) => resolve(place.workspace, name) === pathOf(place, 'LEDGER.md')) ? 'perhaps' : 'no';
    const ledger: LedgerWrite = { session, state, hashes, touched };
    switch (write.is) {
      case 'entry':
        return writeEntry(ledger, write);
      case 'gate':
        return writeGate(ledger, write);
      case 'plan':
        return writePlan(session, state, write);
      case 'report':
        return writeReport(session, state, write.report);
    }
  };
}
