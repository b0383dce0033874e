import type { Entry, GateRecord, Run, Task } from './values.js';

/**
 * The ledger as the rules read it. Look-ups go through an index kept beside the array, so that an advance costs the same
 * at a thousand entries as at ten.
 */
const indexes = new WeakMap<Entry[], Map<string, Entry>>();

export function entryOf(ledger: Entry[], task: string): Entry | undefined {
  let index = indexes.get(ledger);
  if (index === undefined) {
    index = new Map(ledger.map((entry) => [entry.task, entry]));
    indexes.set(ledger, index);
  }
  return index.get(task);
}

export function lastGate(entry: Entry): GateRecord | undefined {
  return entry.gates.at(-1);
}

/** Its checkpoint is still to come: no gate yet, or a replan was required and has not ended. */
export function isGateOpen(entry: Entry): boolean {
  const gate = lastGate(entry);
  return gate === undefined || gate.is === 'required';
}

export function isSettled(entry: Entry): boolean {
  return (entry.status === 'done' || entry.status === 'no_op') && entry.label !== 'unverified';
}

/** Appended by the final sweep, not the work of a performer. */
export function isSweep(entry: Entry): boolean {
  return entry.undoes !== undefined;
}

export function isBudget(blocker: string): boolean {
  return blocker.startsWith('budget-');
}

/** A budget was used up before its performer was sent. */
export function isUnsent({ blocker, performer }: Entry): boolean {
  return performer === '' && blocker !== undefined && isBudget(blocker);
}

/**
 * The attempts at the same work, newest first: the entry, what it continues, and so on; `Reopens` ends the chain, since
 * a confirmed reopening starts a new lineage (seed 002 §7). What a sweep found undone belongs to the lineage of what it
 * undoes, so that two tasks cannot undo each other for ever.
 */
export function lineageOf(ledger: Entry[], entry: Entry): Entry[] {
  const chain: Entry[] = [];
  const seen = new Set<string>();
  let current: Entry | undefined = entry;
  while (current !== undefined && !seen.has(current.task)) {
    seen.add(current.task);
    chain.push(current);
    const previous: string | undefined = current.continues ?? current.undoes;
    current = previous === undefined ? undefined : entryOf(ledger, previous);
  }
  return chain;
}

/** What an id is an attempt of: `S1` of `S1@3`. */
export function unitOf(task: string): string {
  return task.split('@')[0] ?? task;
}

/** Whether a name, as people type it, means a task: its id, or that of its unit. */
export function isNamed(task: string, name: string): boolean {
  return task === name || unitOf(task) === name;
}

/** Which attempt a task is, from 1: by its id, or in its lineage. */
export function attemptNumber(ledger: Entry[], { id, continues }: Pick<Task, 'id' | 'continues'>): number {
  const counted = /@(\d+)$/.exec(id)?.[1];
  if (counted !== undefined) return Number(counted);
  const previous = continues === undefined ? undefined : entryOf(ledger, continues);
  if (previous === undefined) return 1;
  return 1 + lineageOf(ledger, previous).filter((entry) => !isSweep(entry)).length;
}

export function replaceEntry(run: Run, entry: Entry): Run {
  const ledger = run.ledger.slice();
  ledger[entry.seq - 1] = entry;
  return { ...run, ledger };
}

export function withGate(run: Run, seq: number, gate: GateRecord): Run {
  const entry = run.ledger[seq - 1];
  if (entry === undefined) return run;
  return replaceEntry(run, { ...entry, gates: [...entry.gates, gate] });
}

/** Open exhausted gates, oldest first. */
export function exhaustedEntries(run: Run): Entry[] {
  return run.ledger.filter((entry) => lastGate(entry)?.is === 'exhausted');
}

/**
 * Whether an exhausted gate stops the run: it does until something was reopened after it. Earlier exhausted entries then
 * no longer stop the run, they only keep its outcome open.
 */
export function isExhausted(run: Run): boolean {
  let last = { at: -1, version: 0 };
  for (const entry of run.ledger)
    for (const gate of entry.gates)
      if (gate.is === 'reopened' && gate.at >= last.at) last = { at: gate.at, version: Math.max(last.version, gate.version) };
  return run.ledger.some((entry) => {
    const gate = lastGate(entry);
    if (gate?.is !== 'exhausted') return false;
    // A LEDGER.md gives all its gates one time: there the plan version says which came later.
    return gate.at > last.at || (gate.at === last.at && entry.planVersion >= last.version);
  });
}
