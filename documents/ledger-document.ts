import type { Entry } from '../core/values.js';

/** A LEDGER.md (seed 002 §5, docs/interface.md §6). */
export interface LedgerDocument {
  /** Lines before the title. */
  foreword: string[];
  title: string;
  entries: Entry[];
  /** Of each entry, in the same order, what `Entry` has no place for. */
  details: EntryDetails[];
  /** Lines between the title and the first entry. */
  preamble: string[];
  /** Sections that are no entry, each with its heading. */
  sections: string[];
}

export interface EntryDetails {
  task: string;
  /** Of its heading. */
  line: number;
  doneWhen: string | null;
  restates: string | null;
  /** Lines that are no field of an entry, kept. */
  unknown: string[];
}

/** In an `Attempt:` line, in place of a performer. */
export const NOBODY_SENT = 'nobody was sent';
export const PERFORMER_UNKNOWN = 'performer unknown';
