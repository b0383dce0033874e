import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { Disk } from '../files/disk.js';
import { writeWhole } from '../files/whole.js';
import type { Place } from '../interface.js';
import { recordIn } from '../observe/ours.js';
import { topOf } from '../observe/tree-state.js';

type Hidden = Pick<Place, 'workspace' | 'out' | 'slug'>;

/**
 * While a run works git does not see what it writes itself: an agent that commits or clears away all that is new takes no
 * record along (I03). It is the repository's own list, `.git/info/exclude`, and afterwards it is as it was.
 */
export async function hideRecord(disk: Disk, place: Hidden): Promise<void> {
  const found = await excludeOf(disk, place.workspace);
  if (found === null) return;
  const { top, file } = found;
  const patterns = [join(place.workspace, '.donewhen', sep), ...recordIn(place.out).flatMap(namesOf)].flatMap((path) =>
    patternOf(top, path),
  );
  const rest = without(await textOf(disk, file), place.slug);
  const start = rest === '' || rest.endsWith('\n') ? rest : `${rest}\n`;
  if ((await disk.standing(dirname(file))) === null) await disk.makeFolder(dirname(file));
  await writeWhole(disk, file, `${start}${[begins(place.slug), ...patterns, ends(place.slug)].join('\n')}\n`);
}

export async function showRecord(disk: Disk, place: Hidden): Promise<void> {
  const found = await excludeOf(disk, place.workspace);
  if (found === null) return;
  const text = await textOf(disk, found.file);
  const rest = without(text, place.slug);
  if (rest !== text) await writeWhole(disk, found.file, rest);
}

const begins = (slug: string) => `# donewhen: what run ${slug} writes itself, while it works`;
const ends = (slug: string) => `# donewhen: end of run ${slug}`;

function without(text: string, slug: string): string {
  const lines = text.split('\n');
  const from = lines.indexOf(begins(slug));
  const to = lines.indexOf(ends(slug), from);
  return from < 0 || to < 0 ? text : [...lines.slice(0, from), ...lines.slice(to + 1)].join('\n');
}

/** The file, what was found in its place, and what it is while it is being written. */
function namesOf(path: string): string[] {
  const [name, folder] = [basename(path), dirname(path)];
  return [path, join(folder, name.replace(/(\.\w+)$/, '.found-*$1')), join(folder, `.${name}.*.tmp`)];
}

function patternOf(top: string, path: string): string[] {
  const below = relative(top, path);
  if (below.startsWith('..') || isAbsolute(below)) return [];
  // What git reads as more than itself in such a line stands there behind a backslash; its own wildcards are ours.
  const plain = below
    .split(sep)
    .join('/')
    .replace(/[\\[\]?! ]/g, '\\$&');
  return [`/${plain}${path.endsWith(sep) ? '/' : ''}`];
}

/** null: no repository, one whose folder cannot be found, or a list that a person keeps elsewhere and only links to. */
async function excludeOf(disk: Disk, workspace: string): Promise<{ top: string; file: string } | null> {
  const top = topOf(workspace);
  if (top === null) return null;
  const folder = await gitFolderOf(disk, join(top, '.git'));
  if (folder === null) return null;
  const file = join(folder, 'info', 'exclude');
  const kind = (await disk.standing(file))?.kind ?? 'file';
  return kind === 'file' ? { top, file } : null;
}

/** Of a worktree or a submodule `.git` is a file that names the folder; worktrees share the one of their repository. */
async function gitFolderOf(disk: Disk, git: string): Promise<string | null> {
  const kind = (await disk.standing(git))?.kind;
  if (kind === 'folder') return git;
  const [, named] = kind === 'file' ? (/^gitdir: (.+)$/m.exec(await textOf(disk, git)) ?? []) : [];
  if (named === undefined) return null;
  const own = resolve(dirname(git), named);
  const common = (await textOf(disk, join(own, 'commondir'))).trim();
  const folder = common === '' ? own : resolve(own, common);
  return (await disk.standing(folder))?.kind === 'folder' ? folder : null;
}

async function textOf(disk: Disk, file: string): Promise<string> {
  const kind = (await disk.standing(file))?.kind;
  return kind === 'file' ? ((await disk.read(file))?.toString('utf8') ?? '') : '';
}
