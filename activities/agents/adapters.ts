import type { Agent } from '../../documents/config.js';
import { createAcpAdapter } from './acp.js';
import type { AgentAdapter } from './adapter.js';
import { createClaudeAdapter } from './claude.js';
import { createCodexAdapter } from './codex.js';
import { createCommandAdapter } from './command.js';
import { createOpencodeAdapter } from './opencode.js';
import { plausibleSession } from './plausible.js';

/** Of an agent that prints each step of its work; while a build runs it prints nothing. */
const IDLE_MINUTES = 30;
const MINUTE_MS = 60_000;

/** The adapter for an agent of the configuration, or why there is none, with the way out. */
export function adapterFor(name: string, agent: Agent | undefined): AgentAdapter | { missing: string; userAction: string } {
  const found = adapterOf(name, agent);
  if ('missing' in found) return found;
  const adapter = withPlausibleSession(found);
  const minutes = agent?.idleMinutes === undefined && agent?.kind !== 'command' ? IDLE_MINUTES : (agent?.idleMinutes ?? null);
  return minutes === null ? adapter : { ...adapter, idleMs: minutes * MINUTE_MS };
}

function withPlausibleSession(adapter: AgentAdapter): AgentAdapter {
  const checked = <T extends { session: string | null }>(said: T): T => ({ ...said, session: plausibleSession(said.session) });
  return { ...adapter, read: (log) => checked(adapter.read(log)), glance: (lines) => checked(adapter.glance(lines)) };
}

function adapterOf(name: string, agent: Agent | undefined): AgentAdapter | { missing: string; userAction: string } {
  if (agent === undefined) {
    return {
      missing: `donewhen.yaml has no agent ${name}`,
      userAction: `Add ${name} under agents in donewhen.yaml, or name another performer.`,
    };
  }
  if (agent.kind === 'claude-code') return createClaudeAdapter(name, agent);
  if (agent.kind === 'codex') return createCodexAdapter(name, agent);
  if (agent.kind === 'opencode') return createOpencodeAdapter(name, agent);
  if (agent.kind === 'command') return createCommandAdapter(agent.command ?? []);
  return createAcpAdapter(name, agent);
}
