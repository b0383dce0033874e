import { createHash } from 'node:crypto';
import { lstat } from 'node:fs/promises';
import { basename, dirname, join, normalize } from 'node:path';
import { readRegular, textIn } from '../files/regular.js';
import { pathsIn } from '../load/shell-words.js';
import { isInside } from '../load/workspace.js';
import { checkOf } from './look.js';

/** By their paths from the workspace, a hash of what decides in each; `absent` where there is none. */
export type Recipes = Record<string, string>;

const MANIFEST = 'package.json';
const MAKEFILES = ['GNUmakefile', 'makefile', 'Makefile'];
const JUSTFILES = ['justfile', 'Justfile', '.justfile'];
/** Of several the program reads one: a new one takes the place of what was there. */
const ONE_OF: readonly (readonly string[])[] = [MAKEFILES, JUSTFILES];
/** Programs whose commands are written in a file that no command names. */
const READ_BY: Readonly<Record<string, readonly string[]>> = {
  npm: [MANIFEST, '.npmrc'],
  pnpm: [MANIFEST, '.npmrc'],
  yarn: [MANIFEST, '.yarnrc', '.yarnrc.yml'],
  bun: [MANIFEST, 'bunfig.toml'],
  make: MAKEFILES,
  gmake: MAKEFILES,
  just: JUSTFILES,
};
/** Settings of which only these lines decide what runs; the others may hold tokens, and are kept nowhere (R16). */
const SETTINGS: Readonly<Record<string, RegExp>> = {
  '.npmrc': /^\s*(?:script-shell|ignore-scripts|shell-emulator|node-options|if-present|prefix)\s*=/,
  '.yarnrc': /^\s*(?:yarn-path|script-shell)\b/,
  '.yarnrc.yml': /^\s*yarnPath\s*:/,
  'bunfig.toml': /^\s*(?:preload|shell)\s*=/,
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
  const lines = SETTINGS[basename(path)];
  if (lines !== undefined) return linesOf(text ?? '', (line) => lines.test(line));
  return text === null || basename(path) !== MANIFEST ? text : scriptsIn(text);
}

function linesOf(text: string, isWanted: (line: string) => boolean): string {
  return text.split(/\r?\n/).filter(isWanted).join('\n');
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

/** A recipe that somebody changed. */
export interface ChangedRecipe {
  path: string;
  /** What it was. null: nothing that decides was there. */
  print: string | null;
  /** What was read in its stead is there no less. */
  overrules: boolean;
}

export function changedRecipes(before: Recipes, workspace: string): ChangedRecipe[] {
  const found: ChangedRecipe[] = [];
  for (const [path, print] of Object.entries(before)) {
    if (printOf(decidingText(join(workspace, path))) === print) continue;
    found.push({ path, print: print === ABSENT ? null : print, overrules: print === ABSENT && hadAnother(path, before) });
  }
  return found;
}

function hadAnother(path: string, before: Recipes): boolean {
  const names = ONE_OF.find((group) => group.includes(basename(path))) ?? [];
  return names.some((name) => (before[join(dirname(path), name)] ?? ABSENT) !== ABSENT);
}

/** In words, for a person. */
export function recipeDeviation({ path }: ChangedRecipe): string {
  const what = basename(path) === MANIFEST ? `the scripts of ${path}` : basename(path) in SETTINGS ? `settings in ${path}` : path;
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
  const now = () => textIn(join(workspace, path));
  if (basename(path) === MANIFEST) return earlierManifest(before, now());
  const lines = SETTINGS[basename(path)];
  if (lines !== undefined) return `${linesOf(now(), (line) => !lines.test(line))}\n${before}\n`;
  const asked: string[] = [];
  for (const word of wordsIn(line)) {
    const isFolder = (await lstat(join(workspace, word)).catch(() => null))?.isDirectory() === true;
    if (READ_BY[basename(word)] === undefined && !isFolder) asked.push(basename(word));
  }
  return asked.length > 0 && !asked.some((name) => isTarget(name, before)) ? null : before;
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
