import type { Json } from '../plan-values.js';

/**
 * The values of a pipeline (seed 003; docs/interface.md §10), as the rules need them: plain JSON, every default filled in.
 * Prompts and commands stay in the pinned texts and are named by hash.
 */
export interface Pipeline {
  slug: string;
  goal: string;
  /** `feature-id` and `module-id` of `values`, for the context file and the block. */
  featureId?: string;
  moduleId?: string;
  /** In the order in which they run. At least one of them runs in order. */
  steps: Step[];
}

export const STEP_GATES = ['none', 'review', 'human'] as const;
export type StepGate = (typeof STEP_GATES)[number];
export const ON_EXHAUSTED = ['ask', 'stop', 'continue-with-debt'] as const;
export type OnExhausted = (typeof ON_EXHAUSTED)[number];
export const CONDITIONS = ['debt', 'fix'] as const;
export type Conditions = (typeof CONDITIONS)[number];
export const COMPARISONS = ['==', '!=', '<', '<=', '>', '>='] as const;
export type Comparison = (typeof COMPARISONS)[number];

export interface Step {
  /** `1`, `8b`, `launch`: unique as text. Its task is `S1`, `S8b`, `Slaunch`. */
  step: string;
  /** What its block must say. null: a command (`run:`), which writes no block. */
  agent: string | null;
  title: string;
  run: boolean;
  /** An agent of the configuration; `inline` for a command. */
  performer: string;
  /** sha256 of its prompt, or of its command, with the values filled in: the identity of what was asked. */
  states: string;
  gate: StepGate;
  /** null: the next-inputs of the step before. */
  inputs: StepInput[] | null;
  /** Keys that the block must list, each with the pattern that every path listed under it must match. */
  artifacts: ArtifactDemand[];
  /** Deliveries that may be tried until one is accepted, the first included. */
  attempts: number;
  /** The earlier step whose agent fixes what this one rejects. */
  fix: string | null;
  /** Pairs of a fix and another review. 0: straight to `backToPlan`. */
  rounds: number;
  backToPlan: string | null;
  conditions: Conditions;
  onExhausted: OnExhausted;
  when: { step: string; verdict: string } | null;
  /** Canonical, in the grammar of docs/interface.md §4. */
  checks: string[];
  require: Requirement[];
  /** Never run in order, only as a fix. */
  optional: boolean;
  writes: string[] | null;
  timeoutMs?: number;
  permissions?: 'read' | 'edit' | 'full';
}

/** `srs: 1.srs`: under this name, what that step's latest accepted attempt listed under that key. */
export interface StepInput {
  name: string;
  step: string;
  key: string;
}

export interface ArtifactDemand {
  key: string;
  /** A glob relative to the workspace. One that ends in `/` wants a folder with at least one file that is not empty. */
  pattern: string;
}

/** `metrics.critical-count == 0`. A metric that is missing or no number does not hold. */
export interface Requirement {
  metric: string;
  is: Comparison;
  value: number;
  /** As written. */
  text: string;
}

/** A STEP-RESULT block that could be read. Nothing in it is evidence (R8). */
export interface StepResult {
  step: string;
  agent: string;
  status: 'SUCCESS' | 'FAILED';
  featureId?: string;
  moduleId?: string;
  artifacts: ListedArtifact[];
  metrics: Metric[];
  /** In capitals, words joined by `_`. null: absent or empty, which approves nothing (R11). */
  verdict: string | null;
  criticalIssues: string[];
  nextInputs: NextInput[];
  /** Keys that the block is not known to have. */
  other: { key: string; value: Json }[];
}

/** As listed: whether a path lies in the workspace is for code to see. */
export interface ListedArtifact {
  key: string;
  paths: string[];
}

export interface Metric {
  key: string;
  value: string | number;
}

export interface NextInput {
  key: string;
  values: string[];
}

/** What an entry keeps of a step's answer: later steps, the gates, the context file and a resumed run need no more of it. */
export interface EntryDelivery {
  /** Those that the artifact gate accepted, as they were then; of what was not delivered, also what was written and not listed. */
  artifacts: DeliveredArtifact[];
  metrics: Metric[];
  criticalIssues: string[];
  nextInputs: NextInput[];
}

export interface DeliveredArtifact {
  key: string;
  path: string;
  sha256: string;
}

/** What the answer of a step's agent holds. Only `result` can be a delivery. */
export type ReadResult =
  | { is: 'result'; result: StepResult }
  | { is: 'none' }
  /** The form we gave, returned unfilled. */
  | { is: 'template' }
  /** `line`: of the answer, from 1. */
  | { is: 'unparsed'; line: number; why: string };

/**
 * What code saw of a step's delivery after the work (`Observation.delivery`). It only says what is there: whether that is
 * a delivery, the rules decide.
 */
export interface SeenDelivery {
  /** Of the answer of this very attempt, by its token. Of a command, which writes no block: `none`. */
  read: ReadResult;
  /** Of an agent: every path that its block lists, in its order. Of a command: every path that a demanded pattern matches. */
  artifacts: SeenArtifact[];
  /**
   * Of an agent: what a demanded pattern matches, is not as the baseline has it, and is not listed under that key; at most
   * 100 of them. Who wrote a file and forgot to list it may list it the next time as it is.
   */
  unlisted?: SeenArtifact[];
  /** Every value that the block lists under `next-inputs`. */
  nextInputs: SeenNextInput[];
}

export interface SeenArtifact {
  key: string;
  /** Relative to the workspace; as listed where it lies outside. */
  path: string;
  /**
   * By its real path: `outside` of the workspace, through a link too; `irregular` is neither a file nor a folder where one
   * is wanted; `empty` also a folder without a file that is not; `unobservable` could not be looked at.
   */
  is: 'there' | 'missing' | 'outside' | 'empty' | 'irregular' | 'unobservable';
  /** Against the pattern that the step demands under its key. true where none is demanded. */
  matches: boolean;
  /** Of a file's content, or of a folder's list of files with theirs. null: there is nothing to hash. */
  sha256: string | null;
  /** The same before the work, in the baseline of this task's first try. null: it was not there. */
  before: string | null;
}

export interface SeenNextInput {
  key: string;
  value: string;
  /** A file or folder inside the workspace. */
  there: boolean;
  /** It leads out of the workspace, by its name or through a link. */
  outside?: true;
}

/** What `about` of a pipeline's run holds: `openRun`'s `input`, by `pipelineInput`. */
export interface PipelineAbout {
  pipeline: Pipeline;
  /** `--from STEP` or `--only STEP`. */
  range?: { from: string } | { only: string };
  /** Of steps before the range: what is there of their artifacts, hashed when the run was loaded. */
  given?: { step: string; artifacts: DeliveredArtifact[] }[];
}

/** What the brief of an attempt says beside its prompt, all of it from the ledger (`briefingOf`). */
export interface StepBriefing {
  step: Step;
  /** `start`, `artifact-gate`, `fix of S5`, … */
  askedBy: string;
  /** Why it is asked again, in lines: what is missing, why the answer was no result, what a person said. */
  because: string[];
  /** sha256 of the record whose `Unresolved` says it, where an earlier execution wrote it and `because` knows no more than its blocker. */
  record?: string;
  /** Of a fix, and of a cycle back to plan: exactly the critical issues of the review. */
  issues: string[];
  inputs: BriefedInput[];
  /** Of a fix: the session of the attempt that it mends, for an agent that can go on with it. */
  session: string | null;
}

export interface BriefedInput {
  name: string;
  /** Whose it is: `S1@2`. null: nobody delivered it. */
  from: string | null;
  values: string[];
  /** Why there is nothing: the step was skipped, or did not deliver it. */
  absent?: string;
}
