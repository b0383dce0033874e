import type { Loaded } from '../activities/interface.js';
import { openRun } from '../core/opening.js';
import type { RunJson } from '../core/run-json.js';
import type { Json, Run } from '../core/values.js';
import type { HandedOn } from './carried.js';
import { acceptInput } from './input.js';
import { carryOutMethod } from './method.js';

/**
 * Seed 002, execute-plan. `input` is docs/interface.md §3's start input, or the PLAN.md text itself, or its bytes;
 * `handed` is what an earlier execution of the same run hands on.
 */
export async function executePlan(input: unknown, handed?: HandedOn): Promise<RunJson> {
  return carryOutMethod({ accept: acceptInput, opened }, input, handed);
}

function opened(loaded: Loaded, at: number): Run {
  const { plan, criteria, entries, limits, policy, place } = loaded;
  const { noOp, ...rest } = plan;
  const input: Json = { criteria: criteria?.map(({ id, through }) => ({ id, through })) ?? null, noOp: noOp === null ? null : { ...noOp } };
  return openRun({ id: place.slug, method: 'executePlan', input, plan: rest, entries, limits, policy, at });
}
