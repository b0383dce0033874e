import { type PlanDocument, parsePlan } from '../documents/plan.js';
import type { Disk } from './files/disk.js';
import type { Place } from './interface.js';
import { textsOf } from './texts.js';

/** A worker serves few runs at once, and a run reads one plan version over and over. */
const REMEMBERED_PLANS_MAX = 8;

/** Plan versions by the sha256 of their text, read once. */
export type Plans = (place: Pick<Place, 'folder' | 'spare'>, sha256: string) => Promise<PlanDocument>;

/**
 * What was accepted once is carried out as it could be read: `draft`, because a version that other rules refused today was
 * accepted when it was written.
 */
export function createPlans(disk: Disk): Plans {
  const remembered = new Map<string, PlanDocument>();
  return async (place, sha256) => {
    const known = remembered.get(sha256);
    if (known !== undefined) return known;
    const { draft } = parsePlan(await textsOf(disk, place).text(sha256), { file: 'PLAN.md' });
    const [oldest] = remembered.keys();
    if (remembered.size >= REMEMBERED_PLANS_MAX && oldest !== undefined) remembered.delete(oldest);
    remembered.set(sha256, draft);
    return draft;
  };
}
