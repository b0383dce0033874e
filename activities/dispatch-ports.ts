import type { AgentAdapter } from './agents/adapter.js';
import type { DispatchInput, Place } from './interface.js';
import type { Supervisor } from './process/client.js';

/** The environment of everything that a run starts: cut from the worker's by an allow-list, so that no other key leaks. */
export interface PerformerEnvironment {
  variables: Record<string, string>;
  /** Values that must not be kept anywhere (R16). */
  secrets: string[];
}

/** What every activity that starts an agent needs of its world. */
export interface AgentPorts {
  supervisor: Supervisor;
  /** `also`: variables that this agent gets beside those that the configuration passes on. */
  environment(place: Place, also?: readonly string[]): Promise<PerformerEnvironment>;
  /** An agent of the pinned configuration, or why there is none, with the way out. */
  agentFor(
    place: Place,
    name: string,
    /** In place of those of the configuration. */
    permissions?: 'read' | 'edit' | 'full',
  ): Promise<AgentAdapter | { missing: string; userAction: string }>;
  limits?: Partial<AttemptLimits>;
}

export interface DispatchPorts extends AgentPorts {
  composeBrief(input: DispatchInput): Promise<string>;
  /** The `Run:` command of an inline task; null: it has none. */
  inlineCommand(input: DispatchInput): Promise<string | null>;
}

export interface AttemptLimits {
  /** Between TERM and KILL. */
  graceMs: number;
  /** How long an attempt goes on when no worker attends it. */
  attendMs: number;
  logBytesMax: number;
  beatMs: number;
}
