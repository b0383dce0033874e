// Plans of inline tasks, and workspaces for them.
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Each task costs what the floor's costs: a check that fails, a command, the check again, an entry. */
export function planOf(title, tasks, { holds = false } = {}) {
  const blocks = Array.from({ length: tasks }, (_, index) => {
    const id = `T${index + 1}`;
    const check = holds ? 'true' : `test -e out-${id}`;
    return `## ${id} — Part ${id}\nReasoning: to be measured\nTask: Make out-${id}.\nDone when: out-${id} exists.\nVerify by: the check\nChecks:\n- run: ${check}\nPerformer: inline\nRun: : > out-${id}\nDepends on: —\n`;
  });
  return `# PLAN: ${title}\n\nSpec: none\nGoal: ${tasks} files are there.\nPlan version: 1\n\n${blocks.join('\n')}`;
}

export function workspaceOf(folder, title, tasks, options = {}) {
  const workspace = join(folder, title);
  mkdirSync(workspace, { recursive: true });
  writeFileSync(join(workspace, 'PLAN.md'), planOf(title, tasks, options));
  writeFileSync(join(workspace, 'donewhen.yaml'), `limits: { dispatches: ${tasks * 2 + 10} }\n${options.yaml ?? ''}`);
  for (const args of [
    ['init', '-q'],
    ['config', 'user.email', 'bench@example.org'],
    ['config', 'user.name', 'bench'],
    ['add', '-A'],
    ['commit', '-qm', 'base'],
  ])
    spawnSync('git', args, { cwd: workspace });
  return workspace;
}
