import { COMPARISONS, type Requirement, type Step, type StepInput } from '../../core/methods/pipeline-values.js';
import { parseCheck, renderCheck } from '../check-line.js';
import { parseDuration } from '../duration.js';
import { oneLine } from '../lines.js';
import { didYouMean } from '../nearest.js';
import { pathProblem } from '../paths.js';
import { errorAt, type Problem } from '../problem.js';
import { StepSchema } from './schema.js';
import { orderProblems, type WellFormed } from './step-order.js';
import { filledIn, type Value } from './values.js';
import { verdictIn } from './verdict.js';

/** A step as it is written, with its values filled in and every default written out. */
export interface PipelineStep extends Omit<Step, 'performer' | 'states'> {
  /** Of the step; of its `performer`, for problems found later. */
  line: number;
  lines: { performer: number };
  /** An agent of the configuration; undefined: the role's. */
  performer?: string;
  /** What its agent is asked; null for a command. */
  prompt: string | null;
  promptFile: string | null;
  /** null for an agent. */
  command: string | null;
}

export interface StepsAround {
  file: string;
  files: ReadonlyMap<string, string>;
  /** null: they could not be read, so that no place can be filled. */
  values: readonly Value[] | null;
  lineOf(path: readonly PropertyKey[]): number;
}

/** Every step that can be read, and everything that is wrong with one but its form. */
export function readSteps(value: unknown, around: StepsAround): { steps: PipelineStep[]; problems: Problem[] } {
  const listed = partOf(value, 'steps');
  const all: unknown[] = Array.isArray(listed) ? listed : [];
  const problems: Problem[] = [];
  const formed = all.flatMap((one, index): WellFormed[] => {
    const parsed = StepSchema.safeParse(one);
    return parsed.success ? [{ index, id: String(parsed.data.step), given: parsed.data }] : [];
  });
  const steps = formed.map((step) => readStep({ step, around, problems }));
  const ids = all.map((one) => String(partOf(one, 'step') ?? ''));
  return { steps, problems: [...problems, ...orderProblems(formed, { ids, file: around.file, lineOf: around.lineOf })] };
}

export function partOf(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
  return Object.entries(value).find(([name]) => name === key)?.[1];
}

const TITLE_CHARS_MAX = 60;
const DEFAULT_ROUNDS = 5;
const REQUIREMENT = new RegExp(
  `^metrics\\.([A-Za-z0-9_.-]{1,64})\\s*(${COMPARISONS.toSorted((a, b) => b.length - a.length).join('|')})\\s*(-?\\d{1,15}(?:\\.\\d{1,9})?)%?$`,
);
const INPUT = /^([0-9a-z-]{1,64})\.([A-Za-z][A-Za-z0-9_.-]{0,63})$/;
/** Files that donewhen alone writes (R17): what stands there is no work of a step. */
const RECORD = /^(?:\.\/)?(?:LEDGER\.md|REPORT\.md|pipeline-context\.yaml|00-boss\.log\.md|\.donewhen(?:\/.*)?)$/;
const GITS_OWN = /^(?:\.\/)?\.git(?:\/.*)?$/;

/** One step while it is read; what is wrong with it is added to the problems. */
interface Reading {
  step: WellFormed;
  around: StepsAround;
  problems: Problem[];
}

function readStep(reading: Reading): PipelineStep {
  const { id, index, given } = reading.step;
  const prompt = promptIn(reading);
  const command = given.run === undefined ? null : filled(reading, ['run'], given.run);
  return {
    line: reading.around.lineOf(['steps', index, 'step']),
    lines: { performer: lineOf(reading, ['performer']) },
    step: id,
    agent: given.run === undefined ? (given.agent ?? null) : null,
    title: given.agent ?? oneLine(command ?? '').slice(0, TITLE_CHARS_MAX),
    run: given.run !== undefined,
    ...(given.performer === undefined ? {} : { performer: given.performer }),
    prompt,
    promptFile: given.promptFile ?? null,
    command,
    gate: given.gate,
    inputs: given.inputs === undefined ? null : Object.entries(given.inputs).flatMap(([name, text]) => inputIn(reading, name, text)),
    artifacts: Object.entries(given.artifacts).map(([key, pattern]) => ({ key, pattern: patternIn(reading, ['artifacts', key], pattern) })),
    attempts: given.attempts,
    fix: given.fix === undefined ? null : String(given.fix),
    rounds: given.rounds ?? (given.fix === undefined ? 0 : DEFAULT_ROUNDS),
    backToPlan: given.backToPlan === undefined ? null : String(given.backToPlan),
    conditions: given.conditions ?? 'debt',
    onExhausted: given.onExhausted,
    when: given.when === undefined ? null : { step: String(given.when.step), verdict: verdictIn(given.when.verdict) ?? '' },
    checks: given.checks.flatMap((text, at) => checkIn(reading, text, at)),
    require: given.require.flatMap((text, at) => requirementIn(reading, text, at)),
    optional: given.optional,
    writes: given.writes === undefined ? null : given.writes.map((glob, at) => patternIn(reading, ['writes', at], glob)),
    ...(given.permissions === undefined ? {} : { permissions: given.permissions }),
    ...(given.timeout === undefined ? {} : timeoutIn(reading, given.timeout)),
  };
}

function promptIn(reading: Reading): string | null {
  const { given } = reading.step;
  if (given.prompt !== undefined) return filled(reading, ['prompt'], given.prompt);
  if (given.promptFile === undefined) return null;
  const wrong = pathProblem(given.promptFile);
  if (wrong !== null) refuse(reading, ['promptFile'], `names ${given.promptFile.slice(0, 60)}, which ${wrong}`);
  const text = reading.around.files.get(given.promptFile);
  if (text !== undefined && text.trim() !== '') return filledFrom(reading, given.promptFile, text);
  const hint = didYouMean(given.promptFile, [...reading.around.files.keys()]);
  const missing = text === undefined ? `is not beside the pipeline${hint}` : 'is empty';
  if (wrong === null) refuse(reading, ['promptFile'], `names ${given.promptFile.slice(0, 60)}, which ${missing}`);
  return '';
}

function filledFrom(reading: Reading, file: string, text: string): string {
  const { text: filled, problems } = filledIn(text, reading.around.values ?? []);
  if (reading.around.values !== null)
    reading.problems.push(...problems.map(({ line, words }) => errorAt({ file, line }, `the prompt ${words}`)));
  return filled;
}

function filled(reading: Reading, path: readonly PropertyKey[], text: string): string {
  const { text: filled, problems } = filledIn(text, reading.around.values ?? []);
  if (reading.around.values !== null) for (const { words } of problems) refuse(reading, path, words);
  return filled;
}

function patternIn(reading: Reading, path: readonly PropertyKey[], written: string): string {
  const pattern = filled(reading, path, written);
  const wrong = pathProblem(pattern);
  if (wrong !== null) refuse(reading, path, `is ${pattern.slice(0, 60)}, which ${wrong}`);
  else if (GITS_OWN.test(pattern)) refuse(reading, path, `is ${pattern.slice(0, 60)}, which belongs to git; name another file`);
  else if (RECORD.test(pattern)) refuse(reading, path, `is ${pattern.slice(0, 60)}, which donewhen writes itself; name another file`);
  return pattern;
}

function inputIn(reading: Reading, name: string, text: string): StepInput[] {
  const [, step, key] = INPUT.exec(text) ?? [];
  if (step !== undefined && key !== undefined) return [{ name, step, key }];
  refuse(reading, ['inputs', name], `is "${text.slice(0, 60)}"; write the step and the key, like 1.srs`);
  return [];
}

function checkIn(reading: Reading, text: string, at: number): string[] {
  const { check, problems } = parseCheck(filled(reading, ['checks', at], text), {
    file: reading.around.file,
    line: lineOf(reading, ['checks', at]),
  });
  reading.problems.push(...problems);
  return check === null ? [] : [renderCheck(check)];
}

function requirementIn(reading: Reading, text: string, at: number): Requirement[] {
  const [, metric, is, value] = REQUIREMENT.exec(text.trim()) ?? [];
  const comparison = COMPARISONS.find((one) => one === is);
  if (metric !== undefined && comparison !== undefined) return [{ metric, is: comparison, value: Number(value), text: oneLine(text) }];
  refuse(reading, ['require', at], `is "${text.slice(0, 60)}"; write metrics.KEY, one of ${COMPARISONS.join(' ')}, and a number`);
  return [];
}

function timeoutIn(reading: Reading, text: string): { timeoutMs?: number } {
  const read = parseDuration(text);
  if ('ms' in read) return { timeoutMs: read.ms };
  refuse(reading, ['timeout'], read.wrong);
  return {};
}

function lineOf(reading: Reading, path: readonly PropertyKey[]): number {
  return reading.around.lineOf(['steps', reading.step.index, ...path]);
}

function refuse(reading: Reading, path: readonly PropertyKey[], words: string): void {
  const name = path.map((part) => (typeof part === 'number' ? String(part + 1) : String(part))).join('.');
  reading.problems.push(errorAt({ file: reading.around.file, line: lineOf(reading, path) }, `step ${reading.step.id}: ${name} ${words}`));
}
