import type { RunJson } from '../../core/run-json.js';
import type { AgentName } from '../../scripts/agents.mjs';
import type { AgentStage, Cast } from '../support/agent-stage.js';

/** What is particular about one agent. */
export interface About {
  agent: AgentName;
  /** As donewhen.yaml calls it. */
  kind: string;
}

/** A whole run by the command, with the agent's real program and a scripted model. */
export type Play = (open: (cast: Cast) => Promise<AgentStage>, about: About) => Promise<void>;

export const DONE = ['T1 done verified, attempt 1'];
/** Long enough for the slowest to start its first command on a busy machine. */
export const TASK_MINUTES_SHORT = 0.4;

/** The agent may do all it wants, as it may on a machine that is a sandbox as a whole. */
export function freely({ agent, kind }: About, more = ''): { settings: string; env: NodeJS.ProcessEnv } {
  const settings = `agents: { ${agent}: { kind: ${kind}, permissions: full } }\nenvironment: { pass: [PATH, HOME, LANG, IS_SANDBOX] }\n${more}`;
  return { settings, env: { IS_SANDBOX: '1' } };
}

/** Without what was seen of its failing check, which no two agents share. */
export function saidOf({ ledger: [entry] }: RunJson): string {
  return entry === undefined ? 'nothing' : `${entry.task} ${entry.status} ${entry.verification}`;
}
