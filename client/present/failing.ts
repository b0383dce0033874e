import type { Failing } from '../runs.js';
import { count, elapsed, oneLine } from './text.js';

/** In one line: what cannot be done, since when, and the way out, which the failure itself names where it knows one. */
export function failingWords({ activity, failures, since, reason }: Failing, now: number): string {
  const times = `${count(failures, 'time')}${since === null ? '' : ` in ${elapsed(now - since)}`}`;
  const words = oneLine(reason) || 'it did not say why';
  return `${activity} keeps failing (${times}): ${words}${words.includes('goes on by itself') ? '' : '; mend that and the run goes on by itself'}`;
}

/** As `status --json` adds it (docs/interface.md §7). */
export function failingDocument({ activity, failures, since, reason }: Failing): Record<string, string | number | null> {
  return { activity, failures, since: since === null ? null : new Date(since).toISOString(), reason: oneLine(reason) };
}
