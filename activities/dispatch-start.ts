import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync, rmSync } from 'node:fs';
import { platform, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AgentAdapter, AgentRequest, AgentStart, Here, Refusal } from './agents/adapter.js';
import { needsGit } from './agents/permissions.js';
import { attemptPath } from './attempt-folder.js';
import type { PerformerEnvironment } from './dispatch-ports.js';
import { markOf } from './dispatch-session.js';
import type { Place } from './interface.js';
import { git } from './load/git.js';
import { findTool } from './process/forest.js';

const GIT_TIMEOUT_MS = 10_000;
/** Of an attempt that somebody else began: it is attended, not started. */
export const NOTHING_TO_START: AgentStart = { argv: [], env: {}, stdin: '' };

export interface Starting extends Pick<AgentRequest, 'role' | 'prompt' | 'session' | 'checks'> {
  place: Place;
  token: string;
  environment: PerformerEnvironment;
}

/** What the agent's process will be, after a look at this machine. */
export async function startOf(adapter: AgentAdapter, starting: Starting): Promise<AgentStart | { refused: Refusal }> {
  const { place, token, environment, ...asked } = starting;
  const folder = join(place.folder, attemptPath(token));
  const here = await lookHere(place.workspace, environment.variables, asked.checks);
  return adapter.start({ ...asked, mark: markOf(starting), workspace: place.workspace, folder, tmp: tmpOf(folder), here });
}

async function lookHere(workspace: string, variables: Readonly<Record<string, string>>, checks: readonly string[]): Promise<Here> {
  const { PATH = '', IS_SANDBOX } = variables;
  const tools = platform() === 'darwin' ? [] : ['bwrap', 'socat'];
  return {
    isRoot: process.getuid?.() === 0,
    isSandbox: IS_SANDBOX === '1',
    hasSandbox: tools.every((tool) => findTool(tool, PATH) !== null),
    gitDir: needsGit(checks) ? await gitDirOf(workspace, variables) : null,
  };
}

async function gitDirOf(workspace: string, variables: Readonly<Record<string, string>>): Promise<string | null> {
  const args = ['rev-parse', '--path-format=absolute', '--git-common-dir'];
  const { code, stdout } = await git({ cwd: workspace, environment: variables, timeoutMs: GIT_TIMEOUT_MS }, args);
  return code === 0 && stdout.trim() !== '' ? stdout.trim() : null;
}

/** Short, because sockets are made in it; the same for whoever attends the attempt, because it is removed at its end. */
function tmpOf(folder: string): string {
  return join(tmpdir(), `donewhen-${createHash('sha256').update(folder).digest('hex').slice(0, 12)}`);
}

/** Ours alone: a folder or a link that somebody else put there is not used. */
export function makeTmp(folder: string): void {
  const tmp = tmpOf(folder);
  mkdirSync(tmp, { recursive: true, mode: 0o700 });
  const found = lstatSync(tmp);
  if (!found.isDirectory() || (process.getuid !== undefined && found.uid !== process.getuid()))
    throw new Error(`${tmp} is not a folder of this user: remove it`);
}

export function removeTmp(folder: string): void {
  rmSync(tmpOf(folder), { recursive: true, force: true });
}
