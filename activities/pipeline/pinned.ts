import type { PipelineAbout, Step } from '../../core/methods/pipeline-values.js';
import { pipelineIn, stepNameOf, stepOf } from '../../core/methods/run-pipeline-about.js';
import type { Json } from '../../core/values.js';
import type { Disk } from '../files/disk.js';
import type { Place } from '../interface.js';
import { textsOf } from '../texts.js';

const REMEMBERED_MAX = 8;

/** The pipeline that a run was started with, by its hash, read once; null: the run carries out a plan. */
export type Pinned = (place: Place) => Promise<PipelineAbout | null>;

export function createPinned(disk: Disk): Pinned {
  const remembered = new Map<string, PipelineAbout>();
  return async (place) => {
    const { pipelineSha256 } = place;
    if (pipelineSha256 === undefined) return null;
    const known = remembered.get(pipelineSha256);
    if (known !== undefined) return known;
    const json: Json = JSON.parse(await textsOf(disk, place).text(pipelineSha256));
    const about = pipelineIn(json);
    const [oldest] = remembered.keys();
    if (remembered.size >= REMEMBERED_MAX && oldest !== undefined) remembered.delete(oldest);
    remembered.set(pipelineSha256, about);
    return about;
  };
}

/** null: no step of a pipeline. */
export async function stepFor(pinned: Pinned, place: Place, task: string | null): Promise<Step | null> {
  const about = task === null ? null : await pinned(place);
  return about === null || task === null ? null : (stepOf(about, stepNameOf(task)) ?? null);
}
