import { type Document, isMap, isNode, isScalar, LineCounter, parseDocument, visit } from 'yaml';
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
  const document = documentOf(normalised(text), lines);
  if (document === null) return refused(1, `is nested too deeply; a ${name} has three levels`);
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

/**
 * Keys are texts, and none stands twice. `failsafe`: every value is a text as well, `08`, `null` and `no` too. null: deeper
 * than the call stack, which only a hostile text is.
 */
export function documentOf(text: string, lines: LineCounter, schema: 'core' | 'failsafe' = 'core'): Document | null {
  try {
    return parseDocument(text, { lineCounter: lines, prettyErrors: false, stringKeys: true, schema, logLevel: 'error' });
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
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
  let at: number | null = null;
  visit(document, {
    Alias: (_key, node) => {
      at = node.range?.[0] ?? 0;
      return visit.BREAK;
    },
  });
  return at;
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
