import type { Prose } from '../activities/observe/compile-prompt.js';
import type { SeenArtifact } from '../core/methods/pipeline-values.js';
import type { Look } from '../core/values.js';
import type { Config } from '../documents/config.js';
import type { Io } from './io.js';
import type { Runs } from './runs.js';

/** Options that every verb takes. */
export interface CommonOptions {
  json: boolean;
  address?: string;
  namespace?: string;
  profile?: string;
}

/**
 * What a command needs besides its terminal: the service, a worker, time. `client/real-world.ts` is the real one; tests
 * bring a small one of their own.
 */
export interface World {
  /** Connects, and starts the embedded server where none answers. `worker`: what workers need of a server is looked at, too. */
  open(options: CommonOptions, io: Io, need: 'server' | 'worker'): Promise<Service>;
  /** The id of this host, as memos and workers carry it. */
  hostId(): string;
  /** For acts: the same id twice is applied once. */
  newId(): string;
  now(): number;
  /** Ends early when the signal is raised. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Looks with checks from here, in process trees of their own, as a run's worker would. */
  looker(place: LookPlace, io: Io): Promise<Looker>;
  /** Checks that the verifier role once proposed for a task with these words; null: none is kept. */
  compiled(run: { workspace: string; slug: string }, prose: Prose): Promise<string[] | null>;
  /** Why a new run would be refused for what is not committed in a workspace; null: nothing is in its way. `ours` never counts. */
  uncommitted(place: { workspace: string; ours: string[] }, io: Io): Promise<string | null>;
  /** A terminal that can be drawn over; null on a pipe, in CI and for a dumb terminal. */
  canvas(io: Io): Promise<Canvas | null>;
  /** Infinite on a pipe. */
  columns(io: Io): number;
  interrupt: Interrupt;
}

/** A connection to a service, and the means to have a worker there. */
export interface Service {
  runs: Runs;
  /** Hosts a worker for a task queue in this process. */
  host(queue: string): Promise<Hosted>;
  /** Whether a worker of this host serves the queue, as far as this home knows; elsewhere others may. */
  servedHere(queue: string): boolean;
  /** Leaves a worker behind that ends when the run is closed; what is answered rejects when it ends with a fault while this command stands. */
  leaveWorker(slug: string): Promise<Pick<Hosted, 'failed'>>;
  /** The session too; twice is safe. */
  close(): Promise<void>;
}

export interface Hosted {
  /** Rejects when the worker broke. Pending while it works. */
  failed: Promise<never>;
  /** Lets attempts go on under their supervisor; twice is safe. */
  stop(): Promise<void>;
}

export interface LookPlace {
  /** Real path; checks are relative to it. */
  workspace: string;
  /** Folder of LEDGER.md, REPORT.md and PLAN.md: they never make a tree dirty. */
  out: string;
  /** What the run saved beside, relative to the workspace: it makes no tree dirty either. */
  found?: string[];
  config: Config;
}

export interface Looker {
  /** null: only a person can. It never throws for what the world is like: then nobody knows (R11). */
  look(check: string): Promise<Look | null>;
  /** What lies there now, by the rules of the artifact gate. It never throws either. */
  artifact(path: string): Promise<{ is: SeenArtifact['is']; sha256: string | null }>;
  close(): void;
}

/** One picture at a time, drawn over the one before. */
export interface Canvas {
  columns(): number;
  rows(): number;
  draw(frame: string): void;
  /** A line that stays above the picture. */
  say(line: string): void;
  /** Leaves the last picture standing. */
  done(): void;
}

/**
 * Ctrl-C. A command that leaves something running takes it into its own hands, to say how to go on and to end its worker;
 * for all others the process ends at once.
 */
export interface Interrupt {
  take(): AbortSignal;
}
