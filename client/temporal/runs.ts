import {
  type Client,
  WithStartWorkflowOperation,
  type WorkflowStartOptions,
  WorkflowUpdateFailedError,
  WorkflowUpdateStage,
} from '@temporalio/client';
import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';
import { WORKFLOW_TYPES, workflowIdOf } from '../../workflows/names.js';
import type { Session } from '../connection.js';
import { UserError } from '../errors.js';
import type { Act, Acted, Answered, Ended, QueryName, RunId, RunInfo, Runs, StartRequest } from '../runs.js';
import { standingOf } from './failing.js';
import { endOf, isNotFound, isQueued, isStuck, isUnanswered, isUnknownQuery, isUnreachable, serverFault, wordsOf } from './faults.js';
import { infoOf, memoOf } from './info.js';

/** A server that is up answers in milliseconds; one that is being restarted is back within a few seconds. */
const SERVER_DEADLINE_MS = 15_000;
/** Until a worker has taken an act. */
const ACT_ACCEPTED_DEADLINE_MS = 15_000;
/** A new execution first reads its files, on a worker that may just be booting. */
const REOPEN_ACCEPTED_DEADLINE_MS = 60_000;
const RESULT_RETRY_MS = 500;
/** A server that does not come back within this time ends the watching; the run is kept. */
const SERVER_SILENCE_MS_MAX = 5 * 60_000;
/** A single call ends sooner (client/dial.ts): a wait that was cut after this long had a server behind it. */
const CONNECTED_MS = 80_000;
const LISTED_RUNS_MAX = 1000;
/** Each poll leaves a listener on its signal: a wait goes on under a new one before there are many. */
const RESULT_SIGNAL_MS = 2 * 60_000;

/** The runs of a Temporal service. Closing it closes the session. */
export function createRuns(session: Session): Runs {
  const { client, address, namespace, uiUrl } = session;
  const within = <T>(ms: number, call: () => Promise<T>): Promise<T> => client.connection.withDeadline(Date.now() + ms, call);
  const asking = async <T>(call: () => Promise<T>): Promise<T> => {
    try {
      return await within(SERVER_DEADLINE_MS, call);
    } catch (error) {
      throw serverFault(error, address);
    }
  };
  const standing = ({ slug, runId }: RunId) => {
    const at = { namespace, workflowId: workflowIdOf(slug), ...(runId === undefined ? {} : { runId }) };
    return asking(() => standingOf(session.connection, at));
  };
  return {
    address,
    namespace,
    embedded: session.embedded,
    pageOf: ({ workflowId, runId }) =>
      uiUrl === null ? null : `${uiUrl}/namespaces/${encodeURIComponent(namespace)}/workflows/${encodeURIComponent(workflowId)}/${runId}`,
    find: (slug) => asking(() => findRun(client, slug)),
    list: (filter) => asking(() => listRuns(client, filter)),
    query: (run, name, deadlineMs) => queryRun(run, name, () => within(deadlineMs, () => handleOf(client, run).query(name)), address),
    result: (run, signal) =>
      resultOf((until) => client.connection.withAbortSignal(until, () => handleOf(client, run).result()), { run, signal, address }),
    act: (run, act) => actOn(act, within, address, () => startUpdate(client, run, act, within)),
    start: (request) => asking(() => startRun(client, request)),
    reopen: (request, act) => actOn(act, within, address, () => startUpdateWithStart(client, request, act, within)),
    failing: async (run) => (await standing(run)).failing,
    standing,
    close: () => session.close(),
  };
}

type Within = <T>(ms: number, call: () => Promise<T>) => Promise<T>;

function handleOf(client: Client, run: RunId) {
  return client.workflow.getHandle(workflowIdOf(run.slug), run.runId);
}

async function findRun(client: Client, slug: string): Promise<RunInfo | null> {
  try {
    return infoOf(await client.workflow.getHandle(workflowIdOf(slug)).describe());
  } catch (error) {
    if (isNotFound(error)) return null;
    throw error;
  }
}

async function listRuns(client: Client, filter: 'all' | 'running'): Promise<RunInfo[]> {
  const types = WORKFLOW_TYPES.map((type) => `'${type}'`).join(', ');
  const status = filter === 'running' ? `ExecutionStatus = 'Running'` : `ExecutionStatus != 'ContinuedAsNew'`;
  const newest = new Map<string, RunInfo>();
  let seen = 0;
  for await (const execution of client.workflow.list({ query: `WorkflowType IN (${types}) AND ${status}` })) {
    const info = infoOf(execution);
    const other = info === null ? undefined : newest.get(info.slug);
    if (info !== null && (other === undefined || other.startedAt < info.startedAt)) newest.set(info.slug, info);
    if (++seen >= LISTED_RUNS_MAX) break;
  }
  return [...newest.values()].sort((a, b) => b.startedAt - a.startedAt);
}

async function queryRun(run: RunId, name: QueryName, ask: () => Promise<unknown>, address: string): Promise<Answered | null> {
  try {
    return { value: await ask() };
  } catch (error) {
    if (isNotFound(error)) throw unknownRun(run.slug);
    if (isUnknownQuery(error))
      throw new UserError(`run ${run.slug} does not answer ${name}: its worker is of another release`, 3, { cause: error });
    if (isStuck(error)) {
      throw new UserError(`the worker of run ${run.slug} cannot carry it on: ${wordsOf(error)} (\`donewhen doctor\` says more)`, 3, {
        cause: error,
      });
    }
    if (isUnanswered(error) || isQueued(error)) return null;
    throw serverFault(error, address);
  }
}

export function unknownRun(slug: string): UserError {
  return new UserError(`there is no run ${slug} (\`donewhen list\` shows all)`, 2);
}

/** Follows a run through restarts of the server: the end of a connection says nothing about the run. */
export async function resultOf(
  ask: (until: AbortSignal) => Promise<unknown>,
  { run, signal, address }: { run: RunId; signal: AbortSignal | null; address: string },
): Promise<Ended> {
  const abort = signal ?? new AbortController().signal;
  let silentSince: number | null = null;
  for (;;) {
    if (abort.aborted) return { is: 'abandoned' };
    const asked = Date.now();
    // Not AbortSignal.timeout, which Node may forget once only a combined signal knows it.
    const renewal = new AbortController();
    const timer = setTimeout(() => renewal.abort(), RESULT_SIGNAL_MS);
    try {
      return { is: 'closed', state: await ask(AbortSignal.any([abort, renewal.signal])) };
    } catch (error) {
      if (abort.aborted) return { is: 'abandoned' };
      if (renewal.signal.aborted) continue;
      if (isNotFound(error)) throw unknownRun(run.slug);
      const end = endOf(error);
      if (end !== null) return end;
      if (!isUnreachable(error) && !isUnanswered(error)) throw serverFault(error, address);
      const now = Date.now();
      silentSince = silentSince === null || now - asked > CONNECTED_MS ? now : silentSince;
      if (now - silentSince > SERVER_SILENCE_MS_MAX) throw serverFault(error, address);
      await new Promise((resolve) => setTimeout(resolve, RESULT_RETRY_MS));
    } finally {
      clearTimeout(timer);
    }
  }
}

interface Begun {
  result(): Promise<unknown>;
}

/** Two waits: until a worker has the act, then until it has answered; only the first says that no worker is there. */
async function actOn(act: Act, within: Within, address: string, begin: () => Promise<Begun>): Promise<Acted | null> {
  let begun: Begun;
  try {
    begun = await begin();
  } catch (error) {
    if (error instanceof WorkflowUpdateFailedError) return refusedBy(error);
    if (isNotFound(error)) throw new UserError('the run is closed: only `donewhen resolve` reopens one', 2, { cause: error });
    if (isUnanswered(error)) return null;
    throw serverFault(error, address);
  }
  try {
    return readActed(await within(act.answerMs, () => begun.result()));
  } catch (error) {
    if (error instanceof WorkflowUpdateFailedError) return refusedBy(error);
    if (!isUnanswered(error)) throw error;
    throw new UserError(
      `a worker took the act but has not answered in ${act.answerMs / 1000} s: \`donewhen status\` shows what came of it`,
      3,
      { cause: error },
    );
  }
}

function startUpdate(client: Client, run: RunId, act: Act, within: Within): Promise<Begun> {
  const options = {
    args: [act.payload] as [Record<string, string | number>],
    updateId: act.id,
    waitForStage: WorkflowUpdateStage.ACCEPTED,
  };
  return within(ACT_ACCEPTED_DEADLINE_MS, () => handleOf(client, run).startUpdate(act.name, options));
}

function startUpdateWithStart(client: Client, request: StartRequest, act: Act, within: Within): Promise<Begun> {
  const startWorkflowOperation = new WithStartWorkflowOperation(request.type, startOptions(request));
  const options = { args: [act.payload], updateId: act.id, waitForStage: WorkflowUpdateStage.ACCEPTED, startWorkflowOperation };
  return within(REOPEN_ACCEPTED_DEADLINE_MS, () => client.workflow.startUpdateWithStart(act.name, options));
}

function refusedBy(error: WorkflowUpdateFailedError): Acted {
  return { applied: false, reason: error.cause?.message ?? error.message };
}

/** An answer that says neither yes nor no is a no (R11). */
function readActed(value: unknown): Acted {
  const raw = typeof value === 'object' && value !== null ? value : {};
  const reason = 'reason' in raw && typeof raw.reason === 'string' ? raw.reason : '';
  const applied = 'applied' in raw && raw.applied === true;
  return { applied, reason: reason === '' && !applied ? 'the run did not say why' : reason };
}

type PlanWorkflow = (input: unknown) => Promise<unknown>;

function startOptions(request: StartRequest): WorkflowStartOptions<PlanWorkflow> & { workflowIdConflictPolicy: 'USE_EXISTING' } {
  const keyword = (name: string, value: string) => ({ key: defineSearchAttributeKey(name, SearchAttributeType.KEYWORD), value });
  return {
    workflowId: workflowIdOf(request.slug),
    taskQueue: request.taskQueue,
    args: [request.input],
    // The same id again finds the run that is there (C13 of the case list).
    workflowIdConflictPolicy: 'USE_EXISTING',
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    staticSummary: request.summary,
    memo: memoOf(request.memo),
    typedSearchAttributes: [
      keyword('DonewhenSlug', request.slug),
      keyword('DonewhenMethod', request.type),
      keyword('DonewhenPhase', 'checking'),
    ],
  };
}

async function startRun(client: Client, request: StartRequest): Promise<RunInfo> {
  const handle = await client.workflow.start<PlanWorkflow>(request.type, startOptions(request));
  const info = infoOf(await handle.describe());
  if (info === null) throw new Error(`started ${handle.workflowId}, which is no run`);
  return info;
}
