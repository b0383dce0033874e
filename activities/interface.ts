/**
 * The boundary between the workflow and the world. Workflows import types from here and nothing else of activities/.
 * Every activity decides nothing: it looks, acts or writes, and brings back values. No payload is larger than 100 KB
 * (R15): long texts live under the run's folder, by sha256.
 */
import type { PipelineAbout, StepBriefing } from '../core/methods/pipeline-values.js';
import type {
  Claim,
  Cost,
  Discovery,
  End,
  Entry,
  GateRecord,
  Limits,
  Observation,
  Outcome,
  Planned,
  Policy,
  Run,
  Task,
} from '../core/values.js';
import type { PipelineStart, StartInput } from './start-input.js';

/** Where a run works and writes; absolute real paths on the worker's host. */
export interface Place {
  slug: string;
  workflowId: string;
  /** Checks, `Writes` and agents are relative to it. */
  workspace: string;
  /** Where LEDGER.md, REPORT.md and the current PLAN.md stand. */
  out: string;
  /** `<workspace>/.donewhen/<slug>`: plan versions, briefs, attempts, texts. */
  folder: string;
  /** A second place of the same texts, outside of the workspace: a performer may empty that. Absent: there is none. */
  spare?: string;
  /** sha256 of the pinned donewhen.yaml value in the run's folder (`texts/<sha256>`); the configuration that this run uses. */
  configSha256: string;
  /** sha256 of SPEC.md's text in the run's folder, if there is one. */
  specSha256: string | null;
  /** sha256 of the pipeline's values in the run's folder. Absent: the run carries out a plan. */
  pipelineSha256?: string;
  /** sha256 of the LEDGER.md that the run went on from (`texts/<sha256>`): the beginning of its record. Absent or null: none. */
  ledgerSha256?: string | null;
  /** Pinned files, relative to the workspace, with the sha256 of their content at the start. */
  pinned: { path: string; sha256: string }[];
  host: string;
  /** When the run was loaded: tells apart runs that share a folder, one after the other. */
  startedAt?: number;
}

/** What `load` makes of the input's texts. */
export interface Loaded {
  place: Place;
  /** Of a pipeline; `plan` then has no tasks of its own. */
  about?: PipelineAbout;
  plan: { version: number; goal: string; tasks: Task[]; sha256: string; because?: string; noOp: NoOp | null };
  /** Required criteria of SPEC.md: every AC, and every Must FR through the ACs that name it. null: the contract is the plan. */
  criteria: { id: string; through: string[] | null }[] | null;
  /** Entries of a LEDGER.md without history, in order, with their gates. */
  entries: Entry[];
  limits: Limits;
  policy: Policy;
  /** Search attributes that the namespace knows; only these are upserted. */
  searchAttributes: string[];
  warnings: string[];
  /** Which row of docs/interface.md §2 was found, in words. */
  found: string;
}

export interface NoOp {
  because: string;
  evidence: string[];
  checks: string[];
  /** What the checks saw when the plan was loaded: each of them held. */
  seen?: { check: string; saw: string }[];
}

export interface CheckInput {
  place: Place;
  /** For the summary and the run's folder; null for a sweep or a resolution. */
  task: string | null;
  token: string | null;
  checks: string[];
  /** Those of them that a planner thought of; before the work they must be able to fail. */
  added?: string[];
  when: 'before' | 'after' | 'sweep' | 'resolution';
  planSha256: string | null;
  /** Every plan version of the run, oldest first: what its tasks say that they change. Absent: of a workflow before it was told. */
  plans?: { sha256: string; planner?: true }[];
  claim: Claim | null;
  /** `Writes` of the task: what it changes is its own, and not pinned for it. */
  writes: string[] | null;
  /** The workspace before the work, as that look kept it; absent: nothing is compared. */
  base?: string;
  /** The artifacts of a pipeline's step before the work, as that look kept them. */
  baseline?: string;
  checkMinutes: number;
}

export interface DispatchInput {
  place: Place;
  token: string;
  task: Task;
  planVersion: number;
  planSha256: string;
  goal: string;
  /** An earlier try of this attempt may have acted: the brief says so. */
  again: boolean;
  session: string | null;
  /** Of a pipeline's step. */
  step?: StepDispatch;
  /** Records of the entries whose facts the brief may state, by sha256 (texts/<sha256>). */
  facts: { task: string; sha256: string | null; label: Entry['label']; depended: boolean }[];
  /** Messages by people to this role. */
  notes: { text: string; by: string }[];
  timeoutMs: number;
  /** What the run may still spend; the attempt is ended when its agent tells that it has. null: no limit. */
  left?: { usd: number | null; tokens: number | null };
  /** The run was stopped: end the tree of this token, start nothing, and say how it ended. */
  cut?: true;
}

export interface StepDispatch {
  briefing: Omit<StepBriefing, 'session'>;
  /** The session is that of the attempt which this one mends, and not of an earlier try of its own. */
  mends: boolean;
  /** When the attempt began, for the log. */
  at: number;
  /** The newest record before it. */
  head: string | null;
}

export interface Dispatched {
  end: End;
  cost: Cost;
  session?: string;
  /** Relative to the run's folder. */
  log: string;
}

export interface ReplanInput {
  place: Place;
  token: string;
  /** null: a person gave the text; it is only read. */
  ask: {
    question: 'replan' | 'holds?';
    triggers: { seq: number; task: string; sha256: string | null }[];
    problems: string[];
    resolution: { text: string; by: string } | null;
    gate: string;
    timeoutMs: number;
  } | null;
  given: string | null;
  plan: { version: number; sha256: string };
  /** `gates`: as they are now, where they are more than the entry was recorded with. */
  entries: { task: string; sha256: string | null; gates?: GateRecord[] }[];
  /** Ids of earlier plan versions that neither the plan nor an entry has any more. */
  retired?: string[];
  notes: { text: string; by: string }[];
}

export interface Replanned {
  planned: Planned;
  cost: Cost;
}

/** What the last `record` left behind; opaque to the workflow, handed to the next one. */
export interface RecordState {
  /** sha256 of the newest record; records form a chain, so the ledger can be rebuilt from this alone. */
  head: string | null;
  /** Bytes of LEDGER.md as we left it, and sha256 of its last 4 KiB. */
  bytes: number;
  tail: string;
}

/** Everything REPORT.md and the run's JSON need that is not in the records. */
export interface RecordInput {
  place: Place;
  state: RecordState;
  write:
    | { is: 'entry'; entry: Entry; planSha256: string }
    | { is: 'gate'; task: string; gates: GateRecord[] }
    | { is: 'plan'; version: number; sha256: string; edit?: { task: string; as: string; reopens: string; because: string } }
    | { is: 'report'; report: PackedReport };
  /** Pinned files of ours that an attempt changed and that are put back. */
  restore: string[];
}

export interface ReportInput {
  outcome: Outcome;
  run: Pick<Run, 'id' | 'stopped' | 'spent' | 'spentInAll' | 'handled' | 'found' | 'policy' | 'swept' | 'withdrawn'> & {
    /** Of the remaining tasks only what the report names. */
    plan: Pick<Run['plan'], 'version' | 'goal' | 'sha256' | 'because'> & { tasks: Pick<Task, 'id' | 'title'>[] };
  };
  criteria: { id: string; state: string; label: string; by: string[] }[];
  /** Newest last; texts come from the records. */
  entries: { task: string; status: string; sha256: string | null }[];
  noOp: NoOp | null;
  warnings: string[];
  /** Of a pipeline: what was let through undone or unapproved. */
  debts?: string[];
  /** Every plan version of this run, oldest first. */
  plans?: { version: number; sha256: string }[];
  at: number;
}

/** A report's input with its long lists as rows without keys, so that it stays below the payload limit at 1,000 tasks (R15). */
export interface PackedReport extends Omit<ReportInput, 'criteria' | 'entries' | 'run'> {
  run: Omit<ReportInput['run'], 'plan'> & { plan: Omit<ReportInput['run']['plan'], 'tasks'> & { tasks: [id: string, title: string][] } };
  criteria: [id: string, state: string, label: string, by: string[]][];
  entries: [task: string, status: string, sha256: string | null][];
}

export interface Recorded {
  state: RecordState;
  /** The record's sha256, for an entry. */
  sha256?: string;
  /** Files we did not write, saved beside as `<NAME>.found-<time>.md`. */
  found: string[];
  /** For the queries `ledger`, `plan` and `report`: at most 32 KB of text. */
  file: { name: 'LEDGER.md' | 'PLAN.md' | 'REPORT.md'; path: string; sha256: string; excerpt: string };
  /** A plan made by code has its own sha256. */
  planSha256?: string;
}

export interface NotifyInput {
  place: Place;
  id: string;
  kind: string;
  text: string;
  json: unknown;
}

/**
 * The activities, by what a repeat would do. Looking: `load`, `check`, `verify`: twice does no harm. Writing: `record`,
 * `notify`: idempotent. Acting: `dispatch`, `replan`: one attempt; idempotent by token; an unclear end is settled by the
 * same token again (attach or outcome), never by starting another.
 * `load` throws ApplicationFailure `InvalidPlan` or `InvalidInput`, non-retryable, with every problem in its message.
 */
export interface Activities {
  load(input: (StartInput | PipelineStart) & { workflowId: string; now: number }): Promise<Loaded>;
  check(input: CheckInput): Promise<Observation>;
  verify(input: CheckInput): Promise<Observation>;
  dispatch(input: DispatchInput): Promise<Dispatched>;
  replan(input: ReplanInput): Promise<Replanned>;
  record(input: RecordInput): Promise<Recorded>;
  notify(input: NotifyInput): Promise<void>;
}

export type { Discovery, PipelineStart, StartInput };
