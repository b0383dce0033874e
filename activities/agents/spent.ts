import type { Cost } from '../../core/values.js';

/** What was spent since a counter stood at `before`. A counter that stands lower began anew, and counts whole. */
export function spentSince(now: Cost, before: Cost): Cost {
  const usd = since(now.usd, before.usd);
  const estimatedUsd = since(now.estimatedUsd ?? null, before.estimatedUsd ?? null);
  return { usd, tokens: since(now.tokens, before.tokens), ...(estimatedUsd === null ? {} : { estimatedUsd }) };
}

function since(now: number | null, before: number | null): number | null {
  if (now === null || before === null || now < before) return now;
  // To a millionth, so that a difference of decimals reads as written.
  return Math.round((now - before) * 1e6) / 1e6;
}
