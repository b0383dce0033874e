import { createHash } from 'node:crypto';
import { withoutAnsi } from '../../documents/plain-text.js';

const DATE = /\b\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?/g;
const NAMED_DATE =
  /\b(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? )?(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]* \d{1,2},?(?: \d{4})?\b/g;
const CLOCK = /\b\d{1,2}:\d\d(?::\d\d(?:[.,]\d+)?)?(?: ?[AP]M\b)?/gi;
const NAMED_DURATION = /\b(duration(?:_ms)?|elapsed|took|time)(["']?[:= ]{1,3})\d+(?:\.\d+)?/gi;
const DURATION = /\b\d+(?:[.,]\d+)? ?(?:ns|µs|us|ms|msecs?|milliseconds?|s|secs?|seconds?|m|mins?|minutes?|h|hours?)\b/g;
/** With the line and column that often follow: an edit elsewhere in the file moves them. */
const PATH = /(?:file:\/\/)?(?:\/[\w.@%+~#-]+){2,}\/?(?::\d+){0,2}/g;

/**
 * What makes one failure the same as another (docs/interface.md §6): the output without times, durations and paths, which
 * differ between two runs of the same failure. Numbers stay: three failing tests are not two.
 */
export function normalised(output: string): string {
  return withoutAnsi(output)
    .replace(/\r\n?/g, '\n')
    .replace(PATH, '<path>')
    .replace(DATE, '<time>')
    .replace(NAMED_DATE, '<time>')
    .replace(CLOCK, '<time>')
    .replace(NAMED_DURATION, '$1$2<time>')
    .replace(DURATION, '<time>')
    .replace(/[ \t]+$/gm, '')
    .trim();
}

/** Four hex digits that tell failures of the same check apart. */
export function markOf(output: string): string {
  return createHash('sha256').update(normalised(output)).digest('hex').slice(0, 4);
}
