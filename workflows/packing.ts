import type { Cost, Entry, GateRecord } from '../core/values.js';

/**
 * Entries of earlier executions as lists without keys: at 1,000 tasks the names of the fields alone would be half of
 * what a run carries (R15). The order of a list is read back by position: extend it at its end only, or with a patch.
 */
export type PackedEntry = [
  seq: number,
  task: string,
  title: string,
  status: Entry['status'],
  label: Entry['label'],
  planVersion: number,
  attempt: number,
  performer: string,
  covers: string[],
  states: string,
  checks: string[],
  observed: Entry['observed'],
  asOf: number,
  gates: (GateRecord | number)[],
  usd: number | null,
  tokens: number | null,
  startedAt: number,
  endedAt: number,
  optional: Pick<Entry, Optional | 'news'> & Pick<Cost, 'estimatedUsd'>,
];

type Optional =
  | 'restates'
  | 'continues'
  | 'reopens'
  | 'undoes'
  | 'blocker'
  | 'askedBy'
  | 'verdict'
  | 'facts'
  | 'terms'
  | 'sha256'
  | 'added'
  | 'todo'
  | 'delivery'
  | 'session';

const OPTIONAL: Optional[] = [
  'restates',
  'continues',
  'reopens',
  'undoes',
  'blocker',
  'askedBy',
  'verdict',
  'facts',
  'terms',
  'sha256',
  'added',
  'todo',
  'delivery',
  'session',
];

/** Of an entry that is written: what the rules still need, without its text. */
export function packEntry(entry: Entry): PackedEntry {
  const { seq, task, title, status, label, planVersion, attempt, performer, covers, states, checks, observed, asOf } = entry;
  const { gates, cost, startedAt, endedAt } = entry;
  const packed = gates.map((gate) => (gate.is === 'holds' && gate.note === undefined ? gate.at : gate));
  const head = [seq, task, title, status, label, planVersion, attempt, performer, covers, states, checks, observed, asOf] as const;
  return [...head, packed, cost.usd, cost.tokens, startedAt, endedAt, { ...optionalOf(entry), ...newsOf(entry), ...estimateOf(cost) }];
}

function estimateOf({ estimatedUsd }: Cost): Pick<Cost, 'estimatedUsd'> {
  return estimatedUsd === undefined ? {} : { estimatedUsd };
}

/** Only while its planner is still to be asked: then it is what the answer is held against (R10). */
function newsOf({ gates, news }: Entry): Pick<Entry, 'news'> {
  return gates.length === 0 && news !== undefined ? { news } : {};
}

function optionalOf(entry: Entry): Pick<Entry, Optional> {
  return Object.fromEntries(OPTIONAL.flatMap((key) => (entry[key] === undefined ? [] : [[key, entry[key]]])));
}

export function unpackEntry(packed: PackedEntry): Entry {
  const [seq, task, title, status, label, planVersion, attempt, performer, covers, states, checks, observed, asOf, gates, ...rest] = packed;
  const [usd, tokens, startedAt, endedAt, { estimatedUsd, ...optional }] = rest;
  const records = gates.map((gate): GateRecord => (typeof gate === 'number' ? { is: 'holds', at: gate } : gate));
  const head = { seq, task, title, status, label, planVersion, attempt, performer, covers, states, checks, observed, asOf };
  const cost: Cost = { usd, tokens, ...(estimatedUsd === undefined ? {} : { estimatedUsd }) };
  return { ...head, gates: records, cost, startedAt, endedAt, ...optional, text: null };
}
