import { existsSync, readdirSync } from 'node:fs';
import { platform } from 'node:os';
import { basename, join } from 'node:path';
import { defaultConfig, KNOWN_AGENTS, parseConfig } from '../../documents/config.js';
import { hasErrors, renderProblem } from '../../documents/problem.js';
import { cacheOf, homeOf } from '../../worker/home.js';
import { onPath } from '../../worker/on-path.js';
import { lastLine, runProgram } from '../../worker/run-program.js';
import { databaseOf } from '../../worker/server-process.js';
import { lookForTemporal, type Search } from '../../worker/temporal-executable.js';
import { missingPrograms } from '../agents.js';
import { CONFIG_FILE, gitTop, readConfigOf } from '../plan-folder.js';
import { type Finding, missing, note, ok } from './finding.js';

const NODE_MIN = { major: 20, minor: 19 };
const PROGRAM_TIMEOUT_MS = 10_000;

/** What of this machine runs need: Node, the Temporal CLI, git, what keeps process trees together, and agents as donewhen.yaml here names them. */
export async function lookAtMachine(env: NodeJS.ProcessEnv, cwd: string): Promise<Finding[]> {
  const temporal = await lookForTemporal(env, cacheOf(env));
  return [
    nodeFinding(process.versions.node),
    temporalFinding(temporal),
    ...(await Promise.all([gitFinding(env), treesFinding(env)])),
    ...agentFindings(env, gitTop(cwd) ?? cwd),
    ...databaseFindings(homeOf(env).path, temporal.found?.version ?? null),
  ];
}

export function nodeFinding(version: string): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const isOld = major < NODE_MIN.major || (major === NODE_MIN.major && minor < NODE_MIN.minor);
  return isOld
    ? missing('node', `${version} is too old`, `install Node ${NODE_MIN.major}.${NODE_MIN.minor} or newer`)
    : ok('node', version);
}

function temporalFinding({ found, misses }: Search): Finding {
  if (found !== null) return ok('temporal', `${found.version}, ${found.path} (${found.from})`);
  const where = misses.map(({ where, why }) => `${where}: ${why}`).join('; ');
  return note(
    'temporal',
    `no executable yet (${where})`,
    'it is fetched when the embedded server first starts; DONEWHEN_TEMPORAL_CLI names your own',
  );
}

async function gitFinding(env: NodeJS.ProcessEnv): Promise<Finding> {
  const git = onPath(env, 'git');
  if (git === null) return missing('git', 'not on PATH', 'install git: runs note the commit they began with, and git checks need it');
  const end = await runProgram(git, ['--version'], { env: { PATH: env.PATH }, timeoutMs: PROGRAM_TIMEOUT_MS });
  return end.code === 0
    ? ok('git', lastLine(end.stdout).replace('git version ', ''))
    : missing('git', end.problem ?? lastLine(end.output), 'install git anew');
}

/** On Linux each attempt gets a namespace of its own, so that nothing of it can stay behind. */
async function treesFinding(env: NodeJS.ProcessEnv): Promise<Finding> {
  const what = 'process trees';
  if (platform() !== 'linux')
    return note(what, 'on this system they are ended by process group and parent, which a program can leave on purpose');
  const absent = ['setpriv', 'unshare'].filter((name) => onPath(env, name) === null);
  if (absent.length > 0)
    return note(what, `${absent.join(' and ')} not on PATH: they are ended by their mark in the environment`, 'install util-linux');
  const user = process.getuid?.() === 0 ? [] : ['--user', '--map-current-user'];
  const end = await runProgram('unshare', [...user, '--pid', '--fork', '--mount-proc', 'true'], {
    env: { PATH: env.PATH },
    timeoutMs: PROGRAM_TIMEOUT_MS,
  });
  if (end.code === 0) return ok(what, 'ended whole, in a namespace for each attempt');
  return note(
    what,
    `no namespaces here (${lastLine(end.output)}): they are ended by their mark in the environment`,
    'allow user namespaces, or run in a container that does',
  );
}

/** Those of the donewhen.yaml that a run from here would read, else the known ones that are installed. */
export function agentFindings(env: NodeJS.ProcessEnv, workspace: string): Finding[] {
  const text = readConfigOf(workspace);
  const { config, problems } = text === null ? { config: defaultConfig(), problems: [] } : parseConfig(text, { file: CONFIG_FILE });
  if (config === null || hasErrors(problems)) {
    const fix = 'mend it: `donewhen check` names all that is wrong';
    return [missing(CONFIG_FILE, problems.map(renderProblem)[0] ?? 'cannot be read', fix)];
  }
  const names = Object.keys(config.agents);
  const absent = missingPrograms(config, names, { workspace, env }).map(({ message }) => note('agents', message));
  return [
    ...(names.length === 0 ? [installedFinding(env)] : absent.length > 0 ? absent : [ok('agents', `${names.join(', ')} (${CONFIG_FILE})`)]),
    ...problems.map((problem) => note(CONFIG_FILE, problem.message)),
    ...(config.limits.parallel === 1 ? [] : [note(CONFIG_FILE, sideBySideWords(config.limits.parallel))]),
  ];
}

function sideBySideWords(parallel: number): string {
  return `limits.parallel is ${parallel}: only tasks that say in Writes that they write different files go side by side, in the workspace itself`;
}

function installedFinding(env: NodeJS.ProcessEnv): Finding {
  const known = Object.keys(KNOWN_AGENTS);
  const there = known.filter((name) => onPath(env, name) !== null);
  if (there.length > 0) return ok('agents', there.join(', '));
  return note('agents', `none of ${known.join(', ')} is on PATH`, `install one, or name a command of your own in ${CONFIG_FILE}`);
}

/** A database belongs to one minor version of the CLI: with another one its runs are out of sight, not lost. */
export function databaseFindings(home: string, version: string | null): Finding[] {
  const current = version === null ? null : basename(databaseOf(home, version));
  const others = existsSync(home) ? readdirSync(home).filter((name) => /^temporal-\d+\.\d+\.db$/.test(name) && name !== current) : [];
  return others.map((name) => {
    const minor = name.replace(/^temporal-|\.db$/g, '');
    return note(
      'database',
      `${join(home, name)} holds runs of an embedded server that Temporal CLI ${minor} runs`,
      `to see them, name a CLI ${minor} in DONEWHEN_TEMPORAL_CLI`,
    );
  });
}
