import type { DispatchInput, NotifyInput, RecordInput, ReplanInput, ReportInput } from '../activities/interface.js';
import { budgetLeft, MINUTE_MS } from '../core/limits.js';
import type { StepBriefing } from '../core/methods/pipeline-values.js';
import { methodOf } from '../core/methods/registry.js';
import { briefingOf } from '../core/methods/run-pipeline-briefing.js';
import { debtsOf } from '../core/methods/run-pipeline-ending.js';
import { gateWords, runJson } from '../core/run-json.js';
import type { Attempt, Entry, GateRecord, Move, Planning, Question, Run, Write } from '../core/values.js';
import type { Carried } from './carried.js';
import { packReport } from './pack-report.js';

/** What each activity is asked, as a value of the run: no decision is made here. */

/** Facts of more entries than this would make a brief of nothing else; the newest are the nearest. */
const FACTS_MAX = 100;

/** A planner reads the newest entries whole; of older ones it knows that they are there. */
const RECORDS_SHOWN_MAX = 300;

export function dispatchInput(move: Extract<Move, { is: 'dispatch' }>, carried: Carried): DispatchInput {
  const { place, run, plans } = carried;
  const { attempt, token, again, cut } = move;
  const { task, planVersion } = attempt;
  const briefing = run.method === 'runPipeline' ? briefingOf(run, task) : null;
  return {
    place,
    token,
    task,
    planVersion,
    planSha256: plans.findLast((plan) => plan.version === planVersion)?.sha256 ?? run.plan.sha256,
    goal: run.plan.goal,
    again,
    session: attempt.session ?? briefing?.session ?? null,
    ...(briefing === null ? {} : { step: stepDispatch(carried, attempt, briefing) }),
    facts: factsFor(run, task.dependsOn),
    notes: notesTo(run, 'performer'),
    timeoutMs: task.timeoutMs ?? run.limits.taskMinutes * MINUTE_MS,
    left: budgetLeft(run),
    ...(cut ? { cut: true as const } : {}),
  };
}

function stepDispatch({ record }: Carried, attempt: Attempt, { session, ...briefing }: StepBriefing): NonNullable<DispatchInput['step']> {
  return { briefing, mends: attempt.session === undefined && session !== null, at: attempt.startedAt, head: record.head };
}

function factsFor(run: Run, dependsOn: string[]): DispatchInput['facts'] {
  const depended = new Set(dependsOn);
  return run.ledger
    .filter((entry) => depended.has(entry.task) || entry.facts === true)
    .slice(-FACTS_MAX)
    .map((entry) => ({ task: entry.task, sha256: entry.sha256 ?? null, label: entry.label, depended: depended.has(entry.task) }));
}

function notesTo(run: Run, role: string): { text: string; by: string }[] {
  return run.notes.filter((note) => note.to === role).map(({ text, by }) => ({ text, by }));
}

export function replanInput(carried: Carried, token: string, planning: Planning | null): ReplanInput {
  const { place, run } = carried;
  return {
    place,
    token,
    ask: planning === null ? null : askOf(run, planning),
    given: null,
    plan: { version: run.plan.version, sha256: run.plan.sha256 },
    entries: run.ledger.map((entry) => {
      const { task, gates } = entry;
      if (entry.seq <= run.ledger.length - RECORDS_SHOWN_MAX) return { task, sha256: null };
      return { task, sha256: entry.sha256 ?? null, ...(isPlain(gates) ? {} : { gates }) };
    }),
    ...(run.retired === undefined ? {} : { retired: run.retired.map(({ id }) => id) }),
    notes: notesTo(run, 'planner'),
  };
}

/** A gate that simply holds was recorded with its entry. */
function isPlain(gates: GateRecord[]): boolean {
  return gates.length === 1 && gates[0]?.is === 'holds' && gates[0].note === undefined;
}

function askOf(run: Run, planning: Planning): NonNullable<ReplanInput['ask']> {
  const triggers = planning.triggers.flatMap((seq) => {
    const entry = run.ledger[seq - 1];
    return entry === undefined ? [] : [entry];
  });
  const gate = triggers.at(-1)?.gates.at(-1);
  const { resolution } = planning;
  return {
    question: planning.question,
    triggers: triggers.map((entry) => ({ seq: entry.seq, task: entry.task, sha256: entry.sha256 ?? null })),
    problems: planning.problems,
    resolution: resolution === undefined ? null : { text: resolution.text, by: resolution.by },
    gate: gate === undefined ? 'not yet decided' : gateWords(gate),
    timeoutMs: run.limits.taskMinutes * MINUTE_MS,
  };
}

export function recordInput(carried: Carried, write: Write): RecordInput {
  const { place, run, record: state } = carried;
  const restore = 'seq' in write ? (run.ledger[write.seq - 1]?.tampered ?? []) : [];
  const head = { place, state, restore };
  switch (write.is) {
    case 'entry': {
      const entry = entryAt(run, write.seq);
      const planSha256 = carried.plans.findLast((plan) => plan.version === entry.planVersion)?.sha256 ?? run.plan.sha256;
      return { ...head, write: { is: 'entry', entry, planSha256 } };
    }
    case 'gate': {
      const { task, gates } = entryAt(run, write.seq);
      return { ...head, write: { is: 'gate', task, gates } };
    }
    case 'plan': {
      const { version, sha256, edit } = write;
      return { ...head, write: { is: 'plan', version, sha256, ...(edit === undefined ? {} : { edit }) } };
    }
    case 'report':
      return { ...head, write: { is: 'report', report: packReport(reportInput(carried)) } };
  }
}

function entryAt(run: Run, seq: number): Entry {
  const entry = run.ledger[seq - 1];
  if (entry === undefined) throw new Error(`no entry ${seq} to record`);
  return entry;
}

/** Answers to people that a report shows; the newest ones. */
const HANDLED_SHOWN_MAX = 100;

function reportInput(carried: Carried): ReportInput {
  const { run, noOp, warnings, adopted, plans } = carried;
  const { id, plan, stopped, spent, spentInAll, handled, found, policy, swept, withdrawn } = run;
  return {
    outcome: methodOf(run.method).outcome(run),
    run: {
      id,
      plan,
      stopped,
      spent,
      spentInAll,
      handled: handled.slice(-HANDLED_SHOWN_MAX),
      found,
      policy,
      ...(swept === undefined ? {} : { swept }),
      ...(withdrawn === undefined ? {} : { withdrawn }),
    },
    criteria: methodOf(run.method)
      .criteria(run)
      .map(({ id: criterion, state, label, by }) => ({
        id: criterion,
        state: state === 'open' ? 'unsatisfied' : state,
        label,
        by,
      })),
    // The record's own chain has the entries of this run; only those of the ledger that it went on from are named by hash.
    entries: run.ledger.map((entry) => ({
      task: entry.task,
      status: entry.status,
      sha256: entry.seq <= adopted ? (entry.sha256 ?? null) : null,
    })),
    noOp,
    warnings,
    ...(run.method === 'runPipeline' ? { debts: debtsOf(run) } : {}),
    plans: plans.map(({ version, sha256 }) => ({ version, sha256 })),
    at: Date.now(),
  };
}

export function notifyInput(carried: Carried, question: Question): NotifyInput {
  const { place, run } = carried;
  const json =
    runJson(run, place.workflowId).waiting.find((one) => one.task === (question.task ?? null) && one.kind === question.kind) ?? null;
  return { place, id: question.id, kind: question.kind, text: `${run.id}: ${question.ask}`, json: { run: run.id, ...json } };
}
