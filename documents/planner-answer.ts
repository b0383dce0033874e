import { answerLines, endsAround, indentedFence, isForm } from './answer-lines.js';
import { closes, type Fence } from './lines.js';
import { itemText } from './plain-text.js';
import { HEADER_RULES, TASK_RULES } from './plan-fields.js';
import { taskHeading } from './plan-sections.js';

/** What a planner answers (docs/interface.md §9). `text` is a PLAN.md that nobody has read yet. */
export type PlannerAnswer =
  | { is: 'plan'; text: string }
  | { is: 'none'; reason: string }
  | { is: 'holds'; reason: string }
  | { is: 'unreadable'; problems: string[] };

const REASON_CHARS_MAX = 1000;
/** What is looked at of a line that holds a reason. */
const LINE_CHARS_MAX = 16 * REASON_CHARS_MAX;
const WORD = /^\s{0,3}(?:\*\*|`)?(NO VALID PLAN|PLAN HOLDS)(?:\*\*|`)?:(?:\*\*|`)?\s*(.*)$/;
const PLAN_TITLE = /^\s{0,3}#\s*PLAN\s{0,8}:\s*(.*)$/i;

/** The last answer counts. Prose is none (R11). */
export function parsePlannerAnswer(output: string): PlannerAnswer {
  const lines = answerLines(output);
  for (let index = lines.length - 1; index >= 0; index--) {
    const line = lines[index] ?? '';
    const word = line.includes('PLAN') ? WORD.exec(line) : null;
    if (word !== null) {
      const reason = itemText((word[2] ?? '').slice(0, LINE_CHARS_MAX).replace(/[*`]{1,2}$/, ''));
      if (isForm(reason)) continue;
      const said = reason === '' ? 'no reason was given' : reason.slice(0, REASON_CHARS_MAX);
      return word[1] === 'PLAN HOLDS' ? { is: 'holds', reason: said } : { is: 'none', reason: said };
    }
    const title = line.includes('#') ? PLAN_TITLE.exec(line)?.[1] : undefined;
    if (title !== undefined && !isForm(title) && isPlan(lines, index)) return { is: 'plan', text: planFrom(lines, index) };
  }
  return {
    is: 'unreadable',
    problems: ['the answer holds no plan (from a line "# PLAN: …" on), and no line "NO VALID PLAN: …" or "PLAN HOLDS: …"'],
  };
}

const HEADER_LINES_LOOKED_AT = 40;

/** A title that is followed by a header: not one that a sentence or an example quotes. */
function isPlan(lines: readonly string[], at: number): boolean {
  return lines.slice(at + 1, at + HEADER_LINES_LOOKED_AT).some((line) => /^\s{0,3}(?:\*\*)?(?:Goal|Plan version)(?:\*\*)?:/i.test(line));
}

function planFrom(lines: readonly string[], at: number): string {
  const around = fenceAround(lines, at);
  const end = around === null ? lines.length : endOfFence(lines, at, around);
  return `${lines.slice(at, end).join('\n').trim()}\n`;
}

function fenceAround(lines: readonly string[], at: number): Fence | null {
  let around: Fence | null = null;
  for (const line of lines.slice(0, at)) {
    const fence = indentedFence(line);
    if (around === null) around = fence;
    else if (fence !== null && endsAround(fence, around)) around = null;
  }
  return around;
}

/**
 * Where the fence around a plan ends. A plan holds fences of its own, often with as many backticks as the one around it:
 * so it is looked for after the last line that begins a field, past the fences that open and close there.
 */
function endOfFence(lines: readonly string[], at: number, around: Fence): number {
  const lastField = lines.findLastIndex((line, index) => index > at && beginsPart(line));
  let inner: Fence | null = null;
  for (let index = Math.max(at, lastField) + 1; index < lines.length; index++) {
    const fence = indentedFence(lines[index] ?? '');
    if (fence === null) continue;
    const opensValue = index === lastField + 1 && (lines[lastField] ?? '').endsWith(':');
    if (inner !== null) inner = closes(fence, inner) ? null : inner;
    else if (endsAround(fence, around) && !opensValue) return index;
    else inner = fence;
  }
  return lines.length;
}

function beginsPart(line: string): boolean {
  const name = /^([A-Za-z ]{3,30}):/.exec(line)?.[1]?.toLowerCase() ?? '';
  return TASK_RULES.known.has(name) || HEADER_RULES.known.has(name) || taskHeading(line) !== null;
}
