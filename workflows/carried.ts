import type { NoOp, Place, Recorded, RecordState } from '../activities/interface.js';
import { leanEntry } from '../core/entries.js';
import type { Run } from '../core/values.js';

/** What a run hands from one execution to the next (R15: at most 400 KB at 1,000 tasks; texts live by hash in its folder). */
export interface Carried {
  run: Run;
  place: Place;
  record: RecordState;
  noOp: NoOp | null;
  warnings: string[];
  /** Names that the namespace knows; an unknown one would stop the run. */
  searchAttributes: string[];
  /** Plan versions by hash: an entry's promise is read from the plan it was made under. */
  plans: { version: number; sha256: string }[];
  /** Questions that went out already: each is announced once. */
  notified: string[];
  /** The last written files, for the queries `ledger`, `plan` and `report`. */
  files: Partial<Record<Recorded['file']['name'], Recorded['file']>>;
}

export const FIRST_RECORD: Pick<Carried, 'record' | 'notified' | 'files'> = {
  record: { head: null, bytes: 0, tail: '' },
  notified: [],
  files: {},
};

/** Of an excerpt, what crosses continue-as-new. */
const EXCERPT_CARRIED_LENGTH_MAX = 4_000;

export function handOn(carried: Carried): Carried {
  const files: Carried['files'] = {};
  for (const file of Object.values(carried.files)) files[file.name] = { ...file, excerpt: file.excerpt.slice(-EXCERPT_CARRIED_LENGTH_MAX) };
  const ledger = carried.run.ledger.map((entry) => (entry.sha256 === undefined ? entry : leanEntry(entry)));
  return { ...carried, run: { ...carried.run, ledger }, files };
}

export function resume(carried: Carried): Carried {
  return carried;
}
