import { join } from 'node:path';
import type { Agent } from '../../documents/config.js';
import { returnJsonSchema } from '../../documents/return-value.js';
import type { AgentAdapter, AgentRequest, AgentStart, Refusal } from './adapter.js';
import { limitInRollout, tokensInRollout } from './codex-limits.js';
import { glanceAtCodex, readCodex } from './codex-stream.js';
import { type Level, levelOf, markedPrompt, whyNotFull } from './permissions.js';

const SCHEMA_FILE = 'answer.schema.json';
const SETTINGS = [
  'check_for_update_on_startup=false',
  // Without a network it would print "Reconnecting" for ever: that wait belongs to the run.
  'features.unbounded_connection_retries=false',
];

/** OpenAI Codex, by `codex exec --json`. */
export function createCodexAdapter(name: string, agent: Agent): AgentAdapter {
  return {
    passes: ['CODEX_HOME', 'TZ'],
    start: (request) => start(name, agent, request),
    glance: glanceAtCodex,
    read: (log) => readCodex(name, log),
    sessionFiles: (session, { CODEX_HOME, HOME = '' }) => ({
      folder: join(CODEX_HOME ?? join(HOME, '.codex'), 'sessions'),
      pattern: `**/rollout-*-${session}.jsonl`,
    }),
    limitIn: limitInRollout,
    tokensIn: tokensInRollout,
  };
}

/** What the sandbox allows is not remembered by a session: it is said each time, before the word `resume`. */
function start(name: string, agent: Agent, request: AgentRequest): AgentStart | { refused: Refusal } {
  const level = levelOf(request, agent);
  const refused = whyNotFull(level, name, request);
  if (refused !== null) return { refused };
  const { session, role, workspace, folder, tmp } = request;
  const isPerformer = role === 'performer';
  const argv = [
    ...(agent.command ?? ['codex']),
    ...['exec', '--json', '--skip-git-repo-check', '-C', workspace],
    ...(agent.model === undefined ? [] : ['-m', agent.model]),
    ...(isPerformer ? ['--output-schema', join(folder, SCHEMA_FILE)] : []),
    ...sandboxOf(level, agent, request),
    ...SETTINGS.flatMap((setting) => ['-c', setting]),
    ...(session === null ? [] : ['resume', session]),
    '-',
  ];
  const files = isPerformer ? { files: { [SCHEMA_FILE]: JSON.stringify(returnJsonSchema()) } } : {};
  return { argv, env: { TMPDIR: tmp }, stdin: markedPrompt(request), ...files };
}

function sandboxOf(level: Level, { network }: Agent, { here }: AgentRequest): string[] {
  switch (level) {
    case 'read':
      return ['--sandbox', 'read-only'];
    case 'full':
      return ['--dangerously-bypass-approvals-and-sandbox'];
    case 'edit': {
      // It keeps git's own folder read-only: then nothing can be committed.
      const { gitDir } = here;
      return [
        ...['--sandbox', 'workspace-write'],
        ...['-c', `sandbox_workspace_write.network_access=${network === true}`],
        ...(gitDir === null ? [] : ['-c', `sandbox_workspace_write.writable_roots=${JSON.stringify([gitDir])}`]),
      ];
    }
  }
}
