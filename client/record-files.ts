import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { LEDGER_FILE, REPORT_FILE } from './plan-folder.js';
import type { RunInfo } from './runs.js';

/** The record of a run, to be opened; null: it has none. */
export interface RecordFiles {
  ledger: string | null;
  report: string | null;
}

/** A run that recorded nothing has no LEDGER.md, and nobody is sent to look for it. What lies on another host is taken to be there. */
export function recordFiles({ memo }: RunInfo, hostId: string): RecordFiles {
  const { out, host } = memo;
  if (out === null) return { ledger: null, report: null };
  const isHere = host === null || host === hostId;
  const place = (name: string) => {
    const path = join(out, name);
    if (!isHere) return `${path} (on host ${host})`;
    return existsSync(path) ? path : null;
  };
  return { ledger: place(LEDGER_FILE), report: place(REPORT_FILE) };
}
