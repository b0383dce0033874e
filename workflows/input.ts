import { ApplicationFailure } from '@temporalio/workflow';
import type { PipelineStart, StartInput } from '../activities/interface.js';

/**
 * The first, tolerant look at the start input. What is no input at all fails the run at once, typed and non-retryable:
 * a plain error would leave it retrying for ever. The texts themselves are read by `load`.
 */
export function acceptInput(input: unknown): StartInput {
  if (typeof input === 'string') return { plan: input };
  if (input instanceof Uint8Array) return { plan: decode(input) };
  if (input === null || typeof input !== 'object' || Array.isArray(input))
    throw invalid(`the input is ${describe(input)}; give { "plan": "<PLAN.md text>" } or the text itself`);
  const fields = new Map<string, unknown>(Object.entries(input));
  const problems = unknownKeys(fields, KNOWN);
  const plan = fields.get('plan');
  if (typeof plan !== 'string') problems.push('plan: the text of PLAN.md is missing');
  const accepted = acceptedIn(fields, ['slug', 'spec', 'ledger', 'out'], problems);
  if (problems.length > 0 || typeof plan !== 'string') throw invalid(problems.join('\n'));
  return { plan, ...accepted };
}

/** The same of a pipeline: its text, and the texts of its prompt files by their paths. */
export function acceptPipeline(input: unknown): PipelineStart {
  if (typeof input === 'string') return { pipeline: input, files: {} };
  if (input instanceof Uint8Array) return { pipeline: decode(input), files: {} };
  if (input === null || typeof input !== 'object' || Array.isArray(input))
    throw invalid(`the input is ${describe(input)}; give { "pipeline": "<text>", "files": { "prompts/srs.md": "<text>" } }`);
  const fields = new Map<string, unknown>(Object.entries(input));
  const problems = unknownKeys(fields, PIPELINE_KNOWN);
  const pipeline = fields.get('pipeline');
  if (typeof pipeline !== 'string') problems.push('pipeline: the text of the pipeline is missing');
  const files = filesOf(fields.get('files'), problems);
  const accepted = acceptedIn(fields, ['slug', 'ledger', 'out', 'from', 'only', 'pipelineFile'], problems);
  if (problems.length > 0 || typeof pipeline !== 'string') throw invalid(problems.join('\n'));
  return { pipeline, files, ...accepted };
}

const KNOWN = ['slug', 'plan', 'spec', 'ledger', 'workspace', 'config', 'out', 'allowDirty'];
const PIPELINE_KNOWN = ['slug', 'pipeline', 'files', 'pipelineFile', 'ledger', 'workspace', 'config', 'from', 'only', 'out', 'allowDirty'];

function unknownKeys(fields: ReadonlyMap<string, unknown>, known: readonly string[]): string[] {
  return [...fields.keys()].filter((key) => !known.includes(key)).map((key) => `unknown key ${key}; known are ${known.join(', ')}`);
}

function filesOf(value: unknown, problems: string[]): Record<string, string> {
  const files: Record<string, string> = {};
  if (value === undefined || value === null) return files;
  if (typeof value !== 'object' || Array.isArray(value)) {
    problems.push(`files: the text of each prompt file by its path is wanted, not ${describe(value)}`);
    return files;
  }
  for (const [path, text] of Object.entries(value)) {
    if (typeof text === 'string') files[path] = text;
    else problems.push(`files: ${path.slice(0, 60)} is ${describe(text)}, and a text is wanted`);
  }
  return files;
}

/** What a start of any method may have, beside its texts. */
function acceptedIn<K extends string>(
  fields: ReadonlyMap<string, unknown>,
  texts: readonly K[],
  problems: string[],
): { [Key in K]?: string } & Pick<StartInput, 'workspace' | 'config' | 'allowDirty'> {
  const accepted: { [Key in K]?: string } = {};
  for (const key of texts) {
    const text = optionalText(fields.get(key), key, problems);
    if (text !== undefined) accepted[key] = text;
  }
  const workspace = workspaceOf(fields.get('workspace'), problems);
  const others = withoutUndefined({ workspace, config: fields.get('config') ?? undefined });
  return { ...accepted, ...others, ...(fields.get('allowDirty') === true ? { allowDirty: true } : {}) };
}

function withoutUndefined<T extends object>(value: T): { [K in keyof T]?: NonNullable<T[K]> } {
  const kept: { [K in keyof T]?: NonNullable<T[K]> } = {};
  for (const key of Object.keys(value) as (keyof T)[]) {
    const one = value[key];
    if (one !== undefined && one !== null) kept[key] = one;
  }
  return kept;
}

function optionalText(value: unknown, key: string, problems: string[]): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'string') return value;
  problems.push(`${key}: a text is wanted, not ${describe(value)}`);
  return undefined;
}

function workspaceOf(value: unknown, problems: string[]): StartInput['workspace'] {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'object' && 'path' in value && typeof value.path === 'string') return { path: value.path };
  if (typeof value === 'object' && 'git' in value && typeof value.git === 'string') {
    const ref = 'ref' in value && typeof value.ref === 'string' ? { ref: value.ref } : {};
    return { git: value.git, ...ref };
  }
  problems.push('workspace: { "path": "/abs" } or { "git": "url", "ref": "…" } is wanted');
  return undefined;
}

function describe(value: unknown): string {
  if (value === undefined) return 'missing';
  if (value === null) return 'null';
  return Array.isArray(value) ? 'a list' : `a ${typeof value}`;
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw invalid('the input is not UTF-8 text');
  }
}

function invalid(message: string): ApplicationFailure {
  return ApplicationFailure.nonRetryable(message, 'InvalidInput');
}
