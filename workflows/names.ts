/**
 * Names that are on the wire: in histories, in other people's scripts and in the Web UI. They are never renamed.
 * This file imports nothing, so that the command, the worker and the workflow can all read it for free.
 */
export const WORKFLOW_TYPES = ['executePlan', 'runPipeline', 'runSwarm'] as const;
export type WorkflowType = (typeof WORKFLOW_TYPES)[number];

/** Served by standing workers (`dev`, `worker`); where `start` and the stock CLI put runs. */
export const STANDING_QUEUE = 'donewhen';

const RUN_QUEUE_PREFIX = 'donewhen-run-';
const WORKFLOW_ID_PREFIX = 'donewhen-';

export function workflowIdOf(slug: string): string {
  return `${WORKFLOW_ID_PREFIX}${slug}`;
}

/** The slug of a workflow id, or null where the id is not one of ours. */
export function slugOfWorkflowId(workflowId: string): string | null {
  return workflowId.startsWith(WORKFLOW_ID_PREFIX) && workflowId.length > WORKFLOW_ID_PREFIX.length
    ? workflowId.slice(WORKFLOW_ID_PREFIX.length)
    : null;
}

/** The queue of a run whose command hosts its own worker. */
export function runQueueOf(slug: string): string {
  return `${RUN_QUEUE_PREFIX}${slug}`;
}

/** The slug that a run's own queue belongs to, or null for any other queue. */
export function slugOfRunQueue(queue: string): string | null {
  return queue.startsWith(RUN_QUEUE_PREFIX) && queue.length > RUN_QUEUE_PREFIX.length ? queue.slice(RUN_QUEUE_PREFIX.length) : null;
}

export type SearchAttributeKind = 'Keyword' | 'KeywordList' | 'Int' | 'Double';

/** Four of the ten Keywords and two of the three KeywordLists that an SQL visibility store has for a namespace. */
export const SEARCH_ATTRIBUTES = [
  { name: 'DonewhenMethod', kind: 'Keyword' },
  { name: 'DonewhenPhase', kind: 'Keyword' },
  { name: 'DonewhenOutcome', kind: 'Keyword' },
  { name: 'DonewhenSlug', kind: 'Keyword' },
  { name: 'DonewhenTask', kind: 'KeywordList' },
  { name: 'DonewhenWaitingFor', kind: 'KeywordList' },
  { name: 'DonewhenTasksDone', kind: 'Int' },
  { name: 'DonewhenTasksTotal', kind: 'Int' },
  { name: 'DonewhenCostUsd', kind: 'Double' },
] as const satisfies readonly { name: string; kind: SearchAttributeKind }[];

export type SearchAttributeName = (typeof SEARCH_ATTRIBUTES)[number]['name'];

/** The memo that every run carries: the same slug from another folder is refused by it. */
export const MEMO_HOST = 'donewhenHost';
export const MEMO_FOLDER = 'donewhenFolder';
/** Where a run writes and works; a run that was started without them says it itself. */
export const MEMO_OUT = 'donewhenOut';
export const MEMO_WORKSPACE = 'donewhenWorkspace';

/** The type of the failure with which a new worker ends the activities of its dead predecessor: their end is unclear (R3). */
export const WORKER_LOST = 'WorkerLost';
