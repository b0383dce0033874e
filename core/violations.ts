import { groundOf, leavesOf, requirementsOf } from './criteria.js';
import { exhaustedEntries, isSettled, isSweep, lineageOf } from './ledger.js';
import { LINEAGE_ATTEMPTS_MAX } from './limits.js';
import { aboutOf } from './methods/execute-plan.js';
import { methodOf } from './methods/registry.js';
import { pipelineViolations } from './methods/run-pipeline-violations.js';
import { nextMoves } from './run.js';
import type { Entry, GateRecord, Run } from './values.js';

/** The invariants of design §7 that a run alone can show, checked after every advance in tests. Empty: all hold. */
export function violations(run: Run): string[] {
  return [
    ...idViolations(run),
    ...run.ledger.flatMap((entry) => entryViolations(run, entry)),
    ...moveViolations(run),
    ...messageViolations(run),
    ...endViolations(run),
    ...methodViolations(run),
  ];
}

function idViolations(run: Run): string[] {
  const found: string[] = [];
  const ids = run.ledger.map((entry) => entry.task);
  if (new Set(ids).size !== ids.length) found.push('R2: a task id has two entries');
  for (const attempt of run.active) if (ids.includes(attempt.task.id)) found.push(`R2: ${attempt.task.id} has an entry and an attempt`);
  for (const task of run.plan.tasks) if (ids.includes(task.id)) found.push(`R2: ${task.id} has an entry and stands in the plan`);
  if (new Set(run.active.map((attempt) => attempt.task.id)).size !== run.active.length) found.push('R2: a task has two attempts');
  run.ledger.forEach((entry, at) => {
    if (entry.seq !== at + 1) found.push(`R9: entry ${entry.task} is out of place`);
  });
  return found;
}

function entryViolations(run: Run, entry: Entry): string[] {
  const found: string[] = [];
  if ((entry.status === 'done' || entry.status === 'no_op') && entry.label === 'unverified')
    found.push(`R4: ${entry.task} is ${entry.status} but unverified`);
  if (!isSettled(entry) && entry.gates.some((gate) => gate.is === 'holds'))
    found.push(`R6: ${entry.task} is ${entry.status} and its gate holds`);
  if (!isGateOrder(entry.gates)) found.push(`R9: the gates of ${entry.task} go ${entry.gates.map((gate) => gate.is).join(' → ')}`);
  if ((entry.status === 'blocked' || entry.status === 'failed') && entry.blocker === undefined)
    found.push(`seed §5: ${entry.task} is ${entry.status} without a blocker`);
  if (entry.text !== null && entry.status === 'partial' && entry.text.unresolved.length === 0)
    found.push(`seed §6: ${entry.task} is partial and nothing is unresolved`);
  const attempts = lineageOf(run.ledger, entry).filter((one) => !isSweep(one)).length;
  if (attempts > LINEAGE_ATTEMPTS_MAX) found.push(`R7: ${attempts} attempts in the lineage of ${entry.task}`);
  return found;
}

/** ∅ → holds | required → done | exhausted → reopened. */
function isGateOrder(gates: GateRecord[]): boolean {
  const order = gates.map((gate) => gate.is).join(' ');
  return [
    '',
    'holds',
    'required',
    'required done',
    'required exhausted',
    'required exhausted reopened',
    'exhausted',
    'exhausted reopened',
    'done',
    'reopened',
  ].includes(order);
}

function moveViolations(run: Run): string[] {
  const moves = nextMoves(run);
  const found: string[] = [];
  if (moves.filter((move) => move.is === 'record').length > 1) found.push('R5: two records at once');
  if (new Set(moves.map((move) => move.id)).size !== moves.length) found.push('R12: two moves share an id');
  const acts = moves.filter((move) => move.is === 'dispatch').length;
  if (acts > run.limits.parallel) found.push(`limits: ${acts} dispatches at once`);
  if (moves.some((move) => move.is === 'replan') && run.writes.length > 0) found.push('R5: a planner is asked before the gate is recorded');
  return found;
}

function messageViolations(run: Run): string[] {
  const ids = run.handled.map((one) => one.id);
  return new Set(ids).size === ids.length ? [] : ['R12: a message was handled twice'];
}

function endViolations(run: Run): string[] {
  if (run.outcome === null) return [];
  const method = methodOf(run.method);
  const found: string[] = [];
  if (run.active.length > 0) found.push('R5: closed with an attempt under way');
  if (run.writes.length > 0) found.push('R5: closed with a write waiting');
  if (run.outcome !== method.outcome(run)) found.push('R20: the outcome is not what the entries say');
  const satisfied = method.criteria(run).every((criterion) => criterion.state === 'satisfied');
  if ((run.outcome === 'COMPLETED' || run.outcome === 'NO_OP') && !satisfied) found.push('R20: completed with an open criterion');
  if (run.outcome === 'COMPLETED' && exhaustedEntries(run).length > 0) found.push('R20: completed over an exhausted gate');
  if (run.stopped === null && run.ledger.some((entry) => entry.gates.length === 0))
    found.push('R5: closed with an entry that never reached its gate');
  return found;
}

function methodViolations(run: Run): string[] {
  switch (run.method) {
    case 'executePlan':
      return contractViolations(run);
    case 'runPipeline':
      return pipelineViolations(run);
  }
}

/** R19: every requirement is settled, still to be done, or stands exhausted in the open. */
function contractViolations(run: Run): string[] {
  if (run.planning !== null || run.ledger.some((entry) => entry.gates.at(-1)?.is === 'required' || entry.gates.length === 0)) return [];
  if (exhaustedEntries(run).length > 0 || run.stopped !== null) return [];
  const ground = groundOf(run.ledger, run.plan.tasks);
  const found: string[] = [];
  for (const { id, covering } of requirementsOf(aboutOf(run), ground)) {
    const leaves = covering.flatMap((node) => leavesOf(ground, node));
    if (leaves.some((leaf) => leaf.entry !== null && !isSettled(leaf.entry)))
      found.push(`R19: ${id} is unfinished and nothing continues it`);
  }
  return found;
}
