import type { PipelineStart, StartInput } from '../interface.js';

export const PLAN_BYTES_MAX = 1024 * 1024;
const KNOWN = ['slug', 'plan', 'spec', 'ledger', 'workspace', 'config', 'out', 'allowDirty', 'workflowId', 'now'];
const PIPELINE_KNOWN = [
  'slug',
  'pipeline',
  'files',
  'pipelineFile',
  'ledger',
  'workspace',
  'config',
  'from',
  'only',
  'out',
  'allowDirty',
  'workflowId',
  'now',
];

/** What is wrong with the form of a start input, all at once. Anybody with the stock CLI may have written it. */
export function inputProblems(input: StartInput | PipelineStart): string[] {
  const value = new Map<string, unknown>(Object.entries(input));
  const problems: string[] = [];
  const isPipeline = value.has('pipeline');
  const known = isPipeline ? PIPELINE_KNOWN : KNOWN;
  for (const key of value.keys())
    if (!known.includes(key))
      problems.push(`input has an unknown key "${key}"; known are ${known.slice(0, isPipeline ? 9 : 7).join(', ')}`);
  for (const key of ['slug', 'spec', 'ledger', 'out', 'from', 'only', 'pipelineFile']) {
    const given = value.get(key);
    if (given !== undefined && typeof given !== 'string') problems.push(`input.${key} must be a text, not ${kindOf(given)}`);
  }
  problems.push(...(isPipeline ? pipelineProblems(value) : planProblems(value.get('plan'))));
  for (const key of ['plan', 'spec', 'pipeline']) {
    const given = value.get(key);
    if (typeof given === 'string' && Buffer.byteLength(given) > PLAN_BYTES_MAX)
      problems.push(`input.${key} is larger than ${PLAN_BYTES_MAX / 1024} KiB; shorten it`);
  }
  const allowDirty = value.get('allowDirty');
  if (allowDirty !== undefined && typeof allowDirty !== 'boolean')
    problems.push(`input.allowDirty must be true or false, not ${kindOf(allowDirty)}`);
  return [...problems, ...workspaceProblems(value.get('workspace'))];
}

function planProblems(plan: unknown): string[] {
  return typeof plan === 'string' ? [] : [`input.plan must be the text of PLAN.md, not ${kindOf(plan)}`];
}

function pipelineProblems(value: ReadonlyMap<string, unknown>): string[] {
  const [pipeline, files] = [value.get('pipeline'), value.get('files')];
  const isMap = typeof files === 'object' && files !== null && !Array.isArray(files);
  return [
    ...(typeof pipeline === 'string' ? [] : [`input.pipeline must be the text of the pipeline, not ${kindOf(pipeline)}`]),
    ...(isMap && Object.values(files).every((text) => typeof text === 'string')
      ? []
      : ['input.files must have the text of each prompt file by its path, like { "prompts/srs.md": "…" }']),
    ...(value.get('from') === undefined || value.get('only') === undefined ? [] : ['input has from and only; give one of them']),
  ];
}

function workspaceProblems(workspace: unknown): string[] {
  if (workspace === undefined) return [];
  const wanted = 'input.workspace must be {"path": "/absolute/folder"} or {"git": "url", "ref": "branch"}';
  if (typeof workspace !== 'object' || workspace === null || Array.isArray(workspace)) return [`${wanted}, not ${kindOf(workspace)}`];
  const fields = new Map<string, unknown>(Object.entries(workspace));
  const [path, git, ref] = ['path', 'git', 'ref'].map((key) => fields.get(key));
  const isPath = typeof path === 'string' && git === undefined && ref === undefined;
  const isGit = typeof git === 'string' && path === undefined && (ref === undefined || typeof ref === 'string');
  return isPath || isGit ? [] : [wanted];
}

function kindOf(value: unknown): string {
  if (value === null || value === undefined) return 'nothing';
  return Array.isArray(value) ? 'a list' : `a ${typeof value}`;
}
