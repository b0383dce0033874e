import { dirname, join } from 'node:path';
import type { Disk } from '../files/disk.js';
import { writeWhole } from '../files/whole.js';
import type { Place } from '../interface.js';
import { sha256Of } from '../texts.js';
import type { Prose } from './compile-prompt.js';

/**
 * Checks that the verifier role proposed, by the hash of the task's text: the same plan is compiled once. They lie in the
 * run's folder, where people see them; what makes them count is their hash in the home, where no performer works.
 */
export interface CompiledCache {
  get(place: Pick<Place, 'folder' | 'slug'>, prose: Prose): Promise<string[] | null>;
  put(place: Pick<Place, 'folder' | 'slug'>, task: string, compiled: { prose: Prose; checks: string[] }): Promise<void>;
}

const CACHED_BYTES_MAX = 256 * 1024;
const KEY_DIGITS = 32;

export function createCompiledCache(disk: Disk, home: string): CompiledCache {
  return {
    get: (place, prose) => readCompiled(disk, { ...place, home }, prose),
    put: async (place, task, { prose, checks }) => {
      const { file, mark } = pathsOf({ ...place, home }, prose);
      const text = `${JSON.stringify({ task, verifyBy: prose.verifyBy, checks }, null, 2)}\n`;
      for (const path of [file, mark]) if ((await disk.standing(dirname(path))) === null) await disk.makeFolder(dirname(path));
      await writeWhole(disk, file, text);
      await writeWhole(disk, mark, sha256Of(text));
    },
  };
}

/** null: none is kept, or what lies there is not what we kept (R17, E13). */
export async function readCompiled(
  disk: Pick<Disk, 'standing' | 'read'>,
  place: { folder: string; slug: string; home: string },
  prose: Prose,
): Promise<string[] | null> {
  const { file, mark } = pathsOf(place, prose);
  const [text, sha256] = [await small(disk, file), await small(disk, mark)];
  return text === null || sha256 !== sha256Of(text) ? null : checksIn(text);
}

function pathsOf({ folder, slug, home }: { folder: string; slug: string; home: string }, prose: Prose): { file: string; mark: string } {
  const { title, task, doneWhen, verifyBy } = prose;
  const key = sha256Of(JSON.stringify([title, task, doneWhen, verifyBy])).slice(0, KEY_DIGITS);
  return { file: join(folder, 'compiled', `${key}.json`), mark: join(home, 'compiled', slug, key) };
}

async function small(disk: Pick<Disk, 'standing' | 'read'>, path: string): Promise<string | null> {
  const standing = await disk.standing(path);
  if (standing?.kind !== 'file' || standing.bytes > CACHED_BYTES_MAX) return null;
  return (await disk.read(path))?.toString('utf8') ?? null;
}

/** The hash vouches for its shape. */
function checksIn(text: string): string[] | null {
  const value: { checks?: unknown } = JSON.parse(text);
  const checks = Array.isArray(value.checks) ? value.checks.filter((check): check is string => typeof check === 'string') : [];
  return checks.length === 0 ? null : checks;
}
