import type { Cost, End } from '../core/values.js';
import type { Disk } from './files/disk.js';
import type { Place } from './interface.js';
import type { LookBefore } from './load/goal-met.js';
import type { Supervisor } from './process/client.js';

/** A question to a role, asked on the machinery of attempts: the same token again gives the same answer (R3). */
export interface Ask {
  place: Place;
  token: string;
  role: 'planner' | 'verifier';
  /** The agent of the pinned configuration that fills the role. */
  agent: string;
  /** The task that triggered it, for `DONEWHEN_TASK`. */
  task: string;
  /** The plan that stands; null: none is known. */
  planSha256: string | null;
  prompt: string;
  timeoutMs: number;
}

/**
 * `again`: the token was asked before, and this is what came of it. `deviation`: what it changed, although its role only
 * reads, in words.
 */
export type AskAgent = (ask: Ask) => Promise<{ output: string; end: End; cost: Cost; again?: true; deviation?: string }>;

/** What the file side of a run needs of its world. Only worker/ and client/ read the process's environment; here it arrives as a value. */
export interface FilePorts {
  disk: Disk;
  /** DONEWHEN_HOME, absolute. */
  home: string;
  hostId: string;
  now(): number;
  /** The environment of the process that hosts this worker. What performers get is cut from it by an allow-list elsewhere. */
  environment: Readonly<Record<string, string | undefined>>;
  /** Whether an executable of this name is on that process's PATH. */
  installed(name: string): Promise<boolean>;
  /** Names of the search attributes that the namespace knows. */
  searchAttributes(): Promise<string[]>;
  /** Whether that workflow is open; null: nobody could say. */
  isOpen(workflowId: string): Promise<boolean | null>;
}

/** A start also looks, where a plan says that its goal is met. */
export interface LoadPorts extends FilePorts {
  look: LookBefore;
}

export interface ReplanPorts {
  disk: Disk;
  ask: AskAgent;
  /** For the values of the configured secrets, which no kept text may hold (R16). */
  environment: Readonly<Record<string, string | undefined>>;
}

/** What a worker hands to its activities. */
export interface World extends Omit<FilePorts, 'disk'> {
  supervisor: Supervisor;
}
