import type { End } from './values.js';

/** How an attempt ended, in the words of its entry. */
export function endWords(end: End): string {
  switch (end.is) {
    case 'signalled':
      return `ended by ${end.signal}`;
    case 'lost':
      return 'lost: neither an outcome nor its supervisor was found';
    case 'cut':
      return 'cut short';
    case 'timeout':
      return end.silentMs === undefined ? 'its time ran out' : `it printed nothing for ${minutes(end.silentMs)}`;
    default:
      return end.is;
  }
}

function minutes(ms: number): string {
  const count = Math.round(ms / 6_000) / 10;
  return count === 1 ? '1 minute' : `${count} minutes`;
}

export function attestedWords(end: Extract<End, { is: 'attested' }>): string {
  const now = end.nowTrue === undefined ? '' : `; now true: ${end.nowTrue}`;
  const odd = end.unexpected === undefined ? '' : `; unexpected: ${end.unexpected}`;
  return `${end.by} attests: ${end.happened}${now}${odd}`;
}

/** Of an attempt that was ended from outside: what it had said by then, which is no evidence (R8). null: nothing. */
export function saidBeforeEnd(end: End | undefined): string | null {
  if (end?.is !== 'cut' && end?.is !== 'lost' && end?.is !== 'answered') return null;
  const { claim } = end;
  if (claim === undefined || (end.is === 'answered' && end.code !== null)) return null;
  return `before it was ended the performer had claimed: ${[claim.status, ...claim.stateDelta].slice(0, SAID_ITEMS_MAX).join('; ')}`;
}

const SAID_ITEMS_MAX = 4;
