import { appendFileSync, renameSync, statSync } from 'node:fs';

/** A log of at most two such files: `server.log`, and what was before it as `server.log.1`. */
export const LOG_BYTES_MAX = 1_000_000;
const TAIL_LINES_MAX = 40;

export interface BoundedLog {
  write(text: string): void;
  /** The last lines that were written through this log. */
  tail(): string[];
}

/** Appends to a file and sets it aside when it is full. A log that cannot be written stops nothing. */
export function openLog(file: string): BoundedLog {
  let tail = '';
  return {
    write: (text) => {
      tail = (tail + text).split('\n').slice(-TAIL_LINES_MAX).join('\n');
      try {
        if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > LOG_BYTES_MAX) renameSync(file, `${file}.1`);
        appendFileSync(file, text, { mode: 0o600 });
      } catch {
        // The disk is full or the folder is gone; the server goes on.
      }
    },
    tail: () => tail.split('\n').filter((line) => line.trim() !== ''),
  };
}
