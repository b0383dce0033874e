import type { Outcome } from '../core/values.js';

/**
 * The run as the command sees it: the JSON of docs/interface.md §7, read with a guard. It comes from a worker that may be
 * older or newer than this command, so what is absent or of another type reads as unknown, never as done (R11). What
 * `--json` prints is the document as it came, not this reading of it.
 */
export interface RunState {
  run: string;
  workflowId: string;
  phase: string;
  outcome: Outcome | null;
  plan: { version: number; goal: string; tasks: PlanTask[] };
  ledger: LedgerEntry[];
  active: ActiveAttempt[];
  waiting: Waiting[];
  /** The planner is at a usage limit; null: it is not. */
  planner: UsageLimit | null;
  criteria: CriterionState[];
  dispatches: number;
  cost: { usd: number | null; tokens: number | null; estimatedUsd: number | null; unknown: boolean };
  stopped: { by: string; reason: string } | null;
  paused: { by: string; reason: string } | null;
  /** Files that somebody else wrote and that were saved beside, never adopted. */
  found: string[];
}

/** A task of the present plan; its entry, if it has one, stands in the ledger. */
export interface PlanTask {
  id: string;
  title: string;
  dependsOn: string[];
  performer: string;
}

export interface LedgerEntry {
  seq: number;
  task: string;
  title: string;
  status: string;
  verification: string;
  planVersion: number;
  performer: string;
  evidence: { check: string; before: string; after: string; holds: boolean }[];
  /** Check lines of the entry; of earlier executions a run keeps no evidence, but these. */
  checks: string[];
  unresolved: string[];
  risk: string[];
  userAction: string[];
  blocker: string | null;
  continues: string | null;
  reopens: string | null;
  gates: string[];
  /** Of a gate that is exhausted: by what name it is resolved, and why. */
  gateBlocker: string | null;
  gateNote: string | null;
  /** What the reviewer, or the agent, of a pipeline's step said of it. */
  verdict: string | null;
  startedAt: string | null;
  endedAt: string | null;
}

export interface UsageLimit {
  /** When it ends, if that is known. */
  until: string | null;
  /** In the agent's words. */
  why: string;
}

/** `until` and `why` are of a usage limit that it waits for. */
export interface ActiveAttempt extends UsageLimit {
  task: string;
  performer: string;
  stage: string;
  attempt: number;
  startedAt: string | null;
}

export interface Waiting {
  kind: string;
  task: string | null;
  gate: string | null;
  ask: string;
  since: string | null;
}

export interface CriterionState {
  id: string;
  state: string;
  label: string;
  by: string[];
}

/** Kinds of `waiting` that a person answers; others only tell something, such as a file that was saved beside. */
const ASKED = ['attest', 'decide', 'resolve'];

export function isAsked(waiting: Waiting): boolean {
  return ASKED.includes(waiting.kind);
}

const OUTCOMES: readonly Outcome[] = ['COMPLETED', 'PARTIAL', 'BLOCKED', 'FAILED', 'NO_OP'];

/** null: this is no run at all. */
export function readRunState(value: unknown): RunState | null {
  const raw = record(value);
  if (raw === null || typeof raw.run !== 'string' || typeof raw.phase !== 'string') return null;
  const plan = record(raw.plan) ?? {};
  const cost = record(raw.cost) ?? {};
  return {
    run: raw.run,
    workflowId: text(raw.workflowId),
    phase: raw.phase,
    outcome: OUTCOMES.find((outcome) => outcome === raw.outcome) ?? null,
    plan: { version: number(plan.version) ?? 0, goal: text(plan.goal), tasks: records(plan.tasks).map(readTask) },
    ledger: records(raw.ledger).map(readEntry),
    active: records(raw.active).map(readActive),
    waiting: readWaiting(raw.waiting),
    planner: readPlanner(raw.planner),
    criteria: records(raw.criteria).map(readCriterion),
    dispatches: number(raw.dispatches) ?? 0,
    cost: { usd: number(cost.usd), tokens: number(cost.tokens), estimatedUsd: number(cost.estimatedUsd), unknown: cost.unknown !== false },
    stopped: readAct(raw.stopped),
    paused: readAct(raw.paused),
    found: texts(raw.found),
  };
}

function readPlanner(value: unknown): UsageLimit | null {
  const raw = record(value);
  return raw?.limited === true ? { until: optional(raw.until), why: text(raw.why) } : null;
}

export function readWaiting(value: unknown): Waiting[] {
  return records(value).map((raw) => ({
    kind: text(raw.kind),
    task: optional(raw.task),
    gate: optional(raw.gate),
    ask: text(raw.ask),
    since: optional(raw.since),
  }));
}

function readTask(raw: Raw): PlanTask {
  return { id: text(raw.id), title: text(raw.title), dependsOn: texts(raw.dependsOn), performer: text(raw.performer) };
}

function readEntry(raw: Raw): LedgerEntry {
  return {
    seq: number(raw.seq) ?? 0,
    task: text(raw.task),
    title: text(raw.title),
    status: text(raw.status),
    verification: text(raw.verification),
    planVersion: number(raw.planVersion) ?? 0,
    performer: text(raw.performer),
    evidence: records(raw.evidence).map((look) => ({
      check: text(look.check),
      before: text(look.before),
      after: text(look.after),
      holds: look.holds === true,
    })),
    checks: texts(raw.checks),
    unresolved: texts(raw.unresolved),
    risk: texts(raw.risk),
    userAction: texts(raw.userAction),
    blocker: optional(raw.blocker),
    continues: optional(raw.continues),
    reopens: optional(raw.reopens),
    gates: records(raw.gates).map((gate) => text(gate.gate)),
    gateBlocker: optional(records(raw.gates).at(-1)?.blocker),
    gateNote: optional(records(raw.gates).at(-1)?.note),
    verdict: optional(raw.verdict),
    startedAt: optional(raw.startedAt),
    endedAt: optional(raw.endedAt),
  };
}

function readActive(raw: Raw): ActiveAttempt {
  return {
    task: text(raw.task),
    performer: text(raw.performer),
    stage: text(raw.stage),
    attempt: number(raw.attempt) ?? 1,
    startedAt: optional(raw.startedAt),
    until: optional(raw.until),
    why: text(raw.why),
  };
}

function readCriterion(raw: Raw): CriterionState {
  return { id: text(raw.id), state: text(raw.state), label: text(raw.label), by: texts(raw.by) };
}

function readAct(value: unknown): { by: string; reason: string } | null {
  const raw = record(value);
  return raw === null ? null : { by: text(raw.by), reason: text(raw.reason) };
}

type Raw = Record<string, unknown>;

function isRaw(value: unknown): value is Raw {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function record(value: unknown): Raw | null {
  return isRaw(value) ? value : null;
}

function records(value: unknown): Raw[] {
  return Array.isArray(value) ? value.filter(isRaw) : [];
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function optional(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : [];
}

function number(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}
