import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Agent } from '../../documents/config.js';
import { glanceAtAcp, readAcp } from './acp-stream.js';
import type { AgentAdapter, AgentRequest, AgentStart, Refusal, Variables } from './adapter.js';
import { commandsOf, levelOf, markedPrompt, whyNotFull } from './permissions.js';

/** Beside this module, in whatever form that is compiled to. */
const CLIENT = fileURLToPath(new URL('acp-client.js', import.meta.url));

/** An agent that speaks the Agent Client Protocol, by a small client of ours that runs in its place. */
export function createAcpAdapter(name: string, agent: Agent): AgentAdapter {
  const isGemini = agent.kind === 'gemini' || agent.kind === 'agy';
  return {
    passes: [...(isGemini ? ['GEMINI_CLI_HOME', 'GOOGLE_CLOUD_PROJECT'] : []), 'TZ'],
    start: (request) => start(name, agent, request),
    glance: glanceAtAcp,
    read: (log) => readAcp(name, log),
    // Where another one keeps its sessions nobody knows: it begins anew.
    sessionFiles: (session, variables) => (isGemini ? geminiSession(session, variables) : null),
  };
}

function start(name: string, agent: Agent, request: AgentRequest): AgentStart | { refused: Refusal } {
  const level = levelOf(request, agent);
  const refused = whyNotFull(level, name, request);
  if (refused !== null) return { refused };
  const { session, checks, tmp } = request;
  const [program = '', ...args] = commandLine(agent);
  const model = agent.kind === 'acp' ? (agent.model ?? null) : null;
  const task = { session, level, model, network: agent.network === true, commands: commandsOf(checks) };
  const argv = [process.execPath, CLIENT, JSON.stringify(task), program, ...args];
  // Who runs a plan in a folder trusts it; nobody is there to be asked again.
  return { argv, program, env: { TMPDIR: tmp, GEMINI_CLI_TRUST_WORKSPACE: 'true' }, stdin: markedPrompt(request) };
}

function commandLine({ kind, command, model }: Agent): string[] {
  if (kind === 'acp') return command ?? [];
  return [...(command ?? [kind]), '--acp', ...(model === undefined ? [] : ['-m', model])];
}

function geminiSession(session: string, { GEMINI_CLI_HOME, HOME = '' }: Variables) {
  return { folder: join(GEMINI_CLI_HOME ?? HOME, '.gemini', 'tmp'), pattern: `*/chats/session-*${session.slice(0, 8)}*` };
}
