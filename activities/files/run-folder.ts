import { dirname, join } from 'node:path';
import type { Place } from '../interface.js';
import type { Disk } from './disk.js';
import { writeWhole, writing } from './whole.js';

/** `<workspace>/.donewhen/<slug>`, which git never sees: the folder of all runs ignores itself (I03). Making it twice is one. */
export async function makeRunFolder(disk: Disk, place: Pick<Place, 'folder'>): Promise<void> {
  await writing(place.folder, () => disk.makeFolder(place.folder));
  const ignore = join(dirname(place.folder), '.gitignore');
  if ((await disk.standing(ignore)) === null) await writeWhole(disk, ignore, '*\n');
}
