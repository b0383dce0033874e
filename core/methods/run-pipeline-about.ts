import type { Json, Run } from '../values.js';
import type { PipelineAbout, Step } from './pipeline-values.js';

/** `openRun`'s `input` of a pipeline. */
export function pipelineInput(about: PipelineAbout): Json {
  const json: Json = JSON.parse(JSON.stringify(about));
  return json;
}

/** What was loaded came through the pipeline's schema; here it is only told apart from what no pipeline is. */
function isPipelineAbout(value: unknown): value is PipelineAbout {
  if (typeof value !== 'object' || value === null || !('pipeline' in value)) return false;
  const { pipeline } = value;
  return typeof pipeline === 'object' && pipeline !== null && 'steps' in pipeline && Array.isArray(pipeline.steps);
}

export function pipelineIn(about: Json): PipelineAbout {
  if (!isPipelineAbout(about)) throw new Error('the run holds no pipeline');
  return about;
}

export function pipelineOf(run: Pick<Run, 'about'>): PipelineAbout {
  return pipelineIn(run.about);
}

/** The task of a step: `S1` for step 1, and for every attempt at it. */
export function taskIdOf(step: string, number = 1): string {
  return number === 1 ? `S${step}` : `S${step}@${number}`;
}

/** The step of a task: `1` for `S1` and `S1@3`. */
export function stepNameOf(task: string): string {
  return (task.split('@')[0] ?? task).slice(1);
}

/** undefined: the pipeline that stands does not have it. */
export function stepOf({ pipeline }: PipelineAbout, name: string): Step | undefined {
  return pipeline.steps.find((step) => step.step === name);
}

/** How the step is named where it is an earlier one: its place in the written order, −1 if it has none. */
export function placeOf({ pipeline }: PipelineAbout, name: string): number {
  return pipeline.steps.findIndex((step) => step.step === name);
}
