import { type Contract, type Ground, groundOf, leavesOf, type Requirement, requirementsOf } from '../criteria.js';
import { entryOf, isSettled, lastGate } from '../ledger.js';
import type { News } from '../method.js';
import { isDrivenByUnconfirmed, redrawn } from '../unconfirmed.js';
import type { Entry, Run, Task } from '../values.js';

type Proposal = Extract<News, { is: 'proposal' }>;

/**
 * Whether a plan version may replace the remaining plan (R19; seed 002 §7 and the replan rules of plan-from-spec):
 * every problem at once, each with what to do. Nothing here trusts who wrote it, except that a person may change checks.
 */
export function proposalProblems(run: Run, contract: Contract, proposal: Proposal): string[] {
  return [
    ...versionProblems(run, proposal),
    ...(proposal.by === 'planner' ? headerProblems(proposal) : []),
    ...idProblems(run, proposal),
    ...dependencyProblems(run, proposal),
    ...lineageProblems(run, proposal),
    ...coverageProblems(run, contract, proposal),
    ...(proposal.by === 'planner' ? checkProblems(run, proposal) : []),
    ...survivorProblems(run, proposal),
    ...strategyProblems(run, proposal),
  ];
}

function versionProblems(run: Run, proposal: Proposal): string[] {
  const wanted = run.plan.version + 1;
  const problems = proposal.version === wanted ? [] : [`Plan version is ${proposal.version}; it must be ${wanted}`];
  if (proposal.by === 'planner' && (proposal.because ?? '').trim() === '')
    problems.push('Replanned because: is missing; say in one sentence why the plan changes');
  if (proposal.noOp && run.ledger.length > 0) problems.push('Status: no-op cannot follow a ledger entry; plan what is left');
  return problems;
}

/** What the run is for is not the planner's to say; a plan without its Spec would lose the contract for whoever reads it next (R19). */
function headerProblems({ redefined }: Proposal): string[] {
  return (redefined ?? []).map(({ field, was }) => `${field}: is not as it was; only a person changes it, so write ${field}: ${was}`);
}

function idProblems(run: Run, proposal: Proposal): string[] {
  const problems: string[] = [];
  const seen = new Set<string>();
  for (const task of proposal.tasks) {
    if (seen.has(task.id)) problems.push(`${task.id} stands twice; every task needs an id of its own`);
    seen.add(task.id);
    if (entryOf(run.ledger, task.id) !== undefined) problems.push(`${task.id} has a ledger entry; use a new id and say what it continues`);
    const earlier = [...run.plan.tasks, ...(run.retired ?? [])].find((one) => one.id === task.id);
    if (earlier !== undefined && earlier.states !== task.states)
      problems.push(`${task.id} now promises something else; a new promise needs a new id`);
  }
  return problems;
}

function dependencyProblems(run: Run, proposal: Proposal): string[] {
  const problems: string[] = [];
  const ids = new Set(proposal.tasks.map((task) => task.id));
  for (const task of proposal.tasks) {
    for (const id of task.dependsOn) {
      const entry = entryOf(run.ledger, id);
      if (entry !== undefined && !isSettled(entry))
        problems.push(`${task.id} depends on ${id}, which is ${entry.status}; depend on what continues it`);
      if (entry === undefined && !ids.has(id)) problems.push(`${task.id} depends on ${id}, which neither the plan nor the ledger has`);
    }
  }
  const stuck = cyclic(proposal.tasks);
  if (stuck.length > 0) problems.push(`${stuck.join(', ')} depend on each other in a circle`);
  return problems;
}

/** Tasks that no order can reach. */
function cyclic(tasks: Task[]): string[] {
  let rest = tasks;
  for (;;) {
    const waiting = new Set(rest.map((task) => task.id));
    const next = rest.filter((task) => task.dependsOn.some((id) => waiting.has(id)));
    if (next.length === rest.length) return rest.map((task) => task.id);
    rest = next;
  }
}

function lineageProblems(run: Run, proposal: Proposal): string[] {
  const problems: string[] = proposal.by === 'planner' ? unnamedProblems(run, proposal) : [];
  for (const task of proposal.tasks) {
    if (task.continues !== undefined) problems.push(...namingProblems(run, task, { field: 'Continues', id: task.continues }));
    if (task.reopens !== undefined) problems.push(...namingProblems(run, task, { field: 'Reopens', id: task.reopens }));
    problems.push(...episodeProblems(run, task, proposal));
  }
  return problems;
}

/** What a task goes on with is unfinished, and is the newest of its line: an older one would be counted again (R7). */
function namingProblems(run: Run, task: Task, { field, id }: { field: 'Continues' | 'Reopens'; id: string }): string[] {
  const entry = entryOf(run.ledger, id);
  if (entry === undefined) return [`${task.id}: ${field} names ${id}, which has no ledger entry`];
  if (isSettled(entry)) return [`${task.id}: ${field} names ${id}, which is ${entry.status}; only unfinished work is continued`];
  const stood = run.plan.tasks.some((one) => one.id === task.id && one.continues === task.continues && one.reopens === task.reopens);
  const later = stood ? undefined : run.ledger.find((one) => (one.continues === id || one.reopens === id) && !isSettled(one));
  return later === undefined ? [] : [`${task.id}: ${field} names ${id}, whose work went on as ${later.task}; name ${later.task}`];
}

/** Only a confirmed reopening starts a new lineage, and it always does: what was reopened is not continued (seed 002 §7). */
function episodeProblems(run: Run, task: Task, proposal: Proposal): string[] {
  const problems: string[] = [];
  const continued = task.continues === undefined ? undefined : entryOf(run.ledger, task.continues);
  if (continued !== undefined && isLeft(continued, proposal))
    problems.push(`${task.id}: ${continued.task} is exhausted and nothing reopened it; plan without it`);
  else if (continued !== undefined && isReopened(continued, proposal))
    problems.push(`${task.id}: ${continued.task} is ${gateOf(continued)}; write Reopens: ${continued.task} instead of Continues`);
  const reopened = task.reopens === undefined ? undefined : entryOf(run.ledger, task.reopens);
  if (task.reopens !== undefined && proposal.by === 'planner' && (reopened === undefined || !isReopened(reopened, proposal)))
    problems.push(`${task.id}: nothing reopened ${task.reopens}; write Continues: ${task.reopens}`);
  return problems;
}

function gateOf(entry: Entry): string {
  return lastGate(entry)?.is ?? 'open';
}

/** By this plan, or by an earlier one that left its work to be taken up. */
function isReopened(entry: Entry, proposal: Proposal): boolean {
  if (lastGate(entry)?.is === 'reopened') return true;
  return proposal.by === 'planner' ? proposal.reopening.includes(entry.task) : lastGate(entry)?.is === 'exhausted';
}

/** Stays exhausted: a planner neither continues it nor has to, and it keeps the outcome of the run open. */
function isLeft(entry: Entry, proposal: Proposal): boolean {
  return proposal.by === 'planner' && lastGate(entry)?.is === 'exhausted' && !proposal.reopening.includes(entry.task);
}

/** R7: the chain of Continues is the count, so that nobody takes up unfinished work without naming it, beside another who does. */
function unnamedProblems(run: Run, proposal: Proposal): string[] {
  const earlier = groundOf(run.ledger, []);
  const standing = new Set(run.plan.tasks.map((task) => task.id));
  const unnamed = proposal.tasks.filter(({ id, continues, reopens }) => (continues ?? reopens) === undefined && !standing.has(id));
  return run.ledger
    .filter((entry) => !isSettled(entry) && !earlier.replacedBy.has(entry.task))
    .flatMap((entry) => {
      const field = isReopened(entry, proposal) ? 'Reopens' : 'Continues';
      const heirs = unnamed.filter((task) =>
        [task.states, task.restates].some((words) => words === entry.states || isRestated(entry, words)),
      );
      const way = isLeft(entry, proposal)
        ? `which is exhausted and nothing reopened it; plan without it`
        : `and must say ${field}: ${entry.task}`;
      return heirs.map((heir) => `${heir.id} takes up what ${entry.task} left, ${way}`);
    });
}

function isRestated(entry: Entry, words: string | undefined): boolean {
  return words !== undefined && words === entry.restates;
}

/** R19: what was promised stays promised, by what is settled or by the remaining plan. */
function coverageProblems(run: Run, contract: Contract, proposal: Proposal): string[] {
  const before = groundOf(run.ledger, run.plan.tasks);
  const after = groundOf(run.ledger, proposal.tasks);
  const problems: string[] = [];
  for (const requirement of requirementsOf(contract, before)) {
    const { id, covering } = requirement;
    const leaves = covering.flatMap((node) => leavesOf(after, node));
    if (leaves.length > 0 && leaves.every((leaf) => leaf.entry !== null && isLeft(leaf.entry, proposal))) continue;
    const left = leaves.flatMap(({ entry }) => (entry === null || isSettled(entry) || isLeft(entry, proposal) ? [] : [entry])).at(-1);
    if (left !== undefined)
      problems.push(`${id} would stay unfinished: a task must say ${isReopened(left, proposal) ? 'Reopens' : 'Continues'}: ${left.task}`);
    else if (!after.nodes.some((node) => keeps(node, requirement, before)))
      problems.push(`${id} would be covered by nothing: what was promised must stay promised, in the same words or with Restates`);
  }
  return problems;
}

/** Whether a node keeps a requirement: it is settled or still to be done, and covers it or carries the promise's words. */
function keeps(node: Ground['nodes'][number], requirement: Requirement, before: Ground): boolean {
  if (node.entry !== null && !isSettled(node.entry)) return false;
  if (requirement.ids !== null) return node.covers.some((cover) => requirement.ids?.includes(cover));
  const promised = requirement.covering.flatMap((id) => before.byId.get(id) ?? []);
  return promised.some((one) => {
    const root = one.restates !== undefined && (one.restates === node.states || one.restates === node.restates);
    // Of a task that leaves the plan without an entry nothing is left: what it restated must be restated, or it is lost.
    if (one.entry === null && one.restates !== undefined) return root;
    return root || one.states === node.states || one.states === node.restates;
  });
}

/** A planner may add checks to unfinished work; it never changes or drops one (design §3: it never writes evidence). */
function checkProblems(run: Run, proposal: Proposal): string[] {
  const problems: string[] = [];
  for (const left of unfinished(run, proposal)) {
    const heirs = proposal.tasks.filter((task) => isHeir(task, left));
    const standing = new Set(heirs.flatMap((task) => task.checks));
    for (const check of left.checks) {
      if (standing.has(check)) continue;
      const where = heirs.length > 0 ? heirs.map((task) => task.id).join(', ') : 'the tasks that continue it';
      problems.push(`the check of ${left.id} must stand in ${where} word for word: ${check}`);
    }
  }
  return problems;
}

interface Unfinished {
  id: string;
  checks: string[];
  covers: string[];
  states: string;
  restates: string | undefined;
}

/** Entries that are not settled, not exhausted for good and continued by nothing in the ledger, and tasks still to be done. */
function unfinished(run: Run, proposal: Proposal): Unfinished[] {
  const ground = groundOf(run.ledger, []);
  const entries = run.ledger.filter((entry) => !isSettled(entry) && !isLeft(entry, proposal) && !ground.replacedBy.has(entry.task));
  return [
    ...entries.map(ofEntry),
    ...run.plan.tasks.map(({ id, checks, covers, states, restates }) => ({ id, checks, covers, states, restates })),
  ];
}

function ofEntry(entry: Entry): Unfinished {
  const { task, checks, covers, states, restates } = entry;
  return { id: task, checks, covers, states, restates };
}

function isHeir(task: Task, left: Unfinished): boolean {
  if (task.id === left.id || task.continues === left.id || task.reopens === left.id) return true;
  const words = [task.states, task.restates];
  if (words.includes(left.states) || (left.restates !== undefined && words.includes(left.restates))) return true;
  return left.covers.length > 0 && task.covers.some((cover) => left.covers.includes(cover));
}

function strategyProblems(run: Run, { by, tasks, reworded }: Proposal): string[] {
  const isRumour = by === 'planner' && run.planning !== null && isDrivenByUnconfirmed(run, run.planning);
  return isRumour ? redrawn(run, { tasks, reworded: reworded ?? [] }) : [];
}

/** What is under way with a person, or waits for a limit, must stand word for word in the new plan. */
function survivorProblems(run: Run, proposal: Proposal): string[] {
  return run.active
    .filter(({ stage, dispatched }) => (stage === 'limited' && dispatched) || stage === 'handedOver' || stage === 'asking')
    .filter((attempt) => {
      const task = proposal.tasks.find((one) => one.id === attempt.task.id);
      return task === undefined || task.states !== attempt.task.states || task.checks.join('\n') !== attempt.task.checks.join('\n');
    })
    .map((attempt) => `${attempt.task.id} is under way; it must stand unchanged in the new plan`);
}
