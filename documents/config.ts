import { type Document, isMap, isNode, isScalar, LineCounter, parseDocument } from 'yaml';
import type { Limits, Policy } from '../core/values.js';
import { configProblems, type Given, nameOf } from './config-problems.js';
import { type AgentKind, type ConfigInput, ConfigSchema } from './config-schema.js';
import { normalised } from './lines.js';
import { didYouMean } from './nearest.js';
import { bytesOf } from './plain-text.js';
import { errorAt, hasErrors, orderedProblems, type Place, type Problem } from './problem.js';

export interface Agent {
  kind: AgentKind;
  /** For `command` and `acp`, what is started; for the others, in place of their usual program. */
  command?: string[];
  model?: string;
  permissions?: 'read' | 'edit' | 'full';
  network?: boolean;
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
  if (bytesOf(text) > CONFIG_BYTES_MAX)
    return refused({ file, line: 1 }, `is larger than ${CONFIG_BYTES_MAX / 1024} KiB, which no configuration is`);
  const lines = new LineCounter();
  const document = documentOf(normalised(text), lines);
  if (document === null) return refused({ file, line: 1 }, 'is nested too deeply; a configuration has three levels');
  const [broken] = document.errors;
  if (broken !== undefined)
    return refused({ file, line: lines.linePos(broken.pos[0]).line }, `is no YAML: ${broken.message.split('\n')[0]}`);
  const value = plainValue(document);
  if (value.is === 'tooManyAliases')
    return refused({ file, line: 1 }, `uses an alias more than ${ALIASES_MAX} times; write the values out`);
  return configFrom({ file, value: value.value ?? {}, lineOf: (path) => lineAt(document, lines, path) });
}

/** A configuration that is a value already, as a start input carries it. */
export function parseConfigValue(value: unknown, { file }: { file: string }): ParsedConfig {
  return configFrom({ file, value, lineOf: () => 1 });
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

function refused(place: Place, words: string): ParsedConfig {
  return { config: null, problems: [errorAt(place, `the file ${words}`)] };
}

/** null: deeper than the call stack, which only a hostile text is. */
function documentOf(text: string, lines: LineCounter): Document | null {
  try {
    return parseDocument(text, { lineCounter: lines, prettyErrors: false, stringKeys: true, logLevel: 'error' });
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

function plainValue(document: Document): { is: 'value'; value: unknown } | { is: 'tooManyAliases' } {
  try {
    return { is: 'value', value: document.toJS({ maxAliasCount: ALIASES_MAX }) };
  } catch (error) {
    if (error instanceof ReferenceError || error instanceof RangeError) return { is: 'tooManyAliases' };
    throw error;
  }
}

function lineAt(document: Document, lines: LineCounter, path: readonly PropertyKey[]): number {
  const parts = path.map((part) => (typeof part === 'symbol' ? '' : part));
  for (let length = parts.length; length > 0; length--) {
    const parent = length === 1 ? document.contents : document.getIn(parts.slice(0, length - 1), true);
    const key = parts[length - 1];
    const pair = isMap(parent) ? parent.items.find((item) => (isScalar(item.key) ? item.key.value : item.key) === key) : undefined;
    const node = pair === undefined ? document.getIn(parts.slice(0, length), true) : pair.key;
    if (isNode(node) && node.range) return lines.linePos(node.range[0]).line;
  }
  return 1;
}

function configFrom(given: Given): ParsedConfig {
  const parsed = ConfigSchema.safeParse(given.value);
  if (!parsed.success) return { config: null, problems: orderedProblems(configProblems(parsed.error.issues, given)) };
  const config = filled(parsed.data);
  const problems = [...reservedNames(config, given), ...emptyRoles(config, given)];
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
