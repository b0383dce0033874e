import type { PipelineStart, StartInput } from '../activities/interface.js';
import type { WorkflowType } from '../workflows/names.js';

/**
 * Runs as the command knows them: the port between the verbs and a Temporal service. `client/temporal/runs.ts` is the real one; tests
 * bring their own. Every call ends within its deadline and throws a UserError for what a person can mend; `find` and `list`
 * need a server only, `query` and `act` a worker too.
 */
export interface Runs {
  readonly address: string;
  readonly namespace: string;
  readonly embedded: boolean;
  /** The page of a workflow in the Web UI, or null where there is no UI that we know of. */
  pageOf(info: { workflowId: string; runId: string }): string | null;
  /** null: the server knows no workflow of that slug. */
  find(slug: string): Promise<RunInfo | null>;
  /** Newest first; of each slug only the newest execution. */
  list(filter: 'all' | 'running'): Promise<RunInfo[]>;
  /** null: no worker answered before the deadline. */
  query(run: RunId, name: QueryName, deadlineMs: number): Promise<Answered | null>;
  /** The final state of a closed execution; waits while it is running, until `signal` says otherwise. */
  result(run: RunId, signal: AbortSignal | null): Promise<Ended>;
  /** null: no worker took the act before the deadline. The same id again is applied once (R12). */
  act(run: RunId, act: Act): Promise<Acted | null>;
  /** Starts a run, or finds the one that is running. With an act: both or neither (docs/interface.md §2, `resolve`). */
  start(request: StartRequest): Promise<RunInfo>;
  reopen(request: StartRequest, act: Act): Promise<Acted | null>;
  /** What an open run tries again and again, without success. */
  failing(run: RunId): Promise<Failing[]>;
  /** What the server says of an open run by itself: its worker need not answer. */
  standing(run: RunId): Promise<Standing>;
  close(): Promise<void>;
}

export interface RunId {
  slug: string;
  runId?: string;
}

export type QueryName = 'state' | 'ledger' | 'plan' | 'report' | 'waiting';

export interface Answered {
  value: unknown;
}

export type RunStatus = 'running' | 'completed' | 'failed' | 'cancelled' | 'terminated' | 'timedOut' | 'unknown';

export interface RunInfo {
  slug: string;
  workflowId: string;
  runId: string;
  type: string;
  status: RunStatus;
  taskQueue: string;
  startedAt: number;
  endedAt: number | null;
  memo: RunMemo;
  /** From search attributes: what lists show without asking a worker. */
  seen: {
    phase: string | null;
    outcome: string | null;
    done: number | null;
    total: number | null;
    costUsd: number | null;
    waitingFor: string[];
  };
}

/** What the command wrote beside the run when it started it. null where a run was started by other means. */
export interface RunMemo {
  host: string | null;
  /** Real path of the plan's folder. */
  folder: string | null;
  /** Where LEDGER.md and REPORT.md go; the folder unless `--out` said otherwise. */
  out: string | null;
  workspace: string | null;
  /** The plan's file, or the pipeline's. */
  planFile: string | null;
  /** Of the plan's text at the start. */
  planSha256: string | null;
  /** The part of a pipeline that was asked for. Absent: all of it. */
  from?: string;
  only?: string;
}

export interface StartRequest {
  slug: string;
  taskQueue: string;
  type: WorkflowType;
  input: StartInput | PipelineStart;
  summary: string;
  memo: RunMemo;
}

export interface Act {
  name: 'attest' | 'decide' | 'resolve' | 'replan' | 'message' | 'pause' | 'resume' | 'stop';
  id: string;
  payload: Record<string, string | number>;
  /** How long the answer may take once a worker has the act: a resolution's check is run first. */
  answerMs: number;
}

export interface Standing {
  failing: Failing[];
  /** The same as long as nothing happened in the run; null: nobody knows. */
  happened: string | null;
}

/** Work of a run that keeps failing; the engine tries it again until it succeeds. */
export interface Failing {
  /** Its name, as `record`. */
  activity: string;
  failures: number;
  /** null: nobody knows. */
  since: number | null;
  reason: string;
}

export interface Acted {
  applied: boolean;
  reason: string;
}

export type Ended =
  | { is: 'closed'; state: unknown }
  /** The workflow refused its input before anything was done. */
  | { is: 'refused'; type: string; problems: string[] }
  | { is: 'terminated' | 'cancelled' | 'timedOut'; words: string }
  | { is: 'broken'; words: string }
  | { is: 'abandoned' };
