import { assert } from './assert.js';
import { answerAttempt, attemptMoves, unanswered } from './attempt.js';
import { groundOf, leavesOf } from './criteria.js';
import { answerSweep, beginSweep, close, closed, drain, sweepLooks, unresolved } from './ending.js';
import { applied, refuse } from './handled.js';
import { exhaustedEntries, isSettled } from './ledger.js';
import { spend } from './limits.js';
import { receive } from './messages.js';
import { methodOf } from './methods/registry.js';
import { phaseOf, works } from './phase.js';
import { answerPlanning, limitOver, planningMoves, revise } from './planning.js';
import { reopen } from './reopening.js';
import { promote, select } from './selection.js';
import type { Answer, Entry, Message, Move, Proposed, Question, Run } from './values.js';
import { worstOf } from './verdict.js';

/**
 * A run is a plain JSON value. `nextMoves` says what the world is asked for (a projection), `advance` decides everything:
 * an answer or a message in, the next run out, settled to a fixpoint. Both are pure: the same run and the same inputs
 * give the same moves, on every machine and for every replay (R18).
 */

/** More steps than this in one settling is a bug, not a long run: each step starts, drops or writes something. */
const SETTLE_STEPS_MAX = 100_000;

export function nextMoves(run: Run): Move[] {
  if (run.outcome !== null) return [];
  const head = run.writes[0];
  const moves: Move[] = head === undefined ? [] : [{ id: `w${head.n}`, is: 'record', write: head }];
  for (const attempt of run.active) moves.push(...attemptMoves(run, attempt));
  for (const question of run.questions) moves.push(...questionMoves(question));
  moves.push(...planningMoves(run));
  if (run.proposed !== null && run.writes.length === 0) moves.push({ id: run.proposed.move, is: 'read', proposed: run.proposed });
  if (run.resolving !== null) moves.push({ id: run.resolving.move, is: 'observe', when: 'resolution', check: run.resolving.check });
  if (run.sweep !== null) moves.push({ id: run.sweep.move, is: 'observe', when: 'sweep', looks: sweepLooks(run) });
  return moves;
}

function questionMoves(question: Question): Move[] {
  return [
    { id: question.id, is: 'person', question },
    { id: `${question.id}/until`, is: 'wait', until: question.until, why: `a person: ${question.ask}` },
  ];
}

export function advance(run: Run, input: Answer | Message): Run {
  const timed = tick(run, input.at);
  return settle('name' in input ? receive(timed, input) : take(timed, input), input.at);
}

/** Counts the time in which the run worked: waits, limits and pauses aside. */
function tick(run: Run, at: number): Run {
  const passed = Math.max(0, at - run.clock);
  if (passed === 0) return run;
  const add = works(phaseOf(run)) ? passed : 0;
  const plus = (spent: Run['spent']) => ({ ...spent, activeMs: spent.activeMs + add });
  return { ...run, clock: run.clock + passed, spent: plus(run.spent), spentInAll: plus(run.spentInAll) };
}

/** An answer counts only while its move is listed; of one that comes too late only the cost is booked. */
function take(run: Run, answer: Answer): Run {
  const paid = answer.cost === undefined ? run : spend(run, answer.cost);
  const move = nextMoves(run).find((one) => one.id === answer.move);
  return move === undefined ? paid : answered(paid, move, answer);
}

function answered(run: Run, move: Move, answer: Answer): Run {
  switch (move.is) {
    case 'record':
      return answer.is === 'recorded' ? recorded(run, answer) : run;
    case 'dispatch':
      return answerAttempt(run, move.attempt, answer);
    case 'replan':
      return answerPlanning(run, move.planning, answer);
    case 'read':
      return isAskedAgain(answer) ? run : readProposal(run, move.proposed, answer);
    case 'person':
      return run;
    case 'wait':
      return waited(run, move, answer);
    case 'observe':
      return observed(run, move, answer);
  }
}

/** A worker was lost over it, which says nothing of what a person asked for: the same move stays listed. */
function isAskedAgain(answer: Answer): boolean {
  return answer.is === 'unclear' && !answer.counts;
}

function observed(run: Run, move: Extract<Move, { is: 'observe' }>, answer: Answer): Run {
  if (move.when === 'before' || move.when === 'after') return answerAttempt(run, move.attempt, answer);
  if (move.when === 'sweep') return answerSweep(run, answer);
  if (isAskedAgain(answer)) return run;
  const holds = answer.is === 'observed' && worstOf(answer.observation.looks) === 'holds';
  return resolved(run, holds, answer.at);
}

function resolved(run: Run, holds: boolean, at: number): Run {
  const resolving = run.resolving;
  if (resolving === null) return run;
  const free: Run = { ...run, resolving: null };
  const message = { id: resolving.message, name: 'resolve', by: resolving.by, at } as const;
  const entry = free.ledger[resolving.seq - 1];
  const reopening = entry !== undefined && run.planning?.reopening.includes(entry.task) === true;
  if (entry === undefined || entry.gates.at(-1)?.is !== 'exhausted' || reopening) return refuse(free, message, 'it was reopened meanwhile');
  if (!holds) return refuse(free, message, `its check does not hold: ${resolving.check}`);
  const resolution = { text: resolving.text, by: resolving.by, label: 'verified' } as const;
  return applied(reopen(free, entry, resolution, at), message, `${entry.task} is reopened; the check holds`);
}

function recorded(run: Run, answer: Extract<Answer, { is: 'recorded' }>): Run {
  const [head, ...writes] = run.writes;
  assert(head !== undefined, 'a record was answered while none was queued');
  const found = [...run.found, ...(answer.found ?? []).filter((path) => !run.found.includes(path))];
  const next: Run = { ...run, writes, found };
  if (head.is === 'report') return closed(next);
  if (answer.sha256 === undefined) return next;
  // A version made by code has its text, and so its hash, only once it is written.
  if (head.is === 'plan' && head.version === next.plan.version) return { ...next, plan: { ...next.plan, sha256: answer.sha256 } };
  if (head.is !== 'entry') return next;
  const ledger = next.ledger.map((entry) => (entry.seq === head.seq ? { ...entry, sha256: answer.sha256 ?? '' } : entry));
  return { ...next, ledger };
}

function waited(run: Run, move: Extract<Move, { is: 'wait' }>, answer: Answer): Run {
  if (answer.is !== 'elapsed') return run;
  if (run.planning !== null && run.planning.move === move.id) return limitOver(run, run.planning, answer.at);
  const attempt = run.active.find((one) => one.move === move.id);
  if (attempt !== undefined) return answerAttempt(run, attempt, answer);
  const question = run.questions.find((one) => `${one.id}/until` === move.id);
  if (question === undefined) return run;
  const asked = run.active.find((one) => one.task.id === question.task);
  return question.kind !== 'resolve' && asked !== undefined ? unanswered(run, asked, answer.at) : unresolved(run, question);
}

function readProposal(run: Run, proposed: Proposed, answer: Answer): Run {
  const message = { id: proposed.message, name: 'replan', by: proposed.by, at: answer.at } as const;
  const free: Run = { ...run, proposed: null };
  if (answer.is !== 'planned') return answer.is === 'unclear' ? refuse(free, message, 'the plan could not be read; send it again') : run;
  const { planned } = answer;
  if (planned.is !== 'plan') return refuse(free, message, planned.is === 'unreadable' ? planned.problems.join('; ') : 'it holds no plan');
  const { plan } = planned;
  const ground = groundOf(run.ledger, plan.tasks);
  // What is done needs no task to take it up: on its news no plan was left, and here is one.
  const isTakenUp = (entry: Entry) => isSettled(entry) || leavesOf(ground, entry.task).some((leaf) => leaf.entry === null);
  const reopening = exhaustedEntries(run).flatMap((entry) => (isTakenUp(entry) ? [entry.task] : []));
  const gate = methodOf(run.method).gate(run, null, {
    is: 'proposal',
    version: plan.version,
    tasks: plan.tasks,
    noOp: plan.noOp,
    by: 'person',
    reopening: [],
  });
  if (gate.is === 'refused') return refuse(free, message, gate.problems.join('; '));
  const resolution = { text: plan.because ?? 'a new plan', by: proposed.by, label: 'attested' } as const;
  const revised = revise(
    free,
    { ...plan, because: `${plan.because ?? 'a new plan'} (by ${proposed.by})` },
    { at: answer.at, reopening: { reopening, resolution } },
  );
  return applied(revised, message, `plan version ${plan.version}, by ${proposed.by}`);
}

/** Everything that follows by itself, until nothing does. */
export function settle(run: Run, at: number): Run {
  let current = run;
  for (let steps = 0; steps < SETTLE_STEPS_MAX; steps++) {
    const next = step(current, at);
    if (next === current) return current;
    current = next;
  }
  throw new Error('the run does not settle');
}

const RULES: ((run: Run, at: number) => Run)[] = [drain, promote, select, beginSweep, close];

function step(run: Run, at: number): Run {
  if (run.outcome !== null) return run;
  for (const rule of RULES) {
    const next = rule(run, at);
    if (next !== run) return next;
  }
  return run;
}
