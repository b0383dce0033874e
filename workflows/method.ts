import { isCancellation, makeContinueAsNewFunc, upsertMemo, workflowInfo } from '@temporalio/workflow';
import type { Loaded, PipelineStart, StartInput } from '../activities/interface.js';
import type { RunJson } from '../core/run-json.js';
import type { Run } from '../core/values.js';
import { looking } from './activity-options.js';
import { type Carried, FIRST_RECORD, type HandedOn, resume } from './carried.js';
import { inSmallWords, isEngineLoss, problemOf } from './failures.js';
import { createInbox } from './inbox.js';
import { carryOut } from './loop.js';
import { MEMO_HOST, MEMO_OUT, MEMO_WORKSPACE } from './names.js';
import { serve } from './serve.js';

/** What differs between the workflow types: how a start is read, and what run is made of what was loaded. */
export interface Beginning {
  accept(input: unknown): StartInput | PipelineStart;
  opened(loaded: Loaded, at: number): Run;
}

/** A run of any method, from its start or from what an earlier execution hands on, to its end or to the next execution. */
export async function carryOutMethod(beginning: Beginning, input: unknown, handed?: HandedOn): Promise<RunJson> {
  const inbox = createInbox(workflowInfo());
  const state = serve(inbox, handed === undefined ? null : resume(handed));
  if (state.carried === null) state.carried = await open(beginning, input);
  const end = await carryOut(state.carried, inbox, state);
  if (end.is === 'closed') return end.result;
  // An upserted memo is lost by continue-as-new unless it is handed on.
  return makeContinueAsNewFunc<Continued>({ memo: workflowInfo().memo ?? {} })(null, end.handed);
}

type Continued = (input: unknown, handed: HandedOn) => Promise<RunJson>;

async function open({ accept, opened }: Beginning, input: unknown): Promise<Carried> {
  const accepted = accept(input);
  const at = Date.now();
  const loaded = await load({ ...accepted, workflowId: workflowInfo().workflowId, now: at });
  rememberPlace(loaded.place);
  return { ...FIRST_RECORD, run: opened(loaded, at), place: loaded.place, ...keptOf(loaded) };
}

/** Doing it twice is doing it once, so a worker that was lost over it is no end of the run: it is simply done again. */
async function load(input: Parameters<typeof looking.load>[0]): Promise<Loaded> {
  for (;;) {
    try {
      return await looking.load.executeWithOptions({ summary: 'load' }, [input]);
    } catch (error) {
      if (!isEngineLoss(error) || isCancellation(error)) throw inSmallWords(problemOf(error));
    }
  }
}

/** The command looks for a run's files by its memo; the stock CLI starts runs without one. */
function rememberPlace(place: Loaded['place']): void {
  if (workflowInfo().memo?.[MEMO_OUT] !== undefined) return;
  upsertMemo({ [MEMO_HOST]: place.host, [MEMO_OUT]: place.out, [MEMO_WORKSPACE]: place.workspace });
}

function keptOf(loaded: Loaded): Pick<Carried, 'noOp' | 'adopted' | 'warnings' | 'searchAttributes' | 'plans'> {
  const { plan, warnings, searchAttributes } = loaded;
  return {
    noOp: plan.noOp,
    adopted: loaded.entries.length,
    warnings,
    searchAttributes,
    plans: [{ version: plan.version, sha256: plan.sha256 }],
  };
}
