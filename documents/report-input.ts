import type { Entry, Outcome, Question, Run, Task } from '../core/values.js';

export interface ReportCriterion {
  id: string;
  state: string;
  label: string;
  /** Tasks whose entries decide it. */
  by: string[];
}

/** Everything that REPORT.md says (docs/interface.md §6). */
export interface ReportInput {
  outcome: Outcome;
  run: Pick<Run, 'id' | 'stopped' | 'spentInAll' | 'handled' | 'found' | 'policy' | 'swept' | 'withdrawn'> & {
    plan: Pick<Run['plan'], 'version' | 'goal' | 'sha256'> & { tasks: Pick<Task, 'id' | 'title'>[] };
  };
  criteria: ReportCriterion[];
  /** Every entry with its text, oldest first. One without a text is reported by what is left of it. */
  entries: Entry[];
  /** The plan said that its goal already held. */
  noOp: { because: string; evidence: string[]; seen?: { check: string; saw: string }[] } | null;
  warnings: string[];
  /** Of a pipeline: what was let through undone or unapproved. */
  debts?: string[];
  /** Epoch milliseconds. */
  at: number;
  questions?: Question[];
  /** What a criterion says in words, by its id: of an AC its text, of a task its `Done when`. */
  words?: ReadonlyMap<string, string>;
  /** Oldest first. */
  plans?: PlanVersion[];
}

export interface PlanVersion {
  version: number;
  because: string | null;
  /** Ids of the tasks that it has. */
  tasks: string[];
}

/** What stands for an entry now: what continues, reopens or undoes it, to the end. */
export interface Standing {
  entry: Entry;
  /** The last entry of its line; itself where nothing followed. */
  last: Entry;
}
