import type { Pipeline } from '../../core/methods/pipeline-values.js';
import { oneLine } from '../lines.js';
import { slugOf } from '../plan.js';
import { errorAt, hasErrors, orderedProblems, type Problem } from '../problem.js';
import { type Given, schemaProblems } from '../schema-problems.js';
import { readYaml } from '../yaml-document.js';
import { formAt, knownKeysAt, PipelineSchema, ValuesSchema } from './schema.js';
import { type PipelineStep, partOf, readSteps } from './step.js';
import type { Value } from './values.js';

/** A pipeline file (docs/interface.md §10), with its values filled in and every default written out. */
export interface PipelineDocument {
  title: string;
  slug: string;
  goal: string;
  values: Value[];
  steps: PipelineStep[];
}

type WrittenAt = (path: readonly PropertyKey[]) => string | null;

export interface ParsedPipeline {
  /** null where anything is an error: such a pipeline is not carried out. */
  pipeline: PipelineDocument | null;
  problems: Problem[];
}

export interface ParsePipelineOptions {
  file: string;
  /** Prompt files by the path that the pipeline names, beside it; one that is not here is missing. */
  files: ReadonlyMap<string, string>;
}

const PIPELINE_BYTES_MAX = 256 * 1024;

export function parsePipeline(text: string, { file, files }: ParsePipelineOptions): ParsedPipeline {
  const document = readYaml(text, { file, bytesMax: PIPELINE_BYTES_MAX, aliasesMax: 0, name: 'pipeline' });
  if (document.is === 'refused') return { pipeline: null, problems: [document.problem] };
  const given: Given = {
    file,
    value: document.value ?? {},
    lineOf: document.lineOf,
    knownKeysAt,
    formOf: formAt,
    nameOf: (path) => nameOf(path, document.writtenAt),
  };
  const parsed = PipelineSchema.safeParse(given.value);
  const values = valuesOf(given.value, document.writtenAt);
  const read = readSteps(given.value, { file, files, values, lineOf: document.lineOf });
  const found = [...(parsed.success ? [] : schemaProblems(parsed.error.issues, given)), ...read.problems];
  if (!parsed.success) return { pipeline: null, problems: orderedProblems(found) };
  const { pipeline: title, goal } = parsed.data;
  const slug = slugOf(title);
  if (slug === '')
    found.push(
      errorAt(
        { file, line: document.lineOf(['pipeline']) },
        'pipeline, the name of the run, has no letter or digit of a-z and 0-9; write one that has',
      ),
    );
  const pipeline = { title: oneLine(title), slug, goal: oneLine(goal), values: values ?? [], steps: read.steps };
  return { pipeline: hasErrors(found) ? null : pipeline, problems: orderedProblems(found) };
}

/** As they are written: `007` is no 7. null: they cannot be read, so that nothing can be said of what names them. */
function valuesOf(value: unknown, writtenAt: WrittenAt): Value[] | null {
  const values = ValuesSchema.safeParse(partOf(value, 'values'));
  return values.success ? Object.keys(values.data).map((name) => ({ name, text: writtenAt(['values', name]) ?? '' })) : null;
}

/** The prompt files that a pipeline names, for whoever reads them; none where it cannot be read. */
export function promptFilesIn(text: string, { file }: { file: string }): string[] {
  const document = readYaml(text, { file, bytesMax: PIPELINE_BYTES_MAX, aliasesMax: 0, name: 'pipeline' });
  const parsed = PipelineSchema.safeParse(document.is === 'value' ? document.value : null);
  if (!parsed.success) return [];
  return [...new Set(parsed.data.steps.flatMap((step) => (step.promptFile === undefined ? [] : [step.promptFile])))];
}

/** `step 5: when.verdict`; a step without a name by its place. */
function nameOf(path: readonly PropertyKey[], writtenAt: WrittenAt): string {
  const [first, index, ...rest] = path.map((part) => (typeof part === 'number' ? part : String(part).slice(0, 60)));
  if (first === undefined) return 'the file';
  if (first !== 'steps' || index === undefined) return path.map((part) => String(part).slice(0, 60)).join('.');
  const id = writtenAt(['steps', index, 'step']);
  const step = id === null ? `step number ${Number(index) + 1} of the list` : `step ${oneLine(id).slice(0, 60)}`;
  return rest.length === 0 ? step : `${step}: ${rest.join('.')}`;
}

/** The pipeline as the rules need it; `hash` is sha256 in hex. */
export function toPipeline(
  document: PipelineDocument,
  { performer, reviewer, hash }: { performer: string; reviewer: string; hash: (text: string) => string },
): Pipeline {
  const valueNamed = (name: string) => document.values.find((value) => value.name === name)?.text;
  const [featureId, moduleId] = ['feature-id', 'module-id'].map(valueNamed);
  return {
    slug: document.slug,
    goal: document.goal,
    ...(featureId === undefined ? {} : { featureId }),
    ...(moduleId === undefined ? {} : { moduleId }),
    steps: document.steps.map(({ line: _line, lines: _lines, prompt, promptFile: _file, command, ...step }) => ({
      ...step,
      performer: step.run ? 'inline' : (step.performer ?? (step.gate === 'review' ? reviewer : performer)),
      states: hash(prompt ?? command ?? ''),
    })),
  };
}
