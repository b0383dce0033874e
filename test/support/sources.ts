/** Reads the project's own sources as syntax trees, for the tests that hold them to the rules of the house. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, extname, join, posix, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseAst } from 'vitest/node';

export const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

export interface SourceImport {
  /** As written for a package; for one of our own files its path from the root, without extension. */
  from: string;
  own: boolean;
  typeOnly: boolean;
  line: number;
}

export interface Source {
  /** From the root, with forward slashes. */
  path: string;
  lines: number;
  imports: SourceImport[];
  functions: { name: string; line: number; lines: number }[];
  /** Lines that read the environment of the process. */
  environmentReads: number[];
}

type Node = Record<string, unknown> & { type: string; start: number; end: number };

const FUNCTIONS = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']);
const EXTENSIONS = new Set(['.ts', '.mjs']);

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

function* nodesBelow(node: Node, parent: Node | null): Generator<{ node: Node; parent: Node | null }> {
  yield { node, parent };
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) yield* nodesBelow(child, node);
  }
}

function textOf(node: unknown): string | null {
  if (!isNode(node)) return null;
  if (node.type === 'Identifier' || node.type === 'PrivateIdentifier') return String(node.name);
  return node.type === 'Literal' ? String(node.value) : null;
}

/** The module that a node imports or hands on, if it does. */
function moduleOf(node: Node): { specifier: string; typeOnly: boolean } | null {
  const specifier = textOf(node.source);
  if (specifier === null) return null;
  switch (node.type) {
    case 'ImportDeclaration':
      return { specifier, typeOnly: node.importKind === 'type' };
    case 'ExportNamedDeclaration':
    case 'ExportAllDeclaration':
      return { specifier, typeOnly: node.exportKind === 'type' };
    case 'TSImportType':
      return { specifier, typeOnly: true };
    case 'ImportExpression':
      return { specifier, typeOnly: false };
    default:
      return null;
  }
}

function resolved(path: string, specifier: string): { from: string; own: boolean } {
  if (!specifier.startsWith('.')) return { from: specifier, own: false };
  return { from: posix.join(posix.dirname(path), specifier).replace(/\.[cm]?[jt]s$/, ''), own: true };
}

function readsEnvironment(node: Node): boolean {
  return node.type === 'MemberExpression' && textOf(node.object) === 'process' && textOf(node.property) === 'env';
}

export function readSource(path: string): Source {
  const text = readFileSync(join(ROOT, path), 'utf8');
  const starts = [...text.matchAll(/\n/g)].map((match) => match.index);
  const lineAt = (offset: number) => starts.filter((start) => start < offset).length + 1;
  const source: Source = { path, lines: text.trimEnd().split('\n').length, imports: [], functions: [], environmentReads: [] };
  const tree = parseAst(text, { lang: extname(path) === '.ts' ? 'ts' : 'js' });
  if (!isNode(tree)) throw new Error(`${path} has no syntax tree`);
  for (const { node, parent } of nodesBelow(tree, null)) {
    const line = lineAt(node.start);
    const imported = moduleOf(node);
    if (imported !== null) source.imports.push({ ...resolved(path, imported.specifier), typeOnly: imported.typeOnly, line });
    if (readsEnvironment(node)) source.environmentReads.push(line);
    if (FUNCTIONS.has(node.type)) {
      const name = textOf(node.id) ?? textOf(parent?.key) ?? textOf(parent?.id) ?? 'a function';
      source.functions.push({ name, line, lines: lineAt(node.end) - line + 1 });
    }
  }
  return source;
}

/** Every source below a folder of the project, sorted; none where the folder is missing. */
export function sourcesBelow(folder: string): Source[] {
  return filesBelow(folder)
    .filter((path) => EXTENSIONS.has(extname(path)))
    .map(readSource);
}

/** Every file below a folder of the project, from the root, with forward slashes. */
export function filesBelow(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .sort();
}
