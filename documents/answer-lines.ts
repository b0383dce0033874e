import { closes, type Fence, fenceOf, normalised } from './lines.js';
import { withoutAnsi } from './plain-text.js';
import { isSideChannel } from './side-channel.js';

/** An answer stands at the end of what an agent writes; before this much of it nothing is looked for. */
const ANSWER_CHARS_MAX = 1024 * 1024;

/** The end of an agent's output as lines: without colours, and without what it told us by the side. */
export function answerLines(output: string): string[] {
  const tail = output.length > ANSWER_CHARS_MAX ? output.slice(-ANSWER_CHARS_MAX) : output;
  const kept: string[] = [];
  for (const line of normalised(withoutAnsi(tail)).split('\n')) if (!isSideChannel(line)) kept.push(line.trimEnd());
  return kept;
}

/** A fence at any depth of indentation: answers put code into lists. */
export function indentedFence(line: string): Fence | null {
  if (!line.includes('```') && !line.includes('~~~')) return null;
  const at = line.search(/\S/);
  const fence = fenceOf(line.slice(at));
  return fence === null ? null : { ...fence, indent: at };
}

/** Whether a fence ends the one around an answer, and not one that stands deeper within it. */
export function endsAround(fence: Fence, around: Fence): boolean {
  return closes(fence, around) && fence.indent <= around.indent;
}

/** `<reason>`: a form with nothing around it. */
export function isForm(text: string): boolean {
  return /^<[^<>]*>$/.test(text.trim());
}

const PLACEHOLDER = /<[^<>]{1,400}>/g;

/** `<what is observably different now, and its consequence>`: a form that nobody filled in. */
export function isPlaceholder(text: string): boolean {
  const holders = text.match(PLACEHOLDER);
  if (holders === null || !holders.some((holder) => holder.includes(' ') || /^<[a-z]+(?:-[a-z]+)+>$/.test(holder))) return false;
  return /^[\s→>.,;:-]*$/.test(text.replace(PLACEHOLDER, ''));
}
