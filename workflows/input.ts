import { ApplicationFailure } from '@temporalio/workflow';
import type { StartInput } from '../activities/interface.js';

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
  const problems: string[] = [];
  for (const key of fields.keys()) if (!KNOWN.includes(key)) problems.push(`unknown key ${key}; known are ${KNOWN.join(', ')}`);
  const plan = fields.get('plan');
  if (typeof plan !== 'string') problems.push('plan: the text of PLAN.md is missing');
  const text = (key: string) => optionalText(fields.get(key), key, problems);
  const workspace = workspaceOf(fields.get('workspace'), problems);
  const accepted = {
    slug: text('slug'),
    spec: text('spec'),
    ledger: text('ledger'),
    out: text('out'),
    workspace,
    config: fields.get('config') ?? undefined,
  };
  if (problems.length > 0 || typeof plan !== 'string') throw invalid(problems.join('\n'));
  const allowDirty = fields.get('allowDirty') === true ? { allowDirty: true } : {};
  return { plan, ...withoutUndefined(accepted), ...allowDirty };
}

const KNOWN = ['slug', 'plan', 'spec', 'ledger', 'workspace', 'config', 'out', 'allowDirty'];

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
