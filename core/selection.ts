import { ask, inStage, stopAtBudget } from './attempt.js';
import { entryOf, isExhausted, isGateOpen, isSettled } from './ledger.js';
import { budgetReached, countDispatch, moneyReached } from './limits.js';
import type { Attempt, Cost, Run, Task } from './values.js';
import { askOf, humanChecks } from './verdict.js';
import { withMove } from './write-queue.js';
import { mayOverlap } from './write-sets.js';

/** Which task comes next, and what is sent off when its turn comes. */

/** What takes a slot: a process, or a look that is about to lead to one. Handed-over and limited attempts take none. */
function takesSlot(attempt: Attempt): boolean {
  return attempt.stage !== 'handedOver' && attempt.stage !== 'limited' && attempt.stage !== 'asking';
}

/** Nothing new may start: somebody paused or stopped it, a gate is open, or a plan is being made. */
export function mayStart(run: Run): boolean {
  if (run.paused !== null || run.stopped !== null || run.planning !== null || run.proposed !== null) return false;
  if (run.closing || run.sweep !== null) return false;
  return !run.ledger.some(isGateOpen) && !isExhausted(run);
}

/** Selects the first dependency-ready task without an entry, in written order (seed 002 §1), while a slot is free. */
export function select(run: Run, at: number): Run {
  if (!mayStart(run) || run.active.filter(takesSlot).length >= run.limits.parallel) return run;
  const task = run.plan.tasks.find((one) => isEligible(run, one));
  if (task === undefined) return run;
  const { run: next, move } = withMove(run);
  const attempt: Attempt = {
    task,
    planVersion: run.plan.version,
    startedAt: at,
    stage: 'checking',
    number: 1,
    leg: 1,
    move,
    dispatched: false,
    asOf: run.effects,
    cost: { usd: 0, tokens: 0 },
  };
  return { ...next, active: [...next.active, attempt] };
}

export function isEligible(run: Run, task: Task): boolean {
  if (run.active.some((attempt) => attempt.task.id === task.id)) return false;
  if (run.active.some((attempt) => mayOverlap(attempt.task.writes, task.writes))) return false;
  return areDependenciesMet(run, task);
}

export function areDependenciesMet(run: Run, task: Task): boolean {
  return task.dependsOn.every((id) => {
    const entry = entryOf(run.ledger, id);
    return entry !== undefined && isSettled(entry);
  });
}

/**
 * Dispatches what is ready, one an advance; never while a write waits (R1: the record of one task may overlap the next
 * look, never the next dispatch).
 */
export function promote(run: Run, at: number): Run {
  if (run.writes.length > 0 || !mayStart(run)) return run;
  const busy = run.active.filter((one) => takesSlot(one) && one.stage !== 'ready').length;
  const attempt = run.active.find((one) => one.stage === 'ready' && (one.task.performer === 'human' || busy < run.limits.parallel));
  if (attempt === undefined) return run;
  if (attempt.task.performer === 'human') return handOver(run, attempt, at);
  const budget = attempt.dispatched ? moneyReached(run) : budgetReached(run);
  if (budget !== null) return stopAtBudget(run, attempt, budget, at);
  const counted = attempt.leg > 1 ? run : countDispatch(run);
  return inStage(
    counted,
    { ...attempt, dispatched: true, cost: attempt.dispatched ? attempt.cost : notYetSaid(attempt.cost) },
    'dispatching',
  );
}

/** From here on only what the agent says is known (D12: unknown is never shown as 0). */
function notYetSaid(cost: Cost): Cost {
  return { ...cost, usd: cost.usd === 0 ? null : cost.usd, tokens: cost.tokens === 0 ? null : cost.tokens };
}

function handOver(run: Run, attempt: Attempt, at: number): Run {
  const { title, ask: told } = attempt.task;
  const asked = humanChecks(attempt);
  // Seed 002, Human handoff: the task, its `Done when`, what is to be said, in plain words and without any form to fill in.
  const words = [title, ...(told === undefined ? [] : [told]), ...(asked.length > 0 ? [askOf(asked)] : [])].join(' — ');
  return ask(run, { ...attempt, stage: 'handedOver' }, { ask: words }, at);
}
