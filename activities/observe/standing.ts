import { join, relative } from 'node:path';
import { attemptPath } from '../attempt-folder.js';
import type { CheckInput } from '../interface.js';
import { readOutcome } from '../process/attempt-files.js';
import { topOf } from './tree-state.js';
import type { Written } from './write-set.js';

/** The repository that was there before the work and is gone now, whatever the task says that it writes; null: it is there. */
export function goneRepository(before: string | null, workspace: string): Written | null {
  if (before === null || topOf(workspace) === before) return null;
  const git = relative(workspace, join(before, '.git'));
  return { deviations: [`the repository is gone: ${git} was there before it worked`], destroyed: [`removed ${git}`] };
}

/** Whether the folder of the run was taken away while the attempt worked, as its supervisor saw at its end. */
export function clearedFolder({ place, token }: Pick<CheckInput, 'place' | 'token'>): string[] {
  if (token === null || readOutcome(join(place.folder, attemptPath(token)))?.cleared !== true) return [];
  return ['.donewhen, where the run keeps its record, was taken away or replaced; it is put back'];
}
