import { resultOf } from './entries.js';
import { methodOf } from './methods/registry.js';
import { phaseOf } from './phase.js';
import type { Entry, GateRecord, Run } from './values.js';

/** The run as users read it (docs/interface.md §7): query `state`, the workflow's result, `--json`. */
export function runJson(run: Run, workflowId: string) {
  return {
    run: run.id,
    workflowId,
    method: run.method,
    phase: phaseOf(run),
    outcome: run.outcome,
    plan: {
      version: run.plan.version,
      goal: run.plan.goal,
      tasks: run.plan.tasks.map((task) => ({ id: task.id, title: task.title, dependsOn: task.dependsOn, performer: task.performer })),
    },
    ledger: run.ledger.map(entryJson),
    active: run.active.map((attempt) => ({
      task: attempt.task.id,
      title: attempt.task.title,
      performer: attempt.task.performer,
      stage: attempt.stage,
      attempt: attempt.number,
      startedAt: iso(attempt.startedAt),
      ...(attempt.stage === 'limited'
        ? { until: attempt.until === null || attempt.until === undefined ? null : iso(attempt.until), why: attempt.why ?? '' }
        : {}),
    })),
    waiting: waitingJson(run),
    ...(run.planning?.limited === undefined
      ? {}
      : { planner: { limited: true, until: iso(run.planning.limited.until), why: run.planning.limited.why } }),
    criteria: methodOf(run.method)
      .criteria(run)
      .map((criterion) => ({
        ...criterion,
        state: criterion.state === 'open' && run.outcome !== null ? 'unsatisfied' : criterion.state,
      })),
    dispatches: run.spentInAll.dispatches,
    cost: costJson(run.spentInAll),
    messages: run.handled.map((one) => ({ ...one, at: iso(one.at) })),
    found: run.found,
    paused: run.paused === null ? null : { by: run.paused.by, reason: run.paused.reason },
    stopped: run.stopped === null ? null : { by: run.stopped.by, reason: run.stopped.reason },
  };
}

export type RunJson = ReturnType<typeof runJson>;

function costJson({ usd, tokens, estimatedUsd, unknown }: Run['spentInAll']) {
  return { usd, tokens, ...(estimatedUsd === undefined ? {} : { estimatedUsd }), unknown };
}

/** What the run waits for a person for. */
export function waitingJson(run: Run) {
  return run.questions.map((question) => ({
    kind: question.kind,
    task: question.task ?? null,
    gate: question.gate ?? null,
    ask: question.ask,
    since: iso(question.since),
    until: iso(question.until),
  }));
}

function entryJson(entry: Entry) {
  const { text } = entry;
  return {
    seq: entry.seq,
    task: entry.task,
    title: entry.title,
    status: entry.status,
    planVersion: entry.planVersion,
    attempt: entry.attempt,
    performer: entry.performer,
    covers: entry.covers,
    stateDelta: text?.stateDelta ?? [],
    evidence: (text?.evidence ?? []).map((item) => ({ ...item, is: resultOf(item) })),
    words: text?.words ?? [],
    verification: entry.label,
    discovered: text?.discovered ?? [],
    unresolved: text?.unresolved ?? [],
    risk: text?.risk ?? [],
    userAction: text?.userAction ?? [],
    deviation: text === null || text.deviation.length === 0 ? null : text.deviation.join('; '),
    blocker: entry.blocker ?? null,
    continues: entry.continues ?? null,
    reopens: entry.reopens ?? null,
    ...(entry.undoes === undefined ? {} : { undoes: entry.undoes }),
    ...(entry.askedBy === undefined ? {} : { askedBy: entry.askedBy, verdict: entry.verdict ?? null }),
    checks: entry.checks,
    gates: entry.gates.map((gate) => ({
      gate: gateWords(gate),
      at: iso(gate.at),
      ...(gateNote(gate) === null ? {} : { note: gateNote(gate) }),
      ...(gate.is === 'exhausted' && gate.blocker !== '' ? { blocker: gate.blocker } : {}),
    })),
    cost: entry.cost,
    ...timesOf(entry),
    ...(entry.sha256 === undefined ? {} : { sha256: entry.sha256 }),
  };
}

/** A LEDGER.md does not say when. */
function timesOf({ startedAt, endedAt }: Entry): { startedAt: string | null; endedAt: string | null } {
  return endedAt === 0 ? { startedAt: null, endedAt: null } : { startedAt: iso(startedAt), endedAt: iso(endedAt) };
}

/** The words of a `Gate:` line (seed 002 §5). */
export function gateWords(gate: GateRecord): string {
  switch (gate.is) {
    case 'holds':
      return 'plan holds';
    case 'required':
      return 'replan required';
    case 'done':
      return `replan done (plan version ${gate.version})`;
    case 'reopened':
      return `replan reopened (plan version ${gate.version})`;
    case 'exhausted':
      return 'replan exhausted';
  }
}

function gateNote(gate: GateRecord): string | null {
  if (gate.is === 'holds') return gate.note ?? null;
  return gate.is === 'exhausted' ? gate.why : null;
}

function iso(at: number): string {
  return new Date(at).toISOString();
}
