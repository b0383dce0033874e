import { statSync } from 'node:fs';
import type { Cost } from '../core/values.js';
import type { AgentAdapter, Variables } from './agents/adapter.js';
import { plausibleCost } from './agents/plausible.js';
import { tokensSince } from './dispatch-session.js';
import { textIn } from './files/regular.js';

/** What a run may still spend. null: no limit. */
export interface Left {
  usd: number | null;
  tokens: number | null;
}

export type Spent = 'cost' | 'tokens';

/** A log longer than this is read again only when it has grown by as much: reading it costs more than the wait. */
const READ_EACH_TIME_BYTES_MAX = 64 * 1024;

/**
 * Whether an attempt has spent what the run had left, as far as its agent has told: some tell with each answer of their
 * model, some only at the end of a turn. A counter that runs on over a session is compared only at the attempt's end.
 */
export function createBudget(
  adapter: AgentAdapter,
  logFile: string,
  { left, variables, begunAt }: { left: Left | undefined; variables: Variables; begunAt(): number | null },
): () => Promise<Spent | null> {
  if (left === undefined || (left.usd === null && left.tokens === null)) return async () => null;
  let readBytes = 0;
  return async () => {
    const bytes = sizeOf(logFile);
    const more = bytes - readBytes;
    if (more <= 0 || (bytes > READ_EACH_TIME_BYTES_MAX && more < READ_EACH_TIME_BYTES_MAX)) return null;
    readBytes = bytes;
    const { cost, countsSession, session } = adapter.read({ stdout: textIn(logFile), stderr: '', endedAt: Date.now() });
    const since = begunAt();
    const recorded = session === null || since === null ? null : await tokensSince(adapter, session, { variables, since });
    if (recorded !== null) return usedUp({ ...cost, tokens: recorded }, left);
    return countsSession === true ? null : usedUp(plausibleCost(cost), left);
  };
}

function usedUp({ usd, tokens }: Cost, left: Left): Spent | null {
  if (left.usd !== null && usd !== null && usd >= left.usd) return 'cost';
  if (left.tokens !== null && tokens !== null && tokens >= left.tokens) return 'tokens';
  return null;
}

function sizeOf(file: string): number {
  try {
    return statSync(file).size;
  } catch {
    return 0;
  }
}
