import type { Look } from '../../core/values.js';
import type { Place } from '../interface.js';
import { disproved, unobservable } from './context.js';
import { lookOf } from './look.js';
import { decidingFile } from './pinned.js';
import { type ChangedRecipe, earlierRecipe, recipePathsIn } from './recipes.js';
import { type CopyScene, lookInCopy, type Original } from './scratch.js';

/** What decides checks and was changed by somebody whose it is not. */
export interface Suspects {
  /** Paths of pinned files. */
  pins: readonly string[];
  recipes: readonly ChangedRecipe[];
}

export const NO_SUSPECTS: Suspects = { pins: [], recipes: [] };

export interface Scene extends CopyScene {
  /** The content that was kept under this hash; null: it is not kept. */
  pinnedContent(place: Place, sha256: string): Promise<Uint8Array | null>;
}

interface Earlier {
  path: string;
  /** `lost`: it is no longer kept. */
  content: Uint8Array | 'absent' | 'lost';
}

/**
 * A check that holds, but rests on a file which somebody changed, must hold with the file as it was, too (R17): who may
 * weaken the test has not done the task.
 */
export async function withOriginals(look: Look, suspects: Suspects, scene: Scene): Promise<Look> {
  if (look.is !== 'holds') return look;
  const pin = await decidingFile(look.check, suspects.pins, scene.context.workspace);
  const recipes = await earlierRecipes(look.check, suspects, scene);
  const file = pin ?? recipes[0]?.path ?? null;
  if (file === null) return look;
  const originals = [...recipes, ...(await originalPins(suspects, scene))];
  const second = await lookWith(look.check, originals, scene);
  if (second.is === 'holds') return look;
  const more = { output: second.excerpt, excerpt: second.excerpt };
  const sight =
    second.is === 'disproved'
      ? disproved(`only with the changed ${file}`, more)
      : unobservable(`with ${file} as it was: ${second.saw}`, more);
  return lookOf(look.check, sight, scene.context.secrets);
}

async function earlierRecipes(line: string, { recipes }: Suspects, { place, pinnedContent, context }: Scene): Promise<Earlier[]> {
  const through = recipes.length === 0 ? [] : recipePathsIn(line, context.workspace);
  const originals: Earlier[] = [];
  for (const { path, print, overrules } of recipes.filter((one) => through.includes(one.path))) {
    if (overrules) originals.push({ path, content: 'absent' });
    if (print === null) continue;
    const kept = await pinnedContent(place, print);
    const before = kept === null ? null : Buffer.from(kept).toString('utf8');
    const text = before === null ? null : await earlierRecipe(line, { path, before }, context.workspace);
    if (before === null) originals.push({ path, content: 'lost' });
    else if (text !== null) originals.push({ path, content: Buffer.from(text) });
  }
  return originals;
}

async function originalPins({ pins }: Suspects, { place, pinnedContent }: Scene): Promise<Earlier[]> {
  const changed = place.pinned.filter((pin) => pins.includes(pin.path));
  return Promise.all(
    changed.map(async ({ path, sha256 }) => ({ path, content: (await pinnedContent(place, sha256)) ?? ('lost' as const) })),
  );
}

async function lookWith(line: string, earlier: readonly Earlier[], scene: Scene): Promise<Look> {
  const files: Original[] = [];
  for (const { path, content } of earlier) {
    if (content === 'lost') return lookOf(line, unobservable(`what ${path} was is no longer kept`), scene.context.secrets);
    files.push({ path, content: content === 'absent' ? null : content });
  }
  return lookInCopy(line, files, scene);
}
