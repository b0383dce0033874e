import type { Connection } from '@temporalio/client';
import { SEARCH_ATTRIBUTES, type SearchAttributeKind, type SearchAttributeName } from '../workflows/names.js';
import { UserError } from './errors.js';

/** The first server with everything that runs rely on: updates with start, user metadata. */
const SERVER_VERSION_MIN = { major: 1, minor: 28 };

/** What a server says of itself and of one namespace. */
export interface ServerFacts {
  /** `1.32.0` */
  version: string;
  isTooOld: boolean;
  namespace: 'there' | 'missing';
  /** null: this server does not tell, as Temporal Cloud does not. They are taken as registered then. */
  attributes: { missing: SearchAttributeName[]; wrong: string[] } | null;
}

/** Asks a server for its version and a namespace's search attributes, both at once. The caller sets the deadline. */
export async function lookAtServer(connection: Connection, namespace: string): Promise<ServerFacts> {
  const [info, attributes] = await Promise.all([connection.workflowService.getSystemInfo({}), attributesOf(connection, namespace)]);
  const version = info.serverVersion || 'unknown';
  return { version, isTooOld: isTooOld(version), ...attributes };
}

/** Why runs would not work there, each in one line with the way out. */
export function problemsOf(facts: ServerFacts, at: { address: string; namespace: string }): string[] {
  if (facts.isTooOld) {
    const least = `${SERVER_VERSION_MIN.major}.${SERVER_VERSION_MIN.minor}`;
    return [
      `the Temporal server at ${at.address} is version ${facts.version}, older than ${least}: upgrade it, or use another one (--address)`,
    ];
  }
  if (facts.namespace === 'missing') {
    return [`namespace ${at.namespace} does not exist at ${at.address}: \`donewhen init\` makes it, or name another one (--namespace)`];
  }
  if (facts.attributes === null) return [];
  const { missing, wrong } = facts.attributes;
  return [
    ...(missing.length === 0
      ? []
      : [`namespace ${at.namespace} at ${at.address} lacks the search attributes ${missing.join(', ')}: \`donewhen init\` registers them`]),
    ...wrong.map(
      (words) =>
        `search attribute of another type in namespace ${at.namespace} at ${at.address}: ${words}; use another namespace (--namespace)`,
    ),
  ];
}

/** One line for a server that does not answer as one. */
export function unreachable(address: string, cause: unknown): UserError {
  return new UserError(
    `no Temporal server answers at ${address} (${wordsOf(cause)}): start one there, or leave --address and TEMPORAL_ADDRESS out to use the embedded server`,
    3,
    { cause },
  );
}

function wordsOf(error: unknown): string {
  const details = error instanceof Error && 'details' in error && typeof error.details === 'string' ? error.details : '';
  const words = details || (error instanceof Error ? error.message : String(error));
  // gRPC wraps the cause that people know (ECONNREFUSED, a name that does not resolve) in words about itself.
  const cause = /Last error: (?:Error: )?(.+?)(?:\. Resolution note:.*)?$/s.exec(words)?.[1] ?? words;
  return cause.split('\n')[0] ?? '';
}

function isTooOld(version: string): boolean {
  const numbers = /^(\d+)\.(\d+)/.exec(version);
  if (numbers === null) return true; // Unknown is not good enough (R11).
  const [major, minor] = [Number(numbers[1]), Number(numbers[2])];
  return major < SERVER_VERSION_MIN.major || (major === SERVER_VERSION_MIN.major && minor < SERVER_VERSION_MIN.minor);
}

// gRPC's numbers for these answers.
const NOT_FOUND = 5;
const PERMISSION_DENIED = 7;
const UNIMPLEMENTED = 12;
const UNAUTHENTICATED = 16;

async function attributesOf(connection: Connection, namespace: string): Promise<Pick<ServerFacts, 'namespace' | 'attributes'>> {
  try {
    const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace });
    return { namespace: 'there', attributes: compare(customAttributes ?? {}) };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null;
    if (code === NOT_FOUND) return { namespace: 'missing', attributes: null };
    if (code === PERMISSION_DENIED || code === UNIMPLEMENTED || code === UNAUTHENTICATED) return { namespace: 'there', attributes: null };
    throw error;
  }
}

/** The numbers of the API for these types. */
export const WIRE_TYPES: Record<SearchAttributeKind, number> = { Keyword: 2, Int: 3, Double: 4, KeywordList: 7 };

function compare(custom: Record<string, number>): { missing: SearchAttributeName[]; wrong: string[] } {
  const nameOf = (type: number): string => Object.entries(WIRE_TYPES).find(([, number]) => number === type)?.[0] ?? `type ${type}`;
  return {
    missing: SEARCH_ATTRIBUTES.filter(({ name }) => custom[name] === undefined).map(({ name }) => name),
    wrong: SEARCH_ATTRIBUTES.flatMap(({ name, kind }) => {
      const type = custom[name];
      return type === undefined || type === WIRE_TYPES[kind] ? [] : [`${name} is ${nameOf(type)}, not ${kind}`];
    }),
  };
}
