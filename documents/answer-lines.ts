import { closes, type Fence, fenceOf, mayFence, normalised } from './lines.js';
import { withoutAnsi } from './plain-text.js';
import { isSideChannel, SIDE_CHANNEL } from './side-channel.js';

/** An answer stands at the end of what an agent writes; before this much of it nothing is looked for. */
const ANSWER_CHARS_MAX = 1024 * 1024;

/** The end of an agent's output as lines: without colours, and without what it told us by the side. */
export function answerLines(output: string): string[] {
  const tail = output.length > ANSWER_CHARS_MAX ? output.slice(-ANSWER_CHARS_MAX) : output;
  const lines = normalised(withoutAnsi(tail)).split('\n');
  const own = tail.includes(SIDE_CHANNEL) ? lines.filter((line) => !isSideChannel(line)) : lines;
  return own.map((line) => line.trimEnd());
}

/** A fence at any depth of indentation: answers put code into lists. */
export function indentedFence(line: string): Fence | null {
  if (line.length < 3 || !mayFence(line)) return null;
  const at = line.search(/\S/);
  const fence = fenceOf(line, at);
  return fence === null ? null : { ...fence, indent: at };
}

/** Whether a fence ends the one around an answer, and not one that stands deeper within it. */
export function endsAround(fence: Fence, around: Fence): boolean {
  return closes(fence, around) && fence.indent <= around.indent;
}

/** Fences in fences; nobody writes more. */
const FENCES_MAX = 8;

/** The open fences, the outermost first, after one more line of a fence. A shorter one, or one of another kind, may stand in another. */
export function afterFence(open: readonly Fence[], fence: Fence): readonly Fence[] {
  const own = open.findLastIndex((one) => endsAround(fence, one) && one.length === fence.length);
  const ended = own >= 0 ? own : open.findIndex((one) => endsAround(fence, one));
  if (ended >= 0) return open.slice(0, ended);
  const last = open.at(-1);
  const isWithin = last === undefined || fence.mark !== last.mark || fence.length < last.length;
  return isWithin && open.length < FENCES_MAX ? [...open, fence] : open;
}

/** `<reason>`: a form with nothing around it. */
export function isForm(text: string): boolean {
  return text.includes('<') && /^<[^<>]*>$/.test(text.trim());
}

const PLACEHOLDER = /<[^<>]{1,400}>/g;

/** `<what is observably different now, and its consequence>`: a form that nobody filled in. */
export function isPlaceholder(text: string): boolean {
  const holders = text.includes('<') ? text.match(PLACEHOLDER) : null;
  if (holders === null || !holders.some((holder) => holder.includes(' ') || /^<[a-z]+(?:-[a-z]+)+>$/.test(holder))) return false;
  return /^[\s→>.,;:-]*$/.test(text.replace(PLACEHOLDER, ''));
}
