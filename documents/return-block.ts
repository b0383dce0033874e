import type { Claim, Status } from '../core/values.js';
import { afterFence, answerLines, endsAround, indentedFence, isPlaceholder } from './answer-lines.js';
import { isNothing } from './fields.js';
import { closes, type Fence } from './lines.js';
import { bytesOf, itemText } from './plain-text.js';

/** Three states (E12): a claim; none (both null); something that was meant as one and cannot be read. */
export interface ReturnBlock {
  claim: Claim | null;
  problem: string | null;
}

/** R15: a claim travels through history. */
export const CLAIM_BYTES_MAX = 32 * 1024;
const ITEMS_MAX = 50;
const ITEM_CHARS_MAX = 2000;
/** What is looked at of an item, spaces and colours included. */
const RAW_ITEM_CHARS_MAX = 16 * ITEM_CHARS_MAX;
const BLOCKER_CHARS_MAX = 80;

export const STATUSES = ['done', 'partial', 'blocked', 'failed', 'no_op'] as const satisfies readonly Status[];
/** In the order in which they are kept when a claim is too long: what is open and what a person must do come first. */
const LISTS = ['unresolved', 'user_action', 'risk', 'discovered', 'state_delta', 'evidence'] as const;
type ListName = (typeof LISTS)[number];
const TEXTS = ['deviation', 'blocker'] as const;
export type FieldName = ListName | (typeof TEXTS)[number];
export const RETURN_FIELDS: readonly FieldName[] = [...LISTS, ...TEXTS];

interface Block {
  statuses: string[];
  fields: Map<FieldName, string[][]>;
}

/**
 * What a performer claims (seed 002 §3): the last complete block of its output. A form that nobody filled in is no claim
 * (E24), and two statuses in one block are none either. Nothing in it is evidence (R8).
 */
export function parseReturnBlock(output: string): ReturnBlock {
  let problem: string | null = null;
  for (const block of blocksIn(answerLines(output)).reverse()) {
    const { statuses, fields } = block;
    const words = [...new Set(statuses.map(statusOf))];
    const isForm =
      statuses.some((word) => word.includes('|') || word.includes('<')) ||
      [...fields.values()].some((items) => items.some((item) => isPlaceholder(item.join(' '))));
    if (isForm) {
      problem ??= 'the return contract came back unfilled';
      continue;
    }
    if (words.length > 1)
      return { claim: null, problem: `one block has the statuses ${statuses.map((word) => word.slice(0, 20)).join(' and ')}` };
    const [status] = words;
    if (status !== undefined && status !== null) return { claim: claimOf(status, block), problem: null };
    // A line of some log that begins alike is no block.
    if (fields.size > 0) return { claim: null, problem: `status "${statuses[0]?.slice(0, 40)}" is none of ${STATUSES.join(', ')}` };
  }
  return { claim: null, problem };
}

function statusOf(word: string): Status | null {
  const match = /^[`*_"']{0,3}(done|partial|blocked|failed|no[_-]?op)[`*_"']{0,3}[.!]?(?:\s+[^A-Za-z0-9\s].*)?$/i.exec(word);
  const name = match?.[1]?.toLowerCase().replace(/^no-?op$/, 'no_op');
  return STATUSES.find((status) => status === name) ?? null;
}

function blocksIn(lines: readonly string[]): Block[] {
  const blocks: Block[] = [];
  let around: readonly Fence[] = [];
  for (let index = 0; index < lines.length; ) {
    const line = lines[index] ?? '';
    const label = labelOf(line);
    if (label?.name === 'status') {
      const read = readBlock(lines, index, around);
      blocks.push(read.block);
      index = read.next;
      if (read.endedBy !== null) around = afterFence(around, read.endedBy);
      continue;
    }
    const fence = indentedFence(line);
    if (fence !== null) around = afterFence(around, fence);
    index++;
  }
  return blocks;
}

interface ReadBlock {
  block: Block;
  /** Index of the first line after it. */
  next: number;
  /** The fence that ends one around it. */
  endedBy: Fence | null;
}

/** From its status line on, to the end of a fence around it, or to the first prose after a blank line. */
function readBlock(lines: readonly string[], start: number, fences: readonly Fence[]): ReadBlock {
  const around = fences.at(-1) ?? null;
  const first = labelOf(lines[start] ?? '');
  const base = first?.indent ?? 0;
  const block: Block = { statuses: [first?.rest ?? ''], fields: new Map() };
  let items: string[][] | null = null;
  let inner: Fence | null = null;
  let isListed = false;
  let afterBlank = false;
  const ended = (next: number, endedBy: Fence | null = null) => ({ block, next, endedBy });
  for (let index = start + 1; index < lines.length; index++) {
    const line = lines[index] ?? '';
    const fence = indentedFence(line);
    if (fence !== null && fences.some((one) => endsAround(fence, one) && mayHold(one, inner))) return ended(index + 1, fence);
    if (inner !== null) {
      if (fence !== null && closes(fence, inner)) inner = null;
      else if (isListed && items !== null && line.trim() !== '') addLine(items, line);
      else items?.at(-1)?.push(line.trim());
      continue;
    }
    if (line.trim() === '') {
      afterBlank = true;
      continue;
    }
    if (fence !== null && around === null && fence.indent <= base && (afterBlank || items === null)) return ended(index);
    const label = fence === null ? labelOf(line) : null;
    const atBase = label !== null && label.indent === base;
    if (fence !== null) {
      inner = fence;
      // Around a whole value it is dropped, and what stands in it is not.
      isListed = items?.length === 0;
    } else if (atBase && label.name === 'status') {
      if (around === null && afterBlank) return ended(index);
      block.statuses.push(label.rest);
    } else if (atBase) items = openField(block, label);
    else if (around === null && afterBlank && indentOf(line) <= base && bulletOf(line) === null) return ended(index);
    else if (items !== null) addLine(items, line);
    else return ended(index);
    afterBlank = false;
  }
  return ended(lines.length);
}

/** The fence of an item that nobody closed ends no later than the longer one around all of it. */
function mayHold(around: Fence, inner: Fence | null): boolean {
  return inner === null || (inner.mark === around.mark && inner.length < around.length);
}

/** A field that is not part of the contract is read and dropped: its lines belong to no other. */
function openField(block: Block, label: Label): string[][] {
  const name = [...LISTS, ...TEXTS].find((known) => known === label.name);
  const items = (name === undefined ? undefined : block.fields.get(name)) ?? [];
  if (name !== undefined) block.fields.set(name, items);
  if (label.rest !== '') items.push([label.rest]);
  return items;
}

function addLine(items: string[][], line: string): void {
  const bullet = bulletOf(line);
  const last = items.at(-1);
  // A bullet below a bullet belongs to it.
  if (bullet !== null && (bullet.indent < 4 || last === undefined)) items.push([bullet.text]);
  else if (last === undefined) items.push([line.trim()]);
  else last.push(line.trim());
}

function bulletOf(line: string): { indent: number; text: string } | null {
  const match = /^(\s*)(?:[-*+•]|\d{1,3}[.)])\s+(.*)$/.exec(line);
  return match === null ? null : { indent: match[1]?.length ?? 0, text: match[2] ?? '' };
}

function indentOf(line: string): number {
  return Math.max(0, line.search(/\S/));
}

interface Label {
  indent: number;
  name: string;
  rest: string;
}

const LABEL = /^(\s*)(?:\*\*|__|`)?([A-Za-z][A-Za-z_ -]{0,20}[A-Za-z])(?:\*\*|__|`)?:(?:\*\*|__|`)?(?:\s+(.*))?$/;

/** `state_delta:`, also as `State delta:` or `**state_delta:**`. Other labels are one word, in lower case. */
function labelOf(line: string): Label | null {
  if (!line.includes(':')) return null;
  const match = LABEL.exec(line);
  if (match === null) return null;
  const [, indent = '', written = '', rest = ''] = match;
  const name = written.toLowerCase().replace(/[ -]/g, '_');
  const isKnown = name === 'status' || [...LISTS, ...TEXTS].some((known) => known === name);
  return isKnown || /^[a-z][a-z_]*$/.test(written) ? { indent: indent.length, name, rest: rest.trim() } : null;
}

export function claimOf(status: Status, block: Pick<Block, 'fields'>): Claim {
  let left = CLAIM_BYTES_MAX - 4 * ITEM_CHARS_MAX;
  const lists = new Map<ListName, string[]>();
  for (const name of LISTS) {
    const said = (block.fields.get(name) ?? []).map((parts) => parts.join(' ')).filter((text) => !isNothing(text));
    const kept: string[] = [];
    let looked = 0;
    for (; looked < said.length && kept.length < ITEMS_MAX; looked++) {
      const item = itemOf(said[looked] ?? '');
      if (isNothing(item) || item === '[]') continue;
      left -= bytesOf(item) + 4;
      if (left < 0) break;
      kept.push(item);
    }
    lists.set(name, looked < said.length ? [...kept, `(${said.length - looked} more were cut)`] : kept);
  }
  const textOf = (name: (typeof TEXTS)[number]) => itemOf((block.fields.get(name) ?? []).flat().join(' '));
  const deviation = textOf('deviation');
  const blocker = kebab(textOf('blocker'));
  return {
    status,
    stateDelta: lists.get('state_delta') ?? [],
    evidence: lists.get('evidence') ?? [],
    discovered: lists.get('discovered') ?? [],
    unresolved: lists.get('unresolved') ?? [],
    risk: lists.get('risk') ?? [],
    userAction: lists.get('user_action') ?? [],
    ...(isNothing(deviation) ? {} : { deviation }),
    ...(blocker === '' || blocker === 'none' ? {} : { blocker }),
  };
}

/** In one line, without the quotes around it, and not too long. */
function itemOf(text: string): string {
  const line = itemText(text.slice(0, RAW_ITEM_CHARS_MAX));
  const bare = /^"[^"]*"$/.test(line) ? line.slice(1, -1) : line;
  return bare.length > ITEM_CHARS_MAX ? `${bare.slice(0, ITEM_CHARS_MAX).trimEnd()} … (cut)` : bare;
}

/** The identity of an obstacle: `Test database: access!` is `test-database-access`. */
function kebab(text: string): string {
  const words = text
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .toLowerCase();
  return words
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, BLOCKER_CHARS_MAX)
    .replace(/-$/, '');
}
