import { allHandlersFinished, condition, setCurrentDetails, sleep, workflowInfo } from '@temporalio/workflow';
import { advance, nextMoves } from '../core/run.js';
import { type RunJson, runJson } from '../core/run-json.js';
import { type Carried, type HandedOn, handOn } from './carried.js';
import { detailsOf } from './details.js';
import { createFlight, type Flight } from './flight.js';
import type { Inbox } from './inbox.js';
import { NOTHING_SHOWN, upsertChanged } from './search-attributes.js';
import type { State } from './serve.js';

/**
 * The one loop, whatever the method: make the next moves, wait for an answer or a message, advance. All decisions are in
 * `advance`; this only starts what is listed, and cancels what is no longer listed.
 */
export type LoopEnd = { is: 'closed'; result: RunJson } | { is: 'continue'; handed: HandedOn };

/** The server suggests a new execution at 4,096 events; what is under way then still ends below that. */
const EVENTS_MAX = 3_800;

export async function carryOut(first: Carried, inbox: Inbox, state: State): Promise<LoopEnd> {
  state.carried = first;
  const flight = createFlight(inbox, state);
  let shown = NOTHING_SHOWN;
  for (;;) {
    const carried: Carried = state.carried ?? first;
    const continuing = workflowInfo().continueAsNewSuggested || workflowInfo().historyLength >= EVENTS_MAX;
    flight.sync(nextMoves(carried.run), { startsNothing: continuing });
    shown = upsertChanged(carried, shown);
    setCurrentDetails(detailsOf(carried.run));
    if (carried.run.outcome !== null && inbox.items.length === 0) return close(inbox, state, carried);
    if (continuing && isBoundary(flight, inbox)) {
      await condition(allHandlersFinished);
      if (inbox.items.length === 0) return handOver(inbox, state, carried);
    }
    await condition(() => inbox.items.length > 0);
    drain(inbox, state);
  }
}

function drain(inbox: Inbox, state: State): void {
  while (inbox.items.length > 0) {
    const input = inbox.items.shift();
    if (input === undefined || state.carried === null) return;
    const run = advance(state.carried.run, input);
    state.carried = { ...state.carried, run };
  }
}

/** Only waits and people are under way, and nothing waits to be read: nothing is lost by starting a new execution here. */
function isBoundary(flight: Flight, inbox: Inbox): boolean {
  return inbox.items.length === 0 && flight.isIdle();
}

/** An update's answer can be lost when it is given in the same workflow task as continue-as-new: one timer keeps them apart. */
async function handOver(inbox: Inbox, state: State, carried: Carried): Promise<LoopEnd> {
  if (inbox.answered > 0) await sleep(1, { summary: 'a new execution follows' });
  const latest = state.carried ?? carried;
  return { is: 'continue', handed: handOn(inbox.items.length > 0 ? takeAll(inbox, latest) : latest) };
}

function takeAll(inbox: Inbox, carried: Carried): Carried {
  let run = carried.run;
  for (const input of inbox.items.splice(0)) run = advance(run, input);
  return { ...carried, run };
}

async function close(inbox: Inbox, state: State, carried: Carried): Promise<LoopEnd> {
  await condition(allHandlersFinished);
  const latest = takeAll(inbox, state.carried ?? carried);
  state.carried = latest;
  await condition(allHandlersFinished);
  return { is: 'closed', result: runJson(latest.run, workflowInfo().workflowId) };
}
