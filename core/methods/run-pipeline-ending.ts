import { isNamed, lastGate, unitOf } from '../ledger.js';
import type { Criterion, Entry, Outcome, Run } from '../values.js';
import type { PipelineAbout, Step } from './pipeline-values.js';
import { pipelineOf, taskIdOf } from './run-pipeline-about.js';
import { stepNameIn } from './run-pipeline-gate.js';
import { rowOf } from './run-pipeline-rows.js';

/** What a pipeline came to (R20): its criteria are the steps that applied, its outcome follows from them and the open gates. */

/** The newest that the ledger says of a step, a look that found it undone included. */
function newestOf(run: Run, step: Step): Entry | undefined {
  return run.ledger.findLast((entry) => stepNameIn(entry) === step.step);
}

function isComing(run: Run, step: Step): boolean {
  return run.plan.tasks.some((task) => isNamed(task.id, taskIdOf(step.step)));
}

export function pipelineCriteria(run: Run): Criterion[] {
  return pipelineOf(run).pipeline.steps.flatMap((step) => {
    const newest = newestOf(run, step);
    const coming = isComing(run, step);
    if (!coming && (newest === undefined || newest.status === 'no_op')) return [];
    const id = taskIdOf(step.step);
    if (newest === undefined || coming) return [{ id, state: 'open', label: 'unverified', by: newest === undefined ? [] : [newest.task] }];
    return [{ id, ...stateOf(step, newest), by: [newest.undoes ?? newest.task] }];
  });
}

/** For a gate that can reject, delivery is not enough: it is satisfied when its gate holds. */
function stateOf(step: Step, entry: Entry): Pick<Criterion, 'state' | 'label'> {
  switch (rowOf(step, entry)) {
    case 'holds':
    case 'approved':
      return isLetThrough(entry) ? { state: 'unsatisfied', label: entry.label } : { state: 'satisfied', label: entry.label };
    case 'conditions':
      return { state: lastGate(entry)?.is === 'holds' ? 'satisfied' : 'unsatisfied', label: entry.label };
    default:
      return { state: entry.observed === 'unobservable' ? 'unverifiable' : 'unsatisfied', label: entry.label };
  }
}

/** Passed as debt, by policy or by a person: that is no approval. */
function isLetThrough(entry: Entry): boolean {
  const gate = lastGate(entry);
  return gate?.is === 'exhausted' || ((gate?.is === 'done' || gate?.is === 'reopened') && gate.debt !== undefined);
}

/** What was left undone or unapproved on the way, for the report. */
export function debtsOf(run: Run): string[] {
  const debts = run.ledger.flatMap(({ gates }) => gates.flatMap((gate) => ('debt' in gate && gate.debt !== undefined ? [gate.debt] : [])));
  return [...leftOut(pipelineOf(run)), ...debts];
}

function leftOut({ range }: PipelineAbout): string[] {
  if (range === undefined) return [];
  return 'only' in range
    ? [`only step ${range.only} was to be carried out; what the others had left was taken as it lay there`]
    : [`only what begins with step ${range.from} was to be carried out; what the steps before it had left was taken as it lay there`];
}

export function pipelineOutcome(run: Run): Outcome {
  const about = pipelineOf(run);
  const criteria = pipelineCriteria(run);
  const open = run.ledger.filter((entry) => lastGate(entry)?.is === 'exhausted');
  const satisfied = criteria.every(({ state }) => state === 'satisfied');
  if (satisfied && open.length === 0 && run.plan.tasks.length === 0) return whole(run, about);
  const newest = about.pipeline.steps.flatMap((step) => (isComing(run, step) ? [] : (newestOf(run, step) ?? [])));
  if (newest.some(({ status }) => status === 'blocked')) return 'BLOCKED';
  const stopping = open.map((entry) => ({ entry, step: about.pipeline.steps.find(({ step }) => step === stepNameIn(entry)) }));
  if (stopping.some(({ step }) => step === undefined || step.onExhausted === 'ask')) return 'BLOCKED';
  return stopping.some(({ entry }) => entry.status !== 'done') ? 'FAILED' : 'PARTIAL';
}

/** Part of a pipeline is never the whole of it, and neither is one that only skipped what was debt. */
function whole(run: Run, { range }: PipelineAbout): Outcome {
  if (range !== undefined) return 'PARTIAL';
  return run.ledger.every((entry) => entry.status === 'no_op') ? 'NO_OP' : 'COMPLETED';
}

/** Whether nothing has to follow: a review that was delivered but does not approve holds nothing. */
export function mayStand(run: Run, entry: Entry): boolean {
  const step = pipelineOf(run).pipeline.steps.find((one) => taskIdOf(one.step) === unitOf(entry.task));
  const row = step === undefined ? null : rowOf(step, entry);
  return row === 'skipped' || row === 'holds' || row === 'approved';
}
