import type { Cost } from './cost-values.js';
/** The work on one task, and how it ended. Plain JSON, as all values of a run. */
import type { Observation } from './look-values.js';
import type { Status, Task } from './plan-values.js';

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
