import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { basename, join, normalize } from 'node:path';
import { wordsOf } from '../load/pins.js';
import { isInside } from '../load/workspace.js';
import { checkOf } from './look.js';

/** By their paths from the workspace, a hash of what decides in each; `absent` where there is none. */
export type Recipes = Record<string, string>;

const MANIFEST = 'package.json';
/** Programs whose commands are written in a file that no command names. */
const READ_BY: Readonly<Record<string, readonly string[]>> = {
  npm: [MANIFEST],
  pnpm: [MANIFEST],
  yarn: [MANIFEST],
  bun: [MANIFEST],
  make: ['GNUmakefile', 'makefile', 'Makefile'],
  gmake: ['GNUmakefile', 'makefile', 'Makefile'],
  just: ['justfile', 'Justfile', '.justfile'],
};

/** What the `run:` checks of a task go through. It is not pinned, for work often changes such files: it is told. */
export async function recipesOf(checks: readonly string[], workspace: string): Promise<Recipes> {
  const paths = new Set(checks.flatMap((check) => pathsIn(check, workspace)));
  const prints = await Promise.all([...paths].map(async (path) => [path, await printOf(join(workspace, path))] as const));
  return Object.fromEntries(prints);
}

function pathsIn(line: string, workspace: string): string[] {
  const check = checkOf(line);
  if (check?.kind !== 'run') return [];
  const words = wordsOf(check.command);
  const files = words.flatMap((word) => READ_BY[basename(word)] ?? []);
  // `cd web && npm test`, `make -C web`: any word may name the folder.
  const folders = ['.', ...words].filter((word) => !word.startsWith('-') && isInside(workspace, join(workspace, word)));
  return folders.flatMap((folder) => files.map((file) => normalize(join(folder, file))));
}

/** Of a manifest only its scripts decide: its dependencies change with the work. */
async function printOf(path: string): Promise<string> {
  const text = await readFile(path, 'utf8').catch(() => null);
  if (text === null) return 'absent';
  const decides = basename(path) === MANIFEST ? scriptsIn(text) : text;
  return createHash('sha256').update(decides).digest('hex');
}

function scriptsIn(text: string): string {
  try {
    const manifest: unknown = JSON.parse(text);
    const isObject = typeof manifest === 'object' && manifest !== null;
    return JSON.stringify(isObject && 'scripts' in manifest ? manifest.scripts : null);
  } catch {
    return text;
  }
}

/** In words, a deviation each. */
export async function changedRecipes(before: Recipes, isOwn: (path: string) => boolean, workspace: string): Promise<string[]> {
  const found: string[] = [];
  for (const [path, print] of Object.entries(before)) {
    if (isOwn(path) || (await printOf(join(workspace, path))) === print) continue;
    const what = basename(path) === MANIFEST ? `the scripts of ${path}` : path;
    found.push(`changed while it worked: ${what}, which decides what a check of this task runs`);
  }
  return found;
}
