import type { EntryDelivery } from './methods/pipeline-values.js';
import type { Attempt, Criterion, Entry, Json, Label, LookResult, Outcome, Plan, Redefined, Run, Status, Task } from './values.js';

/** What a method says of an attempt: before the work (no `end` yet) and after it. */
export type Judgement =
  | { is: 'go' }
  /** One more try of the same attempt: it was lost, is seen not to hold, and may be repeated (R3). */
  | { is: 'again' }
  | { is: 'wait'; until: number | null; why: string }
  /** What the machine could see holds; a person is asked for the rest. */
  | { is: 'ask'; ask: string; kind?: 'attest' | 'decide' }
  | {
      is: 'entry';
      status: Status;
      label: Label;
      blocker?: string;
      unresolved?: string[];
      risk?: string[];
      words?: string[];
      news?: string[];
      /** What became true, where the method knows better than the checks. */
      delta?: string[];
      /** What code saw, where that is more than checks. */
      observed?: LookResult;
      verdict?: string;
      delivery?: EntryDelivery;
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
      redefined?: Redefined[];
      by: 'planner' | 'person';
      reopening: string[];
    }
  /** A person opens an exhausted gate: `approves`, so that the run goes on without it, or has changed what stood in the way. */
  | { is: 'reopening'; approves: boolean; text: string; by: string };

export type Gate =
  | { is: 'holds'; note?: string; debt?: string }
  /** A proposal that may replace the plan. */
  | { is: 'accepted' }
  /** The next plan version, made by code: these tasks are what is left to do. */
  | { is: 'revised'; tasks: Task[]; because: string; debt?: string }
  | { is: 'planner'; question: 'replan' | 'holds?' }
  | { is: 'exhausted'; blocker: string; why: string; final: boolean }
  | { is: 'refused'; problems: string[] };

/**
 * How a method fills the one loop. All its functions are pure and total; everything that a method knows of the past
 * it derives from the ledger, so that recovery cannot reset a count.
 */
export interface Method {
  /** `about` of a run: what this method alone reads. */
  open(input: Json): Json;
  /** What is left to do of a plan, after the entries that a run is opened with. */
  remaining(about: Json, plan: Plan, entries: Entry[]): Plan;
  judge(run: Run, attempt: Attempt): Judgement;
  /** entry is null for a person's plan while no gate is open. */
  gate(run: Run, entry: Entry | null, news: News): Gate;
  /** Whether nothing has to follow what a settled entry brought; where nobody can be asked any more, only then its gate holds. */
  mayStand(run: Run, entry: Entry): boolean;
  criteria(run: Run): Criterion[];
  /** R20: total, from entries and criteria alone. */
  outcome(run: Run): Outcome;
}
