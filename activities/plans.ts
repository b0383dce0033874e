import { type PlanDocument, type PlanTask, parsePlan } from '../documents/plan.js';
import type { Disk } from './files/disk.js';
import type { CheckInput, Place } from './interface.js';
import { type Declaring, declares, mayChange } from './load/declared.js';
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

/**
 * What was to be changed by a task or by those it waits for, in a sweep by any task: what people's plans say of it. A plan of
 * the planner only says whose work a task goes on with, for it cannot take a check's own files out of its protection. null:
 * the run carries out no plan.
 */
export async function declaredIn(plans: Plans, input: CheckInput): Promise<((path: string) => boolean) | null> {
  const { place, planSha256, task } = input;
  if (place.pipelineSha256 !== undefined) return null;
  const byId = new Map<string, Declaring>();
  for (const { sha256, planner } of input.plans ?? (planSha256 === null ? [] : [{ sha256: planSha256, planner: undefined }])) {
    for (const one of (await plans(place, sha256)).tasks) {
      if (planner === undefined) byId.set(one.id, one);
      else if (!byId.has(one.id)) byId.set(one.id, inherited(one));
    }
  }
  return task === null ? (path) => [...byId.values()].some((one) => declares(one, path)) : (path) => mayChange(task, byId, path);
}

function inherited({ id, continues, reopens, dependsOn }: PlanTask): Declaring {
  const from = [continues, reopens].filter((one) => one !== undefined);
  return { id, task: '', doneWhen: '', writes: null, dependsOn: [...from, ...dependsOn] };
}
