import { Composer, type CST, Document, isAlias, isMap, isNode, isScalar, isSeq, Lexer, LineCounter, Parser, YAMLParseError } from 'yaml';
import { normalised } from './lines.js';
import { bytesOf } from './plain-text.js';
import { errorAt, type Problem } from './problem.js';

export type YamlDocument =
  | {
      is: 'value';
      value: unknown;
      /** Of the value at a path, or of its key. */
      lineOf(path: readonly PropertyKey[]): number;
      /** As it is written; null where there is no single word or text at that path. */
      writtenAt(path: readonly PropertyKey[]): string | null;
    }
  | { is: 'refused'; problem: Problem };

export interface YamlLimits {
  file: string;
  bytesMax: number;
  /** How often one alias may be used: a few lines of them can stand for more than a memory holds. */
  aliasesMax: number;
  /** What such a file is called, in a refusal. */
  name: string;
}

/** A text of YAML as a value, with the lines of its parts. Keys are texts, and none stands twice. */
export function readYaml(text: string, { file, bytesMax, aliasesMax, name }: YamlLimits): YamlDocument {
  const refused = (line: number, words: string): YamlDocument => ({
    is: 'refused',
    problem: errorAt({ file, line }, `the file ${words}`),
  });
  if (bytesOf(text) > bytesMax) return refused(1, `is larger than ${bytesMax / 1024} KiB, which no ${name} is`);
  const lines = new LineCounter();
  const read = documentOf(normalised(text), lines);
  if (read.is === 'too-deep') return refused(1, `is nested too deeply; a ${name} has three levels`);
  if (read.is === 'too-large') return refused(1, `has more parts than any ${name}`);
  const { document } = read;
  const [broken] = document.errors;
  if (broken !== undefined) return refused(lines.linePos(broken.pos[0]).line, `is no YAML: ${broken.message.split('\n')[0]}`);
  const alias = aliasesMax === 0 ? firstAlias(document) : null;
  if (alias !== null) return refused(lines.linePos(alias).line, 'uses an alias; write the values out');
  const plain = plainValue(document, aliasesMax);
  if (plain === null) return refused(1, `uses an alias more than ${aliasesMax} times; write the values out`);
  return {
    is: 'value',
    value: plain.value,
    lineOf: (path) => lineAt(document, lines, path),
    writtenAt: (path) => writtenAt(document, path),
  };
}

/** Values, marks, spaces and line ends: more than any file has that somebody writes, and few enough to be read at once. */
const PARTS_MAX = 30_000;
/** The library goes down into what it reads by calling itself, and a stack that overflows there may end the process. */
const DEPTH_MAX = 64;

export type ReadDocument = { is: 'document'; document: Document } | { is: 'too-large' } | { is: 'too-deep' };

/** Keys are texts, and none stands twice. `failsafe`: every value is a text as well, `08`, `null` and `no` too. */
export function documentOf(text: string, lines: LineCounter, schema: 'core' | 'failsafe' = 'core'): ReadDocument {
  let parts = 0;
  for (const _part of new Lexer().lex(text)) if (++parts > PARTS_MAX) return { is: 'too-large' };
  const tokens = [...new Parser(lines.addNewLine).parse(text)];
  if (isTooDeep(tokens)) return { is: 'too-deep' };
  // A fault is told by its place: a stack of each would cost more than all the reading.
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return { is: 'document', document: composed(tokens, { length: text.length, schema }) };
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

function composed(tokens: readonly CST.Token[], { length, schema }: { length: number; schema: 'core' | 'failsafe' }): Document {
  const options = { prettyErrors: false, stringKeys: true, uniqueKeys: false, schema, logLevel: 'error' } as const;
  const [document = new Document(null, options), ...more] = new Composer(options).compose(tokens, true, length);
  const twice = firstKeyTwice(document);
  if (twice !== null) document.errors.push(new YAMLParseError([twice, twice + 1], 'DUPLICATE_KEY', 'Map keys must be unique'));
  const second = more[0]?.range[0];
  if (second !== undefined) document.errors.push(new YAMLParseError([second, second + 1], 'MULTIPLE_DOCS', 'it holds a second document'));
  return document;
}

function isTooDeep(tokens: readonly CST.Token[]): boolean {
  const open = tokens.map((token) => ({ token, depth: 0 }));
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { token, depth } = next;
    if (depth > DEPTH_MAX) return true;
    if (token.type === 'document' && token.value !== undefined) open.push({ token: token.value, depth });
    else if ('items' in token)
      for (const { key, value } of token.items)
        for (const part of [key, value]) if (part !== undefined && part !== null) open.push({ token: part, depth: depth + 1 });
  }
  return false;
}

function plainValue(document: Document, aliasesMax: number): { value: unknown } | null {
  try {
    return { value: document.toJS({ maxAliasCount: aliasesMax }) };
  } catch (error) {
    if (error instanceof ReferenceError || error instanceof RangeError) return null;
    throw error;
  }
}

/** Where the first alias of a document stands. */
export function firstAlias(document: Document): number | null {
  return firstWhere(document, (node) => (isAlias(node) ? (node.range?.[0] ?? 0) : null));
}

/** Where the first key stands that its map has already. The library compares each key with all before it. */
function firstKeyTwice(document: Document): number | null {
  return firstWhere(document, (node) => {
    if (!isMap(node)) return null;
    const seen = new Set<unknown>();
    for (const { key } of node.items) {
      const name = isScalar(key) ? key.value : key;
      if (seen.has(name)) return isNode(key) ? (key.range?.[0] ?? 0) : 0;
      seen.add(name);
    }
    return null;
  });
}

/** The first place that is found in any node. */
function firstWhere(document: Document, placeIn: (node: unknown) => number | null): number | null {
  let first: number | null = null;
  const open: unknown[] = [document.contents];
  while (open.length > 0) {
    const node = open.pop();
    const place = placeIn(node);
    if (place !== null && (first === null || place < first)) first = place;
    if (isMap(node)) for (const { key, value } of node.items) open.push(key, value);
    else if (isSeq(node)) for (const item of node.items) open.push(item);
  }
  return first;
}

function lineAt(document: Document, lines: LineCounter, path: readonly PropertyKey[]): number {
  const parts = partsOf(path);
  for (let length = parts.length; length > 0; length--) {
    const parent = length === 1 ? document.contents : document.getIn(parts.slice(0, length - 1), true);
    const key = parts[length - 1];
    const pair = isMap(parent) ? parent.items.find((item) => (isScalar(item.key) ? item.key.value : item.key) === key) : undefined;
    const node = pair === undefined ? document.getIn(parts.slice(0, length), true) : pair.key;
    if (isNode(node) && node.range) return lines.linePos(node.range[0]).line;
  }
  return 1;
}

function writtenAt(document: Document, path: readonly PropertyKey[]): string | null {
  const node = document.getIn(partsOf(path), true);
  if (!isScalar(node) || node.value === null) return null;
  return typeof node.value === 'string' ? node.value : (node.source ?? String(node.value));
}

function partsOf(path: readonly PropertyKey[]): (string | number)[] {
  return path.map((part) => (typeof part === 'symbol' ? '' : part));
}
