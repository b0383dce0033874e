import { createHash } from 'node:crypto';
import { createMask } from './mask.js';

/** What is known of an output that is not kept whole. */
export interface Captured {
  /** All of it, or of a long one both ends with a mark between them. */
  text: string;
  /** As it was written, before masking. */
  bytes: number;
  /** Of all of it, masked. */
  sha256: string;
  /** Whether the text that was looked for occurs in it. */
  found: boolean;
}

export interface Capture {
  write(chunk: Buffer): void;
  bytes(): number;
  /** The last line so far that is not empty, at most LAST_LINE_CHARS_MAX characters. */
  lastLine(): string;
  close(): Captured;
}

export const LAST_LINE_CHARS_MAX = 200;
const LAST_LINE_BYTES = 4 * 1024;

/** Takes an output of any size and keeps little of it. `next` gets all of it, masked. */
export function createCapture(options: {
  headBytes: number;
  tailBytes: number;
  secrets: readonly string[];
  find?: string;
  next?: (masked: Buffer) => void;
}): Capture {
  const mask = createMask(options.secrets);
  const hash = createHash('sha256');
  const search = createSearch(options.find);
  let head: Buffer = Buffer.alloc(0);
  let tail: Buffer = Buffer.alloc(0);
  let bytes = 0;
  let maskedBytes = 0;
  const keep = (masked: Buffer) => {
    if (masked.length === 0) return;
    maskedBytes += masked.length;
    hash.update(masked);
    options.next?.(masked);
    const room = options.headBytes - head.length;
    if (room > 0) head = Buffer.concat([head, masked.subarray(0, room)]);
    if (masked.length > room) tail = lastOf(Buffer.concat([tail, masked.subarray(Math.max(0, room))]), options.tailBytes);
  };
  return {
    write: (chunk) => {
      bytes += chunk.length;
      search.push(chunk);
      keep(mask.push(chunk));
    },
    bytes: () => bytes,
    lastLine: () => lastLineOf(tail.length > 0 ? tail : head),
    close: () => {
      keep(mask.end());
      const skipped = maskedBytes - head.length - tail.length;
      const gap = Buffer.from(skipped > 0 ? `\n[${skipped} bytes are left out here]\n` : '');
      // Decoded only here: the two ends may meet in the middle of a character.
      const text = Buffer.concat([head, gap, tail]).toString('utf8');
      return { text, bytes, sha256: hash.digest('hex'), found: search.found() };
    },
  };
}

function lastLineOf(kept: Buffer): string {
  const lines = lastOf(kept, LAST_LINE_BYTES)
    .toString('utf8')
    .split(/\r\n|[\r\n]/);
  return (lines.findLast((line) => line.trim() !== '') ?? '').trim().slice(-LAST_LINE_CHARS_MAX);
}

function lastOf(buffer: Buffer, length: number): Buffer {
  return length === 0 ? Buffer.alloc(0) : buffer.subarray(-length);
}

/** Looks for a text in a stream; it may begin in one chunk and end in the next. */
function createSearch(text: string | undefined): { push(chunk: Buffer): void; found(): boolean } {
  const wanted = Buffer.from(text ?? '', 'utf8');
  let before: Buffer = Buffer.alloc(0);
  let found = false;
  return {
    push: (chunk) => {
      if (found || wanted.length === 0) return;
      const seen = Buffer.concat([before, chunk]);
      found = seen.includes(wanted);
      before = Buffer.from(lastOf(seen, wanted.length - 1));
    },
    found: () => found,
  };
}
