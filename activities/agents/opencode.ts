import { join } from 'node:path';
import type { Agent } from '../../documents/config.js';
import type { AgentAdapter, AgentRequest, AgentStart, Refusal } from './adapter.js';
import { glanceAtOpencode, readOpencode } from './opencode-stream.js';
import { commandsOf, type Level, LOCAL_GIT, LOOKING_GIT, levelOf, markedPrompt, whyNotFull } from './permissions.js';

/** OpenCode, by `opencode run --format json`. It keeps all sessions in one database, and goes on in one only from its own folder. */
export function createOpencodeAdapter(name: string, agent: Agent): AgentAdapter {
  return {
    passes: ['XDG_DATA_HOME', 'XDG_CONFIG_HOME', 'XDG_STATE_HOME', 'XDG_CACHE_HOME', 'OPENCODE_CONFIG', 'OPENCODE_CONFIG_DIR', 'TZ'],
    start: (request) => start(name, agent, request),
    glance: glanceAtOpencode,
    read: (log) => readOpencode(name, log),
    sessionFiles: (_session, { XDG_DATA_HOME, HOME = '' }) => ({
      folder: join(XDG_DATA_HOME ?? join(HOME, '.local/share'), 'opencode'),
      pattern: 'opencode.db*',
    }),
  };
}

function start(name: string, agent: Agent, request: AgentRequest): AgentStart | { refused: Refusal } {
  const level = levelOf(request, agent);
  const refused = whyNotFull(level, name, request);
  if (refused !== null) return { refused };
  const argv = [
    ...(agent.command ?? ['opencode']),
    ...['run', '--format', 'json'],
    ...(agent.model === undefined ? [] : ['-m', agent.model]),
    ...(level === 'full' ? ['--auto'] : []),
    ...(request.session === null ? [] : ['-s', request.session]),
  ];
  const env = {
    OPENCODE_PERMISSION: JSON.stringify(permissionsOf(level, agent, request)),
    OPENCODE_DISABLE_AUTOUPDATE: '1',
    TMPDIR: request.tmp,
  };
  return { argv, env, stdin: markedPrompt(request) };
}

/** It has no sandbox. What it would have to ask for ends it without a word: all that is not allowed is denied. The last rule that fits counts. */
function permissionsOf(level: Level, { network }: Agent, { checks }: AgentRequest): Record<string, unknown> {
  if (level === 'full') return { '*': 'allow' };
  const commands = level === 'edit' ? [...commandsOf(checks), ...prefixed(LOCAL_GIT)] : prefixed(LOOKING_GIT);
  const web = network === true ? 'allow' : 'deny';
  return {
    edit: level === 'edit' ? 'allow' : 'deny',
    bash: { '*': 'deny', ...Object.fromEntries(commands.map((command) => [command, 'allow'])) },
    webfetch: web,
    websearch: web,
    external_directory: 'deny',
    doom_loop: 'deny',
  };
}

function prefixed(verbs: readonly string[]): string[] {
  return verbs.flatMap((verb) => [`git ${verb}`, `git ${verb} *`]);
}
