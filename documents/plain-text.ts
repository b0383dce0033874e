import { withVisible } from './invisible.js';
import { oneLine } from './lines.js';

const ESCAPE = 0x1b;
const CONTROL_SEQUENCE_INTRODUCER = 0x9b;
const BELL = 0x07;

/** Without the colours and cursor movements that programs write to a terminal. Linear, whatever an agent prints. */
export function withoutAnsi(text: string): string {
  if (!text.includes('\u001b') && !text.includes('\u009b')) return text;
  const kept: string[] = [];
  let from = 0;
  for (let index = 0; index < text.length; ) {
    const end = sequenceEnd(text, index);
    if (end === index) {
      index++;
      continue;
    }
    kept.push(text.slice(from, index));
    index = end;
    from = end;
  }
  kept.push(text.slice(from));
  return kept.join('');
}

/** The longest sequence that is skipped: what is longer was no sequence. */
const SEQUENCE_CHARS_MAX = 256;

function sequenceEnd(text: string, at: number): number {
  const first = text.charCodeAt(at);
  if (first === CONTROL_SEQUENCE_INTRODUCER) return afterParameters(text, at + 1);
  if (first !== ESCAPE) return at;
  const second = text.charAt(at + 1);
  if (second === '[') return afterParameters(text, at + 2);
  if (second === ']' || second === 'P' || second === '_' || second === '^') return afterString(text, at + 2);
  return second === '(' || second === ')' ? at + 3 : at + 2;
}

function afterParameters(text: string, from: number): number {
  let at = from;
  while (at - from < SEQUENCE_CHARS_MAX && at < text.length && text.charCodeAt(at) >= 0x20 && text.charCodeAt(at) < 0x40) at++;
  const last = text.charCodeAt(at);
  return last >= 0x40 && last < 0x7f ? at + 1 : at;
}

function afterString(text: string, from: number): number {
  for (let at = from; at < text.length && at - from < SEQUENCE_CHARS_MAX; at++) {
    if (text.charCodeAt(at) === BELL) return at + 1;
    if (text.charCodeAt(at) === ESCAPE) return text.charAt(at + 1) === '\\' ? at + 2 : from;
  }
  return from;
}

/** One line that nothing in a Markdown list can escape from, and in which nothing is hidden. */
export function itemText(text: string): string {
  return withVisible(oneLine(withoutAnsi(text).replace(/\p{Cc}/gu, ' ')));
}

/** Lines of output as they may stand in a document: no control characters but the tab. */
export function outputLines(text: string): string[] {
  return withoutAnsi(text)
    .replace(/\r\n?/g, '\n')
    .split('\n')
    .map((line) => withVisible(line.replace(/(?!\t)\p{Cc}/gu, '')));
}

/** Bytes in UTF-8; a lone surrogate counts as its replacement. */
export function bytesOf(text: string): number {
  let bytes = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    const isPair = code >= 0xd800 && code < 0xdc00 && text.charCodeAt(index + 1) >= 0xdc00 && text.charCodeAt(index + 1) < 0xe000;
    if (isPair) index++;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : isPair ? 4 : 3;
  }
  return bytes;
}
