import type { Cost } from '../../core/values.js';

/** More than any attempt can have cost. */
const MOST = { USD: 1e6, tokens: 1e12 };
type Unit = keyof typeof MOST;
const SHOWN_CHARS_MAX = 40;

/** The cost without what cannot be so: that is unknown, and no budget rests on it. */
export function plausibleCost({ usd, tokens, estimatedUsd }: Cost): Cost {
  return {
    usd: isPlausible('USD', usd) ? usd : null,
    tokens: isPlausible('tokens', tokens) ? tokens : null,
    ...(estimatedUsd !== undefined && isPlausible('USD', estimatedUsd) ? { estimatedUsd } : {}),
  };
}

/** What names a session, and is no path, no option and nothing else: it is handed to the agent again. */
export function plausibleSession(session: string | null): string | null {
  return session !== null && /^[A-Za-z0-9_:][A-Za-z0-9_.:-]{0,199}$/.test(session) ? session : null;
}

/** What an agent says that it spent and that cannot be so, in words. What it does not say is no such thing. */
export function doubtsAbout(unit: Unit, said: readonly unknown[]): string[] {
  const doubtful = said.filter((value) => value !== undefined && value !== null && !isPlausible(unit, value));
  return doubtful.map((value) => `it says that it cost ${shown(value)} ${unit}, which is taken as unknown`);
}

function isPlausible(unit: Unit, value: unknown): boolean {
  return typeof value === 'number' && value >= 0 && value <= MOST[unit];
}

function shown(value: unknown): string {
  return (typeof value === 'number' ? String(value) : JSON.stringify(value)).slice(0, SHOWN_CHARS_MAX);
}
