import { unreachable } from './assert.js';
import { dropAttempt, isBegun } from './attempt.js';
import { exhaust, settleOpen } from './gate.js';
import { isSettled, lastGate, withGate } from './ledger.js';
import { ASKS_MAX, DAY_MS, limitLookAt, limitWords, moneyReached, PLAN_REFUSALS_MAX } from './limits.js';
import { methodOf } from './methods/registry.js';
import { isDrivenByUnconfirmed } from './unconfirmed.js';
import type { Answer, Budget, Move, Planned, Planning, ProposedPlan, Run, Task } from './values.js';
import { withMove, writeGate, writePlan } from './write-queue.js';

/** Asked only when nothing is being written and every process and look has drained. */
export function planningMoves(run: Run): Move[] {
  const planning = run.planning;
  if (planning === null || run.writes.length > 0 || run.proposed !== null || run.stopped !== null) return [];
  if (run.paused !== null && planning.underway !== true) return [];
  if (planning.limited !== undefined) return [{ id: planning.move, is: 'wait', until: planning.limited.until, why: planning.limited.why }];
  const busy = run.active.some(
    (attempt) => attempt.stage === 'checking' || attempt.stage === 'dispatching' || attempt.stage === 'verifying',
  );
  return busy ? [] : [{ id: planning.move, is: 'replan', question: planning.question, planning }];
}

/** What the planner came back with. */
export function answerPlanning(run: Run, planning: Planning, answer: Answer): Run {
  if (answer.is === 'unclear') return unclear(run, planning, answer);
  if (answer.is !== 'planned') return run;
  const { asks: _asks, ...heard } = planning;
  return decide(run, heard, answer.planned, answer.at);
}

/** The same token again finds what the planner said (R3); an activity that keeps failing by itself ends as no answer. */
function unclear(run: Run, planning: Planning, answer: Extract<Answer, { is: 'unclear' }>): Run {
  const asks = (planning.asks ?? 0) + (answer.counts ? 1 : 0);
  if (asks < ASKS_MAX) return askAgain(run, { ...planning, asks });
  const why = 'the planner could not be asked; the worker log says why';
  return planning.question === 'holds?' ? hold(run, planning, why, answer.at) : giveUp(run, planning, { why }, answer.at);
}

function decide(run: Run, planning: Planning, planned: Planned, at: number): Run {
  switch (planned.is) {
    case 'plan':
      return consider(run, planning, planned.plan, at);
    case 'none':
      return noPlan(run, planning, `no valid plan: ${planned.reason}`, at);
    case 'holds':
      if (planning.question === 'holds?') return hold(run, planning, planned.reason, at);
      return refuse(run, planning, ['the gate requires a new plan; PLAN HOLDS is no answer to that'], at);
    case 'limited':
      return limit(run, planning, planned, at);
    case 'unreadable':
      // R11, its one exception: asked only whether the plan holds, an unreadable answer means that it does, noted.
      if (planning.question === 'holds?')
        return hold(run, planning, `the planner's answer was unreadable: ${planned.problems.join('; ')}`, at);
      return refuse(run, planning, planned.problems, at);
    default:
      return unreachable(planned);
  }
}

/** R13: a usage limit uses up no refusal; it is waited for, no longer than a wait may last. */
function limit(run: Run, planning: Planning, { until, why }: Extract<Planned, { is: 'limited' }>, at: number): Run {
  const since = planning.since ?? at;
  const waitEnds = since + run.limits.waitDays * DAY_MS;
  if (at >= waitEnds) {
    const words = `the planner is at its usage limit for ${run.limits.waitDays} days: ${why}`;
    return planning.question === 'holds?' ? hold(run, planning, words, at) : giveUp(run, planning, { why: words }, at);
  }
  const budget = moneyReached(run);
  if (budget !== null) return stopAtBudget(run, planning, budget, AT_ITS_LIMIT, at);
  const looks = limitLookAt({ until, leg: (planning.legs ?? 0) + 1 }, at);
  const { run: next, move } = withMove(run);
  const { underway: _underway, ...rest } = planning;
  return { ...next, planning: { ...rest, move, since, limited: { until: Math.min(looks, waitEnds), why } } };
}

/** The same question, under a token of its own: the old one would find the stored limit for ever. */
export function limitOver(run: Run, { limited: _limited, ...planning }: Planning, at: number): Run {
  const budget = moneyReached(run);
  if (budget !== null) return stopAtBudget(run, planning, budget, AT_ITS_LIMIT, at);
  return askAgain(run, { ...planning, asking: run.next, legs: (planning.legs ?? 0) + 1 });
}

const AT_ITS_LIMIT = 'and the planner was at its usage limit';

/** What a planner's answer cost counts: where no money is left it is not asked again, until a person grants it once more. */
function stopAtBudget(run: Run, planning: Planning, budget: Budget, because: string, at: number): Run {
  const words = `${limitWords(run, budget)} is used up, ${because}`;
  if (planning.question === 'holds?') return hold(run, planning, words, at);
  return giveUp(run, planning, { why: words, blocker: `budget-${budget}` }, at);
}

function consider(run: Run, planning: Planning, plan: ProposedPlan, at: number): Run {
  const news = {
    is: 'proposal',
    version: plan.version,
    tasks: plan.tasks,
    noOp: plan.noOp,
    ...(plan.because === undefined ? {} : { because: plan.because }),
    ...(plan.reworded === undefined ? {} : { reworded: plan.reworded }),
    ...(plan.redefined === undefined ? {} : { redefined: plan.redefined }),
    by: 'planner',
    reopening: planning.reopening,
  } as const;
  const gate = methodOf(run.method).gate(run, null, news);
  if (gate.is === 'refused') return refuse(run, planning, gate.problems, at);
  return revise(run, { ...plan, tasks: withAdded(run, plan.tasks) }, { at, reopening: planning, planner: true });
}

/** Design §3: a planner writes no evidence. Which checks are its own is remembered, from plan to plan. */
function withAdded(run: Run, tasks: Task[]): Task[] {
  const given = new Set<string>();
  for (const { checks, added } of [...run.ledger, ...run.plan.tasks])
    for (const check of checks) if (added?.includes(check) !== true) given.add(check);
  return tasks.map((task) => {
    const added = task.checks.filter((check) => !given.has(check));
    return added.length === 0 ? task : { ...task, added };
  });
}

/** R19: the list of problems goes back, twice at most; then the gate is exhausted. */
function refuse(run: Run, planning: Planning, problems: string[], at: number): Run {
  if (planning.refusals >= PLAN_REFUSALS_MAX) return noPlan(run, planning, `the planner's plan was refused: ${problems.join('; ')}`, at);
  const budget = moneyReached(run);
  if (budget !== null) return stopAtBudget(run, planning, budget, `and the planner's plan was refused: ${problems.join('; ')}`, at);
  return askAgain(run, { ...planning, refusals: planning.refusals + 1, problems });
}

/** R10: a rumour ends no run either; the plan that stands goes on, and what the planner said of it is noted. */
function noPlan(run: Run, planning: Planning, why: string, at: number): Run {
  if (planning.question === 'replan' || !isDrivenByUnconfirmed(run, planning)) return giveUp(run, planning, { why }, at);
  return hold(run, planning, `${why}; what drove it is not confirmed, and the plan goes on`, at);
}

function askAgain(run: Run, planning: Planning): Run {
  const { run: next, move } = withMove(run);
  const { underway: _underway, ...rest } = planning;
  return { ...next, planning: { ...rest, move } };
}

/** A pause lets a planner that was asked already end. */
export function pausePlanning(run: Run): Run {
  if (run.planning === null || planningMoves(run).length === 0) return run;
  return { ...run, planning: { ...run.planning, underway: true } };
}

/** Names the planner's process: the same ask has the same token, so that an unclear end is found and not repeated. */
export function planningToken(run: Run, planning: Planning): string {
  return `plan-${run.plan.version + 1}-${planning.triggers.map((seq) => run.ledger[seq - 1]?.task ?? seq).join('-')}#${planning.refusals + 1}.${planning.asking ?? 1}`;
}

function hold(run: Run, planning: Planning, note: string, at: number): Run {
  let next: Run = { ...run, planning: null };
  for (const seq of planning.triggers) {
    const entry = next.ledger[seq - 1];
    if (entry === undefined || entry.gates.length > 0) continue;
    next = writeGate(withGate(next, seq, { is: 'holds', at, note }), seq);
  }
  return next;
}

/**
 * Only entries whose gate is required exhaust, or the one on whose news the planner says that no plan is valid; a failed
 * reopening stays exhausted as it was, and done entries that waited for the same answer hold.
 */
function giveUp(run: Run, planning: Planning, because: { why: string; blocker?: string }, at: number): Run {
  let next: Run = { ...run, planning: null };
  for (const seq of planning.triggers) {
    const entry = next.ledger[seq - 1];
    if (entry === undefined) continue;
    const gate = lastGate(entry);
    const exhausts = gate?.is === 'required' || (gate === undefined && planning.question === 'holds?');
    const { why, blocker = entry.blocker ?? `unresolved-${entry.task}` } = because;
    if (exhausts) next = writeGate(exhaust(next, seq, { blocker, why, final: false }, at), seq);
  }
  return settleOpen(next, at);
}

/**
 * A plan version that was accepted: the remaining plan is replaced, PLAN.md is written, and only then the gates that
 * asked for it become `replan done` or `replan reopened` (seed 002 §5).
 */
export function revise(
  run: Run,
  plan: ProposedPlan,
  by: { at: number; reopening: Pick<Planning, 'reopening' | 'resolution'>; planner?: true },
): Run {
  const { version, goal, tasks, sha256, because } = plan;
  const kept = run.active.filter((attempt) => isBegun(attempt) || attempt.stage === 'verifying');
  const next: Run = {
    ...run.active.filter((attempt) => !kept.includes(attempt)).reduce((left, attempt) => dropAttempt(left, attempt.task.id), run),
    plan: { version, goal, tasks, sha256, ...(because === undefined ? {} : { because }) },
    ...retiredBy(run, tasks),
    planning: null,
    closing: false,
    writes: run.writes.filter((write) => write.is !== 'report' || write === run.writes[0]),
  };
  return closeGates(writePlan(next, { version, sha256, ...(by.planner === undefined ? {} : { planner: true }) }), version, by);
}

/** An id that was ever used is never used for something else, also where its task was planned away before it began. */
function retiredBy(run: Run, tasks: Task[]): Pick<Run, 'retired'> {
  const standing = new Set(tasks.map((task) => task.id));
  const known = (run.retired ?? []).filter(({ id }) => !standing.has(id));
  const retired = [...known, ...run.plan.tasks.filter(({ id }) => !standing.has(id)).map(({ id, states }) => ({ id, states }))];
  return run.retired === undefined && retired.length === 0 ? {} : { retired };
}

export function closeGates(run: Run, version: number, by: { at: number; reopening: Pick<Planning, 'reopening' | 'resolution'> }): Run {
  let next = run;
  for (const entry of run.ledger) {
    const gate = lastGate(entry);
    const reopens = gate?.is === 'exhausted' && by.reopening.reopening.includes(entry.task);
    if (reopens) {
      const { resolution } = by.reopening;
      const words = resolution === undefined ? {} : { by: resolution.by, label: resolution.label, words: resolution.text };
      next = writeGate(withGate(next, entry.seq, { is: 'reopened', version, at: by.at, ...words }), entry.seq);
    } else if (gate?.is === 'required') next = writeGate(withGate(next, entry.seq, { is: 'done', version, at: by.at }), entry.seq);
    else if (gate === undefined) next = doneOnNews(next, entry.seq, isSettled(entry), version, by.at);
  }
  return next;
}

/** An entry on whose news the plan was revised: required → done in one write. */
function doneOnNews(run: Run, seq: number, settled: boolean, version: number, at: number): Run {
  const required = settled ? withGate(run, seq, { is: 'required', at }) : run;
  return writeGate(withGate(required, seq, { is: 'done', version, at }), seq);
}
