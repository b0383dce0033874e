import { setTimeout } from 'node:timers/promises';
import type { Connection } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time.js';
import { SEARCH_ATTRIBUTES, type SearchAttributeName } from '../workflows/names.js';
import type { Session } from './connection.js';
import { UserError } from './errors.js';
import { lookAtServer, type ServerFacts, WIRE_TYPES } from './server-facts.js';

export interface Prepared {
  namespaceMade: boolean;
  registered: SearchAttributeName[];
}

const RETENTION_MS = 30 * 86_400_000;
const CALL_TIMEOUT_MS = 15_000;
/** A cluster's caches learn of a new namespace after ten seconds or so, of search attributes after up to a minute. */
const VISIBLE_TIMEOUT_MS = 90_000;
const LOOK_EVERY_MS = 1_000;

/** Makes the namespace and registers the search attributes that are missing, and waits until the server knows them. */
export async function prepareServer(session: Session): Promise<Prepared> {
  const { connection, namespace } = session;
  const before = await look(session);
  const namespaceMade = before.namespace === 'missing';
  if (namespaceMade) await attempt(session, `make the namespace ${namespace}`, () => makeNamespace(connection, namespace));
  const facts = namespaceMade ? await untilSo(session, (now) => now.namespace === 'there') : before;
  const missing = facts.attributes?.missing ?? [];
  if (missing.length > 0) {
    await attempt(session, `register search attributes in namespace ${namespace}`, () => register(connection, namespace, missing));
    await untilSo(session, (now) => now.attributes?.missing.length === 0);
  }
  return { namespaceMade, registered: missing };
}

async function look(session: Session): Promise<ServerFacts> {
  return await attempt(session, 'tell its search attributes', () => lookAtServer(session.connection, session.namespace));
}

async function untilSo(session: Session, isSo: (facts: ServerFacts) => boolean): Promise<ServerFacts> {
  for (const until = Date.now() + VISIBLE_TIMEOUT_MS; ; await setTimeout(LOOK_EVERY_MS)) {
    const facts = await look(session);
    if (isSo(facts)) return facts;
    if (Date.now() > until)
      throw new UserError(
        `${session.address} does not show what was registered after ${VISIBLE_TIMEOUT_MS / 1000} s: run \`donewhen init\` again later`,
        3,
      );
  }
}

async function makeNamespace(connection: Connection, namespace: string): Promise<void> {
  await connection.workflowService.registerNamespace({ namespace, workflowExecutionRetentionPeriod: msToTs(RETENTION_MS) });
}

async function register(connection: Connection, namespace: string, names: SearchAttributeName[]): Promise<void> {
  const wanted = SEARCH_ATTRIBUTES.filter(({ name }) => names.includes(name));
  const searchAttributes = Object.fromEntries(wanted.map(({ name, kind }) => [name, WIRE_TYPES[kind]]));
  await connection.operatorService.addSearchAttributes({ namespace, searchAttributes });
}

/** Cloud and locked clusters refuse; their administrator has other ways. */
async function attempt<T>({ connection, address }: Session, what: string, act: () => Promise<T>): Promise<T> {
  try {
    return await connection.withDeadline(Date.now() + CALL_TIMEOUT_MS, act);
  } catch (error) {
    const words = error instanceof Error && 'details' in error ? String(error.details) : String(error);
    throw new UserError(
      `${address} would not ${what} (${words.split('\n')[0]}): ask whoever runs it, or use the tools of your service (temporal operator search-attribute create, tcld)`,
      3,
      { cause: error },
    );
  }
}
