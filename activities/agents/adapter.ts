import type { Claim, Cost } from '../../core/values.js';

/** What an agent is asked, whatever kind it is. */
export interface AgentRequest {
  /** performer, planner, verifier or reviewer. */
  role: string;
  prompt: string;
  /** What its brief is known by in the agent's own session. */
  mark: string;
  /** To go on in; null: a fresh one. */
  session: string | null;
  workspace: string;
  /** Check lines of the task, for an agent that may run these commands and no others. */
  checks: readonly string[];
  /** Of this attempt alone, absolute: the files of its start are put there. */
  folder: string;
  /** Its temporary files. */
  tmp: string;
  here: Here;
}

/** What of this machine decides how an agent is started. */
export interface Here {
  isRoot: boolean;
  /** Whether somebody vouches that this whole machine is a sandbox (IS_SANDBOX=1). */
  isSandbox: boolean;
  /** What claude's own sandbox is made of is installed. */
  hasSandbox: boolean;
  /** git's common directory of the workspace, where a check of the task looks at git; else null. */
  gitDir: string | null;
}

/** How the process is started. The prompt goes by standard input, which is then closed. */
export interface AgentStart {
  argv: string[];
  /** Beside the allow-list and the DONEWHEN_ variables. */
  env: Record<string, string>;
  stdin: string;
  /** What has to be installed, where it is not the first word. */
  program?: string;
  /** Written into the attempt's folder before, by name. */
  files?: Record<string, string>;
}

/** A person has to do something before this agent can work. */
export interface Refusal {
  why: string;
  blocker: string;
  userAction: string;
}

/** What can be told of an agent that still works. */
export interface Glance {
  session: string | null;
  progress: string | null;
}

/** What its process left. */
export interface AgentLog {
  stdout: string;
  stderr: string;
  /** Epoch milliseconds; a clock time without a date is the next one after it. */
  endedAt: number;
}

/** What its output says when it has ended. Nothing of it is evidence (R8). */
export interface AgentReading {
  /** Its answer as text. */
  output: string;
  claim: Claim | null;
  /** Why there is no claim although it looks as if there should be one. */
  problem: string | null;
  session: string | null;
  cost: Cost;
  /** Its cost counts from the beginning of the session, not of this attempt. */
  countsSession?: true;
  limited: { until: number | null; why: string } | null;
  refused?: Refusal;
  /** Calls that its permissions did not allow, in words. The checks decide what that means. */
  denied?: string[];
  /** What it says of its cost and that cannot be so, in words. */
  doubts?: string[];
}

/** Where an agent keeps its sessions: a folder, and which files below it are this session's. */
export interface SessionFiles {
  folder: string;
  pattern: string;
}

export type Variables = Readonly<Record<string, string | undefined>>;

/** One kind of agent: a brief becomes a process, and what that prints becomes a reading. Pure. */
export interface AgentAdapter {
  /** Variables of the worker that it gets beside those of `environment.pass`: where its own configuration is, and a subscription's token. */
  passes: readonly string[];
  /** How long it may print nothing before it counts as hanging. Absent: as long as it likes. */
  idleMs?: number;
  start(request: AgentRequest): AgentStart | { refused: Refusal };
  /** Whole lines that arrived since the last glance. */
  glance(lines: readonly string[]): Glance;
  read(log: AgentLog): AgentReading;
  /** Where the brief of an earlier attempt must stand before its session is gone on in. Absent: the agent looks for itself; null: nobody knows. */
  sessionFiles?(session: string, variables: Variables): SessionFiles | null;
  /** Until when a limit lasts, where only the session's own record says so. */
  limitIn?(record: string): number | null;
  /** Tokens spent since then, where while it works only the session's own record tells them. */
  tokensIn?(record: string, since: number): number | null;
}

export const NOTHING_SAID: AgentReading = {
  output: '',
  claim: null,
  problem: null,
  session: null,
  cost: { usd: null, tokens: null },
  limited: null,
};
