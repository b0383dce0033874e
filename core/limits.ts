import { isBudget, isSweep, isUnsent } from './ledger.js';
import type { Budget, Cost, Entry, Limits, Run, Spent } from './values.js';

/** Attempts of one lineage in one episode (seed 002 §7, lineage limit). */
export const LINEAGE_ATTEMPTS_MAX = 3;
/** A refused plan goes back this many times; the next refusal exhausts. */
export const PLAN_REFUSALS_MAX = 2;
/** One try, and one more after a loss (R3). */
export const TRIES_MAX = 2;
/** Failures of an activity itself, one after the other, before its answer counts as none. */
export const ASKS_MAX = 20;
/** Handled message ids that a run remembers. */
export const HANDLED_MAX = 500;
/** Notes to roles that a run keeps; the oldest go first. */
export const NOTES_MAX = 50;
/** Where nobody can say until when a limit lasts: looks after these minutes, then hourly. */
export const LIMIT_LOOKS_MINUTES = [5, 15, 30, 60];

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** A second reset that is nearer than this is no news: whoever believed it would ask again and again, and pay each time. */
export const LIMIT_RESET_MS_MIN = MINUTE_MS;

/**
 * When a usage limit is tried again: at the reset that the agent names, or after growing pauses; `leg` from 1.
 * A reset that is all but there is believed the first time only: who always names such a one would be asked without end.
 */
export function limitLookAt({ until, leg }: { until: number | null; leg: number }, at: number): number {
  if (until !== null && until - at >= (leg === 1 ? 0 : LIMIT_RESET_MS_MIN)) return until;
  return at + (LIMIT_LOOKS_MINUTES[Math.min(leg, LIMIT_LOOKS_MINUTES.length) - 1] ?? 60) * MINUTE_MS;
}

export const LIMITS_DEFAULT: Limits = {
  parallel: 1,
  taskMinutes: 60,
  runHours: 24,
  dispatches: 200,
  costUsd: 25,
  tokens: null,
  checkMinutes: 10,
  waitDays: 30,
};

export const NOTHING_SPENT: Spent = { dispatches: 0, usd: 0, tokens: 0, unknown: false, activeMs: 0 };

/** The first budget that is used up, if any. Counted per episode: a confirmed raise starts anew. */
export function budgetReached(run: Run): Budget | null {
  const { limits, spent } = run;
  if (spent.dispatches >= limits.dispatches) return 'dispatches';
  if (spent.activeMs >= limits.runHours * HOUR_MS) return 'hours';
  return moneyReached(run);
}

/** R13: a further try of the same attempt is no dispatch more, but it costs what it costs. */
export function moneyReached({ limits, spent }: Run): 'cost' | 'tokens' | null {
  if (limits.costUsd !== null && spent.usd >= limits.costUsd) return 'cost';
  if (limits.tokens !== null && spent.tokens >= limits.tokens) return 'tokens';
  return null;
}

/** What one more attempt may spend before a budget is used up. null: no limit. */
export function budgetLeft({ limits, spent }: Run): { usd: number | null; tokens: number | null } {
  return {
    usd: limits.costUsd === null ? null : round(Math.max(0, limits.costUsd - spent.usd)),
    tokens: limits.tokens === null ? null : Math.max(0, limits.tokens - spent.tokens),
  };
}

export const BUDGETS: Budget[] = ['dispatches', 'hours', 'cost', 'tokens'];

/** A confirmed raise grants the limit that was used up once more, and no other. */
export function grantAgain(spent: Spent, budget: Budget): Spent {
  switch (budget) {
    case 'dispatches':
      return { ...spent, dispatches: 0 };
    case 'hours':
      return { ...spent, activeMs: 0 };
    case 'cost':
      return { ...spent, usd: 0 };
    case 'tokens':
      return { ...spent, tokens: 0 };
  }
}

export function limitWords(run: Run, budget: Budget): string {
  switch (budget) {
    case 'dispatches':
      return `limits.dispatches: ${run.limits.dispatches}`;
    case 'hours':
      return `limits.runHours: ${run.limits.runHours}`;
    case 'cost':
      return `limits.costUsd: ${run.limits.costUsd}`;
    case 'tokens':
      return `limits.tokens: ${run.limits.tokens}`;
  }
}

export function addCost(a: Cost, b: Cost): Cost {
  return { usd: sum(a.usd, b.usd), tokens: sum(a.tokens, b.tokens), ...estimateOf(a, b) };
}

function estimateOf(a: Pick<Cost, 'estimatedUsd'>, b: Pick<Cost, 'estimatedUsd'>): Pick<Cost, 'estimatedUsd'> {
  const sumOfBoth = sum(a.estimatedUsd ?? null, b.estimatedUsd ?? null);
  return sumOfBoth === null ? {} : { estimatedUsd: round(sumOfBoth) };
}

/** Neither reported nor estimated. */
export function isMoneyUnknown({ usd, estimatedUsd }: Cost): boolean {
  return usd === null && estimatedUsd === undefined;
}

function sum(a: number | null, b: number | null): number | null {
  return a === null && b === null ? null : (a ?? 0) + (b ?? 0);
}

/** Books what an agent said it cost, in the episode and in all; what nobody knows makes the sum unknown. */
export function spend(run: Run, cost: Cost): Run {
  return { ...run, spent: plus(run.spent, cost), spentInAll: plus(run.spentInAll, cost) };
}

/** What the entries of earlier executions say of who was sent, and at what cost; a planner's cost is in none of them. */
export function spentBefore(entries: Entry[], { planner }: { planner: boolean }): Spent {
  const sent = entries.filter((entry) => entry.status !== 'no_op' && entry.performer !== 'human' && !isSweep(entry) && !isUnsent(entry));
  if (entries.length === 0) return NOTHING_SPENT;
  let spent: Spent = { ...NOTHING_SPENT, dispatches: sent.length, earlier: entries.length };
  for (const { cost } of sent) spent = plus(spent, cost);
  return { ...spent, unknown: spent.unknown || entries.some((entry) => mayHavePlanned(entry, planner)) };
}

/** Only planners and people bring a new plan; a budget and the steps of a pipeline are gated by code. */
function mayHavePlanned({ gates, blocker, askedBy }: Entry, planner: boolean): boolean {
  if (askedBy !== undefined || (blocker !== undefined && isBudget(blocker))) return false;
  return gates.some(({ is }) => is === 'done' || (planner && is !== 'holds'));
}

function plus(spent: Spent, cost: Cost): Spent {
  return {
    ...spent,
    usd: round(spent.usd + (cost.usd ?? 0)),
    tokens: spent.tokens + (cost.tokens ?? 0),
    ...estimateOf(spent, cost),
    unknown: spent.unknown || isMoneyUnknown(cost) || cost.tokens === null,
  };
}

/** To a ten-thousandth of a cent, so that sums of decimals read as written. */
function round(usd: number): number {
  return Math.round(usd * 1e6) / 1e6;
}

export function countDispatch(run: Run): Run {
  const one = (spent: Spent): Spent => ({ ...spent, dispatches: spent.dispatches + 1 });
  return { ...run, spent: one(run.spent), spentInAll: one(run.spentInAll) };
}
