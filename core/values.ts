import type { EntryDelivery, SeenDelivery } from './methods/pipeline-values.js';

/**
 * The values of a run. Everything here is plain JSON: a `Run` survives `JSON.parse(JSON.stringify(run))`, which is how
 * it crosses continue-as-new and how a crash is simulated in tests. Times are epoch milliseconds unless a name says ISO.
 */
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

/** What a performer says of itself (seed 002 §3, return contract). Never evidence (R8). */
export interface Claim {
  status: Status;
  stateDelta: string[];
  evidence: string[];
  discovered: string[];
  unresolved: string[];
  risk: string[];
  userAction: string[];
  deviation?: string;
  blocker?: string;
}

/** How an attempt ended. */
export type End =
  /** `code` null: it had answered, and was ended before it ended by itself. */
  | { is: 'answered'; claim: Claim; code: number | null }
  | { is: 'exited'; code: number; note?: string }
  | { is: 'signalled'; signal: string }
  /** `claim`: what it had said by then, here and in `cut`. */
  | { is: 'lost'; claim?: Claim }
  /** `silentMs`: not all of its time was up, but it had printed nothing for so long. */
  | { is: 'timeout'; silentMs?: number }
  | { is: 'cut'; claim?: Claim }
  | { is: 'refused'; why: string; blocker: string; userAction: string }
  | { is: 'limited'; until: number | null; why: string }
  | { is: 'attested'; happened: 'yes' | 'no' | 'partly'; by: string; nowTrue?: string; unexpected?: string };

/** What an agent reported. null: it did not say; unknown is never shown as 0. */
export interface Cost {
  usd: number | null;
  tokens: number | null;
  /** Money that nobody reported or is asked for, as the list price of a subscription's tokens. It counts toward no limit. */
  estimatedUsd?: number;
}

export type Stage =
  | 'checking' // the look before the work
  | 'ready' // may be dispatched when its turn comes
  | 'dispatching'
  | 'limited' // a usage limit; no slot, no process
  | 'handedOver' // with a person
  | 'verifying' // the look after the work
  | 'asking'; // the machine checks hold; its human checks are open

/** The work on one task. `number` counts tries after a loss, `leg` counts resumptions after a usage limit: both make a new token. */
export interface Attempt {
  task: Task;
  planVersion: number;
  startedAt: number;
  stage: Stage;
  number: number;
  leg: number;
  /** Identity of the move that this stage waits for. */
  move: string;
  /** Whether a dispatch of this task id is in history. */
  dispatched: boolean;
  /** `run.effects` when the look that is awaited was issued. */
  asOf: number;
  until?: number | null;
  why?: string;
  before?: Observation;
  end?: End;
  after?: Observation;
  attested?: Extract<End, { is: 'attested' }>;
  /** What a person said of a step that is delivered. */
  decided?: Decided;
  session?: string;
  cost: Cost;
  cut?: true;
  /** Failures of the activity itself at this stage. */
  asks?: number;
}

/** A person's answer to `decide` where a step waits for one. */
export interface Decided {
  approves: boolean;
  by: string;
  reason?: string;
}

/** `debt`: what was left undone or unapproved on the way; it is carried to the report, and is never an approval. */
export type GateRecord =
  | { is: 'holds'; at: number; note?: string; debt?: string }
  | { is: 'required'; at: number }
  | { is: 'done'; version: number; at: number; debt?: string }
  | { is: 'reopened'; version: number; at: number; by?: string; label?: Label; words?: string; debt?: string }
  | { is: 'exhausted'; blocker: string; why: string; final: boolean; at: number };

/** What the looks before and after the work came to, of one check. */
export interface Evidence {
  check: string;
  before: string;
  after: string;
  holds: boolean;
  /** Of the last look. Absent in records of before it was kept: there `holds` says it. */
  is?: LookResult;
  excerpt?: string;
  sha256?: string;
}

/** The full text of an entry. It leaves the carried state at continue-as-new; the record keeps it by hash. */
export interface EntryText {
  stateDelta: string[];
  evidence: Evidence[];
  /** Evidence that is no check: a person's words, what a plan said. */
  words: string[];
  discovered: Discovery[];
  unresolved: string[];
  risk: string[];
  userAction: string[];
  deviation: string[];
  session?: string;
}

/** One ledger entry (seed 002 §5). `text` is null once an earlier execution wrote it. */
export interface Entry {
  seq: number;
  task: string;
  title: string;
  status: Status;
  label: Label;
  planVersion: number;
  /** Which attempt of its lineage and episode, from 1. */
  attempt: number;
  performer: string;
  covers: string[];
  states: string;
  /** The states of the first task of this promise: the criterion's identity without a SPEC. */
  checks: string[];
  /** As in Task. */
  added?: string[];
  /** Worst of the last look. null: nothing was looked at. */
  observed: LookResult | null;
  restates?: string;
  continues?: string;
  reopens?: string;
  undoes?: string;
  blocker?: string;
  askedBy?: string;
  /** Of a pipeline's review: an opinion, never evidence. */
  verdict?: string;
  /** Of a pipeline's step whose answer could be read. */
  delivery?: EntryDelivery;
  /** Of a pipeline's step: the session of its agent, which a fix goes on with. */
  session?: string;
  /** Why the planner is asked although the status is fine. */
  news?: string[];
  /** Of what is not settled: the first thing that a person has to do, for the question that may be asked much later. */
  todo?: string;
  /** Of what is not settled: how it was to be done, for the task that code makes when it is reopened. */
  terms?: Pick<Task, 'writes' | 'repeatable' | 'timeoutMs' | 'about' | 'ask'>;
  /** `run.effects` when its checks last ran. */
  asOf: number;
  gates: GateRecord[];
  cost: Cost;
  startedAt: number;
  endedAt: number;
  text: EntryText | null;
  /** It holds discoveries that later briefs may need. */
  facts?: true;
  /** Pinned files that its attempt changed; the record puts them back. */
  tampered?: string[];
  /** Of its record in the run's folder, once written. */
  sha256?: string;
}

export interface Question {
  id: string;
  kind: 'attest' | 'decide' | 'resolve';
  task?: string;
  gate?: string;
  ask: string;
  since: number;
  until: number;
}

export interface Limits {
  parallel: number;
  taskMinutes: number;
  runHours: number;
  dispatches: number;
  costUsd: number | null;
  tokens: number | null;
  checkMinutes: number;
  waitDays: number;
}

export interface Policy {
  /** Whether somebody fills the planner role. */
  planner: boolean;
  onBlocked: 'report' | 'wait';
  askPlanner: 'mechanical' | 'on-news' | 'always';
  finalSweep: boolean;
}

export type Budget = 'dispatches' | 'hours' | 'cost' | 'tokens';

/** What was spent in the current episode (`since` the last confirmed raise) and in all. */
export interface Spent {
  dispatches: number;
  usd: number;
  tokens: number;
  /** As in Cost. Absent: nothing was estimated. */
  estimatedUsd?: number;
  /** Some agent did not say what it cost. */
  unknown: boolean;
  /** How many entries of earlier executions are in it, as far as their ledger says what was spent on them. */
  earlier?: number;
  /** Time in which the run worked; waits, limits and pauses aside. */
  activeMs: number;
}

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
  | { n: number; is: 'plan'; version: number; sha256: string; edit?: PlanEdit }
  | { n: number; is: 'report' };

/** A plan version made by code: one task under a new id, reopening another. */
export interface PlanEdit {
  task: string;
  as: string;
  reopens: string;
  because: string;
}

export interface Handled {
  id: string;
  name: MessageName;
  by: string;
  applied: boolean;
  reason: string;
  at: number;
}

export type MessageName = 'attest' | 'decide' | 'resolve' | 'replan' | 'message' | 'pause' | 'resume' | 'stop';

/** A human act, parsed from a signal or an update. `shown` is what the person looked at: a plan version. */
export type Message = { id: string; by: string; at: number; shown?: number | string } & (
  | { name: 'attest'; task: string; happened: 'yes' | 'no' | 'partly'; nowTrue?: string; unexpected?: string }
  | { name: 'decide'; gate: string; decision: 'approve' | 'reject'; reason?: string }
  | { name: 'resolve'; blocker: string; resolution: string; check?: string }
  | { name: 'replan'; plan: string }
  | { name: 'message'; to: string; text: string }
  | { name: 'pause'; reason?: string }
  | { name: 'resume'; reason?: string }
  | { name: 'stop'; reason?: string }
  | { name: 'refused'; of: string; reason: string }
);

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

export interface ProposedPlan {
  version: number;
  goal: string;
  tasks: Task[];
  sha256: string;
  because?: string;
  noOp: boolean;
  /** Tasks of the present plan that stand in it with another `Task` or `Run`: their prose is not among the values. */
  reworded?: string[];
}

export type Planned =
  | { is: 'plan'; plan: ProposedPlan }
  | { is: 'none'; reason: string }
  | { is: 'holds'; reason: string }
  | { is: 'unreadable'; problems: string[] }
  | { is: 'limited'; until: number | null; why: string };

export type Answer = { move: string; at: number; cost?: Cost } & (
  | { is: 'observed'; observation: Observation }
  | { is: 'ended'; end: End; session?: string }
  /** The engine does not know how it ended. `counts`: it was the activity's own failure, not a lost worker or a time-out. */
  | { is: 'unclear'; counts: boolean }
  | { is: 'elapsed' }
  | { is: 'recorded'; sha256?: string; found?: string[] }
  | { is: 'planned'; planned: Planned }
);

export type Phase = 'checking' | 'dispatching' | 'verifying' | 'recording' | 'replanning' | 'waiting' | 'limited' | 'paused' | 'closed';

export interface Criterion {
  id: string;
  state: 'satisfied' | 'unsatisfied' | 'unverifiable' | 'open';
  label: Label;
  by: string[];
}

export interface Run {
  /** The slug. */
  id: string;
  method: MethodName;
  /** What the method keeps; it alone reads it. */
  about: Json;
  plan: Plan;
  active: Attempt[];
  ledger: Entry[];
  questions: Question[];
  planning: Planning | null;
  proposed: Proposed | null;
  resolving: Resolving | null;
  /** The look before closing that is awaited. `asOf` as in Entry, `asks` as in Attempt. */
  sweep: { move: string; asOf: number; asks?: number } | null;
  sweptAt: number;
  /** What the newest look before closing came to. Absent: there was none yet. */
  swept?: Swept;
  writes: Write[];
  handled: Handled[];
  /** Messages to roles, shown in their next brief. */
  notes: { to: string; text: string; by: string }[];
  /** Found files that we did not write and saved beside. */
  found: string[];
  limits: Limits;
  policy: Policy;
  /** In this episode: caps count from here. */
  spent: Spent;
  spentInAll: Spent;
  /** Tasks that left the plan without an entry: their ids name no other promise, ever. */
  retired?: { id: string; states: string }[];
  /** Attempts that have ended: what a look may have been overtaken by. */
  effects: number;
  /** For ids of moves and writes; never reused. */
  next: number;
  /** Opened from a LEDGER.md without history: what holds already may be our own unrecorded work. */
  reconstructing: boolean;
  paused: { by: string; reason: string; at: number } | null;
  stopped: { by: string; reason: string; at: number } | null;
  /** Set when the last report is written. */
  outcome: Outcome | null;
  closing: boolean;
  openedAt: number;
  /** When the clock was last read, to count `activeMs`. */
  clock: number;
}
