import { isBudget, isSettled, lastGate } from './ledger.js';
import type { Criterion, Entry, Label, Outcome, Run, Task } from './values.js';

/**
 * R20: what a run came to is a total function of its entries and criteria. A node is an entry or a task without one. A
 * node that something continues, reopens or undoes is replaced by it; a promise that did not come true may also be
 * restated by a later task.
 */
export interface Contract {
  /** Required criteria of SPEC.md; `through`: the ACs that stand for a Must FR. null: the contract is the plan. */
  criteria: { id: string; through: string[] | null }[] | null;
  /** A plan whose goal holds already. `checks` of its header were run, and held, when it was loaded. */
  noOp?: { checks: string[] } | null;
}

interface Node {
  id: string;
  covers: string[];
  states: string;
  restates: string | undefined;
  replaces: string[];
  entry: Entry | null;
}

interface Leaf {
  id: string;
  entry: Entry | null;
}

export interface Ground {
  nodes: Node[];
  byId: Map<string, Node>;
  /** For each node, what took its place. */
  replacedBy: Map<string, string[]>;
  /** For each promise, the node that stated it first. */
  firstOf: Map<string, string>;
}

/** `tasks`: the remaining plan, or a proposed one. */
export function groundOf(ledger: Entry[], tasks: Task[]): Ground {
  const nodes: Node[] = [...ledger.map(nodeOfEntry), ...tasks.map(nodeOfTask)];
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const replacedBy = new Map<string, string[]>();
  const stated = new Map<string, Node[]>();
  const add = (old: string, by: string) => replacedBy.set(old, [...(replacedBy.get(old) ?? []), by]);
  for (const node of nodes) {
    for (const old of node.replaces) if (byId.has(old) && old !== node.id) add(old, node.id);
    // A promise that is open and stated again, or restated, moves to the later node.
    for (const states of new Set([node.states, node.restates])) {
      if (states === undefined) continue;
      for (const earlier of stated.get(states) ?? []) {
        const open = earlier.entry === null || !isSettled(earlier.entry);
        if (open && !(replacedBy.get(earlier.id) ?? []).includes(node.id)) add(earlier.id, node.id);
      }
    }
    stated.set(node.states, [...(stated.get(node.states) ?? []), node]);
  }
  const firstOf = new Map([...stated].map(([states, those]) => [states, those[0]?.id ?? '']));
  return { nodes, byId, replacedBy, firstOf };
}

function nodeOfEntry(entry: Entry): Node {
  const replaces = [entry.continues, entry.reopens, entry.undoes].filter((id): id is string => id !== undefined);
  return { id: entry.task, covers: entry.covers, states: entry.states, restates: entry.restates, replaces, entry };
}

function nodeOfTask(task: Task): Node {
  const replaces = [task.continues, task.reopens].filter((id): id is string => id !== undefined);
  return { id: task.id, covers: task.covers, states: task.states, restates: task.restates, replaces, entry: null };
}

/** The nodes that now stand for a node, its continuations followed to the end. */
export function leavesOf(ground: Ground, id: string, seen: Set<string> = new Set()): Leaf[] {
  if (seen.has(id)) return [];
  seen.add(id);
  const later = ground.replacedBy.get(id) ?? [];
  const leaves = later.flatMap((next) => leavesOf(ground, next, seen));
  if (leaves.length > 0) return leaves;
  return [{ id, entry: ground.byId.get(id)?.entry ?? null }];
}

export interface Requirement {
  id: string;
  /** The Covers ids that count for it. null: a promise, kept by its own words. */
  ids: string[] | null;
  /** Nodes that cover it. */
  covering: string[];
}

/** What must become true: the SPEC's required criteria, and the promises of tasks that cover none. */
export function requirementsOf(contract: Contract, ground: Ground): Requirement[] {
  const required: Requirement[] = [];
  for (const { id, through } of contract.criteria ?? []) {
    const ids = through !== null && through.length > 0 ? through : [id];
    required.push({
      id,
      ids,
      covering: ground.nodes.filter((node) => node.covers.some((cover) => ids.includes(cover))).map((node) => node.id),
    });
  }
  const roots = new Map<string, string[]>();
  for (const node of ground.nodes) {
    if (contract.criteria !== null && node.covers.length > 0) continue;
    const root = rootOf(ground, node);
    roots.set(root, [...(roots.get(root) ?? []), node.id]);
  }
  for (const [id, covering] of roots) required.push({ id, ids: null, covering });
  return required;
}

/** The task that first stated the promise of a node. */
function rootOf(ground: Ground, node: Node, seen: Set<string> = new Set()): string {
  if (seen.has(node.id)) return node.id;
  seen.add(node.id);
  for (const old of node.replaces) {
    const earlier = ground.byId.get(old);
    if (earlier !== undefined) return rootOf(ground, earlier, seen);
  }
  const promise = node.restates ?? node.states;
  const first = ground.byId.get(ground.firstOf.get(promise) ?? '');
  return first === undefined || first.id === node.id ? node.id : rootOf(ground, first, seen);
}

export function criteriaOf(run: Run, contract: Contract): Criterion[] {
  const ground = groundOf(run.ledger, run.plan.tasks);
  const heldAlready = ground.nodes.length === 0 && (contract.noOp?.checks ?? []).length > 0;
  return requirementsOf(contract, ground).map(({ id, covering }) => {
    if (heldAlready) return { id, state: 'satisfied', label: 'verified', by: [] };
    const leaves = unique(covering.flatMap((node) => leavesOf(ground, node)));
    return { id, ...stateOf(leaves), by: leaves.filter((leaf) => leaf.entry !== null).map((leaf) => leaf.id) };
  });
}

function unique(leaves: Leaf[]): Leaf[] {
  return [...new Map(leaves.map((leaf) => [leaf.id, leaf])).values()];
}

function stateOf(leaves: Leaf[]): { state: Criterion['state']; label: Label } {
  const entries = leaves.flatMap((leaf) => (leaf.entry === null ? [] : [leaf.entry]));
  if (leaves.length > 0 && entries.length === leaves.length && entries.every(isShown)) {
    return { state: 'satisfied', label: entries.some((entry) => entry.label === 'attested') ? 'attested' : 'verified' };
  }
  const worst = entries.find(isSeenNotToHold);
  if (worst !== undefined) return { state: 'unsatisfied', label: worst.label };
  if (entries.length < leaves.length || leaves.length === 0) return { state: 'open', label: 'unverified' };
  return { state: 'unverifiable', label: 'unverified' };
}

/** Settled, and its record shows it. */
function isShown(entry: Entry): boolean {
  return isSettled(entry) && entry.unshown !== true;
}

function isSeenNotToHold(entry: Entry): boolean {
  return !isSettled(entry) && (entry.observed === 'disproved' || entry.status === 'failed');
}

/** Its planner could not be asked again: a person can grant what is used up. */
function isHeldByBudget(entry: Entry): boolean {
  const gate = lastGate(entry);
  return gate?.is === 'exhausted' && isBudget(gate.blocker);
}

/** The first that fits (docs/interface.md §6). */
export function outcomeOf(run: Run, contract: Contract): Outcome {
  const criteria = criteriaOf(run, contract);
  const satisfied = criteria.every((criterion) => criterion.state === 'satisfied') && run.plan.tasks.length === 0;
  const exhausted = run.ledger.filter((entry) => lastGate(entry)?.is === 'exhausted');
  if (satisfied && exhausted.length === 0) return run.ledger.every((entry) => entry.status === 'no_op') ? 'NO_OP' : 'COMPLETED';
  const ground = groundOf(run.ledger, run.plan.tasks);
  const open = unique(ground.nodes.flatMap((node) => leavesOf(ground, node.id))).flatMap((leaf) =>
    leaf.entry === null ? [] : [leaf.entry],
  );
  if (open.some((entry) => entry.status === 'blocked' || isHeldByBudget(entry))) return 'BLOCKED';
  if (open.some((entry) => isSeenNotToHold(entry) && lastGate(entry)?.is === 'exhausted')) return 'FAILED';
  return 'PARTIAL';
}
