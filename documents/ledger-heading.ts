import type { Status } from '../core/values.js';
import { oneLine } from './lines.js';

export interface EntryHeading {
  task: string;
  title: string;
  status: Status;
}

const STATUSES: Record<string, Status> = {
  done: 'done',
  partial: 'partial',
  blocked: 'blocked',
  failed: 'failed',
  no_op: 'no_op',
  'no-op': 'no_op',
  noop: 'no_op',
};
const TASK = /^([A-Za-z][A-Za-z0-9_@.-]{0,80})(?=[\s:—–]|$)/;

/** A heading at which an entry, or something else, begins. */
export function isSection(line: string): boolean {
  return /^#{1,3}\s/.test(line);
}

/** `## T1 — Payment client timeout  [done]`, with any dash, or null. */
export function entryHeading(line: string): EntryHeading | null {
  const words = line.replace(/^#{1,3}\s/, '').trim();
  const bracket = words.lastIndexOf('[');
  if (!words.endsWith(']') || bracket < 0) return null;
  const status =
    STATUSES[
      words
        .slice(bracket + 1, -1)
        .replace(/[`*]/g, '')
        .trim()
        .toLowerCase()
    ];
  const named = words.slice(0, bracket).trim();
  const task = TASK.exec(named)?.[1];
  if (status === undefined || task === undefined) return null;
  return { task, title: oneLine(named.slice(task.length).replace(/^\s{0,8}(?:[—–:]|-{1,3}(?=\s|$))?/, '')), status };
}

/** The task that a heading is about: `## T20 — …`, `### Replan checkpoint — T20`. */
export function namedTask(heading: string): string | null {
  const words = heading.replace(/^#{1,6}\s/, '').trim();
  return /\b(T\d{1,9}(?:@\d{1,9})?)$/.exec(words)?.[1] ?? /^(T\d{1,9}(?:@\d{1,9})?)\b/.exec(words)?.[1] ?? null;
}
