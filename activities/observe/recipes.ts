import { createHash } from 'node:crypto';
import { lstat } from 'node:fs/promises';
import { basename, join, normalize } from 'node:path';
import { readRegular, textIn } from '../files/regular.js';
import { pathsIn } from '../load/shell-words.js';
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

/**
 * What the `run:` checks of a task go through. It is not pinned, and not put back, for work often changes such files: a
 * change is told, and the check must hold with what stood there before, too. `keep` gets each text that decides.
 */
export async function recipesOf(
  checks: readonly string[],
  workspace: string,
  keep: (text: string) => Promise<string> = async (text) => printOf(text),
): Promise<Recipes> {
  const paths = new Set(checks.flatMap((check) => recipePathsIn(check, workspace)));
  const prints = await Promise.all(
    [...paths].map(async (path) => {
      const text = decidingText(join(workspace, path));
      return [path, text === null ? ABSENT : await keep(text)] as const;
    }),
  );
  return Object.fromEntries(prints);
}

const ABSENT = 'absent';

export function recipePathsIn(line: string, workspace: string): string[] {
  const words = wordsIn(line);
  const files = words.flatMap((word) => READ_BY[basename(word)] ?? []);
  // `cd web && npm test`, `make -C web`: any word may name the folder.
  const folders = ['.', ...words].filter((word) => isInside(workspace, join(workspace, word)));
  return folders.flatMap((folder) => files.map((file) => normalize(join(folder, file))));
}

function wordsIn(line: string): string[] {
  const check = checkOf(line);
  return check?.kind === 'run' ? pathsIn(check.command) : [];
}

/** Of a manifest only its scripts decide: its dependencies change with the work. */
function decidingText(path: string): string | null {
  const text = textAt(path);
  return text === null || basename(path) !== MANIFEST ? text : scriptsIn(text);
}

function textAt(path: string): string | null {
  try {
    return readRegular(path)?.toString('utf8') ?? null;
  } catch {
    return null;
  }
}

function printOf(text: string | null): string {
  return text === null ? ABSENT : createHash('sha256').update(text).digest('hex');
}

function scriptsIn(text: string): string {
  const manifest = objectIn(text);
  return manifest === null ? text : JSON.stringify(manifest.scripts ?? null);
}

/** null: no JSON object. */
function objectIn(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
}

/** A recipe that somebody changed; `print` is what it was. */
export interface ChangedRecipe {
  path: string;
  print: string;
}

export function changedRecipes(before: Recipes, isOwn: (path: string) => boolean, workspace: string): ChangedRecipe[] {
  const found: ChangedRecipe[] = [];
  for (const [path, print] of Object.entries(before)) {
    if (isOwn(path) || printOf(decidingText(join(workspace, path))) === print) continue;
    found.push({ path, print });
  }
  return found;
}

/** In words, for a person. */
export function recipeDeviation({ path }: ChangedRecipe): string {
  const what = basename(path) === MANIFEST ? `the scripts of ${path}` : path;
  return `changed while it worked: ${what}, which decides what a check of this task runs`;
}

/**
 * The file with what stood there before, for this check. null: there was none, or it did not have what the check asks for, so
 * that it was not changed but added.
 */
export async function earlierRecipe(
  line: string,
  { path, before }: { path: string; before: string },
  workspace: string,
): Promise<string | null> {
  if (basename(path) === MANIFEST) return earlierManifest(before, textIn(join(workspace, path)));
  const asked: string[] = [];
  for (const word of wordsIn(line)) {
    const isFolder = (await lstat(join(workspace, word)).catch(() => null))?.isDirectory() === true;
    if (READ_BY[basename(word)] === undefined && !isFolder) asked.push(basename(word));
  }
  return asked.length > 0 && !asked.some((name) => isTarget(name, before)) ? null : before;
}

export function wasThere({ print }: ChangedRecipe): boolean {
  return print !== ABSENT;
}

/** The scripts that were there, as they were; what was added stays. */
function earlierManifest(before: string, now: string): string | null {
  if (before === 'null') return null;
  const scripts = objectIn(before);
  if (scripts === null) return before;
  const manifest = objectIn(now) ?? {};
  const added = typeof manifest.scripts === 'object' && manifest.scripts !== null ? manifest.scripts : {};
  return JSON.stringify({ ...manifest, scripts: { ...added, ...scripts } });
}

function isTarget(name: string, recipe: string): boolean {
  return recipe.split('\n').some((line) => {
    const [, heads] = /^@?([^\s#:][^#:]*?)\s*::?(?!=)/.exec(line) ?? [];
    return heads?.split(/\s+/).includes(name) === true;
  });
}
