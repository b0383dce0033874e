import type { End } from '../core/values.js';
import type { AgentReading, Refusal } from './agents/adapter.js';
import type { AttemptEnd, Outcome } from './process/attempt-files.js';

type Read = Pick<AgentReading, 'claim' | 'problem' | 'limited' | 'refused' | 'denied' | 'doubts'>;

/** A risk each in the ledger; whoever reads it needs no more to understand. */
const DENIALS_MAX = 10;

/**
 * How an attempt ended, from what its supervisor wrote down and what the agent said (docs/interface.md §6): a claim beats
 * how the process ended, for an agent may hang after its answer. A person who stopped it, and a lost supervisor, beat the
 * claim: nobody knows what came after it.
 */
export function endOf(outcome: Outcome | 'lost', reading: Read): End {
  const said = reading.claim === null ? {} : { claim: reading.claim };
  if (outcome === 'lost') return { is: 'lost', ...said };
  const { end, logFault } = outcome;
  if (end.is === 'cut' && end.why === 'stop') return { is: 'cut', ...said };
  if (end.is === 'unspawned') return notStarted(end.error);
  const denied = (reading.denied ?? []).slice(0, DENIALS_MAX).map((call) => `its permissions did not allow ${call}`);
  const doubts = (reading.doubts ?? []).slice(0, DENIALS_MAX);
  if (reading.claim !== null) {
    const claim = { ...reading.claim, risk: [...reading.claim.risk, ...denied, ...doubts] };
    return { is: 'answered', claim, code: end.is === 'exited' ? end.code : null };
  }
  if (reading.refused !== undefined) return refusal(reading.refused);
  if (reading.limited !== null) return { is: 'limited', ...reading.limited };
  return withoutClaim(end, [
    reading.problem,
    ...denied,
    ...doubts,
    logFault === undefined ? null : `its output is not complete: ${logFault}`,
  ]);
}

function withoutClaim(end: Exclude<AttemptEnd, { is: 'unspawned' }>, notes: (string | null)[]): End {
  switch (end.is) {
    case 'exited': {
      const said = notes.filter((note) => note !== null).join('; ');
      return { is: 'exited', code: end.code, ...(said === '' ? {} : { note: said }) };
    }
    case 'signalled':
      return { is: 'signalled', signal: end.signal };
    case 'timeout':
      return { is: 'timeout' };
    case 'silent':
      return { is: 'timeout', silentMs: end.forMs };
    // Ended because no worker attended it: as good as a loss, which is looked at and may be tried once more (R3, R13).
    case 'cut':
      return { is: 'lost' };
  }
}

function notStarted(error: string): End {
  return refusal({
    why: `the performer could not be started: ${error}`,
    blocker: 'agent-cannot-start',
    userAction: 'Make room for it (memory, processes, disk), then resolve this blocker.',
  });
}

export function refusal(words: Refusal): Extract<End, { is: 'refused' }> {
  return { is: 'refused', ...words };
}
