import type { Act, Failing } from './script.js';

/** One provider's way of asking and answering. Pure. */
export interface Protocol {
  /** Whether a request of this address is one for an answer. */
  answers(path: string): boolean;
  /** Names of the tools that the request offers. */
  tools(body: unknown): string[];
  streams(body: unknown, path: string): boolean;
  whole(act: Act): unknown;
  /** The answer as server-sent events, in order. */
  events(act: Act): ServerSentEvent[];
  failure(how: Failing): Failure;
}

export interface ServerSentEvent {
  event?: string;
  data: unknown;
}

export interface Failure {
  status: number;
  headers?: Record<string, string>;
  body: unknown;
}

/** A stream brings a text in pieces, and where they end is no word's end. */
export function piecesOf(text: string): string[] {
  return text.match(/[\s\S]{1,7}/g) ?? [''];
}

export function at(value: unknown, ...keys: (string | number)[]): unknown {
  return keys.reduce<unknown>((inner, key) => (isRecord(inner) ? inner[key] : undefined), value);
}

export function listAt(value: unknown, ...keys: (string | number)[]): unknown[] {
  const list = at(value, ...keys);
  return Array.isArray(list) ? list : [];
}

export function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isRecord(value: unknown): value is Record<string | number, unknown> {
  return typeof value === 'object' && value !== null;
}

let count = 0;

export function freshId(prefix: string): string {
  count += 1;
  return `${prefix}_${String(count).padStart(8, '0')}`;
}
