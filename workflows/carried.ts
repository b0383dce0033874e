import type { NoOp, Place, Recorded, RecordState } from '../activities/interface.js';
import type { Entry, Run } from '../core/values.js';
import { type PackedEntry, packEntry, unpackEntry } from './packing.js';

/** What a run hands from one execution to the next (R15: at most 400 KB at 1,000 tasks; texts live by hash in its folder). */
export interface Carried {
  run: Run;
  place: Place;
  record: RecordState;
  noOp: NoOp | null;
  /** Entries of the LEDGER.md that the run went on from. */
  adopted: number;
  warnings: string[];
  /** Names that the namespace knows; an unknown one would stop the run. */
  searchAttributes: string[];
  /** Plan versions by hash: an entry's promise is read from the plan it was made under. */
  plans: PlanVersion[];
  /** Questions that went out already: each is announced once. */
  notified: string[];
  /** The last written files, for the queries `ledger`, `plan` and `report`. */
  files: Partial<Record<Recorded['file']['name'], Recorded['file']>>;
}

/** `planner`: no person gave it, so it does not say what may be changed. */
export interface PlanVersion {
  version: number;
  sha256: string;
  planner?: true;
}

export const FIRST_RECORD: Pick<Carried, 'record' | 'notified' | 'files'> = {
  record: { head: null, bytes: 0, tail: '' },
  notified: [],
  files: {},
};

/** Of an excerpt, what crosses continue-as-new. */
const EXCERPT_CARRIED_LENGTH_MAX = 4_000;

/** The same, as it crosses continue-as-new: entries that are written are packed, in front of those that are not. */
export interface HandedOn extends Omit<Carried, 'run'> {
  run: Omit<Run, 'ledger'>;
  written: PackedEntry[];
  unwritten: Entry[];
}

export function handOn(carried: Carried): HandedOn {
  const files: Carried['files'] = {};
  for (const file of Object.values(carried.files)) files[file.name] = { ...file, excerpt: file.excerpt.slice(-EXCERPT_CARRIED_LENGTH_MAX) };
  const { ledger, ...run } = carried.run;
  const open = ledger.findIndex((entry) => entry.sha256 === undefined);
  const written = open < 0 ? ledger : ledger.slice(0, open);
  return { ...carried, run, files, written: written.map(packEntry), unwritten: ledger.slice(written.length) };
}

export function resume(handed: HandedOn): Carried {
  const { written, unwritten, run, ...rest } = handed;
  return { ...rest, run: { ...run, ledger: [...written.map(unpackEntry), ...unwritten] } };
}
