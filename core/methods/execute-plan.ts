import { type Contract, criteriaOf, outcomeOf } from '../criteria.js';
import { entryOf, isSettled, isSweep, lastGate, lineageOf } from '../ledger.js';
import { LINEAGE_ATTEMPTS_MAX } from '../limits.js';
import type { Gate, Judgement, Method, News } from '../method.js';
import type { Attempt, Entry, Json, Plan, Run } from '../values.js';
import { judgeAfter, judgeBefore } from '../verdict.js';
import { proposalProblems } from './proposal.js';

/** Seed 002: a plan, its contract, the replan gate, the lineage limit. */
export const executePlanMethod: Method = {
  open,
  remaining,
  judge,
  gate,
  mayStand: () => true,
  criteria: (run) => criteriaOf(run, aboutOf(run)),
  outcome: (run) => outcomeOf(run, aboutOf(run)),
};

/** What the method keeps in `about`. */
export interface About extends Contract {
  /** A plan whose goal already holds: what it states as evidence. */
  noOp: { because: string; evidence: string[]; checks: string[] } | null;
}

export function aboutOf(run: Run): About {
  const about = run.about;
  if (about === null || typeof about !== 'object' || Array.isArray(about)) return { criteria: null, noOp: null };
  return { criteria: criteriaIn(about.criteria), noOp: noOpIn(about.noOp) };
}

function criteriaIn(value: Json | undefined): About['criteria'] {
  if (!Array.isArray(value)) return null;
  return value.flatMap((one) => {
    if (one === null || typeof one !== 'object' || Array.isArray(one) || typeof one.id !== 'string') return [];
    return [{ id: one.id, through: Array.isArray(one.through) ? strings(one.through) : null }];
  });
}

function noOpIn(value: Json | undefined): About['noOp'] {
  if (value === null || value === undefined || typeof value !== 'object' || Array.isArray(value)) return null;
  return {
    because: typeof value.because === 'string' ? value.because : '',
    evidence: strings(value.evidence),
    checks: strings(value.checks),
  };
}

function strings(value: Json | undefined): string[] {
  return Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : [];
}

function open(input: Json): Json {
  return input;
}

/** An id that has an entry is never dispatched again (R2). */
function remaining(_about: Json, plan: Plan, entries: Entry[]): Plan {
  const attempted = new Set(entries.map((entry) => entry.task));
  return { ...plan, tasks: plan.tasks.filter((task) => !attempted.has(task.id)) };
}

function judge(run: Run, attempt: Attempt): Judgement {
  if (attempt.end === undefined) {
    const reconstructed = attempt.dispatched || run.reconstructing || attempt.before?.attempted === true;
    return judgeBefore(attempt, reconstructed);
  }
  return judgeAfter(attempt);
}

function gate(run: Run, entry: Entry | null, news: News): Gate {
  if (news.is === 'proposal') {
    const problems = proposalProblems(run, aboutOf(run), news);
    return problems.length > 0 ? { is: 'refused', problems } : { is: 'accepted' };
  }
  if (news.is === 'reopening') return { is: 'planner', question: 'replan' };
  if (entry === null) return { is: 'holds' };
  if (!isSettled(entry)) return unsettledGate(run, entry);
  return lastGate(entry)?.is === 'required' ? requiredGate(run, entry) : settledGate(run, entry);
}

/** A done entry whose `replan required` stands in a ledger without history: the planner is asked now (seed 002, Resuming). */
function requiredGate(run: Run, entry: Entry): Gate {
  if (run.policy.planner) return { is: 'planner', question: 'replan' };
  return { is: 'exhausted', blocker: `unresolved-${entry.task}`, why: 'nobody fills the planner role', final: false };
}

/** After done and no_op the planner is asked only on news (design §4). */
function settledGate(run: Run, entry: Entry): Gate {
  const { askPlanner, planner } = run.policy;
  const asks = askPlanner === 'always' || (askPlanner === 'on-news' && (entry.news ?? []).length > 0);
  return asks && planner ? { is: 'planner', question: 'holds?' } : { is: 'holds' };
}

/** R6: partial, blocked and failed never hold. R7: the count and the comparison are mechanical (seed 002 §7). */
function unsettledGate(run: Run, entry: Entry): Gate {
  const blocker = entry.blocker ?? `unresolved-${entry.task}`;
  if (blocker.startsWith('budget-')) return { is: 'exhausted', blocker, why: 'a budget is used up', final: false };
  const previous = entry.continues === undefined ? undefined : entryOf(run.ledger, entry.continues);
  if (entry.blocker !== undefined && previous?.blocker === entry.blocker)
    return { is: 'exhausted', blocker, why: `${entry.blocker} stopped ${previous.task} and ${entry.task} alike`, final: false };
  const attempts = lineageOf(run.ledger, entry).filter((one) => !isSweep(one)).length;
  if (attempts >= LINEAGE_ATTEMPTS_MAX) return { is: 'exhausted', blocker, why: `${attempts} attempts at the same work`, final: false };
  if (!run.policy.planner) return { is: 'exhausted', blocker, why: 'nobody fills the planner role', final: false };
  return { is: 'planner', question: 'replan' };
}
