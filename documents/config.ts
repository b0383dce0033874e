import type { Limits, Policy } from '../core/values.js';
import { type AgentKind, type ConfigInput, ConfigSchema, knownKeysAt } from './config-schema.js';
import { didYouMean } from './nearest.js';
import { errorAt, hasErrors, orderedProblems, type Problem, warningAt } from './problem.js';
import { type Given, nameOf, schemaProblems } from './schema-problems.js';
import { readYaml } from './yaml-document.js';

export interface Agent {
  kind: AgentKind;
  /** For `command` and `acp`, what is started; for the others, in place of their usual program. */
  command?: string[];
  model?: string;
  permissions?: 'read' | 'edit' | 'full';
  network?: boolean;
  /** null: it may be silent as long as it likes. Absent: as its kind has it. */
  idleMinutes?: number | null;
}

/** A donewhen.yaml with every default filled in (docs/interface.md §8). Plain JSON. */
export interface Config {
  agents: Record<string, Agent>;
  /** null: nobody fills the role. */
  roles: Record<Role, string | null>;
  limits: Limits;
  workspace: { isolation: 'in-place' | 'worktree' };
  people: { onBlocked: 'report' | 'wait' };
  gate: { askPlanner: Policy['askPlanner']; finalSweep: 'on' | 'off' };
  notify: { command: string[] | null; webhook: string | null };
  environment: { pass: string[]; secrets: string[] };
}

export const ROLES = ['performer', 'planner', 'verifier', 'reviewer'] as const;
export type Role = (typeof ROLES)[number];

export interface ParsedConfig {
  config: Config | null;
  problems: Problem[];
}

/** A configuration is a page; a larger text is something else. */
const CONFIG_BYTES_MAX = 32 * 1024;
const ALIASES_MAX = 50;
/** Names of performers that are no agent. */
const RESERVED = ['human', 'inline'];

/** A role may name one of these without an entry under `agents`. */
export const KNOWN_AGENTS: Readonly<Record<string, Agent>> = {
  claude: { kind: 'claude-code' },
  codex: { kind: 'codex' },
  gemini: { kind: 'gemini' },
  agy: { kind: 'agy' },
  opencode: { kind: 'opencode' },
};

/** The text of a donewhen.yaml. */
export function parseConfig(text: string, { file }: { file: string }): ParsedConfig {
  const document = readYaml(text, { file, bytesMax: CONFIG_BYTES_MAX, aliasesMax: ALIASES_MAX, name: 'configuration' });
  if (document.is === 'refused') return { config: null, problems: [document.problem] };
  return configFrom(givenOf({ file, value: document.value ?? {}, lineOf: document.lineOf }));
}

/** A configuration that is a value already, as a start input carries it. */
export function parseConfigValue(value: unknown, { file }: { file: string }): ParsedConfig {
  return configFrom(givenOf({ file, value, lineOf: () => 1 }));
}

export function defaultConfig(): Config {
  return filled(ConfigSchema.parse({}));
}

export function policyOf(config: Config): Policy {
  return {
    planner: config.roles.planner !== null,
    onBlocked: config.people.onBlocked,
    askPlanner: config.gate.askPlanner,
    finalSweep: config.gate.finalSweep === 'on',
  };
}

function givenOf(given: Pick<Given, 'file' | 'value' | 'lineOf'>): Given {
  return { ...given, knownKeysAt, nameOf };
}

function configFrom(given: Given): ParsedConfig {
  const parsed = ConfigSchema.safeParse(given.value);
  if (!parsed.success) return { config: null, problems: orderedProblems(schemaProblems(parsed.error.issues, given)) };
  const config = filled(parsed.data);
  const problems = [...reservedNames(config, given), ...emptyRoles(config, given), ...notYet(config, given)];
  return { config: hasErrors(problems) ? null : config, problems: orderedProblems(problems) };
}

function filled(input: ConfigInput): Config {
  const agents: Record<string, Agent> = {};
  for (const [name, agent] of Object.entries(input.agents))
    agents[name] = { ...agent, kind: agent.kind === 'claude' ? 'claude-code' : agent.kind };
  for (const role of ROLES) {
    const name = input.roles[role];
    const known =
      typeof name === 'string' && !Object.hasOwn(agents, name) && Object.hasOwn(KNOWN_AGENTS, name) ? KNOWN_AGENTS[name] : undefined;
    if (typeof name === 'string' && known !== undefined) agents[name] = { ...known };
  }
  const names = Object.keys(agents);
  const [only] = names;
  const performer = input.roles.performer ?? (names.length === 1 && only !== undefined ? only : null);
  const { planner = null, verifier = null, reviewer = null } = input.roles;
  return { ...input, agents, roles: { performer, planner, verifier, reviewer } };
}

/** What is understood and has no effect in this version: silence would promise it. */
function notYet(config: Config, { file, lineOf }: Given): Problem[] {
  if (config.workspace.isolation === 'in-place') return [];
  const words = `${nameOf(['workspace', 'isolation'])} is worktree, which this version does not have: attempts work in the workspace itself`;
  return [warningAt({ file, line: lineOf(['workspace', 'isolation']) }, words)];
}

function reservedNames(config: Config, { file, lineOf }: Given): Problem[] {
  return Object.keys(config.agents)
    .filter((name) => RESERVED.includes(name))
    .map((name) =>
      errorAt(
        { file, line: lineOf(['agents', name]) },
        `${nameOf(['agents', name])} has a name that Performer: ${name} uses already; give the agent another`,
      ),
    );
}

function emptyRoles(config: Config, { file, lineOf }: Given): Problem[] {
  const names = Object.keys(config.agents);
  return ROLES.flatMap((role) => {
    const name = config.roles[role];
    if (name === null || Object.hasOwn(config.agents, name)) return [];
    const hint =
      didYouMean(name, [...names, ...Object.keys(KNOWN_AGENTS)]) ||
      (names.length === 0 ? '; name an agent under agents' : `; agents: ${names.join(', ')}`);
    return [
      errorAt(
        { file, line: lineOf(['roles', role]) },
        `${nameOf(['roles', role])} names ${name.slice(0, 60)}, which agents does not have${hint}`,
      ),
    ];
  });
}
