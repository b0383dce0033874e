import { answers, LOOPBACK, WELL_KNOWN_PORT } from '../../worker/ports.js';
import { WORKFLOW_TYPES } from '../../workflows/names.js';
import type { Session } from '../connection.js';
import { UserError } from '../errors.js';
import { failingWords } from '../present/failing.js';
import { lookAtServer, problemsOf } from '../server-facts.js';
import { failingIn } from '../temporal/failing.js';
import { serverFault } from '../temporal/faults.js';
import { type Finding, missing, note, ok } from './finding.js';

const CALL_TIMEOUT_MS = 10_000;
const RUNS_MAX = 200;
const DESCRIBED_RUNS_MAX = 50;
const SHOWN_MAX = 5;
/** A worker asks for work at least once a minute. */
const POLLER_AGE_MS_MAX = 90_000;

/** What of the server runs need: that it is new enough and knows our names, and how its runs are. */
export async function lookAtService(session: Session): Promise<Finding[]> {
  const { address, namespace, embedded, connection } = session;
  const facts = await connection.withDeadline(Date.now() + CALL_TIMEOUT_MS, () => lookAtServer(connection, namespace));
  const server = ok(
    'server',
    `${facts.version} at ${address}, namespace ${namespace}${embedded ? `, embedded in ${session.home.path}` : ''}`,
  );
  const problems = problemsOf(facts, session).map((problem) => {
    const [says = problem, fix = ''] = problem.split(/: (?=`donewhen|upgrade|use another)/);
    return missing('namespace', says, fix || 'use another server or namespace (--address, --namespace)');
  });
  if (facts.namespace === 'missing') return [server, ...problems];
  const attributes =
    facts.attributes === null ? note('search attributes', 'this service does not tell') : ok('search attributes', 'all there');
  return [
    server,
    ...(problems.length > 0 ? problems : [attributes]),
    await stuckFinding(session),
    await orFault('failing activities', session, failingFinding),
    await orFault('open runs', session, idleFinding),
    ...(await portFinding(session)),
  ];
}

/** What the server cannot answer any more is a finding, too: the others are shown all the same. */
async function orFault(what: string, session: Session, look: (session: Session) => Promise<Finding>): Promise<Finding> {
  try {
    return await look(session);
  } catch (error) {
    const fault = serverFault(error, session.address);
    if (!(fault instanceof UserError)) throw fault;
    const [says = '', fix = 'see server.log in the home'] = fault.message.split(/: (?=end what uses it)/);
    return missing(what, says, fix);
  }
}

/** A workflow task that fails is tried for ever: such a run says RUNNING and does nothing. */
async function stuckFinding({ client, connection }: Session): Promise<Finding> {
  const query = `${ours()} AND ExecutionStatus = 'Running' AND TemporalReportedProblems IS NOT NULL`;
  try {
    const stuck = await connection.withDeadline(Date.now() + CALL_TIMEOUT_MS, async () => {
      const ids: string[] = [];
      for await (const { workflowId } of client.workflow.list({ query, pageSize: SHOWN_MAX + 1 })) {
        ids.push(workflowId);
        if (ids.length > SHOWN_MAX) break;
      }
      return ids;
    });
    if (stuck.length === 0) return ok('stuck runs', 'none');
    const fix =
      'read the failure in the Web UI (History, Workflow Task Failed); a worker of the release that began the run may go on, else end it with `donewhen stop` or the temporal CLI';
    return missing('stuck runs', namesOf(stuck), fix);
  } catch (error) {
    return note('stuck runs', `this server cannot say (${wordsOf(error)})`);
  }
}

/** An activity that is tried again and again has met a fault of the host (a full disk), or one of ours. */
async function failingFinding({ client, connection, namespace }: Session): Promise<Finding> {
  const failing = await connection.withDeadline(Date.now() + CALL_TIMEOUT_MS, async () => {
    const found: string[] = [];
    let seen = 0;
    for await (const { workflowId } of client.workflow.list({ query: `${ours()} AND ExecutionStatus = 'Running'` })) {
      const failing = await failingIn(connection, { namespace, workflowId });
      found.push(...failing.map((one) => `${workflowId}: ${failingWords(one, Date.now())}`));
      if (++seen >= DESCRIBED_RUNS_MAX || found.length > SHOWN_MAX) break;
    }
    return found;
  });
  if (failing.length === 0) return ok('failing activities', 'none');
  return missing('failing activities', namesOf(failing), 'mend what the words name; the engine tries again by itself, the record is kept');
}

/** Open runs whose task queue nobody serves. */
async function idleFinding({ client, connection, namespace }: Session): Promise<Finding> {
  const byQueue = new Map<string, string[]>();
  const idle: string[] = [];
  await connection.withDeadline(Date.now() + CALL_TIMEOUT_MS, async () => {
    let seen = 0;
    for await (const { workflowId, taskQueue } of client.workflow.list({ query: `${ours()} AND ExecutionStatus = 'Running'` })) {
      byQueue.set(taskQueue, [...(byQueue.get(taskQueue) ?? []), workflowId]);
      if (++seen >= RUNS_MAX) break;
    }
    for (const [name, ids] of byQueue) {
      const { pollers } = await connection.workflowService.describeTaskQueue({
        namespace,
        taskQueue: { name },
        taskQueueType: WORKFLOW_TASKS,
      });
      const isServed = (pollers ?? []).some(
        ({ lastAccessTime }) => Date.now() - Number(lastAccessTime?.seconds ?? 0) * 1000 < POLLER_AGE_MS_MAX,
      );
      if (!isServed) idle.push(...ids);
    }
  });
  const open = [...byQueue.values()].flat().length;
  if (idle.length === 0) return ok('open runs', open === 0 ? 'none' : `${open}, each with a worker`);
  return note(
    'open runs',
    `${idle.length} of ${open} have no worker: ${namesOf(idle)}`,
    '`donewhen watch RUN` hosts one here, `donewhen worker` or `donewhen dev` a standing one',
  );
}

const WORKFLOW_TASKS = 1;

/** A stranger on the well-known port is why the embedded server is on another one. */
async function portFinding({ embedded, address, home }: Session): Promise<Finding[]> {
  if (!embedded || home.from === 'given' || address.endsWith(`:${WELL_KNOWN_PORT}`)) return [];
  const isTaken = await answers(LOOPBACK, WELL_KNOWN_PORT, CALL_TIMEOUT_MS);
  return isTaken
    ? [note('port', `${WELL_KNOWN_PORT} is used by something that is no Temporal server; the embedded one is at ${address}`)]
    : [];
}

function ours(): string {
  return `WorkflowType IN (${WORKFLOW_TYPES.map((type) => `'${type}'`).join(', ')})`;
}

function namesOf(ids: string[]): string {
  return ids.length <= SHOWN_MAX ? ids.join(', ') : `${ids.slice(0, SHOWN_MAX).join(', ')} and more`;
}

function wordsOf(error: unknown): string {
  const words = error instanceof Error && 'details' in error && typeof error.details === 'string' ? error.details : String(error);
  return words.split('\n')[0] ?? '';
}
