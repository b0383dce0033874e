import type { Supervisor } from '../activities/process/client.js';
import { SEARCH_ATTRIBUTES } from '../workflows/names.js';
import type { Reached } from './host.js';
import { onPath } from './on-path.js';

/** What a worker's process knows and reaches, handed to the activities; they read nothing of the process themselves. */
export interface WorkerWorld {
  /** DONEWHEN_HOME, absolute. */
  home: string;
  hostId: string;
  /** Of this process. What performers get is cut from it elsewhere. */
  environment: Readonly<Record<string, string | undefined>>;
  supervisor: Supervisor;
  now(): number;
  /** Whether an executable of this name is on this process's PATH. */
  installed(name: string): Promise<boolean>;
  /** Our search attributes that the namespace knows. */
  searchAttributes(): Promise<string[]>;
  /** Whether that workflow is open; null: nobody could say. */
  isOpen(workflowId: string): Promise<boolean | null>;
}

const CALL_TIMEOUT_MS = 10_000;

export function createWorkerWorld(own: Pick<WorkerWorld, 'home' | 'hostId' | 'environment' | 'supervisor'>, server: Reached): WorkerWorld {
  return {
    ...own,
    now: () => Date.now(),
    installed: async (name) => onPath(own.environment, name) !== null,
    searchAttributes: () => knownAttributes(server),
    isOpen: (workflowId) => isOpen(server, workflowId),
  };
}

// Numbers of the API.
const NOT_FOUND = 5;
const PERMISSION_DENIED = 7;
const UNIMPLEMENTED = 12;
const TYPES = { Keyword: 2, Int: 3, Double: 4, KeywordList: 7 } as const;

/** Throws where the server does not answer: to guess would stop the run for ever, should an attribute be missing. */
async function knownAttributes({ connection, namespace }: Reached): Promise<string[]> {
  try {
    const { customAttributes } = await connection.withDeadline(Date.now() + CALL_TIMEOUT_MS, () =>
      connection.operatorService.listSearchAttributes({ namespace }),
    );
    return SEARCH_ATTRIBUTES.filter(({ name, kind }) => customAttributes?.[name] === TYPES[kind]).map(({ name }) => name);
  } catch (error) {
    // Temporal Cloud does not tell. None is safe; a list without our columns is better than a run that stands still.
    if (codeOf(error) === PERMISSION_DENIED || codeOf(error) === UNIMPLEMENTED) return [];
    throw error;
  }
}

async function isOpen({ client, connection }: Reached, workflowId: string): Promise<boolean | null> {
  try {
    const run = await connection.withDeadline(Date.now() + CALL_TIMEOUT_MS, () => client.workflow.getHandle(workflowId).describe());
    return run.status.name === 'RUNNING';
  } catch (error) {
    return codeOf(error) === NOT_FOUND || (error instanceof Error && error.name === 'WorkflowNotFoundError') ? false : null;
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : null;
}
