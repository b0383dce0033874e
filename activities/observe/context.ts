import type { LookResult } from '../../core/values.js';
import type { CommandResult, CommandSpec } from '../process/wire.js';
import type { Ours } from './ours.js';

/** What one look needs of its world. */
export interface LookContext {
  /** Absolute and real. */
  workspace: string;
  /** Runs a command in a process tree of its own, to its end. */
  run(command: CommandSpec): Promise<CommandResult>;
  variables: Record<string, string>;
  secrets: string[];
  /** For one check. */
  timeoutMs: number;
  /** What never makes a tree dirty. */
  ours: Ours;
  /** The commit that the tree stood at before the work, where that is kept. */
  headBefore?: string;
  signal: AbortSignal;
}

/** What one check saw, before it is masked and cut to size. */
export interface Sight {
  is: LookResult;
  saw: string;
  /** What makes this failure the same as another; where it is absent, `saw` does. */
  output?: string;
  /** Shown to people. */
  excerpt?: string;
  sha256?: string;
}

export const SAW_CHARS_MAX = 200;
export const EXCERPT_CHARS_MAX = 500;

export function holds(saw: string, more: Omit<Sight, 'is' | 'saw'> = {}): Sight {
  return { is: 'holds', saw, ...more };
}

export function disproved(saw: string, more: Omit<Sight, 'is' | 'saw'> = {}): Sight {
  return { is: 'disproved', saw, ...more };
}

/** Nobody knows: neither a pass nor a failure (design.md §3). */
export function unobservable(saw: string, more: Omit<Sight, 'is' | 'saw'> = {}): Sight {
  return { is: 'unobservable', saw, ...more };
}

/** A text of somebody else, short enough to be named in a sentence. */
export function quote(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return `"${line.length > 60 ? `${line.slice(0, 59)}…` : line}"`;
}
