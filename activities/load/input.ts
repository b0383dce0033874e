import type { StartInput } from '../interface.js';

export const PLAN_BYTES_MAX = 1024 * 1024;
const KNOWN = ['slug', 'plan', 'spec', 'ledger', 'workspace', 'config', 'out', 'allowDirty', 'workflowId', 'now'];

/** What is wrong with the form of a start input, all at once. Anybody with the stock CLI may have written it. */
export function inputProblems(input: StartInput): string[] {
  const value = new Map<string, unknown>(Object.entries(input));
  const problems: string[] = [];
  for (const key of value.keys())
    if (!KNOWN.includes(key)) problems.push(`input has an unknown key "${key}"; known are ${KNOWN.slice(0, 7).join(', ')}`);
  for (const key of ['slug', 'spec', 'ledger', 'out']) {
    const given = value.get(key);
    if (given !== undefined && typeof given !== 'string') problems.push(`input.${key} must be a text, not ${kindOf(given)}`);
  }
  const plan = value.get('plan');
  if (typeof plan !== 'string') problems.push(`input.plan must be the text of PLAN.md, not ${kindOf(plan)}`);
  for (const key of ['plan', 'spec']) {
    const given = value.get(key);
    if (typeof given === 'string' && Buffer.byteLength(given) > PLAN_BYTES_MAX)
      problems.push(`input.${key} is larger than ${PLAN_BYTES_MAX / 1024} KiB; shorten it`);
  }
  const allowDirty = value.get('allowDirty');
  if (allowDirty !== undefined && typeof allowDirty !== 'boolean')
    problems.push(`input.allowDirty must be true or false, not ${kindOf(allowDirty)}`);
  return [...problems, ...workspaceProblems(value.get('workspace'))];
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
