import type { Entry } from '../core/values.js';
import { itemText } from './plain-text.js';

/** `T1 — Payment client timeout  [done, verified]` */
export function entryName(entry: Entry): string {
  return `${entry.task}${entry.title === '' ? '' : ` — ${itemText(entry.title)}`}  [${entry.status}, ${entry.label}]`;
}

/** A list under its name; nothing where the list is empty. */
export function listed(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['', title, ...lines];
}
