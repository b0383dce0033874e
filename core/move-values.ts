/** What a run asks of the world, and what comes back. Plain JSON, as all values of a run. */
import type { Attempt, Claim, End } from './attempt-values.js';
import type { Cost } from './cost-values.js';
import type { Observation, SweepLook } from './look-values.js';
import type { Question } from './message-values.js';
import type { Label, PlanEdit, Planned } from './plan-values.js';

export interface Planning {
  question: 'replan' | 'holds?';
  /** seq of the entries whose gate is open. */
  triggers: number[];
  move: string;
  refusals: number;
  problems: string[];
  /** A confirmed resolution opens a new episode for these tasks. */
  reopening: string[];
  resolution?: { text: string; by: string; label: Label };
  /** `run.next` when this ask began: tells two asks about the same entries apart. */
  asking?: number;
  /** Failures of the activity itself, one after the other. */
  asks?: number;
  /** It was asked before a pause: it may end. */
  underway?: true;
  /** A usage limit of the planner is waited for (R13). `legs`: how often before, `since`: from when on. */
  limited?: { until: number; why: string };
  legs?: number;
  since?: number;
}

/** A person's plan that is being read by code. */
export interface Proposed {
  move: string;
  message: string;
  text: string;
  by: string;
}

/** A resolution whose check is being run. */
export interface Resolving {
  move: string;
  message: string;
  seq: number;
  text: string;
  by: string;
  check: string;
}

export type Write =
  | { n: number; is: 'entry'; seq: number }
  | { n: number; is: 'gate'; seq: number }
  /** `planner`: no person gave it. */
  | { n: number; is: 'plan'; version: number; sha256: string; edit?: PlanEdit; planner?: true }
  | { n: number; is: 'report' };

export type Move = { id: string } & (
  | { is: 'observe'; when: 'before'; attempt: Attempt }
  | { is: 'observe'; when: 'after'; attempt: Attempt; claim: Claim | null }
  | { is: 'observe'; when: 'sweep'; looks: SweepLook[] }
  | { is: 'observe'; when: 'resolution'; check: string }
  | { is: 'dispatch'; token: string; attempt: Attempt; cut: boolean; again: boolean }
  | { is: 'wait'; until: number; why: string }
  | { is: 'person'; question: Question }
  | { is: 'replan'; question: 'replan' | 'holds?'; planning: Planning }
  | { is: 'read'; proposed: Proposed }
  | { is: 'record'; write: Write }
);

export type Answer = { move: string; at: number; cost?: Cost } & (
  | { is: 'observed'; observation: Observation }
  | { is: 'ended'; end: End; session?: string }
  /** The engine does not know how it ended. `counts`: it was the activity's own failure, not a lost worker or a time-out. */
  | { is: 'unclear'; counts: boolean }
  | { is: 'elapsed' }
  | { is: 'recorded'; sha256?: string; found?: string[] }
  | { is: 'planned'; planned: Planned }
);
