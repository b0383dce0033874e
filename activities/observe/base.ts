import type { CheckInput } from '../interface.js';
import type { LookContext } from './context.js';
import { checkOf } from './look.js';
import type { Changed } from './pinned.js';
import { type Recipes, recipesOf } from './recipes.js';
import { type TreeState, topOf, treeState, type Unknown } from './tree-state.js';

/** The workspace before the work, as far as it is compared with what it is after it. */
export interface Base {
  /** null: nothing of git is compared. */
  tree: TreeState | Unknown | null;
  recipes: Recipes;
  /** Pinned files that were changed already: by somebody else. Absent: not looked at. */
  pins?: Changed;
  /** The top of the repository; null: there is none. Absent: not looked at. */
  repository?: string | null;
}

interface Before {
  pins: Changed;
  keep(text: string): Promise<string>;
}

/** null: there is nothing to compare. */
export async function baseOf(
  { checks, writes }: Pick<CheckInput, 'checks' | 'writes'>,
  { pins, keep }: Before,
  context: LookContext,
): Promise<Base | null> {
  // Of who does not say what it writes only the history of git is compared, where a check asks git.
  const isAsked = writes !== null || checks.some((check) => checkOf(check)?.kind === 'git');
  const repository = topOf(context.workspace);
  const top = isAsked ? repository : null;
  const recipes = await recipesOf(checks, context.workspace, keep);
  if (repository === null && Object.keys({ ...recipes, ...pins }).length === 0) return null;
  return { tree: top === null ? null : await treeState(top, context), recipes, pins, repository };
}

/** A base of before recipes were kept is the state of the tree alone. */
export function baseIn(text: string): Base {
  const value: Base | TreeState | Unknown = JSON.parse(text);
  return 'recipes' in value ? value : { tree: value, recipes: {} };
}

export function headOf({ tree }: Base): string | null {
  return tree === null || 'unknown' in tree ? null : tree.head;
}
