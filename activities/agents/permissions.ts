import type { Check } from '../../documents/check.js';
import { parseCheck } from '../../documents/check-line.js';
import type { Agent } from '../../documents/config.js';
import type { AgentRequest, Refusal } from './adapter.js';

export type Level = 'read' | 'edit' | 'full';

/** They look and answer; what they wrote would be nobody's work. */
const READERS = ['planner', 'verifier', 'reviewer'];

/** What git tells and changes nothing by. */
export const LOOKING_GIT = ['status', 'diff', 'log', 'show'];
/** What git does in this repository alone. */
export const LOCAL_GIT = [...LOOKING_GIT, 'add', 'rm', 'mv', 'restore', 'commit', 'branch', 'switch', 'stash'];

export function levelOf({ role }: Pick<AgentRequest, 'role'>, { permissions }: Pick<Agent, 'permissions'>): Level {
  return READERS.includes(role) ? 'read' : (permissions ?? 'edit');
}

/** Who may do everything must not also be root: nothing would be left that holds it back. */
export function whyNotFull(level: Level, name: string, { here }: Pick<AgentRequest, 'here'>): Refusal | null {
  if (level !== 'full' || !here.isRoot || here.isSandbox) return null;
  return {
    why: `${name} has permissions: full, and this worker runs as root`,
    blocker: 'agent-full-as-root',
    userAction: `Run the worker as another user, or give ${name} permissions: edit; in a container that is thrown away set IS_SANDBOX=1.`,
  };
}

/** The commands of the task's `run:` checks, as they stand there. */
export function commandsOf(checks: readonly string[]): string[] {
  return checksIn(checks).flatMap((check) => (check.kind === 'run' ? [check.command] : []));
}

/** Whether a check looks at git: then the agent is to commit. */
export function needsGit(checks: readonly string[]): boolean {
  return checksIn(checks).some(({ kind }) => kind === 'git');
}

function checksIn(lines: readonly string[]): Check[] {
  return lines.flatMap((line) => parseCheck(line, { file: 'PLAN.md', line: 1 }).check ?? []);
}

/** The brief, with the words that its session is known by; a prompt must not begin like a command of the agent. */
export function markedPrompt({ prompt, mark }: Pick<AgentRequest, 'prompt' | 'mark'>): string {
  return `${mark}\n\n${prompt}`;
}
