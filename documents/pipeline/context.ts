import { stringify } from 'yaml';
import * as z from 'zod';
import type { ListedArtifact, Metric, Pipeline } from '../../core/methods/pipeline-values.js';
import { stepNameOf } from '../../core/methods/run-pipeline-about.js';
import type { Entry } from '../../core/values.js';
import { hasErrors, type Problem } from '../problem.js';
import { type Given, nameOf, schemaProblems } from '../schema-problems.js';
import { readYaml } from '../yaml-document.js';

const STATUSES = ['RUNNING', 'COMPLETE', 'FAILED', 'SKIPPED'] as const;
export type ContextStatus = (typeof STATUSES)[number];

/** A pipeline-context.yaml (docs/interface.md §10): what the ledger says of each step that was begun, in short. */
export interface PipelineContext {
  pipeline: string;
  featureId?: string;
  moduleId?: string;
  /** The step that is being worked on: named before its agent is started, gone when its entry is written. */
  interruptedStep: string | null;
  steps: ContextStep[];
}

export interface ContextStep {
  step: string;
  /** null: a command. */
  agent: string | null;
  status: ContextStatus;
  artifacts: ListedArtifact[];
  metrics: Metric[];
  verdict: string | null;
}

type Recorded = Pick<Entry, 'task' | 'status' | 'gates' | 'verdict' | 'delivery'>;

export interface ContextInput {
  pipeline: Pipeline;
  /** In the order of the ledger. */
  entries: readonly Recorded[];
  /** Tasks whose intent is recorded and whose entry is not. */
  running: readonly string[];
}

/** One row a step, of its latest attempt. */
export function contextOf({ pipeline, entries, running }: ContextInput): PipelineContext {
  const steps = pipeline.steps.flatMap(({ step, agent }): ContextStep[] => {
    const entry = entries.findLast((one) => stepNameOf(one.task) === step);
    const isRunning = running.some((task) => stepNameOf(task) === step);
    if (entry === undefined && !isRunning) return [];
    const { artifacts, metrics } = (isRunning ? undefined : entry?.delivery) ?? { artifacts: [], metrics: [] };
    const verdict = isRunning ? null : (entry?.verdict ?? null);
    const status = isRunning || entry === undefined ? 'RUNNING' : statusOf(entry);
    return [{ step, agent, status, artifacts: byKey(artifacts), metrics, verdict }];
  });
  const [interrupted] = running;
  return {
    pipeline: pipeline.slug,
    ...(pipeline.featureId === undefined ? {} : { featureId: pipeline.featureId }),
    ...(pipeline.moduleId === undefined ? {} : { moduleId: pipeline.moduleId }),
    interruptedStep: interrupted === undefined ? null : stepNameOf(interrupted),
    steps,
  };
}

/** Complete is what was delivered and whose gate holds: a review that rejects delivered its verdict, and completes nothing. */
function statusOf({ status, gates }: Recorded): ContextStatus {
  if (status === 'no_op') return 'SKIPPED';
  return status === 'done' && gates.at(-1)?.is === 'holds' ? 'COMPLETE' : 'FAILED';
}

function byKey(artifacts: readonly { key: string; path: string }[]): ListedArtifact[] {
  const keys = [...new Set(artifacts.map(({ key }) => key))];
  return keys.map((key) => ({ key, paths: artifacts.filter((one) => one.key === key).map(({ path }) => path) }));
}

const HEADER = '# What LEDGER.md says of each step; written anew whenever a step begins or is recorded.\n';

export function renderContext(context: PipelineContext): string {
  const value = new Map<string, unknown>([
    ['pipeline', context.pipeline],
    ...optional('feature-id', context.featureId),
    ...optional('module-id', context.moduleId),
    ['interrupted_step', context.interruptedStep === null ? null : written(context.interruptedStep)],
    ['steps', context.steps.map(rowOf)],
  ]);
  return HEADER + stringify(value, { lineWidth: 0, blockQuote: false });
}

function rowOf({ step, agent, status, artifacts, metrics, verdict }: ContextStep): Map<string, unknown> {
  return new Map<string, unknown>([
    ['step', written(step)],
    ...optional('agent', agent ?? undefined),
    ['status', status],
    ['artifacts', new Map(artifacts.map(({ key, paths }) => [key, paths.length === 1 ? paths[0] : paths]))],
    ['metrics', new Map(metrics.map(({ key, value }) => [key, value]))],
    ['verdict', verdict],
  ]);
}

function optional(name: string, value: string | undefined): [string, unknown][] {
  return value === undefined ? [] : [[name, value]];
}

/** A step that is a number stands without quotes, as in the pipeline. */
function written(step: string): string | number {
  return /^(?:0|[1-9]\d{0,14})$/.test(step) ? Number(step) : step;
}

const stepName = z.union([z.int().nonnegative(), z.string().min(1)]).transform(String);
const row = z.strictObject({
  step: stepName,
  agent: z.string().min(1).optional(),
  status: z.enum(STATUSES),
  artifacts: z.record(z.string(), z.union([z.string(), z.array(z.string())])),
  metrics: z.record(z.string(), z.union([z.string(), z.number()])),
  verdict: z.string().nullable(),
});
const ContextSchema = z.strictObject({
  pipeline: z.string().min(1),
  'feature-id': z.string().optional(),
  'module-id': z.string().optional(),
  interrupted_step: stepName.nullable(),
  steps: z.array(row),
});

const CONTEXT_BYTES_MAX = 256 * 1024;

/** What is not understood is no context: nothing in it is COMPLETE (R11). */
export function parseContext(text: string, { file }: { file: string }): { context: PipelineContext | null; problems: Problem[] } {
  const document = readYaml(text, { file, bytesMax: CONTEXT_BYTES_MAX, aliasesMax: 0, name: 'context of a pipeline' });
  if (document.is === 'refused') return { context: null, problems: [document.problem] };
  const given: Given = { file, value: document.value, lineOf: document.lineOf, knownKeysAt: keysAt, nameOf };
  const parsed = ContextSchema.safeParse(document.value);
  if (!parsed.success) {
    const problems = schemaProblems(parsed.error.issues, given);
    return { context: null, problems: hasErrors(problems) ? problems : [] };
  }
  const { pipeline, steps, interrupted_step: interruptedStep, ...ids } = parsed.data;
  const context: PipelineContext = {
    pipeline,
    ...(ids['feature-id'] === undefined ? {} : { featureId: ids['feature-id'] }),
    ...(ids['module-id'] === undefined ? {} : { moduleId: ids['module-id'] }),
    interruptedStep,
    steps: steps.map(({ agent, artifacts, metrics, ...step }) => ({
      ...step,
      agent: agent ?? null,
      artifacts: Object.entries(artifacts).map(([key, paths]) => ({ key, paths: typeof paths === 'string' ? [paths] : paths })),
      metrics: Object.entries(metrics).map(([key, value]) => ({ key, value })),
    })),
  };
  return { context, problems: [] };
}

function keysAt(path: readonly PropertyKey[]): string[] {
  return path.length === 0 ? Object.keys(ContextSchema.shape) : Object.keys(row.shape);
}
