import * as z from 'zod';

/** Kinds of agents that run as a program of their own; `claude` is another name of claude-code. */
export type AgentKind = 'claude-code' | 'codex' | 'gemini' | 'agy' | 'opencode' | 'acp' | 'command';

const PARALLEL_MAX = 64;
const MINUTES_MAX = 30 * 24 * 60;
const HOURS_MAX = 365 * 24;
const DAYS_MAX = 365;
const DISPATCHES_MAX = 100_000;
const WORD_CHARS_MAX = 4096;

const word = z.string().min(1).max(WORD_CHARS_MAX);
const commandLine = z.array(word).min(1).max(256).describe('the program and its arguments, one item each; no shell reads them');
const permissions = z.enum(['read', 'edit', 'full']).describe('what the agent may do without asking');

const idleMinutes = z.number().positive().max(MINUTES_MAX).nullable().optional().describe('how long it may print nothing; null: any time');

const ownAgent = z.strictObject({ kind: z.literal('command'), command: commandLine, idleMinutes });
const settings = { model: word.optional(), permissions: permissions.optional(), network: z.boolean().optional() };
const acpAgent = z.strictObject({ kind: z.literal('acp'), ...settings, command: commandLine, idleMinutes });
const knownAgent = z.strictObject({
  kind: z.enum(['claude-code', 'claude', 'codex', 'gemini', 'agy', 'opencode']),
  ...settings,
  command: commandLine.optional(),
  idleMinutes,
});

const agentName = z.string().regex(/^[A-Za-z][A-Za-z0-9_.-]{0,63}$/);
const role = agentName.nullable().optional();
const variable = z.string().regex(/^[A-Za-z_][A-Za-z0-9_]{0,255}$/, 'is no name of an environment variable');

const SECTIONS = {
  roles: z.strictObject({ performer: role, planner: role, verifier: role, reviewer: role }),
  limits: z.strictObject({
    parallel: z.int().min(1).max(PARALLEL_MAX).default(1).describe('tasks at a time'),
    taskMinutes: z.number().positive().max(MINUTES_MAX).default(60).describe('of one attempt'),
    runHours: z.number().positive().max(HOURS_MAX).default(24).describe('of work; waits, usage limits and pauses do not count'),
    dispatches: z.int().min(1).max(DISPATCHES_MAX).default(200).describe('attempts of a run'),
    costUsd: z.number().positive().nullable().default(25),
    tokens: z.int().positive().nullable().default(null),
    checkMinutes: z.number().positive().max(MINUTES_MAX).default(10).describe('of one check'),
    waitDays: z.number().positive().max(DAYS_MAX).default(30).describe('of each wait for a person'),
  }),
  workspace: z.strictObject({ isolation: z.enum(['in-place', 'worktree']).default('in-place') }),
  people: z.strictObject({ onBlocked: z.enum(['report', 'wait']).default('report') }),
  gate: z.strictObject({
    askPlanner: z.enum(['mechanical', 'on-news', 'always']).default('on-news'),
    finalSweep: z.enum(['on', 'off']).default('on'),
  }),
  notify: z.strictObject({
    command: commandLine.nullable().default(null).describe('gets the text as its last argument and JSON on its standard input'),
    webhook: z
      .url({ protocol: /^https?$/ })
      .nullable()
      .default(null),
  }),
  environment: z.strictObject({
    pass: z.array(variable).max(256).default(['PATH', 'HOME', 'LANG']).describe('variables that agents and checks get'),
    secrets: z
      .array(variable)
      .max(256)
      .default(['ANTHROPIC_API_KEY', 'OPENAI_API_KEY', 'GEMINI_API_KEY'])
      .describe('variables whose values are masked in every record; it passes none on'),
  }),
};

export const ConfigSchema = z.strictObject({
  agents: z.record(agentName, z.discriminatedUnion('kind', [ownAgent, acpAgent, knownAgent])).default({}),
  roles: SECTIONS.roles.prefault({}),
  limits: SECTIONS.limits.prefault({}),
  workspace: SECTIONS.workspace.prefault({}),
  people: SECTIONS.people.prefault({}),
  gate: SECTIONS.gate.prefault({}),
  notify: SECTIONS.notify.prefault({}),
  environment: SECTIONS.environment.prefault({}),
});
export type ConfigInput = z.infer<typeof ConfigSchema>;

/** The keys that may stand at a path. */
export function knownKeysAt(path: readonly PropertyKey[]): string[] {
  const [first] = path;
  if (first === undefined) return Object.keys(ConfigSchema.shape);
  if (first === 'agents') return Object.keys({ ...ownAgent.shape, ...knownAgent.shape });
  const section = Object.entries(SECTIONS).find(([name]) => name === first)?.[1];
  return section === undefined ? [] : Object.keys(section.shape);
}

/** The JSON Schema of donewhen.yaml, as the package ships it in schemas/donewhen.schema.json. */
export function configJsonSchema(): object {
  const schema = z.toJSONSchema(ConfigSchema, { io: 'input' });
  return { ...schema, title: 'donewhen.yaml', description: 'How donewhen carries out a plan: its agents, their roles, limits and people.' };
}
