import type { Loaded } from '../activities/interface.js';
import { pipelineInput } from '../core/methods/run-pipeline-about.js';
import { openRun } from '../core/opening.js';
import type { RunJson } from '../core/run-json.js';
import type { Run } from '../core/values.js';
import type { HandedOn } from './carried.js';
import { acceptPipeline } from './input.js';
import { carryOutMethod } from './method.js';

/** Seed 003, run-pipeline. `input` is docs/interface.md §10's start input; `handed` is what an earlier execution hands on. */
export async function runPipeline(input: unknown, handed?: HandedOn): Promise<RunJson> {
  return carryOutMethod({ accept: acceptPipeline, opened }, input, handed);
}

function opened({ plan, about, entries, limits, policy, place }: Loaded, at: number): Run {
  if (about === undefined) throw new Error('what was loaded is no pipeline');
  const { noOp: _noOp, ...rest } = plan;
  return openRun({ id: place.slug, method: 'runPipeline', input: pipelineInput(about), plan: rest, entries, limits, policy, at });
}
