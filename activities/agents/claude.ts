import { join } from 'node:path';
import type { Agent } from '../../documents/config.js';
import { returnJsonSchema } from '../../documents/return-value.js';
import type { AgentAdapter, AgentRequest, AgentStart, Refusal } from './adapter.js';
import { glanceAtClaude, readClaude } from './claude-stream.js';
import { commandsOf, type Level, LOCAL_GIT, levelOf, markedPrompt, whyNotFull } from './permissions.js';

const WRITERS = ['Edit', 'Write', 'NotebookEdit'];
/** Its own retries are short: a wait of hours belongs to the run, which uses no process meanwhile. */
const MANNERS = {
  CLAUDE_CODE_MAX_RETRIES: '2',
  // A task of its own that outlives the answer would be ended with the attempt (H06, B21).
  CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: '1',
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  DISABLE_AUTOUPDATER: '1',
};

/** Claude Code, by its stream of JSON lines. */
export function createClaudeAdapter(name: string, agent: Agent): AgentAdapter {
  return {
    passes: ['CLAUDE_CODE_OAUTH_TOKEN', 'CLAUDE_CONFIG_DIR', 'TZ'],
    start: (request) => start(name, agent, request),
    glance: glanceAtClaude,
    read: (log) => readClaude(name, log),
    sessionFiles: (session, { CLAUDE_CONFIG_DIR, HOME = '' }) => ({
      folder: join(CLAUDE_CONFIG_DIR ?? join(HOME, '.claude'), 'projects'),
      pattern: `*/${session}.jsonl`,
    }),
  };
}

function start(name: string, agent: Agent, request: AgentRequest): AgentStart | { refused: Refusal } {
  const level = levelOf(request, agent);
  const refused = whyNotFull(level, name, request);
  if (refused !== null) return { refused };
  const { session, role, tmp, here } = request;
  const argv = [
    ...(agent.command ?? ['claude']),
    '-p',
    ...['--output-format', 'stream-json', '--verbose'],
    ...(agent.model === undefined ? [] : ['--model', agent.model]),
    ...(session === null ? [] : ['--resume', session]),
    ...(role === 'performer' ? ['--json-schema', JSON.stringify(returnJsonSchema())] : []),
    ...permissionsOf(level, agent, request),
  ];
  const env = { ...MANNERS, TMPDIR: tmp, CLAUDE_CODE_TMPDIR: tmp, ...(here.isSandbox ? { IS_SANDBOX: '1' } : {}) };
  return { argv, env, stdin: markedPrompt(request) };
}

/** Nobody is there to be asked: what is not allowed here is denied, and the checks decide. */
function permissionsOf(level: Level, { network }: Agent, { checks, here }: AgentRequest): string[] {
  switch (level) {
    case 'read':
      return ['--permission-mode', 'default', '--disallowedTools', ...WRITERS];
    case 'full':
      return ['--dangerously-skip-permissions'];
    case 'edit':
      // Its sandbox has no way to allow every host; with the network only the named commands run.
      return here.hasSandbox && network !== true ? sandboxed(here.gitDir) : named(checks);
  }
}

function sandboxed(gitDir: string | null): string[] {
  const filesystem = gitDir !== null ? { filesystem: { allowWrite: [gitDir] } } : {};
  const sandbox = {
    enabled: true,
    autoAllowBashIfSandboxed: true,
    allowUnsandboxedCommands: false,
    failIfUnavailable: true,
    ...filesystem,
  };
  return ['--permission-mode', 'acceptEdits', '--settings', JSON.stringify({ sandbox }), '--allowedTools', 'Bash'];
}

function named(checks: readonly string[]): string[] {
  const rules = [...commandsOf(checks), ...LOCAL_GIT.map((verb) => `git ${verb}:*`)].map((command) => `Bash(${command})`);
  return ['--permission-mode', 'acceptEdits', '--allowedTools', ...rules];
}
