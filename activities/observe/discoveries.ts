import type { Cost, Discovery } from '../../core/values.js';
import type { Confirm } from './confirm.js';
import type { LookContext } from './context.js';
import { checkOf, lookAt } from './look.js';

/** A discovery is confirmed in passing; what takes longer is reported as it was. */
const DISCOVERY_MS_MAX = 60_000;
const DISCOVERIES_CHECKED_MAX = 20;

/**
 * What a performer says it found out, each labelled (R10): `- fact (check: file: a.txt)` is verified when that check, run
 * by us, holds, and so is a fact for which the verifier role knows such a check. Everything else is what somebody reported.
 */
export async function labelledDiscoveries(
  items: readonly string[],
  context: LookContext,
  confirm: (facts: readonly string[]) => ReturnType<Confirm> = nobody,
): Promise<{ discovered: Discovery[]; cost?: Cost; deviation?: string }> {
  const quick = { ...context, timeoutMs: Math.min(context.timeoutMs, DISCOVERY_MS_MAX) };
  const parts = items.map(partsOf);
  const unchecked = parts.filter(({ check }) => check === null).map(({ fact }) => fact);
  const { checks, ...more } = unchecked.length === 0 ? { checks: [] } : await confirm(unchecked);
  const proposed = new Map(unchecked.map((fact, index) => [fact, checks[index] ?? null]));
  const discovered: Discovery[] = [];
  for (const [index, { fact, check }] of parts.entries()) {
    const own = check ?? proposed.get(fact) ?? null;
    const look = own === null || index >= DISCOVERIES_CHECKED_MAX ? null : await lookAt(own, quick);
    if (look?.is === 'holds') discovered.push({ label: 'verified', fact, check: own ?? '' });
    // A check that the verifier thought of, and that says nothing, is no part of what was reported.
    else discovered.push({ label: 'reported, unconfirmed', fact, ...(check === null ? {} : { check }) });
  }
  return { discovered, ...more };
}

async function nobody(facts: readonly string[]): Promise<{ checks: null[] }> {
  return { checks: facts.map(() => null) };
}

/** The last parenthesis that holds a check; what cannot be read as one stays part of the fact. */
function partsOf(item: string): { fact: string; check: string | null } {
  const match = /^(.*?)\s*\(check:\s*(.+)\)\s*\.?\s*$/is.exec(item);
  const line = match?.[2]?.trim().replace(/^`(.*)`$/, '$1') ?? '';
  const check = line === '' ? null : checkOf(line);
  if (match === null || check === null || check.kind === 'human') return { fact: item, check: null };
  return { fact: (match[1] ?? '').trim(), check: line };
}
