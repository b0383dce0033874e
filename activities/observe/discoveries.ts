import type { Discovery } from '../../core/values.js';
import type { LookContext } from './context.js';
import { checkOf, lookAt } from './look.js';

/** A discovery is confirmed in passing; what takes longer is reported as it was. */
const DISCOVERY_MS_MAX = 60_000;
const DISCOVERIES_CHECKED_MAX = 20;

/**
 * What a performer says it found out, each labelled (R10): `- fact (check: file: a.txt)` is verified when that check, run
 * by us, holds; everything else is what somebody reported.
 */
export async function labelledDiscoveries(items: readonly string[], context: LookContext): Promise<Discovery[]> {
  const quick = { ...context, timeoutMs: Math.min(context.timeoutMs, DISCOVERY_MS_MAX) };
  const discovered: Discovery[] = [];
  let checked = 0;
  for (const item of items) {
    const { fact, check } = partsOf(item);
    if (check === null || checked >= DISCOVERIES_CHECKED_MAX) {
      discovered.push({ label: 'reported, unconfirmed', fact, ...(check === null ? {} : { check }) });
      continue;
    }
    checked += 1;
    const look = await lookAt(check, quick);
    discovered.push({ label: look?.is === 'holds' ? 'verified' : 'reported, unconfirmed', fact, check });
  }
  return discovered;
}

/** The last parenthesis that holds a check; what cannot be read as one stays part of the fact. */
function partsOf(item: string): { fact: string; check: string | null } {
  const match = /^(.*?)\s*\(check:\s*(.+)\)\s*\.?\s*$/is.exec(item);
  const line = match?.[2]?.trim().replace(/^`(.*)`$/, '$1') ?? '';
  const check = line === '' ? null : checkOf(line);
  if (match === null || check === null || check.kind === 'human') return { fact: item, check: null };
  return { fact: (match[1] ?? '').trim(), check: line };
}
