import { isNothing } from '../fields.js';
import { unspanned } from '../quoting.js';

/** What reviews are known to say; any other verdict approves nothing. */
export const VERDICTS = ['APPROVED', 'APPROVED_WITH_CONDITIONS', 'REJECTED', 'N/A', 'PASS', 'FAIL'] as const;

const VERDICT_CHARS_MAX = 80;

/** `Approved with conditions` is APPROVED_WITH_CONDITIONS. null: nothing was said, which approves nothing (R11). */
export function verdictIn(text: string): string | null {
  const words = unspanned(text.trim().replace(/^\*{1,2}|\*{1,2}$/g, '')).trim();
  if (/^n\/a$/i.test(words)) return 'N/A';
  if (isNothing(words) || /^(?:null|~)$/i.test(words)) return null;
  return words
    .toUpperCase()
    .replace(/[\s-]+/g, '_')
    .slice(0, VERDICT_CHARS_MAX);
}
