import { defineSearchAttributeKey, type SearchAttributePair, SearchAttributeType } from '@temporalio/common';
import { upsertSearchAttributes } from '@temporalio/workflow';
import { phaseOf } from '../core/phase.js';
import type { Run } from '../core/values.js';
import type { Carried } from './carried.js';

const KEYS = {
  method: defineSearchAttributeKey('DonewhenMethod', SearchAttributeType.KEYWORD),
  phase: defineSearchAttributeKey('DonewhenPhase', SearchAttributeType.KEYWORD),
  outcome: defineSearchAttributeKey('DonewhenOutcome', SearchAttributeType.KEYWORD),
  slug: defineSearchAttributeKey('DonewhenSlug', SearchAttributeType.KEYWORD),
  task: defineSearchAttributeKey('DonewhenTask', SearchAttributeType.KEYWORD_LIST),
  waitingFor: defineSearchAttributeKey('DonewhenWaitingFor', SearchAttributeType.KEYWORD_LIST),
  done: defineSearchAttributeKey('DonewhenTasksDone', SearchAttributeType.INT),
  total: defineSearchAttributeKey('DonewhenTasksTotal', SearchAttributeType.INT),
  cost: defineSearchAttributeKey('DonewhenCostUsd', SearchAttributeType.DOUBLE),
};

/** What was upserted last, and when. */
export interface Shown {
  values: Map<string, string>;
  at: number;
}

export const NOTHING_SHOWN: Shown = { values: new Map(), at: 0 };

/** Steps that follow each other faster are shown by the last of them: a list is read by people, and each upsert is an event. */
const SHOWN_MS_MIN = 200;
/** Where a run may stay for long; shown at once. */
const RESTING = ['waiting', 'limited', 'paused', 'closed'];

/** Upserts what changed, in one command, and only names that the namespace knows: an unknown one would stop the run. */
export function upsertChanged(carried: Carried, shown: Shown): Shown {
  const pairs = attributesOf(carried.run).filter(({ key }) => carried.searchAttributes.includes(key.name));
  const changed = pairs.filter(({ key, value }) => shown.values.get(key.name) !== JSON.stringify(value));
  const isResting = RESTING.includes(phaseOf(carried.run));
  if (changed.length === 0 || (!isResting && Date.now() - shown.at < SHOWN_MS_MIN)) return shown;
  upsertSearchAttributes(changed);
  return { values: new Map(pairs.map(({ key, value }) => [key.name, JSON.stringify(value)])), at: Date.now() };
}

function attributesOf(run: Run): SearchAttributePair[] {
  const waiting = run.questions.map((question) => `${question.kind} ${question.task ?? question.gate ?? ''}`.trim());
  return [
    { key: KEYS.method, value: run.method },
    { key: KEYS.slug, value: run.id },
    { key: KEYS.phase, value: phaseOf(run) },
    { key: KEYS.outcome, value: run.outcome ?? 'none' },
    { key: KEYS.task, value: run.active.map((attempt) => attempt.task.id) },
    { key: KEYS.waitingFor, value: waiting },
    { key: KEYS.done, value: run.ledger.filter((entry) => entry.status === 'done' || entry.status === 'no_op').length },
    { key: KEYS.total, value: run.ledger.filter((entry) => entry.undoes === undefined).length + run.plan.tasks.length },
    { key: KEYS.cost, value: run.spentInAll.usd },
  ];
}
