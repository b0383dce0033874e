import { unreachable } from './assert.js';
import { groundOf, leavesOf } from './criteria.js';
import { isExhausted, isSettled, lastGate, withGate } from './ledger.js';
import { limitWords, moneyReached } from './limits.js';
import type { Gate } from './method.js';
import { methodOf } from './methods/registry.js';
import type { Entry, Planning, Run } from './values.js';
import { withMove, writeEntry, writeGate } from './write-queue.js';

/**
 * The replan gate (seed 002 §7): a checkpoint after every entry. A gate moves only along
 * ∅ → holds | required → done | exhausted → reopened (R9), and every step is a record of its own.
 */
export function gateEntry(run: Run, seq: number, at: number): Run {
  return decide(writeEntry(run, seq), seq, at);
}

/** An entry of a ledger without history whose checkpoint is missing or still open: the gate runs now. */
export function gateAgain(run: Run, seq: number, at: number): Run {
  return writeGate(decide(run, seq, at), seq);
}

function decide(run: Run, seq: number, at: number): Run {
  const entry = run.ledger[seq - 1];
  if (entry === undefined) return run;
  if (run.stopped !== null) return mayHold(run, entry) ? withGate(run, seq, { is: 'holds', at }) : required(run, seq, at);
  if (isExhausted(run)) return afterExhaustion(run, entry, at);
  const gate = methodOf(run.method).gate(run, entry, { is: 'entry' });
  switch (gate.is) {
    case 'holds':
      return withGate(run, seq, {
        is: 'holds',
        at,
        ...(gate.note === undefined ? {} : { note: gate.note }),
        ...(gate.debt === undefined ? {} : { debt: gate.debt }),
      });
    case 'planner':
      if (gate.question === 'replan' && isPlannedAnew(run, entry))
        return withGate(required(run, seq, at), seq, { is: 'done', version: run.plan.version, at });
      return ask(run, seq, gate.question, at);
    case 'exhausted':
      return exhaust(run, seq, gate, at);
    case 'revised':
      return expand(run, seq, gate, at);
    case 'accepted':
    case 'refused':
      throw new Error(`an entry's gate answered ${gate.is}`);
    default:
      return unreachable(gate);
  }
}

/** A planner costs money too: where none is left it is not asked, until a person grants it once more. */
function ask(run: Run, seq: number, question: Planning['question'], at: number): Run {
  const budget = moneyReached(run);
  if (budget === null) return plan(question === 'replan' ? required(run, seq, at) : run, seq, question);
  const why = `${limitWords(run, budget)} is used up, and the planner was not asked`;
  if (question === 'holds?') return withGate(run, seq, { is: 'holds', at, note: why });
  return exhaust(run, seq, { blocker: `budget-${budget}`, why, final: false }, at);
}

/** A plan version made by code: it follows from the ledger, so that the gate that asked for it is done with it. */
function expand(run: Run, seq: number, { tasks, because, debt }: Extract<Gate, { is: 'revised' }>, at: number): Run {
  const version = run.plan.version + 1;
  const planned = required({ ...run, plan: { ...run.plan, version, tasks, because } }, seq, at);
  return withGate(planned, seq, { is: 'done', version, at, ...(debt === undefined ? {} : { debt }) });
}

/** It ended under an older plan, and the one that stands takes its work up already (seed 002, Resuming: compare versions). */
function isPlannedAnew(run: Run, entry: Entry): boolean {
  if (entry.planVersion >= run.plan.version) return false;
  return leavesOf(groundOf(run.ledger, run.plan.tasks), entry.task).some((leaf) => leaf.entry === null);
}

/** R6, R9: what is not settled never holds, and nothing goes back from `required` to `holds`. */
function mayHold(run: Run, entry: Entry): boolean {
  return isSettled(entry) && entry.gates.length === 0 && methodOf(run.method).mayStand(run, entry);
}

function required(run: Run, seq: number, at: number): Run {
  const entry = run.ledger[seq - 1];
  return entry === undefined || lastGate(entry)?.is === 'required' ? run : withGate(run, seq, { is: 'required', at });
}

/** A run that is exhausted asks no planner: done entries hold, the others exhaust with it. */
function afterExhaustion(run: Run, entry: Entry, at: number): Run {
  if (mayHold(run, entry)) return withGate(run, entry.seq, { is: 'holds', at });
  return exhaust(run, entry.seq, { blocker: entry.blocker ?? `unresolved-${entry.task}`, why: 'the run is exhausted', final: false }, at);
}

export function exhaust(run: Run, seq: number, because: { blocker: string; why: string; final: boolean }, at: number): Run {
  const { blocker, why, final } = because;
  return settleOpen(withGate(required(run, seq, at), seq, { is: 'exhausted', blocker, why, final, at }), at);
}

/** When an entry exhausts, done entries whose planner was still to be asked hold, by code. */
export function settleOpen(run: Run, at: number): Run {
  let next: Run = run.planning?.question === 'holds?' ? { ...run, planning: null } : run;
  for (const entry of run.ledger) {
    if (!mayHold(run, entry)) continue;
    next = writeGate(withGate(next, entry.seq, { is: 'holds', at, note: 'the planner was not asked: the run is exhausted' }), entry.seq);
  }
  return next;
}

/** Joins the planning that is due, or begins one. An entry that arrives during planning makes the same ask anew. */
function plan(run: Run, seq: number, question: Planning['question']): Run {
  const current = run.planning;
  const { run: next, move } = withMove(run);
  if (current === null)
    return { ...next, planning: { question, triggers: [seq], move, refusals: 0, problems: [], reopening: [], asking: run.next } };
  const asked = current.question === 'replan' || question === 'replan' ? 'replan' : 'holds?';
  return { ...next, planning: { ...current, question: asked, triggers: [...current.triggers, seq], move } };
}
