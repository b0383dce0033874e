import type { Recorded } from '../interface.js';
import { sha256Of } from '../texts.js';
import { pathOf, type Session } from './session.js';

/** Up to this size a query shows the whole of a PLAN.md or REPORT.md. */
const EXCERPT_BYTES_MAX = 32 * 1024;
/** A LEDGER.md is written once a task: beyond this each write shows only its newest entries, so that history does not hold the same text a thousand times. */
export const NEWEST_BYTES_MAX = 4 * 1024;

/** What queries show of a text that was just written: its beginning. */
export function fileOf(session: Session, name: Recorded['file']['name'], text: string): Recorded['file'] {
  const path = pathOf(session.place, name);
  const bytes = Buffer.from(text);
  return { name, path, sha256: sha256Of(bytes), excerpt: beginningOf(bytes, path) };
}

function beginningOf(bytes: Buffer, path: string): string {
  if (bytes.length <= EXCERPT_BYTES_MAX) return bytes.toString('utf8');
  const rest = `\n… the rest is in ${path}\n`;
  const shown = wholeLines(bytes.subarray(0, EXCERPT_BYTES_MAX - Buffer.byteLength(rest)).toString('utf8'));
  return shown + rest;
}

function wholeLines(text: string): string {
  const end = text.lastIndexOf('\n');
  return end < 0 ? text : text.slice(0, end + 1);
}

/** What queries show of a LEDGER.md that is longer: its newest entries, from a heading on. */
export function newestOf(end: Buffer, path: string): string {
  const text = end.toString('utf8');
  const heading = /\n## /.exec(text);
  const from = heading === null ? text.indexOf('\n') + 1 : heading.index + 1;
  return `… what is older is in ${path}\n\n${text.slice(from)}`;
}
