import type { Attempt, Entry, Json, Label, Run, Status, Task } from './values.js';

/** What a method says of an attempt: before the work (no `end` yet) and after it. */
export type Judgement =
  | { is: 'go' }
  /** One more try of the same attempt: it was lost, is seen not to hold, and may be repeated (R3). */
  | { is: 'again' }
  | { is: 'wait'; until: number | null; why: string }
  /** What the machine could see holds; a person is asked for the rest. */
  | { is: 'ask'; ask: string }
  | {
      is: 'entry';
      status: Status;
      label: Label;
      blocker?: string;
      unresolved?: string[];
      risk?: string[];
      words?: string[];
      news?: string[];
    };

export type News =
  | { is: 'entry' }
  | {
      is: 'proposal';
      version: number;
      tasks: Task[];
      noOp: boolean;
      because?: string;
      reworded?: string[];
      by: 'planner' | 'person';
      reopening: string[];
    };

export type Gate =
  | { is: 'holds'; note?: string }
  | { is: 'revised' }
  | { is: 'planner'; question: 'replan' | 'holds?' }
  | { is: 'exhausted'; blocker: string; why: string; final: boolean }
  | { is: 'refused'; problems: string[] };

/**
 * How a method fills the one loop. All three functions are pure and total; everything that a method knows of the past
 * it derives from the ledger, so that recovery cannot reset a count.
 */
export interface Method {
  /** `about` of a run: what this method alone reads. */
  open(input: Json): Json;
  judge(run: Run, attempt: Attempt): Judgement;
  /** entry is null for a person's plan while no gate is open. */
  gate(run: Run, entry: Entry | null, news: News): Gate;
}
