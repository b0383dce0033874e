import { entryOf, lastGate } from '../ledger.js';
import type { Entry, Run, Task } from '../values.js';
import type { BriefedInput, PipelineAbout, Step, StepBriefing } from './pipeline-values.js';
import { pipelineOf, placeOf, stepNameOf, stepOf, taskIdOf } from './run-pipeline-about.js';
import { decidedOn, stepNameIn } from './run-pipeline-gate.js';
import { issuesIn } from './run-pipeline-rows.js';

/** What an attempt at a step is told beside its prompt. null: no step of this pipeline. */
export function briefingOf(run: Run, task: Pick<Task, 'id' | 'askedBy'>): StepBriefing | null {
  const about = pipelineOf(run);
  const step = stepOf(about, stepNameOf(task.id));
  if (step === undefined) return null;
  const askedBy = task.askedBy ?? 'start';
  const asking = askingOf(about, run.ledger, { step, askedBy });
  const isFix = askedBy.startsWith('fix of ');
  const isBack = askedBy.startsWith('back-to-plan ');
  return {
    step,
    askedBy,
    ...(asking === undefined ? { because: [] } : becauseOf(asking, askedBy)),
    issues: isFix || isBack ? issuesIn(asking?.delivery) : [],
    inputs: step.inputs === null ? handedOn(about, run.ledger, step) : step.inputs.map((input) => namedInput(about, run.ledger, input)),
    session: isFix ? sessionOf(acceptedOf(run.ledger, step.step)) : null,
  };
}

/** The entry that asked for it. */
function askingOf(about: PipelineAbout, ledger: Entry[], { step, askedBy }: { step: Step; askedBy: string }): Entry | undefined {
  if (askedBy === 'start') return undefined;
  const named = /^(?:fix of|review of|final check|resolution of) (\S+)$/.exec(askedBy)?.[1];
  if (named !== undefined) return entryOf(ledger, named);
  if (askedBy.startsWith('back-to-plan ')) return ledger.findLast((entry) => decidedOn(about, ledger, entry)?.is === 'back');
  return ledger.findLast((entry) => stepNameIn(entry) === step.step);
}

function becauseOf(asking: Entry, askedBy: string): Pick<StepBriefing, 'because' | 'record'> {
  const { blocker, verdict, text, sha256 } = asking;
  const gate = lastGate(asking);
  if (askedBy.startsWith('resolution of ')) {
    const words = gate?.is === 'reopened' && gate.words !== undefined ? [gate.words] : [];
    return { because: [...words, ...issuesIn(asking.delivery).map((issue) => `why it was not approved: ${issue}`)] };
  }
  if (askedBy.startsWith('fix of ') || askedBy.startsWith('review of ')) return { because: [] };
  if (askedBy === 'contradiction') {
    const issues = issuesIn(asking.delivery).map((issue) => `critical issue: ${issue}`);
    return { because: [`its verdict: ${verdict ?? 'none'}`, ...issues] };
  }
  if (text !== null) return { because: text.unresolved };
  return { because: blocker === undefined ? [] : [blocker], ...(sha256 === undefined ? {} : { record: sha256 }) };
}

/** The latest accepted attempt of a step. */
function acceptedOf(ledger: Entry[], step: string): Entry | undefined {
  return ledger.findLast((entry) => entry.status === 'done' && stepNameIn(entry) === step);
}

function sessionOf(entry: Entry | undefined): string | null {
  return entry?.session ?? entry?.text?.session ?? null;
}

function namedInput(
  { given }: PipelineAbout,
  ledger: Entry[],
  { name, step, key }: { name: string; step: string; key: string },
): BriefedInput {
  const entry = acceptedOf(ledger, step);
  const artifacts = entry?.delivery?.artifacts ?? given?.find((one) => one.step === step)?.artifacts ?? [];
  const paths = artifacts.filter((one) => one.key === key).map(({ path }) => path);
  const values = paths.length > 0 ? paths : (entry?.delivery?.nextInputs.find((one) => one.key === key)?.values ?? []);
  const from = entry?.task ?? (values.length > 0 ? taskIdOf(step) : null);
  if (values.length > 0) return { name, from, values };
  const skipped = ledger.findLast((one) => stepNameIn(one) === step)?.status === 'no_op';
  return { name, from, values, absent: skipped ? `step ${step} was skipped` : `step ${step} left no ${key}` };
}

/** Where a step names no inputs: the next-inputs of the nearest step before it that delivered. */
function handedOn(about: PipelineAbout, ledger: Entry[], { step }: Step): BriefedInput[] {
  const before = about.pipeline.steps.slice(0, placeOf(about, step)).filter(({ optional }) => !optional);
  const entry = before.toReversed().flatMap((one) => acceptedOf(ledger, one.step) ?? [])[0];
  return (entry?.delivery?.nextInputs ?? []).map(({ key, values }) => ({ name: key, from: entry?.task ?? null, values }));
}
