import * as z from 'zod';
import { CONDITIONS, ON_EXHAUSTED, STEP_GATES } from '../../core/methods/pipeline-values.js';

const STEPS_MAX = 500;
const ATTEMPTS_MAX = 100;
const TEXT_CHARS_MAX = 200_000;
const WORD_CHARS_MAX = 4096;

const text = z.string().min(1).max(TEXT_CHARS_MAX);
const word = z.string().min(1).max(WORD_CHARS_MAX);
const STEP_ID = /^\d+[a-z]?$|^[a-z][a-z0-9-]*$/;
const key = z.string().regex(/^[A-Za-z][A-Za-z0-9_.-]{0,63}$/);

/** A hostile file must not cost more than its length. */
const NAMES_MAX = 100;
const VALUES_MAX = 1000;

const words = z.record(key, word).refine((map) => Object.keys(map).length <= NAMES_MAX, `has more than ${NAMES_MAX} keys`);

const STEP_FORM = 'a number, a number and a letter (8b), or a word of small letters, digits and dashes';

const stepId = z.union([z.int().nonnegative(), z.string().max(64).regex(STEP_ID)]).describe(STEP_FORM);

export const StepSchema = z.strictObject({
  step: stepId,
  agent: z
    .string()
    .regex(/^[A-Za-z][A-Za-z0-9_.:-]{0,63}$/)
    .optional()
    .describe('what its STEP-RESULT block must say'),
  performer: z
    .string()
    .regex(/^[A-Za-z][A-Za-z0-9_.-]{0,63}$/)
    .optional()
    .describe('an agent of donewhen.yaml'),
  prompt: text.optional(),
  promptFile: word.optional().describe('a file beside the pipeline'),
  run: word.optional().describe('a command instead of an agent'),
  gate: z.enum(STEP_GATES).default('none'),
  inputs: words.optional().describe('name: step.key, what an earlier step left under that key'),
  artifacts: words.default({}).describe('key: pattern of the paths that the block must list under it'),
  attempts: z.int().min(1).max(ATTEMPTS_MAX).default(5).describe('until its delivery is accepted, the first included'),
  fix: stepId.optional().describe('the earlier step whose agent mends what this one rejects'),
  rounds: z.int().min(0).max(ATTEMPTS_MAX).optional().describe('of a fix and another review; 5 where nothing is said'),
  backToPlan: stepId.optional().describe('the earlier step from which the pipeline goes on again, 3 times at most'),
  conditions: z.enum(CONDITIONS).optional().describe('what APPROVED_WITH_CONDITIONS means; debt where nothing is said'),
  onExhausted: z.enum(ON_EXHAUSTED).default('ask'),
  when: z.strictObject({ step: stepId, verdict: word }).optional(),
  checks: z.array(word).max(100).default([]),
  require: z.array(word).max(100).default([]).describe('metrics.KEY, a comparison and a number'),
  optional: z.boolean().default(false).describe('never run in order, only as a fix'),
  permissions: z.enum(['read', 'edit', 'full']).optional(),
  writes: z.array(word).max(256).optional().describe('globs'),
  timeout: z.string().max(100).optional().describe('90s, 30m or 2h'),
});

export const ValuesSchema = z
  .record(z.string().regex(/^[A-Za-z][A-Za-z0-9_-]{0,63}$/), z.union([z.string().max(WORD_CHARS_MAX), z.number()]))
  .refine((map) => Object.keys(map).length <= VALUES_MAX, `has more than ${VALUES_MAX} keys`)
  .default({})
  .describe('name: text, which stands for the name in a dollar sign and braces, in prompts, commands and patterns');

export const PipelineSchema = z.strictObject({
  pipeline: word.describe('the name of the run'),
  goal: word,
  values: ValuesSchema,
  steps: z.array(StepSchema).min(1).max(STEPS_MAX),
});

export type StepGiven = z.infer<typeof StepSchema>;

export function knownKeysAt(path: readonly PropertyKey[]): string[] {
  const [first, , third] = path;
  if (first === undefined) return Object.keys(PipelineSchema.shape);
  if (first !== 'steps') return [];
  return third === 'when' ? ['step', 'verdict'] : Object.keys(StepSchema.shape);
}

const STEP_NAMES: readonly PropertyKey[] = ['step', 'fix', 'backToPlan'];

/** What stands where a step is named; null: something else stands there. */
export function formAt(path: readonly PropertyKey[]): string | null {
  const last = path.at(-1);
  return path[0] === 'steps' && last !== undefined && STEP_NAMES.includes(last) ? STEP_FORM : null;
}

/** The JSON Schema of a pipeline file, as the package ships it in schemas/pipeline.schema.json. */
export function pipelineJsonSchema(): object {
  const schema = z.toJSONSchema(PipelineSchema, { io: 'input' });
  return { ...schema, title: 'pipeline', description: 'Ordered steps that donewhen carries out, each by an agent or a command.' };
}
