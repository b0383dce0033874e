import { planStart, type Startable } from './begin.js';
import { type ExamineOptions, examine, refuseProblems } from './examine.js';
import { examinePipeline, pipelineStart, type StepRange } from './examine-pipeline.js';
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
    return pipelineStart(examined, options);
  }
  const examined = await examine(subject.path, options, io);
  refuseProblems(examined, io);
  return planStart(examined);
}
