import { unreachable } from '../core/assert.js';
import { answerLines, isForm } from './answer-lines.js';
import type { Check } from './check.js';
import { parseCheck, renderCheck } from './check-line.js';
import { itemText } from './plain-text.js';

/** What a verifier makes of a prose `Verify by:` (docs/interface.md §9). Checks are canonical; running them is ours. */
export type VerifierAnswer = { checks: string[] } | { cannotTell: string };

const REASON_CHARS_MAX = 1000;
/** What is looked at of a line, and of the lines about facts. */
const LINE_CHARS_MAX = 16 * REASON_CHARS_MAX;
const FACT_LINES_MAX = 1000;
const CHECKS_MAX = 20;
const HEADING = /^\s{0,3}(?:#{1,6}\s)?(?:\*\*|`)?(Checks|CANNOT TELL)(?:\*\*|`)?:(?:\*\*|`)?\s*(.*)$/i;

/** The last answer counts. null: none, or one with a line that is no check: a conjunction with a hole is no check (R11). */
export function parseVerifierAnswer(output: string): VerifierAnswer | null {
  const lines = answerLines(output);
  for (let index = lines.length - 1; index >= 0; index--) {
    const heading = headingIn(lines[index] ?? '');
    if (heading === null) continue;
    const rest = itemText((heading[2] ?? '').slice(0, LINE_CHARS_MAX));
    if (heading[1]?.toLowerCase() === 'checks') return checksFrom(lines, index, rest);
    if (!isForm(rest)) return { cannotTell: rest === '' ? 'no reason was given' : rest.slice(0, REASON_CHARS_MAX) };
  }
  return null;
}

function headingIn(line: string): RegExpExecArray | null {
  return line.includes(':') ? HEADING.exec(line) : null;
}

function checksFrom(lines: readonly string[], at: number, first: string): VerifierAnswer | null {
  const written = first === '' ? [] : [first];
  for (const line of lines.slice(at + 1)) {
    const item = /^\s{0,8}[-*+]\s+(.*)$/.exec(line)?.[1];
    if (written.length > CHECKS_MAX) return null;
    if (item !== undefined) written.push(item);
    else if (line.trim() !== '' && !/^\s*(?:`{3,}|~{3,})/.test(line)) break;
  }
  if (written.length === 0 || written.length > CHECKS_MAX || written.some(isForm)) return null;
  const checks = written.map((text) => parseCheck(text, { file: 'answer', line: 1 }).check);
  const understood = checks.flatMap((check) => (check === null ? [] : [renderCheck(check)]));
  return understood.length === checks.length ? { checks: [...new Set(understood)] } : null;
}

/**
 * Checks for a list of facts that somebody reported, by the number of the fact: `- 2: file: a.txt contains "7"`. Only
 * what looks and cannot act counts; of two lines for one fact the last stands, and a fact without one stays unconfirmed.
 */
export function parseFactChecks(output: string, facts: number): Map<number, string> {
  const lines = answerLines(output);
  const at = lines.findLastIndex((line) => headingIn(line)?.[1]?.toLowerCase() === 'checks');
  const found = new Map<number, string>();
  for (const line of at < 0 ? [] : lines.slice(at + 1, at + 1 + FACT_LINES_MAX)) {
    const item = /^\s{0,8}[-*+]\s+(?:fact\s+)?(\d{1,3})\s*[:.)]\s*(.*)$/i.exec(line);
    if (item === null) continue;
    const number = Number(item[1]);
    const { check } = parseCheck((item[2] ?? '').replace(/^`(.*)`$/, '$1'), { file: 'answer', line: 1 });
    if (check === null || number < 1 || number > facts || !onlyLooks(check)) continue;
    found.set(number, renderCheck(check));
  }
  return found;
}

/** Reads a file, a page or the repository. That nothing is there shows no fact; a command may do anything. */
function onlyLooks(check: Check): boolean {
  switch (check.kind) {
    case 'file':
      return check.expect.is !== 'absent';
    case 'http':
    case 'git':
      return true;
    case 'run':
    case 'human':
      return false;
    default:
      return unreachable(check);
  }
}
