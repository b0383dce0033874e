import { join } from 'node:path';
import { type Config, defaultConfig, KNOWN_AGENTS, parseConfig, parseConfigValue, ROLES } from '../../documents/config.js';
import { didYouMean } from '../../documents/nearest.js';
import type { PlanDocument } from '../../documents/plan.js';
import { errorAt, type Problem } from '../../documents/problem.js';
import type { Disk } from '../files/disk.js';
import { someOf } from './words.js';

export const CONFIG_FILE = 'donewhen.yaml';
const CONFIG_BYTES_MAX = 1024 * 1024;
const PERFORMED_WITHOUT_AGENT = ['inline', 'human'];

export interface ConfigPorts {
  disk: Disk;
  installed(name: string): Promise<boolean>;
}

export interface EffectiveConfig {
  /** null: it has errors. */
  config: Config | null;
  problems: Problem[];
  /** Known agents that are installed; only looked at where the configuration names none. */
  installed: string[];
}

/** The configuration of a run: as given, else donewhen.yaml, else the one known agent that is installed (docs/interface.md §8). */
export async function effectiveConfig(ports: ConfigPorts, given: unknown, workspace: string | null): Promise<EffectiveConfig> {
  const { config, problems } = await written(ports.disk, given, workspace);
  if (config === null || Object.keys(config.agents).length > 0) return { config, problems, installed: [] };
  const installed: string[] = [];
  for (const name of Object.keys(KNOWN_AGENTS)) if (await ports.installed(name)) installed.push(name);
  const [only] = installed;
  const agent = only === undefined || installed.length > 1 ? undefined : KNOWN_AGENTS[only];
  return { config: only === undefined || agent === undefined ? config : filledBy(config, only, agent), problems, installed };
}

async function written(disk: Disk, given: unknown, workspace: string | null): Promise<{ config: Config | null; problems: Problem[] }> {
  if (typeof given === 'string') return parseConfig(given, { file: CONFIG_FILE });
  if (given !== undefined) return parseConfigValue(given, { file: 'config' });
  const path = workspace === null ? null : join(workspace, CONFIG_FILE);
  const standing = path === null ? null : await disk.standing(path);
  if (path === null || standing === null) return { config: defaultConfig(), problems: [] };
  if (standing.bytes > CONFIG_BYTES_MAX)
    return { config: null, problems: [errorAt({ file: CONFIG_FILE, line: 1 }, 'the file is no configuration; it is larger than 1 MiB')] };
  const content = standing.kind === 'folder' ? null : await disk.read(path);
  if (content === null) return { config: null, problems: [errorAt({ file: CONFIG_FILE, line: 1 }, 'it is there and cannot be read')] };
  return parseConfig(content.toString('utf8'), { file: CONFIG_FILE });
}

/** One agent fills every role that nobody fills. */
function filledBy(config: Config, name: string, agent: Config['agents'][string]): Config {
  const roles = { ...config.roles };
  for (const role of ROLES) roles[role] ??= name;
  return { ...config, agents: { [name]: { ...agent } }, roles };
}

/** Tasks whose performer nobody is, with the place and the way out. `done`: recorded tasks need nobody any more. */
export function performerProblems(
  plan: PlanDocument,
  effective: EffectiveConfig,
  done: ReadonlySet<string>,
): { plan: Problem[]; input: string[] } {
  const { config, installed } = effective;
  if (config === null) return { plan: [], input: [] };
  const agents = Object.keys(config.agents);
  const known = [...agents, ...PERFORMED_WITHOUT_AGENT];
  const open = plan.tasks.filter((task) => !done.has(task.id));
  const unknown = open.flatMap(({ id, performer, lines }) => {
    if (performer === undefined || known.includes(performer)) return [];
    const words = `${id} is for ${performer.slice(0, 60)}, and no agent has that name${didYouMean(performer, known)}; known are ${known.join(', ')}`;
    return [errorAt({ file: 'PLAN.md', line: lines.performer }, words)];
  });
  const waiting = open.filter((task) => task.performer === undefined).map((task) => task.id);
  if (config.roles.performer !== null || waiting.length === 0) return { plan: unknown, input: [] };
  return {
    plan: unknown,
    input: [`${someOf(waiting)} ${waiting.length === 1 ? 'needs' : 'need'} an agent, and ${wayOut(agents, installed)}`],
  };
}

function wayOut(agents: string[], installed: string[]): string {
  if (agents.length > 0) return `${CONFIG_FILE} has several (${agents.join(', ')}); name one under roles.performer`;
  if (installed.length > 0)
    return `several are installed (${installed.join(', ')}); name one under roles.performer in ${CONFIG_FILE} (donewhen init writes one)`;
  return `none is known: install ${Object.keys(KNOWN_AGENTS).join(', ')}, or name a command under agents in ${CONFIG_FILE} (donewhen init writes one)`;
}
