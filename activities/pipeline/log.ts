import { join } from 'node:path';
import { type BossEvent, bossLogTitle, isTimeless, renderBossEvent, timeless } from '../../documents/pipeline/boss-log.js';
import type { Disk } from '../files/disk.js';
import { sweepUnfinished, writeWhole } from '../files/whole.js';
import type { Place } from '../interface.js';

export const BOSS_LOG = '00-boss.log.md';

/** Adds what the log does not have yet: a second try of the same write adds nothing. */
export async function logEvent(disk: Disk, place: Pick<Place, 'out' | 'slug'>, event: BossEvent): Promise<void> {
  const path = join(place.out, BOSS_LOG);
  const standing = await disk.standing(path);
  // A link or a folder that somebody put there is replaced, and not written through.
  if (standing !== null && standing.kind !== 'file') await disk.remove(path);
  const text = standing?.kind === 'file' ? ((await disk.read(path))?.toString('utf8') ?? '') : '';
  const lines = new Set(text.split('\n'));
  const told = new Set([...lines].map(timeless));
  const added = renderBossEvent(event)
    .split('\n')
    .filter((line) => line !== '' && !lines.has(line) && !(isTimeless(line) && told.has(timeless(line))));
  if (added.length === 0) return;
  const before = text === '' ? bossLogTitle(place.slug) : text.endsWith('\n') ? text : `${text}\n`;
  await sweepUnfinished(disk, path);
  await writeWhole(disk, path, `${before}${added.join('\n')}\n`);
}

export function logStart(disk: Disk, place: Place, { at, resumed }: { at: number; resumed: boolean }): Promise<void> {
  return logEvent(disk, place, { is: 'start', at, slug: place.slug, resumed });
}
