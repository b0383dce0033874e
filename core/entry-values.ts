/** What the ledger keeps. Plain JSON, as all values of a run. */
import type { Cost } from './cost-values.js';
import type { Discovery, LookResult } from './look-values.js';
import type { EntryDelivery } from './methods/pipeline-values.js';
import type { Label, Status, Task } from './plan-values.js';

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
  /** Empty where nobody was sent, and where a ledger does not say. */
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
  /** Of what is not settled: how it was to be done (by whom, where nobody was sent), for the task that code makes when it is reopened. */
  terms?: Pick<Task, 'writes' | 'repeatable' | 'timeoutMs' | 'about' | 'ask'> & { performer?: string };
  /** `run.effects` when its checks last ran. */
  asOf: number;
  gates: GateRecord[];
  cost: Cost;
  startedAt: number;
  endedAt: number;
  text: EntryText | null;
  /** Taken over as done from a LEDGER.md that shows nothing of it, and code can look at nothing again: it satisfies no criterion (R4). */
  unshown?: true;
  /** It holds discoveries that later briefs may need. */
  facts?: true;
  /** Pinned files that its attempt changed; the record puts them back. */
  tampered?: string[];
  /** Of its record in the run's folder, once written. */
  sha256?: string;
}
