import { oneLine } from './lines.js';

const DURATION_PART = /(\d{1,6}(?:\.\d{1,3})?)\s*(seconds?|secs?|s|minutes?|mins?|m|hours?|hrs?|h)(?![a-z])/gi;
/** Longer than any attempt that somebody waits for. */
const TIMEOUT_MS_MAX = 30 * 24 * 3_600_000;

/** `90s`, `30m`, `1h 30m`; or what is wrong with it, after the name of its field. */
export function parseDuration(text: string): { ms: number } | { wrong: string } {
  let ms = 0;
  const rest = oneLine(text)
    .slice(0, 100)
    .replace(DURATION_PART, (_part, amount: string, unit: string) => {
      const letter = unit.charAt(0).toLowerCase();
      ms += Number(amount) * (letter === 's' ? 1000 : letter === 'm' ? 60_000 : 3_600_000);
      return '';
    });
  if (rest.trim() !== '' || ms <= 0) return { wrong: `is "${oneLine(text).slice(0, 40)}"; write 90s, 30m or 2h` };
  if (ms > TIMEOUT_MS_MAX) return { wrong: 'is longer than 30 days; split the task' };
  return { ms: Math.round(ms) };
}
