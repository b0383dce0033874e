export interface UnknownField {
  name: string;
  value: string;
}

/** A PLAN.md (docs/interface.md §4). */
export interface PlanDocument {
  title: string;
  /** The path as written, or null where the contract is the plan. */
  spec: string | null;
  goal: string;
  version: number;
  replannedBecause?: string;
  noOp: { because: string; evidence: string[]; checks: string[] } | null;
  /** Checks of the header, canonical. */
  checks: string[];
  tasks: PlanTask[];
  unknown: UnknownField[];
  /** Lines of the header that are no field. */
  stray: string[];
  /** Sections that are no task, each with its heading. */
  sections: string[];
}

export interface PlanTask {
  id: string;
  title: string;
  /** Of its heading; of its `Depends on`, `Covers` and `Performer`, for problems found later. */
  line: number;
  lines: { covers: number; dependsOn: number; performer: number };
  reasoning?: string;
  task: string;
  doneWhen: string;
  verifyBy?: string;
  /** As written under `Checks:`, canonical; `checksOf` adds what `Verify by` says. */
  checks: string[];
  covers: string[];
  dependsOn: string[];
  restates?: string;
  continues?: string;
  reopens?: string;
  root?: string;
  performer?: string;
  run?: string;
  writes: string[] | null;
  timeoutMs?: number;
  repeatable: boolean;
  unknown: UnknownField[];
  stray: string[];
}
