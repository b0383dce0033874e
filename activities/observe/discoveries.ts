import type { Cost, Discovery } from '../../core/values.js';
import { isVacuous } from './compile.js';
import type { Confirm } from './confirm.js';
import { checkOf, lookAt } from './look.js';
import { type CopyScene, lookInCopy, type ScratchLimits } from './scratch.js';

/** A discovery is confirmed in passing; what takes longer is reported as it was. */
const DISCOVERY_MS_MAX = 60_000;
const DISCOVERIES_MS_MAX = 5 * 60_000;
const DISCOVERIES_CHECKED_MAX = 20;
/** Each command gets a copy of its own, so that none sees what another left behind. */
const COPY_LIMITS: ScratchLimits = { bytesMax: 256 * 1024 * 1024, filesMax: 20_000 };

/**
 * What a performer says it found out, each labelled (R10): `- fact (check: file: a.txt)` is verified when that check, run
 * by us, holds, and so is a fact for which the verifier role knows such a check. Everything else is what somebody reported.
 */
export async function labelledDiscoveries(
  items: readonly string[],
  scene: CopyScene,
  confirm: (facts: readonly string[]) => ReturnType<Confirm> = nobody,
): Promise<{ discovered: Discovery[]; cost?: Cost; deviation?: string }> {
  const parts = items.map(partsOf);
  const unchecked = parts.filter(({ check }) => check === null).map(({ fact }) => fact);
  const { checks, ...more } = unchecked.length === 0 ? { checks: [] } : await confirm(unchecked);
  const proposed = new Map(unchecked.map((fact, index) => [fact, checks[index] ?? null]));
  const discovered: Discovery[] = [];
  const until = Date.now() + DISCOVERIES_MS_MAX;
  for (const [index, { fact, check }] of parts.entries()) {
    const own = check ?? proposed.get(fact) ?? null;
    const isLooked = own !== null && index < DISCOVERIES_CHECKED_MAX && Date.now() < until;
    if (isLooked && (await isShown(own, scene))) discovered.push({ label: 'verified', fact, check: own });
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

/**
 * Whether a check holds that would not hold where nothing is: another shows no fact. The performer wrote it, so a command,
 * which may do anything, gets a copy of the workspace; the other kinds only read.
 */
async function isShown(line: string, { place, context, scratchLimits = COPY_LIMITS }: CopyScene): Promise<boolean> {
  const quick = { ...context, timeoutMs: Math.min(context.timeoutMs, DISCOVERY_MS_MAX) };
  switch (checkOf(line)?.kind) {
    case 'run': {
      // The copy stands within the workspace: its repository must not be found from there.
      const variables = { ...quick.variables, GIT_CEILING_DIRECTORIES: place.folder };
      if (await isVacuous(line, { ...quick, variables })) return false;
      return (await lookInCopy(line, [], { place, context: { ...quick, variables }, scratchLimits })).is === 'holds';
    }
    case 'file':
      return (await lookAt(line, quick))?.is === 'holds' && !(await isVacuous(line, quick));
    // Neither a server nor a repository is there by itself.
    case 'http':
    case 'git':
      return (await lookAt(line, quick))?.is === 'holds';
    default:
      return false;
  }
}
