import { planStart, type Startable } from './begin.js';
import { UserError } from './errors.js';
import { type ExamineOptions, examine, refuseProblems } from './examine.js';
import { type ExaminedPipeline, examinePipeline, pipelineStart, type StepRange } from './examine-pipeline.js';
import type { Io } from './io.js';

/** What a person wants carried out. */
export interface Subject {
  is: 'plan' | 'pipeline';
  path: string;
}

/** Reads it and all that it names; what is wrong is said before a server is asked. */
export async function startableOf(subject: Subject, options: ExamineOptions & StepRange, io: Io): Promise<Startable> {
  if (subject.is === 'pipeline') {
    const examined = examinePipeline(subject.path, options, io);
    refuseProblems(examined, io);
    refuseUnknownStep(examined, options);
    return pipelineStart(examined, options);
  }
  const examined = await examine(subject.path, options, io);
  refuseProblems(examined, io);
  return planStart(examined);
}

function refuseUnknownStep({ document }: ExaminedPipeline, { from, only }: StepRange): void {
  const [name, option] = from === undefined ? [only, '--only'] : [from, '--from'];
  const inOrder = (document?.steps ?? []).filter(({ optional }) => !optional).map(({ step }) => step);
  if (name === undefined || inOrder.includes(name)) return;
  throw new UserError(`${option} ${name}: the pipeline has no such step that runs in order; there are ${inOrder.join(', ')}`, 2);
}
