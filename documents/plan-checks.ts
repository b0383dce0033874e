import { CHECK_KINDS } from './check.js';
import { type ParsedCheck, parseCheck, renderCheck } from './check-line.js';
import { oneLine } from './lines.js';
import { type Block, itemsIn, lineOf, textIn } from './plan-fields.js';
import type { Place } from './problem.js';
import { codeSpanAt } from './quoting.js';

/** The check lines under `Checks:`, canonical; what is none becomes a problem of the block. */
export function checksIn(block: Block): string[] {
  const checks: string[] = [];
  for (const { text, line } of itemsIn(block, 'Checks')) {
    const { check, problems } = parseCheck(text, { file: block.file, line });
    if (check === null) block.problems.push(...problems);
    else checks.push(renderCheck(check));
  }
  return [...new Set(checks)];
}

export function verifyByIn(block: Block): string | undefined {
  const text = textIn(block, 'Verify by');
  const read = checkOfVerifyBy(text ?? '', { file: block.file, line: lineOf(block, 'Verify by') });
  if (read !== null) block.problems.push(...read.problems);
  return text;
}

const PASSES = /^(?:passes|succeeds|exits (?:with )?(?:0|status 0))?\s?\.?$/i;

/**
 * A `Verify by:` that is one code span, perhaps followed by passes, succeeds or exits 0, is a check by itself: the command
 * in the span, or the check that stands there with its kind. null: prose.
 */
export function checkOfVerifyBy(text: string, place: Place): ParsedCheck | null {
  const span = codeSpanAt(text.trim());
  const code = span?.value.trim() ?? '';
  if (span === null || code === '' || !PASSES.test(oneLine(span.rest))) return null;
  const hasKind = CHECK_KINDS.some((kind) => code.toLowerCase().startsWith(`${kind}:`));
  return parseCheck(hasKind ? code : `run: ${code}`, place);
}

export function isUserConfirmation(text: string): boolean {
  return /^(?:the )?user(?:'s)? confirmation\.?$/i.test(oneLine(text));
}

/** A person is asked in one line, and reads the whole in the plan. */
const QUESTION_CHARS_MAX = 1000;

export function askAPerson(doneWhen: string): string {
  const question = oneLine(doneWhen);
  return `human: ${question.length > QUESTION_CHARS_MAX ? `${question.slice(0, QUESTION_CHARS_MAX).trimEnd()}…` : question}`;
}
