import { amountOf, fieldsOf, isFields, jsonIn, linesIn, sumOf, textOf } from './stream.js';

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const TRY_AGAIN =
  /try again at (?:([A-Z][a-z]{2})[a-z]* (\d{1,2})(?:st|nd|rd|th)?,? (\d{4}),? (?:at )?)?(\d{1,2}):(\d{2})(?:\s*([AP])\.?M)?/i;

/** The newest counters in a session's record: a window that is used up ends then. */
export function limitInRollout(record: string): number | null {
  let until: number | null = null;
  for (const line of linesIn(record)) {
    if (!line.includes('rate_limits')) continue;
    const limits = fieldsOf(fieldsOf(jsonIn(line)).payload).rate_limits;
    if (!isFields(limits)) continue;
    const windows = [limits.primary, limits.secondary].map(fieldsOf).filter(({ used_percent }) => (amountOf(used_percent) ?? 0) >= 100);
    const ends = windows.map(({ resets_at }) => amountOf(resets_at)).filter((at) => at !== null);
    until = ends.length === 0 ? null : Math.max(...ends) * 1000;
  }
  return until;
}

/** It counts each answer of its model; the session's own total has earlier attempts in it. */
export function tokensInRollout(record: string, since: number): number | null {
  let tokens: number | null = null;
  for (const line of linesIn(record)) {
    if (!line.includes('last_token_usage')) continue;
    const { timestamp, payload } = fieldsOf(jsonIn(line));
    const { total_tokens } = fieldsOf(fieldsOf(fieldsOf(payload).info).last_token_usage);
    if (Date.parse(textOf(timestamp)) >= since) tokens = sumOf([tokens, total_tokens]);
  }
  return tokens;
}

/** `try again at 1:26 PM`: the next such time of this person's clock. */
export function clockTimeIn(words: string, after: number): number | null {
  const match = TRY_AGAIN.exec(words);
  if (match === null) return null;
  const [, month, day, year, hour, minute, half] = match;
  const hours = half === undefined ? Number(hour) : (Number(hour) % 12) + (half.toUpperCase() === 'P' ? 12 : 0);
  const at = new Date(after);
  if (month !== undefined) at.setFullYear(Number(year), MONTHS.indexOf(month.toLowerCase()), Number(day));
  at.setHours(hours, Number(minute), 0, 0);
  if (month === undefined && at.getTime() <= after) at.setDate(at.getDate() + 1);
  return at.getTime() > after ? at.getTime() : null;
}
