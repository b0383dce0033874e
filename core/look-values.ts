/** What a look brings back. Plain JSON, as all values of a run. */
import type { Cost } from './cost-values.js';
import type { SeenDelivery } from './methods/pipeline-values.js';

export type LookResult = 'holds' | 'disproved' | 'unobservable';

/** What one check saw. */
export interface Look {
  check: string;
  is: LookResult;
  /** In words, at most 200 characters: `exit 1`, `absent`, `status 500`. */
  saw: string;
  /** Four hex digits of the normalised output of a check that did not hold: the identity of this failure. */
  mark?: string;
  /** The end of its output, masked, at most 500 characters. */
  excerpt?: string;
  /** Of the whole masked output, or of the file looked at. */
  sha256?: string;
}

export interface Discovery {
  label: 'verified' | 'reported, unconfirmed';
  fact: string;
  check?: string;
}

/** What a look by code brought back. */
export interface Observation {
  looks: Look[];
  /** Pinned files (plan, ledger, report, checks, configuration) that somebody else changed, relative to the workspace (R17). */
  tampered: string[];
  /** Other deviations that code saw, as words (a write outside `Writes`, a read-only role that wrote). */
  deviations: string[];
  discovered: Discovery[];
  /** What is gone that was there before the work, in words: it is a state delta, never left implicit (seed 002 §5). */
  destroyed?: string[];
  /** Of a look before the work: the state of the workspace, by the sha256 of its text in the run's folder. */
  base?: string;
  /** The run's folder shows that an attempt of this task began, which this history does not know. */
  attempted?: boolean;
  /** Checks that the verifier role proposed for a prose `Verify by:` and that code accepted. */
  compiled?: string[];
  /** The verifier is at its usage limit: the look before the work is made again when that is over (R13). */
  limited?: { until: number | null; why: string };
  /** What asking the verifier cost; the run books it and does not keep it here. */
  cost?: Cost;
  /** Checks of a planner that hold here, and where nothing is as well: they observe nothing, and count for nothing. */
  refused?: string[];
  /** Of a look before a pipeline's step: its artifacts as they were, by the sha256 of their list in the run's folder. */
  baseline?: string;
  /** Of a look after a pipeline's step. Absent: the answer and its artifacts were not looked at, which delivers nothing (R11). */
  delivery?: SeenDelivery;
}

/** What the final sweep looks at: each distinct check once, with the entries that rest on it. */
export interface SweepLook {
  check: string;
  seqs: number[];
}

/** For the report: what was looked at once more before closing, and what of it nobody could see (R11: it is said). */
export interface Swept {
  checks: number;
  /** Of these, how many no longer held: each is in an entry of its own. */
  broken: number;
  /** The first of those that nobody could see, with what kept them from being seen. */
  unseen: { check: string; saw: string }[];
  unseenInAll: number;
}
