import type { Claim, Cost } from '../../core/values.js';

/** What an agent is asked, whatever kind it is. */
export interface AgentRequest {
  /** performer, planner, verifier or reviewer. */
  role: string;
  prompt: string;
  /** To go on in; null: a fresh one. */
  session: string | null;
  workspace: string;
}

/** How the process is started. The prompt goes by standard input, which is then closed. */
export interface AgentStart {
  argv: string[];
  /** Beside the allow-list and the DONEWHEN_ variables. */
  env: Record<string, string>;
  stdin: string;
}

/** What can be told of an agent that still works. */
export interface Glance {
  session: string | null;
  progress: string | null;
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
  limited: { until: number | null; why: string } | null;
}

/** One kind of agent: a brief becomes a process, and what that prints becomes a reading. Pure. */
export interface AgentAdapter {
  start(request: AgentRequest): AgentStart;
  /** Whole lines that arrived since the last glance. */
  glance(lines: readonly string[]): Glance;
  read(log: { stdout: string; stderr: string }): AgentReading;
}
