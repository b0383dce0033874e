/** A run that was the same in so many looks is asked less often: to answer costs its worker as much as a step. */
export const CALM_AFTER_LOOKS = 5;
const CALM_RESTS = 3;
/** A run whose state is larger, some two hundred tasks, is asked less often, too: once a second and a hundred thousand characters. */
const LARGE_CHARS = 200_000;
const CHARS_A_REST = 100_000;
const RESTS_MAX = 10;

/** Seconds from one look to the next, after a state of so many characters that was the same in so many looks. */
export function restsAfter({ chars, sameFor }: { chars: number; sameFor: number }): number {
  const calm = sameFor < CALM_AFTER_LOOKS ? 1 : CALM_RESTS;
  return chars <= LARGE_CHARS ? calm : Math.max(calm, Math.min(RESTS_MAX, Math.ceil(chars / CHARS_A_REST)));
}
