#!/usr/bin/env node
// Installs the coding agents that test/agents drives, at the versions of scripts/agents.json, each into a folder of its own in
// the user's cache (DONEWHEN_AGENTS names another place). What is there already is left alone.
//   node scripts/agents.mjs [claude codex …]
import { execFile } from 'node:child_process';
import { accessSync, constants, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Several hundred megabytes an agent. */
const INSTALL_MS_MAX = 900_000;
const VERSION_MS_MAX = 60_000;
const SAID_BYTES_MAX = 16 * 1024 * 1024;

export const AGENTS = JSON.parse(readFileSync(new URL('agents.json', import.meta.url), 'utf8'));

export function cacheFolder() {
  return process.env.DONEWHEN_AGENTS || join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'donewhen', 'agents');
}

function folderOf(name) {
  return join(cacheFolder(), `${name}-${AGENTS[name].version}`);
}

/** The folder with the program of this agent, for PATH; null: it is not installed. */
export function programsOf(name) {
  const folder = join(folderOf(name), 'node_modules', '.bin');
  try {
    accessSync(join(folder, name), constants.X_OK);
    return folder;
  } catch {
    return null;
  }
}

/** Into a draft first, and moved into place whole, so that an interrupted installation is none. */
async function install(name) {
  const { package: from, version } = AGENTS[name];
  mkdirSync(cacheFolder(), { recursive: true });
  const draft = mkdtempSync(join(cacheFolder(), '.installing-'));
  try {
    const options = ['--prefix', draft, '--no-audit', '--no-fund', '--loglevel=error', '--no-save'];
    await run('npm', ['install', ...options, `${from}@${version}`], { timeout: INSTALL_MS_MAX, maxBuffer: SAID_BYTES_MAX });
    // A package whose install script was not allowed to run leaves a stub.
    await run(join(draft, 'node_modules', '.bin', name), ['--version'], { timeout: VERSION_MS_MAX });
    rmSync(folderOf(name), { recursive: true, force: true });
    renameSync(draft, folderOf(name));
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

async function installAll(names) {
  let missing = 0;
  for (const name of names) {
    const { package: from, version } = AGENTS[name];
    try {
      if (programsOf(name) === null) await install(name);
      console.log(`${name}: ${from} ${version} in ${folderOf(name)}`);
    } catch (error) {
      missing += 1;
      console.error(`${name}: ${from} ${version} could not be installed: ${lastLine(error)}`);
    }
  }
  return missing;
}

function lastLine(error) {
  const text = String(error.stderr || error.message || error).trim();
  return text.slice(text.lastIndexOf('\n') + 1);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const names = process.argv.slice(2);
  const unknown = names.filter((name) => !Object.hasOwn(AGENTS, name));
  if (unknown.length > 0) {
    console.error(`agents: ${unknown.join(', ')} is not known; known are ${Object.keys(AGENTS).join(', ')}`);
    process.exitCode = 2;
  } else {
    process.exitCode = (await installAll(names.length > 0 ? names : Object.keys(AGENTS))) === 0 ? 0 : 1;
  }
}
