import { SEARCH_ATTRIBUTES } from '../workflows/names.js';
import { sleep } from './files.js';
import { answers, LOOPBACK } from './ports.js';
import { lastLine, runProgram } from './run-program.js';
import { type ServerOptions, serverEnvironment } from './server-process.js';

const READY_TIMEOUT_MS = 30_000;
const TRY_EVERY_MS = 20;
const ANSWER_TIMEOUT_MS = 1_000;
const CLI_TIMEOUT_MS = 10_000;
/** Closed runs vanish after a day by default. */
const RETENTION = '30d';

type Environment = Record<string, string | undefined>;

/**
 * Waits until the server serves, and makes its namespace ours: how long closed runs are kept, and the search attributes,
 * which the start options set only on a new database. null when all is well, else why not.
 * `isOver` ends the wait early when the server has died.
 */
export async function setUpServer(server: ServerOptions, env: Environment, isOver: () => boolean): Promise<string | null> {
  const until = Date.now() + READY_TIMEOUT_MS;
  while (!(await answers(LOOPBACK, server.port, ANSWER_TIMEOUT_MS))) {
    if (isOver()) return 'the server ended before it served';
    if (Date.now() > until) return `the server does not serve after ${READY_TIMEOUT_MS / 1000} s`;
    await sleep(TRY_EVERY_MS);
  }
  const [retention, attributes] = await Promise.all([
    untilItWorks(server, env, ['operator', 'namespace', 'update', '--namespace', 'default', '--retention', RETENTION], until, isOver),
    untilItWorks(server, env, ['operator', 'search-attribute', 'list', '--namespace', 'default', '--output', 'json'], until, isOver),
  ]);
  if (retention.is === 'problem') return retention.why;
  if (attributes.is === 'problem') return attributes.why;
  return await completeAttributes(server, env, attributes.output);
}

type Told = { is: 'output'; output: string } | { is: 'problem'; why: string };

async function untilItWorks(server: ServerOptions, env: Environment, args: string[], until: number, isOver: () => boolean): Promise<Told> {
  for (;;) {
    const told = await temporal(server, env, args);
    if (told.is === 'output' || isOver() || Date.now() > until) return told;
    await sleep(TRY_EVERY_MS);
  }
}

async function temporal(server: ServerOptions, env: Environment, args: string[]): Promise<Told> {
  const end = await runProgram(server.executable, [...args, '--address', `${LOOPBACK}:${server.port}`], {
    env: serverEnvironment(server.home, env),
    timeoutMs: CLI_TIMEOUT_MS,
  });
  if (end.code === 0) return { is: 'output', output: end.stdout };
  return { is: 'problem', why: `temporal ${args.slice(0, 3).join(' ')}: ${end.problem ?? lastLine(end.output)}` };
}

async function completeAttributes(server: ServerOptions, env: Environment, listed: string): Promise<string | null> {
  const { missing, wrong } = compareAttributes(listed);
  if (wrong.length > 0) return `search attributes of another type: ${wrong.join(', ')}`;
  if (missing.length === 0) return null;
  for (const { name, kind } of missing) {
    const told = await temporal(server, env, [
      'operator',
      'search-attribute',
      'create',
      '--namespace',
      'default',
      '--name',
      name,
      '--type',
      kind,
    ]);
    if (told.is === 'problem') return told.why;
  }
  return null;
}

type Attribute = (typeof SEARCH_ATTRIBUTES)[number];

/** Which of our search attributes a listing by the CLI lacks, and which it has with another type. */
export function compareAttributes(listed: string): { missing: Attribute[]; wrong: string[] } {
  const custom = customAttributes(listed);
  const missing = SEARCH_ATTRIBUTES.filter(({ name }) => custom[name] === undefined);
  const wrong = SEARCH_ATTRIBUTES.filter(({ name, kind }) => custom[name] !== undefined && custom[name] !== wireType(kind)).map(
    ({ name, kind }) => `${name} is ${String(custom[name])}, not ${kind}`,
  );
  return { missing, wrong };
}

function wireType(kind: Attribute['kind']): string {
  return `INDEXED_VALUE_TYPE_${kind.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '_').toUpperCase()}`;
}

function customAttributes(listed: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(listed);
    const custom = typeof value === 'object' && value !== null && 'customAttributes' in value ? value.customAttributes : null;
    return typeof custom === 'object' && custom !== null ? { ...custom } : {};
  } catch {
    return {};
  }
}
