/**
 * The values of a run. Everything here is plain JSON: a `Run` survives `JSON.parse(JSON.stringify(run))`, which is how
 * it crosses continue-as-new and how a crash is simulated in tests. Times are epoch milliseconds unless a name says ISO.
 */
import type { Attempt } from './attempt-values.js';
import type { Entry } from './entry-values.js';
import type { Swept } from './look-values.js';
import type { Handled, Question } from './message-values.js';
import type { Planning, Proposed, Resolving, Write } from './move-values.js';
import type { Json, MethodName, Outcome, Plan } from './plan-values.js';

export type { Attempt, Claim, Decided, End, Stage } from './attempt-values.js';
export type { Cost } from './cost-values.js';
export type { Entry, EntryText, Evidence, GateRecord } from './entry-values.js';
export type { Discovery, Look, LookResult, Observation, SweepLook, Swept } from './look-values.js';
export type { Handled, Message, MessageName, Question } from './message-values.js';
export type { Answer, Move, Planning, Proposed, Resolving, Write } from './move-values.js';
export type {
  Criterion,
  Json,
  Label,
  MethodName,
  Outcome,
  Plan,
  PlanEdit,
  Planned,
  ProposedPlan,
  Redefined,
  Status,
  Task,
} from './plan-values.js';

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

export type Phase = 'checking' | 'dispatching' | 'verifying' | 'recording' | 'replanning' | 'waiting' | 'limited' | 'paused' | 'closed';

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
  /** Tasks of which a person was asked, and whose question was taken back unanswered. Absent: none. */
  withdrawn?: string[];
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
