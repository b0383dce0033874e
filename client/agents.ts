import { resolve } from 'node:path';
import { type Config, defaultConfig, KNOWN_AGENTS, parseConfig } from '../documents/config.js';
import type { AgentKind } from '../documents/config-schema.js';
import { didYouMean } from '../documents/nearest.js';
import type { PlanDocument } from '../documents/plan.js';
import { errorAt, hasErrors, type Problem, warningAt } from '../documents/problem.js';
import { isExecutableFile, onPath } from '../worker/on-path.js';
import { CONFIG_FILE } from './plan-folder.js';

/** Who would carry out the tasks of a plan. */
export interface Agents {
  config: Config;
  /** For tasks that name nobody; null: there is nobody. */
  performer: string | null;
  problems: Problem[];
}

/** Performers that are no agent. */
const OWN = ['inline', 'human'];
const NAME_CHARS_MAX = 60;

/**
 * donewhen.yaml, or without agents there the one known agent that is installed (docs/interface.md §8). The worker decides the
 * same again when the run is loaded; here it is said before anything is started. `recorded` tasks need nobody any more.
 */
export function agentsFor(
  plan: PlanDocument,
  text: string | null,
  around: { file: string; env: NodeJS.ProcessEnv; recorded: string[] },
): Agents {
  const { config, problems } = text === null ? { config: defaultConfig(), problems: [] } : parseConfig(text, { file: CONFIG_FILE });
  // What a broken configuration means for the tasks cannot be known.
  if (config === null || hasErrors(problems)) return { config: config ?? defaultConfig(), performer: null, problems };
  const named = Object.keys(config.agents);
  const installed = named.length > 0 ? [] : Object.keys(KNOWN_AGENTS).filter((name) => onPath(around.env, name) !== null);
  const performer = config.roles.performer ?? (installed.length === 1 ? (installed[0] ?? null) : null);
  const open = plan.tasks.filter((task) => !around.recorded.includes(task.id));
  const known = [...named, ...(installed.length === 1 ? installed : []), ...OWN];
  const unknown = open.flatMap(({ id, performer: name, lines }) => {
    if (name === undefined || known.includes(name)) return [];
    const words = `${id} is for ${name.slice(0, NAME_CHARS_MAX)}, and no agent has that name${didYouMean(name, known)}; known are ${known.join(', ')}`;
    return [errorAt({ file: around.file, line: lines.performer }, words)];
  });
  const task = performer === null ? open.find((one) => one.performer === undefined) : undefined;
  const nobody =
    task === undefined
      ? []
      : [errorAt({ file: around.file, line: task.line }, `${task.id} needs an agent, and ${wayOut(named, installed)}`)];
  return { config, performer, problems: [...problems, ...unknown, ...nobody] };
}

function wayOut(named: string[], installed: string[]): string {
  if (named.length > 0) return `${CONFIG_FILE} has several (${named.join(', ')}): name one under roles.performer`;
  if (installed.length > 0)
    return `several are installed (${installed.join(', ')}): name one under roles.performer in ${CONFIG_FILE}, which \`donewhen init DIR\` writes`;
  return `none is installed (${Object.keys(KNOWN_AGENTS).join(', ')}): install one, or name a command under agents in ${CONFIG_FILE}, which \`donewhen init DIR\` writes`;
}

/** The usual program of each kind that has one. */
const PROGRAMS: Partial<Record<AgentKind, string>> = {
  'claude-code': 'claude',
  codex: 'codex',
  gemini: 'gemini',
  agy: 'agy',
  opencode: 'opencode',
};

/** Agents that somebody will be sent to, and whose program is not here: said before money is spent on the way there. */
export function missingPrograms(config: Config, names: Iterable<string>, here: { workspace: string; env: NodeJS.ProcessEnv }): Problem[] {
  return [...new Set(names)].flatMap((name) => {
    const agent = config.agents[name] ?? KNOWN_AGENTS[name];
    const program = agent === undefined ? undefined : (agent.command?.[0] ?? PROGRAMS[agent.kind]);
    if (program === undefined || isThere(program, here)) return [];
    const where = program.includes('/') ? 'not there, or may not be run' : 'not on PATH';
    const words = `agent ${name}: its program ${program.slice(0, NAME_CHARS_MAX)} is ${where}: install it, or change the agent in ${CONFIG_FILE}`;
    return [warningAt({ file: CONFIG_FILE, line: 1 }, words)];
  });
}

function isThere(program: string, { workspace, env }: { workspace: string; env: NodeJS.ProcessEnv }): boolean {
  return program.includes('/') ? isExecutableFile(resolve(workspace, program)) : onPath(env, program) !== null;
}
