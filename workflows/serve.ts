import { setHandler, workflowInfo } from '@temporalio/workflow';
import { runJson, waitingJson } from '../core/run-json.js';
import type { Carried } from './carried.js';
import { type Inbox, receiveMessages } from './inbox.js';
import { fileQueries, stateQuery, waitingQuery } from './messages.js';
import { slugOfWorkflowId } from './names.js';

/** The one mutable place of an execution: queries and handlers read it, the loop replaces what it holds. */
export interface State {
  carried: Carried | null;
}

/** Registers everything before the first await, so that nothing that comes with the start is lost. */
export function serve(inbox: Inbox & { nextSignalId(): string }, carried: Carried | null): State {
  const state: State = { carried };
  const { workflowId } = workflowInfo();
  receiveMessages(inbox, () => state.carried?.run ?? null);
  setHandler(
    stateQuery,
    () =>
      state.carried === null
        ? { run: slugOfWorkflowId(workflowId) ?? workflowId, phase: 'checking', outcome: null }
        : runJson(state.carried.run, workflowId),
    { description: 'The run as JSON: plan, ledger, criteria, cost, what it waits for' },
  );
  setHandler(waitingQuery, () => (state.carried === null ? [] : waitingJson(state.carried.run)), {
    description: 'What the run waits for a person for',
  });
  for (const { query, file, description } of fileQueries) {
    setHandler(
      query,
      () => {
        const known = state.carried?.files[file];
        return { path: known?.path ?? '', sha256: known?.sha256 ?? '', excerpt: known?.excerpt ?? '' };
      },
      { description },
    );
  }
  return state;
}
