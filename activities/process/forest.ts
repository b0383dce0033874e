import { execFile } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { platform } from 'node:os';
import { delimiter, join } from 'node:path';
import { createMarkedForest } from './marks.js';
import { createNamespaces, type NamespaceTools } from './namespaces.js';
import type { Forest } from './tree.js';

const PROBE_MS = 10_000;

/** The strongest way of keeping process trees together that this host allows; tried once, by really doing it. */
export async function createForest(path: string): Promise<{ forest: Forest; kept: 'namespaces' | 'marks' }> {
  for (const tools of namespaceTools(path)) {
    const forest = createNamespaces(tools);
    if (await works(forest)) return { forest, kept: 'namespaces' };
    await forest.endAll();
  }
  return { forest: createMarkedForest({ setpriv: await usableSetpriv(path) }), kept: 'marks' };
}

/** An executable of this name on a search path. */
export function findTool(name: string, path: string): string | null {
  const candidates = path.split(delimiter).filter((folder) => folder !== '');
  for (const folder of candidates) {
    const file = join(folder, name);
    try {
      accessSync(file, constants.X_OK);
      if (statSync(file).isFile()) return file;
    } catch {
      // Not in this folder.
    }
  }
  return null;
}

function namespaceTools(path: string): NamespaceTools[] {
  if (platform() !== 'linux') return [];
  const [setpriv, unshare, nsenter, sh, cat] = ['setpriv', 'unshare', 'nsenter', 'sh', 'cat'].map((name) => findTool(name, path));
  if (!setpriv || !unshare || !nsenter || !sh || !cat) return [];
  const tools = { setpriv, unshare, nsenter, sh };
  const asUser = { ...tools, userNamespace: true };
  // Root in a container may lack the right and still be allowed a user namespace.
  return process.getuid?.() === 0 ? [{ ...tools, userNamespace: false }, asUser] : [asUser];
}

/** One that knows the parent-death signal; small systems have a setpriv that does not. */
async function usableSetpriv(path: string): Promise<string | null> {
  const setpriv = findTool('setpriv', path);
  return setpriv !== null && (await exits83(setpriv, ['--pdeathsig', 'KILL', '--', '/bin/sh', '-c', 'exit 83'])) ? setpriv : null;
}

function exits83(program: string, args: string[]): Promise<boolean> {
  return new Promise((resolve) => {
    execFile(program, args, { timeout: PROBE_MS }, (error) => resolve(error !== null && error.code === 83));
  });
}

/** Runs a program that ends with a status which nothing else gives, and gives its tree back for the first check. */
async function works(forest: Forest): Promise<boolean> {
  try {
    const tree = await forest.take('probe', 'look');
    const [program = '', ...args] = tree.enter(['/bin/sh', '-c', 'exit 83']);
    const answered = await exits83(program, args);
    await forest.giveBack(tree);
    return answered;
  } catch {
    return false;
  }
}
