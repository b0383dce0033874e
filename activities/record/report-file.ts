import { renderReport } from '../../documents/report.js';
import type { Recorded, RecordState, ReportInput } from '../interface.js';
import { leaveLease } from '../load/lease.js';
import { fileOf } from './excerpt.js';
import { mendLedger } from './ledger.js';
import { putBack } from './restore.js';
import { pathOf, type Session } from './session.js';

export async function writeReport(session: Session, state: RecordState, report: ReportInput): Promise<Recorded> {
  await mendLedger(session);
  const text = renderReport(report as never);
  await session.texts.put(text);
  await putBack(session, pathOf(session.place, 'REPORT.md'), Buffer.from(text));
  await leaveLease(session.disk, session.place.workspace, session.place.workflowId);
  return { state, found: session.aside.names(), file: fileOf(session, 'REPORT.md', text) };
}
