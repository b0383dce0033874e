import type { WorkflowExecutionInfo } from '@temporalio/client';
import { MEMO_FOLDER, MEMO_HOST, MEMO_OUT, MEMO_WORKSPACE, type SearchAttributeName, slugOfWorkflowId } from '../../workflows/names.js';
import type { RunInfo, RunMemo, RunStatus } from '../runs.js';

const MEMO_PLAN_FILE = 'donewhenPlanFile';
const MEMO_PLAN_SHA256 = 'donewhenPlanSha256';
const MEMO_FROM = 'donewhenFrom';
const MEMO_ONLY = 'donewhenOnly';

/** null: not a run of ours. */
export function infoOf(execution: Described): RunInfo | null {
  const slug = slugOfWorkflowId(execution.workflowId);
  if (slug === null) return null;
  return {
    slug,
    workflowId: execution.workflowId,
    runId: execution.runId,
    type: execution.type,
    status: statusOf(execution.status.name),
    taskQueue: execution.taskQueue,
    startedAt: execution.startTime.getTime(),
    endedAt: execution.closeTime?.getTime() ?? null,
    memo: readMemo(execution.memo ?? {}),
    seen: seenIn(execution.typedSearchAttributes),
  };
}

type Described = Pick<
  WorkflowExecutionInfo,
  'workflowId' | 'runId' | 'type' | 'status' | 'taskQueue' | 'startTime' | 'closeTime' | 'memo' | 'typedSearchAttributes'
>;

function statusOf(name: WorkflowExecutionInfo['status']['name']): RunStatus {
  switch (name) {
    case 'RUNNING':
    case 'PAUSED':
    // Another execution carries it on at this very moment.
    case 'CONTINUED_AS_NEW':
      return 'running';
    case 'COMPLETED':
      return 'completed';
    case 'FAILED':
      return 'failed';
    case 'CANCELLED':
      return 'cancelled';
    case 'TERMINATED':
      return 'terminated';
    case 'TIMED_OUT':
      return 'timedOut';
    case 'UNSPECIFIED':
    case 'UNKNOWN':
      return 'unknown';
  }
}

export function memoOf(memo: RunMemo): Record<string, string> {
  const entries: [string, string | null][] = [
    [MEMO_HOST, memo.host],
    [MEMO_FOLDER, memo.folder],
    [MEMO_OUT, memo.out],
    [MEMO_WORKSPACE, memo.workspace],
    [MEMO_PLAN_FILE, memo.planFile],
    [MEMO_PLAN_SHA256, memo.planSha256],
    [MEMO_FROM, memo.from ?? null],
    [MEMO_ONLY, memo.only ?? null],
  ];
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => entry[1] !== null));
}

function readMemo(memo: Record<string, unknown>): RunMemo {
  const text = (key: string) => {
    const value = memo[key];
    return typeof value === 'string' && value !== '' ? value : null;
  };
  const [from, only] = [text(MEMO_FROM), text(MEMO_ONLY)];
  return {
    host: text(MEMO_HOST),
    folder: text(MEMO_FOLDER),
    out: text(MEMO_OUT) ?? text(MEMO_FOLDER),
    workspace: text(MEMO_WORKSPACE),
    planFile: text(MEMO_PLAN_FILE),
    planSha256: text(MEMO_PLAN_SHA256),
    ...(from === null ? {} : { from }),
    ...(only === null ? {} : { only }),
  };
}

function seenIn(attributes: WorkflowExecutionInfo['typedSearchAttributes']): RunInfo['seen'] {
  const values = new Map<string, unknown>(attributes.getAll().map((pair) => [pair.key.name, pair.value]));
  const value = (name: SearchAttributeName) => values.get(name);
  const text = (name: SearchAttributeName) => {
    const found = value(name);
    return typeof found === 'string' && found !== '' ? found : null;
  };
  const number = (name: SearchAttributeName) => {
    const found = value(name);
    return typeof found === 'number' ? found : null;
  };
  const waitingFor = value('DonewhenWaitingFor');
  return {
    phase: text('DonewhenPhase'),
    outcome: text('DonewhenOutcome'),
    done: number('DonewhenTasksDone'),
    total: number('DonewhenTasksTotal'),
    costUsd: number('DonewhenCostUsd'),
    waitingFor: Array.isArray(waitingFor) ? waitingFor.filter((item): item is string => typeof item === 'string') : [],
  };
}
