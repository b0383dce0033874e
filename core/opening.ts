import { gateAgain } from './gate.js';
import { isExhausted, isGateOpen, lastGate, withGate } from './ledger.js';
import { NOTHING_SPENT, spentBefore } from './limits.js';
import { methodOf } from './methods/registry.js';
import { settle } from './run.js';
import type { Entry, Json, Limits, MethodName, Plan, Policy, Run } from './values.js';
import { writeGate } from './write-queue.js';

export interface Opening {
  id: string;
  method: MethodName;
  input: Json;
  plan: Plan;
  /** Entries of a LEDGER.md without history, in order. */
  entries: Entry[];
  limits: Limits;
  policy: Policy;
  at: number;
}

/** Opens a run, from a plan alone or from a plan and the ledger of an earlier one (seed 002, Resuming). */
export function openRun(opening: Opening): Run {
  const { id, method, input, entries, limits, policy, at } = opening;
  const about = methodOf(method).open(input);
  const ledger = entries.map((entry, index) => ({ ...entry, seq: index + 1 }));
  const run: Run = {
    id,
    method,
    about,
    plan: methodOf(method).remaining(about, opening.plan, ledger),
    active: [],
    ledger,
    questions: [],
    planning: null,
    proposed: null,
    resolving: null,
    sweep: null,
    sweptAt: 0,
    writes: [],
    handled: [],
    notes: [],
    found: [],
    limits,
    policy,
    spent: NOTHING_SPENT,
    spentInAll: spentBefore(entries, policy),
    effects: entries.length > 0 ? 1 : 0,
    next: 1,
    reconstructing: false,
    paused: null,
    stopped: null,
    outcome: null,
    closing: false,
    openedAt: at,
    clock: at,
  };
  // One that is exhausted has ended by itself, with nothing under way: what holds now is not its unrecorded work.
  const reconstructing = entries.length > 0 && !isExhausted(run);
  return settle(resumeGates({ ...run, reconstructing }, at), at);
}

/** The resume matrix: what the last gate of an entry says, against the version of the plan on disk. */
function resumeGates(run: Run, at: number): Run {
  let next = run;
  for (const entry of run.ledger) {
    const gate = lastGate(entry);
    const isNewer = run.plan.version > entry.planVersion;
    if (gate?.is === 'exhausted' && isNewer) {
      next = writeGate(withGate(next, entry.seq, { is: 'reopened', version: run.plan.version, at }), entry.seq);
    } else if (gate?.is === 'required' && isNewer) {
      next = writeGate(withGate(next, entry.seq, { is: 'done', version: run.plan.version, at }), entry.seq);
    }
  }
  for (const entry of run.ledger) if (isGateOpen(next.ledger[entry.seq - 1] ?? entry)) next = gateAgain(next, entry.seq, at);
  return next;
}
