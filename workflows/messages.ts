import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import type { RunJson, waitingJson } from '../core/run-json.js';
import type { Message, MessageName } from '../core/values.js';

/** Signals, their update twins and queries, by their names on the wire (docs/interface.md §3). */
export interface Reply {
  applied: boolean;
  reason: string;
}

export interface FileReply {
  path: string;
  sha256: string;
  excerpt: string;
}

export const MESSAGES: { name: MessageName; description: string }[] = [
  {
    name: 'attest',
    description: "A person's word on a handed-over task: { task, happened: yes|no|partly, nowTrue?, unexpected?, by, id?, shown? }",
  },
  { name: 'decide', description: 'Approves or rejects an open gate: { gate, decision: approve|reject, by, reason?, id?, shown? }' },
  { name: 'resolve', description: 'A blocker is gone; reopens what it exhausted: { blocker, resolution, by, check?, id?, shown? }' },
  { name: 'replan', description: "A person's new plan version: { plan: the whole PLAN.md text, by, id?, shown? }" },
  { name: 'message', description: 'Words for a role, shown in its next brief: { to, text, by, id? }' },
  { name: 'pause', description: 'Lets the running attempt end and be judged, then dispatches nothing: { by, reason?, id? }' },
  { name: 'resume', description: 'Ends a pause: { by, reason?, id? }' },
  { name: 'stop', description: "Ends the attempt's processes and the run, with a report: { by, reason?, id? }" },
];

export const signalOf = (name: MessageName) => defineSignal<[unknown]>(name);
export const updateOf = (name: MessageName) => defineUpdate<Reply, [unknown]>(name);

export const stateQuery = defineQuery<RunJson | { run: string; phase: 'checking'; outcome: null }>('state');
export const waitingQuery = defineQuery<ReturnType<typeof waitingJson>>('waiting');
export const fileQueries = [
  { query: defineQuery<FileReply>('ledger'), file: 'LEDGER.md', description: 'Path, sha256 and the end of LEDGER.md' },
  { query: defineQuery<FileReply>('plan'), file: 'PLAN.md', description: 'Path, sha256 and text of the current PLAN.md' },
  { query: defineQuery<FileReply>('report'), file: 'REPORT.md', description: 'Path, sha256 and text of REPORT.md' },
] as const;

/**
 * A signal's or update's input as a message. It takes whatever was sent and never throws: what cannot be read becomes a
 * refused message, with a reason that says what was wanted (a handler that throws would stop the run).
 */
export function readMessage(name: MessageName, input: unknown, head: { id: string; at: number }): Message {
  const fields = fieldsOf(input);
  const by = fields === null ? undefined : text(fields, 'by');
  const id = (fields === null ? undefined : text(fields, 'id')) ?? head.id;
  const refused = (reason: string): Message => ({ id, by: by ?? 'unknown', at: head.at, name: 'refused', of: name, reason });
  if (fields === null) return refused(`an object was wanted: ${descriptionOf(name)}`);
  if (by === undefined || by.trim() === '') return refused('by is missing: who says so?');
  const shown = fields.get('shown');
  const common = { id, by, at: head.at, ...(typeof shown === 'number' || typeof shown === 'string' ? { shown } : {}) };
  return bodyOf(name, fields, common) ?? refused(`not understood: ${descriptionOf(name)}`);
}

function descriptionOf(name: MessageName): string {
  return MESSAGES.find((one) => one.name === name)?.description ?? name;
}

/** The stock CLI can send JSON as bytes or as a text; both are read as meant. */
function fieldsOf(input: unknown): Map<string, unknown> | null {
  if (input instanceof Uint8Array) return fieldsOf(decoded(input));
  if (typeof input === 'string') return fieldsOf(parsed(input));
  if (input === null || input === undefined || typeof input !== 'object' || Array.isArray(input)) return null;
  return new Map(Object.entries(input));
}

function decoded(bytes: Uint8Array): unknown {
  try {
    return parsed(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return null;
  }
}

function parsed(json: string): unknown {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'string' ? null : value;
  } catch {
    return null;
  }
}

type Common = { id: string; by: string; at: number; shown?: string | number };

function bodyOf(name: MessageName, fields: Map<string, unknown>, common: Common): Message | null {
  const field = (key: string) => text(fields, key);
  const optional = (key: string) => (field(key) === undefined ? {} : { [key]: field(key) });
  switch (name) {
    case 'attest': {
      const task = field('task');
      const happened = field('happened')?.trim().toLowerCase();
      if (task === undefined || (happened !== 'yes' && happened !== 'no' && happened !== 'partly')) return null;
      return { ...common, name, task, happened, ...optional('nowTrue'), ...optional('unexpected') };
    }
    case 'decide': {
      const gate = field('gate');
      const decision = field('decision')?.trim().toLowerCase();
      if (gate === undefined || (decision !== 'approve' && decision !== 'reject')) return null;
      return { ...common, name, gate, decision, ...optional('reason') };
    }
    case 'resolve': {
      const blocker = field('blocker');
      const resolution = field('resolution');
      if (blocker === undefined || resolution === undefined || resolution.trim() === '') return null;
      return { ...common, name, blocker, resolution, ...optional('check') };
    }
    case 'replan': {
      const plan = field('plan');
      if (plan === undefined) return null;
      const { length } = String(fields.get('plan'));
      const reason = `the plan has ${length} characters, more than the ${TEXT_LENGTH_MAX} that a replan can carry; split it, or end the run and start it with the new plan`;
      return length > TEXT_LENGTH_MAX ? { ...common, name: 'refused', of: name, reason } : { ...common, name, plan };
    }
    case 'message': {
      const to = field('to');
      const words = field('text');
      return to === undefined || words === undefined ? null : { ...common, name, to, text: words };
    }
    case 'pause':
    case 'resume':
    case 'stop':
      return { ...common, name, ...optional('reason') };
  }
}

/** Longer words than this are cut: a message is carried, and a payload is bounded (R15). */
const TEXT_LENGTH_MAX = 80_000;

function text(fields: Map<string, unknown>, key: string): string | undefined {
  const value = fields.get(key);
  return typeof value === 'string' ? value.slice(0, TEXT_LENGTH_MAX) : undefined;
}
