/** What is to be done, and what it came to. Plain JSON, as all values of a run. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

/** Seed 002 §6. */
export type Status = 'done' | 'partial' | 'blocked' | 'failed' | 'no_op';

/** Seed 002 §4: only code writes `verified` (R8). */
export type Label = 'verified' | 'attested' | 'unverified';

export type Outcome = 'COMPLETED' | 'PARTIAL' | 'BLOCKED' | 'FAILED' | 'NO_OP';

export type MethodName = 'executePlan' | 'runPipeline';

/** A unit of work without a ledger entry. Prose lives by hash in the run's folder; only what the rules need is here. */
export interface Task {
  id: string;
  title: string;
  /** An agent's name, `inline` (our own command) or `human`. */
  performer: string;
  dependsOn: string[];
  /** Check lines in the grammar of docs/interface.md §4, without the dash: `run: npm test`. */
  checks: string[];
  /** Those of them that a planner thought of: one that holds before the work must be able to fail (design §3, vacuity). */
  added?: string[];
  covers: string[];
  /** Globs it may write. null: unknown, so it runs alone. []: it only reads. */
  writes: string[] | null;
  /** false: a second try after a loss is never made (R3). */
  repeatable: boolean;
  timeoutMs?: number;
  continues?: string;
  reopens?: string;
  /** Hash of the normalised `Done when`; the identity of a promise where there is no SPEC. */
  states: string;
  /** Hash of the normalised `Restates`. */
  restates?: string;
  askedBy?: string;
  /** Of a task for a person: what is to be done and what is true then, in the plan's words. */
  ask?: string;
  /** Only the method reads it. */
  about?: Json;
}

export interface Plan {
  version: number;
  goal: string;
  /** Only tasks without an entry. */
  tasks: Task[];
  /** sha256 of the plan's text in the run's folder. */
  sha256: string;
  because?: string;
}

/** A plan version made by code: one task under a new id, reopening another. */
export interface PlanEdit {
  task: string;
  as: string;
  reopens: string;
  because: string;
}

export interface ProposedPlan {
  version: number;
  goal: string;
  tasks: Task[];
  sha256: string;
  because?: string;
  noOp: boolean;
  /** Tasks of the present plan that stand in it with another `Task` or `Run`: their prose is not among the values. */
  reworded?: string[];
  /** Fields of the header that are not as in the present plan, with what stands there. */
  redefined?: Redefined[];
}

export interface Redefined {
  field: 'Spec' | 'Goal';
  was: string;
}

export type Planned =
  | { is: 'plan'; plan: ProposedPlan }
  | { is: 'none'; reason: string }
  | { is: 'holds'; reason: string }
  | { is: 'unreadable'; problems: string[] }
  | { is: 'limited'; until: number | null; why: string };

export interface Criterion {
  id: string;
  state: 'satisfied' | 'unsatisfied' | 'unverifiable' | 'open';
  label: Label;
  by: string[];
}
