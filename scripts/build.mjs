#!/usr/bin/env node
// Builds dist/: the compiled modules, the files that they read beside them, and the bundle of the workflows.
// Each step is left out when nothing that it reads has changed, so that `npm ci`, `npm test` and `npm run demo` pay for it once.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, extname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { withLock } from './lock.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const require = createRequire(import.meta.url);
const dist = join(root, 'dist');
const stampFile = join(dist, '.built.json');
const bundleFile = join(dist, 'workflow-bundle.js');
const commandFile = join(dist, 'client', 'main.js');

/** The folders that are compiled; tsconfig.build.json names the same ones. */
const SOURCE_FOLDERS = ['core', 'documents', 'workflows', 'activities', 'worker', 'client'];
/** What else decides the outcome of compiling. */
const SETTINGS = ['package-lock.json', 'tsconfig.json', 'tsconfig.build.json', 'scripts/build.mjs'];
const COMPILE_MS_MAX = 300_000;
const LOCK_WAIT_MS_MAX = 600_000;
const EXECUTABLE = 0o755;

/** Every file below a folder, sorted, so that equal trees give equal hashes. */
function filesBelow(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

function hashOf(files) {
  const hash = createHash('sha256');
  for (const file of files)
    hash
      .update(`${relative(root, file)}\0`)
      .update(readFileSync(file))
      .update('\0');
  return hash.digest('hex');
}

/** What the last build was made from; nothing when there was none, or when its output is gone. */
function readStamp() {
  if (!existsSync(stampFile)) return {};
  try {
    return JSON.parse(readFileSync(stampFile, 'utf8'));
  } catch {
    return {};
  }
}

function writeStamp(stamp) {
  writeFileSync(`${stampFile}.${process.pid}`, JSON.stringify(stamp));
  renameSync(`${stampFile}.${process.pid}`, stampFile);
}

function compilerPath() {
  try {
    return join(dirname(require.resolve('typescript/package.json')), 'bin', 'tsc');
  } catch {
    return null;
  }
}

/** Compiles; true when there was no error. What could be compiled stands in dist/ even when there was one. */
function compile() {
  const compiler = compilerPath();
  if (compiler === null) throw new Error('the TypeScript compiler is not installed: run `npm ci` without --omit=dev');
  const ended = spawnSync(process.execPath, [compiler, '-p', 'tsconfig.build.json'], {
    cwd: root,
    stdio: 'inherit',
    timeout: COMPILE_MS_MAX,
  });
  return ended.status === 0;
}

/** Copies what is no TypeScript (scripts, schemas) to where the compiled modules look for it. */
function copyAssets(sources) {
  for (const file of sources.filter((source) => extname(source) !== '.ts')) {
    const target = join(dist, relative(root, file));
    mkdirSync(dirname(target), { recursive: true });
    copyFileSync(file, target);
    if (extname(file) === '.sh') chmodSync(target, EXECUTABLE);
  }
}

/** Removes what was compiled from a source that is gone: it would still be importable, and be published. */
function removeOrphans(sources) {
  const expected = new Set(sources.map((source) => relative(root, source)));
  for (const folder of SOURCE_FOLDERS) {
    for (const file of filesBelow(join(dist, folder))) {
      const path = relative(dist, file);
      const source = path.replace(/(\.d\.ts|\.js)$/, '.ts');
      if (!expected.has(path) && !expected.has(source)) rmSync(file);
    }
  }
}

/** Names every module from the project's root, so that equal sources give equal bytes wherever the checkout stands. */
function withPlainPaths(config) {
  return { ...config, context: root, output: { ...config.output, devtoolModuleFilenameTemplate: '[resource-path]' } };
}

/** The bundle with its source map cut to what a stack trace needs: no source texts, no path of the machine that built it. */
function withPlainMap(code) {
  const mark = 'base64,';
  const start = code.indexOf(mark, code.lastIndexOf('//# sourceMappingURL=data:')) + mark.length;
  const map = JSON.parse(Buffer.from(code.slice(start), 'base64').toString('utf8'));
  const plain = {
    ...map,
    file: 'workflow-bundle.js',
    sources: map.sources.map((path) => path.replaceAll(root, '.')),
    sourcesContent: undefined,
  };
  return code.slice(0, start) + Buffer.from(JSON.stringify(plain)).toString('base64');
}

/** Bundles the compiled workflows for the sandbox, written whole, so that no worker ever reads half a bundle. */
async function bundle(workflowsPath) {
  const { bundleWorkflowCode, DefaultLogger } = await import('@temporalio/worker');
  const { code } = await bundleWorkflowCode({ workflowsPath, logger: new DefaultLogger('WARN'), webpackConfigHook: withPlainPaths });
  writeFileSync(`${bundleFile}.${process.pid}`, withPlainMap(code));
  renameSync(`${bundleFile}.${process.pid}`, bundleFile);
}

async function bundleWhenChanged(stamp) {
  const workflowsPath = join(dist, 'workflows', 'index.js');
  const compiled = ['core', 'workflows'].flatMap((folder) => filesBelow(join(dist, folder))).filter((file) => extname(file) === '.js');
  const bundled = hashOf([join(root, 'package-lock.json'), ...compiled]);
  if (stamp.bundled === bundled && existsSync(bundleFile)) return bundled;
  await bundle(workflowsPath);
  return bundled;
}

async function build() {
  const sources = SOURCE_FOLDERS.flatMap((folder) => filesBelow(join(root, folder)));
  const compiled = hashOf([...SETTINGS.map((file) => join(root, file)).filter((file) => existsSync(file)), ...sources]);
  const stamp = readStamp();
  if (stamp.compiled === compiled && existsSync(commandFile) && existsSync(bundleFile)) return true;
  mkdirSync(dist, { recursive: true });
  rmSync(stampFile, { force: true });
  const sound = compile();
  copyAssets(sources);
  removeOrphans(sources);
  if (existsSync(commandFile)) chmodSync(commandFile, EXECUTABLE);
  const bundled = await bundleWhenChanged(stamp);
  // An unsound build leaves no stamp for its compiling: the next one must say the errors again.
  writeStamp(sound ? { compiled, bundled } : { bundled });
  return sound;
}

try {
  const lock = join(root, 'node_modules', '.donewhen-build.lock');
  const sound = await withLock({ path: lock, waitMsMax: LOCK_WAIT_MS_MAX }, build);
  if (!sound) console.error('build: failed, see the errors above');
  process.exitCode = sound ? 0 : 1;
} catch (error) {
  console.error(`build: ${error instanceof Error ? error.message : error}`);
  process.exitCode = 1;
}
