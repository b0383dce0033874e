import { LIMITS_DEFAULT } from '../../core/limits.js';
import type {
  Pipeline,
  PipelineAbout,
  ReadResult,
  SeenArtifact,
  SeenDelivery,
  Step,
  StepResult,
} from '../../core/methods/pipeline-values.js';
import { pipelineInput } from '../../core/methods/run-pipeline-about.js';
import { type Opening, openRun } from '../../core/opening.js';
import type { Observation, Run } from '../../core/values.js';
import { NOTHING_SEEN, POLICY } from './run-values.js';

/** Values of pipelines for tests of the core: plain, whole, and small. */
export function stepOf(step: string, more: Partial<Step> = {}): Step {
  return {
    step,
    agent: `agent-${step}`,
    title: `agent-${step}`,
    run: false,
    performer: 'mine',
    states: `prompt of ${step}`,
    gate: 'none',
    inputs: null,
    artifacts: [],
    attempts: 5,
    fix: null,
    rounds: more.fix === undefined ? 0 : 5,
    backToPlan: null,
    conditions: 'debt',
    onExhausted: 'ask',
    when: null,
    checks: [],
    require: [],
    optional: false,
    writes: null,
    ...more,
  };
}

export function commandOf(step: string, more: Partial<Step> = {}): Step {
  return stepOf(step, { agent: null, run: true, performer: 'inline', ...more });
}

export function reviewOf(step: string, fix: string, more: Partial<Step> = {}): Step {
  return stepOf(step, { gate: 'review', fix, ...more });
}

export function pipelineOf(...steps: Step[]): Pipeline {
  return { slug: 'demo', goal: 'The documents are there.', steps };
}

export function pipelineRun(steps: Step[], more: Partial<Opening> & { about?: Partial<PipelineAbout> } = {}): Run {
  const { about, ...opening } = more;
  return openRun({
    id: 'demo',
    method: 'runPipeline',
    input: pipelineInput({ pipeline: pipelineOf(...steps), ...about }),
    plan: { version: 1, goal: 'The documents are there.', tasks: [], sha256: 'pipeline' },
    entries: [],
    limits: LIMITS_DEFAULT,
    policy: { ...POLICY, planner: false },
    at: 0,
    ...opening,
  });
}

export function resultOf(step: string, more: Partial<StepResult> = {}): StepResult {
  return {
    step,
    agent: `agent-${step}`,
    status: 'SUCCESS',
    artifacts: [],
    metrics: [],
    verdict: null,
    criticalIssues: [],
    nextInputs: [],
    other: [],
    ...more,
  };
}

export function read(step: string, more: Partial<StepResult> = {}): ReadResult {
  return { is: 'result', result: resultOf(step, more) };
}

export function artifact(key: string, path: string, more: Partial<SeenArtifact> = {}): SeenArtifact {
  return { key, path, is: 'there', matches: true, sha256: `content of ${path}`, before: null, ...more };
}

export function delivered(reading: ReadResult, more: Partial<Omit<SeenDelivery, 'read'>> = {}): Observation {
  return { ...NOTHING_SEEN, delivery: { read: reading, artifacts: [], nextInputs: [], ...more } };
}
