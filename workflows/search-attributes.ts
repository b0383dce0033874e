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

/** Upserts what changed since `shown`, in one command, and only names that the namespace knows: an unknown one would stop the run. */
export function upsertChanged(carried: Carried, shown: string): string {
  const values = attributesOf(carried.run).filter(({ key }) => carried.searchAttributes.includes(key.name));
  const now = JSON.stringify(values.map(({ key, value }) => [key.name, value]));
  if (now === shown) return shown;
  const before = new Map<string, unknown>(shown === '' ? [] : JSON.parse(shown));
  const changed = values.filter(({ key, value }) => JSON.stringify(before.get(key.name)) !== JSON.stringify(value));
  upsertSearchAttributes(changed);
  return now;
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
