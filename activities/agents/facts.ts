import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { platform } from 'node:os';
import { join } from 'node:path';
import type { Agent } from '../../documents/config.js';
import type { AgentKind } from '../../documents/config-schema.js';
import { performerEnvironment } from '../environment.js';
import { findTool } from '../process/forest.js';
import type { Variables } from './adapter.js';
import { adapterFor } from './adapters.js';
import { fieldsOf, firstLine, isFields, parsed } from './stream.js';

/** What is known of an agent before it is asked anything. Never the value of a secret. */
export interface AgentFacts {
  /** null: its program is not there, or does not say. */
  version: string | null;
  /** The version that this release was tried with; null: none. */
  tried: string | null;
  credentials: 'subscription' | 'api key' | 'unknown';
  /** What it needs and is not installed, in words. */
  missing: string[];
}

const VERSION_MS_MAX = 30_000;
const TRIED: Partial<Record<AgentKind, string>> = { 'claude-code': '2.1.332', codex: '0.171.0', opencode: '1.18.33', gemini: '0.61.0' };

export function programOf({ kind, command }: Agent): string {
  return command?.[0] ?? (kind === 'claude-code' ? 'claude' : kind);
}

export async function factsOf(
  name: string,
  agent: Agent,
  given: { environment: Variables; names: { pass: string[]; secrets: string[] } },
): Promise<AgentFacts> {
  const adapter = adapterFor(name, agent);
  const own = 'missing' in adapter ? [] : adapter.passes;
  const { variables } = performerEnvironment(given.names, given.environment, own);
  const program = programOf(agent);
  const path = program.includes('/') ? program : findTool(program, variables.PATH ?? '');
  const version = path === null || agent.kind === 'command' || agent.kind === 'acp' ? null : await versionOf(path, variables);
  const sandbox = agent.kind === 'claude-code' && platform() !== 'darwin' ? { bwrap: 'bubblewrap', socat: 'socat' } : {};
  const missing = Object.entries(sandbox).flatMap(([tool, words]) => (findTool(tool, variables.PATH ?? '') === null ? [words] : []));
  return {
    version,
    tried: TRIED[agent.kind] ?? null,
    credentials: credentialsOf(agent.kind, variables),
    missing: path === null ? [program, ...missing] : missing,
  };
}

function versionOf(path: string, env: Record<string, string>): Promise<string | null> {
  return new Promise((resolve) => {
    const child = execFile(path, ['--version'], { env, timeout: VERSION_MS_MAX, killSignal: 'SIGKILL' }, (error, stdout) => {
      const [version = null] = /\d+\.\d+[\w.-]*/.exec(firstLine(stdout)) ?? [];
      resolve(error === null ? version : null);
    });
    // Whoever reads it must not wait for us (H07).
    child.stdin?.end();
  });
}

/** Which account pays, from where each agent looks first. */
function credentialsOf(kind: AgentKind, variables: Record<string, string>): AgentFacts['credentials'] {
  const { HOME = '' } = variables;
  switch (kind) {
    case 'claude-code': {
      if (isSet(variables.ANTHROPIC_API_KEY)) return 'api key';
      const kept = fileIn(variables.CLAUDE_CONFIG_DIR ?? join(HOME, '.claude'), '.credentials.json');
      return isSet(variables.CLAUDE_CODE_OAUTH_TOKEN) || isFields(kept.claudeAiOauth) ? 'subscription' : 'unknown';
    }
    case 'codex': {
      const kept = fileIn(variables.CODEX_HOME ?? join(HOME, '.codex'), 'auth.json');
      if (isSet(variables.CODEX_API_KEY) || isSet(kept.OPENAI_API_KEY)) return 'api key';
      return isFields(kept.tokens) ? 'subscription' : 'unknown';
    }
    case 'gemini':
    case 'agy': {
      const folder = join(variables.GEMINI_CLI_HOME ?? HOME, '.gemini');
      if (isSet(variables.GEMINI_API_KEY) || textIn(folder, '.env').includes('GEMINI_API_KEY=')) return 'api key';
      return textIn(folder, 'oauth_creds.json') === '' ? 'unknown' : 'subscription';
    }
    case 'opencode': {
      const kept = Object.values(fileIn(join(variables.XDG_DATA_HOME ?? join(HOME, '.local/share'), 'opencode'), 'auth.json')).map(
        fieldsOf,
      );
      // Several providers, several accounts: which one pays, only its model tells.
      const [type, ...others] = new Set(kept.map((provider) => provider.type));
      if (others.length > 0) return 'unknown';
      return type === 'oauth' ? 'subscription' : type === 'api' ? 'api key' : 'unknown';
    }
    default:
      return 'unknown';
  }
}

function isSet(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

function fileIn(folder: string, name: string): Readonly<Record<string, unknown>> {
  return fieldsOf(parsed(textIn(folder, name)));
}

function textIn(folder: string, name: string): string {
  try {
    return readFileSync(join(folder, name), 'utf8');
  } catch {
    return '';
  }
}
