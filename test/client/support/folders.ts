import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** A real temporary folder with these files. Remove it with `rmSync`. */
export function folderWith(files: Record<string, string | Buffer>): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'donewhen-client-')));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  return folder;
}

export const CONFIG = 'agents:\n  mine: { kind: command, command: [node, agent.mjs] }\nroles: { performer: mine, planner: mine }\n';

export function planText(...tasks: string[]): string {
  return `# PLAN: demo\n\nSpec: none\nGoal: The files are there.\nPlan version: 1\n\n${tasks.join('\n')}`;
}

export function taskText(id: string, more: { checks?: string[]; depends?: string; lines?: string } = {}): string {
  const checks = more.checks ?? [`file: out-${id}`];
  return `## ${id} — Part ${id}\nTask: Make out-${id}.\nDone when: out-${id} exists.\nVerify by: a look\n${checks.length === 0 ? '' : `Checks:\n${checks.map((check) => `- ${check}\n`).join('')}`}${more.lines ?? ''}Depends on: ${more.depends ?? '—'}\n`;
}

export function ledgerText(title: string, ...entries: string[]): string {
  return `# LEDGER: ${title}\n\n${entries.join('\n')}`;
}

export function entryText(id: string, status: string, gate: string): string {
  return `## ${id} — Part ${id}  [${status}]\nPlan version: 1\nDone when: out-${id} exists.\nState delta:\n- as recorded\nEvidence:\n- looked → as said\nVerification: verified\n${gate === '' ? '' : `Gate: ${gate}\n`}`;
}
