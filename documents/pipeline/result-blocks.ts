import { endsAround, indentedFence } from '../answer-lines.js';
import { type Fence, normalised } from '../lines.js';
import { withoutAnsi } from '../plain-text.js';
import { isSideChannel, SIDE_CHANNEL } from '../side-channel.js';

/** What stands in one block, and the line of the answer, from 1, at which its first line is. */
export interface ResultBlock {
  text: string;
  line: number;
}

export interface ResultBlocks {
  /** Complete ones, in the order of the answer. */
  blocks: ResultBlock[];
  /** The line of a block that begins and does not end. */
  open: number | null;
}

/** An answer stands at the end of what an agent writes; before this much of it nothing is looked for. */
const ANSWER_CHARS_MAX = 1024 * 1024;

const START = /^\s*<!--\s*STEP-RESULT(?=\s|$)(.*)$/;
const END = '/STEP-RESULT';
const COMMENT_END = /^\s*-->\s*$/;
/** A block in a fence alone may carry its name as its first line, or as the fence's. */
const NAME = /^\s*\/?STEP-RESULT\s*$/;

interface Scan extends ResultBlocks, OwnLines {}

interface OpenFence {
  opening: Fence;
  /** Index of the first line of its content. */
  from: number;
}

/** The lines that are the agent's own. */
interface OwnLines {
  lines: readonly string[];
  /** The place of each in the whole answer, from 1. */
  placeOf(index: number): number;
}

/**
 * Every block of a step's answer: an HTML comment, in a fence or not, or a fence whose content is one. A comment that begins
 * before another has ended was cut off; the later one counts.
 */
export function resultBlocksIn(output: string): ResultBlocks {
  const scan: Scan = { ...ownLines(output), blocks: [], open: null };
  let fence: OpenFence | null = null;
  for (let index = 0; index < scan.lines.length; index++) {
    const text = scan.lines[index] ?? '';
    if (START.test(text)) {
      index = readComment(scan, index);
      // Its fence, if it has one, holds a block of its own no more.
      if (fence !== null) fence = { opening: fence.opening, from: Number.POSITIVE_INFINITY };
      continue;
    }
    const here = indentedFence(text);
    if (fence === null) fence = here === null ? null : { opening: here, from: index + 1 };
    else if (here !== null && endsAround(here, fence.opening)) {
      readFence(scan, fence, index);
      fence = null;
    }
  }
  return { blocks: scan.blocks, open: scan.open };
}

function ownLines(output: string): OwnLines {
  const cut = Math.max(0, output.length - ANSWER_CHARS_MAX);
  const before = cut === 0 ? 0 : normalised(output.slice(0, cut)).split('\n').length - 1;
  const all = normalised(withoutAnsi(output.slice(cut))).split('\n');
  if (!output.includes(SIDE_CHANNEL)) return { lines: all.map((text) => text.trimEnd()), placeOf: (index) => before + index + 1 };
  const own = all.map((text, index) => ({ text: text.trimEnd(), index })).filter(({ text }) => !isSideChannel(text));
  return { lines: own.map(({ text }) => text), placeOf: (index) => before + (own[index]?.index ?? all.length) + 1 };
}

/** Reads from its first line on; answers with the index of its last. */
function readComment(scan: Scan, start: number): number {
  const content: string[] = [];
  const beside = START.exec(scan.lines[start] ?? '')?.[1]?.trim() ?? '';
  const line = scan.placeOf(start) + (beside === '' ? 1 : 0);
  if (beside !== '') content.push(beside);
  for (let index = start + 1; index < scan.lines.length; index++) {
    const text = scan.lines[index] ?? '';
    if (START.test(text)) {
      scan.open = scan.placeOf(start);
      return index - 1;
    }
    const last = COMMENT_END.test(text) ? '' : beforeEnd(text);
    if (last === null) content.push(text);
    else {
      scan.blocks.push({ text: [...content, last].join('\n'), line });
      return index;
    }
  }
  scan.open = scan.placeOf(start);
  return scan.lines.length;
}

/** What stands before the end of a block in its line; null: the line does not end one. */
function beforeEnd(text: string): string | null {
  const at = text.lastIndexOf(END);
  if (at < 0 || !/^(?:\s*-->)?\s*$/.test(text.slice(at + END.length))) return null;
  // Within a word it is the end of a path.
  return at === 0 || /\s/.test(text.charAt(at - 1)) ? text.slice(0, at).trimEnd() : null;
}

function readFence(scan: Scan, fence: OpenFence, to: number): void {
  if (fence.from > to) return;
  const named = fence.opening.info.split(/\s+/).includes('STEP-RESULT');
  const content = scan.lines.slice(fence.from, to);
  const text = content.map((line) => (NAME.test(line) ? '' : line)).join('\n');
  const isNamed = named || NAME.test(content.find((line) => line.trim() !== '') ?? '');
  if (isNamed || hasForm(content)) scan.blocks.push({ text, line: content.length === 0 ? 1 : scan.placeOf(fence.from) });
}

/** The three keys that every block has; a piece of some other YAML has not all of them. */
function hasForm(content: readonly string[]): boolean {
  return ['step', 'agent', 'status'].every((key) => content.some((line) => line.trimStart().startsWith(`${key}:`)));
}
