import { isMap, isScalar, isSeq, type Pair, type YAMLMap } from 'yaml';
import type { ListedArtifact, Metric, NextInput } from '../../core/methods/pipeline-values.js';
import type { Json } from '../../core/values.js';
import { isForm } from '../answer-lines.js';
import { isNothing } from '../fields.js';
import { pathProblem } from '../paths.js';
import { itemText } from '../plain-text.js';
import { unspanned } from '../quoting.js';
import { metricValue } from './metric.js';

/** What stops the reading of a block, with its place in it. */
export interface Wrong {
  offset: number;
  why: string;
}

export interface Field {
  key: string;
  offset: number;
  node: unknown;
}

/** By the name that a block gives them: `critical_issues` is `critical-issues`. */
export type Fields = Map<string, Field>;

export interface FieldsRead {
  fields: Fields;
  wrong: Wrong[];
}

/** One that stands twice makes the block unreadable: nobody knows which was meant. */
export function fieldsIn(map: YAMLMap): FieldsRead {
  const fields: Fields = new Map();
  const wrong: Wrong[] = [];
  for (const pair of map.items) {
    const field = fieldOf(pair);
    const name = field.key.toLowerCase().replaceAll('_', '-');
    if (fields.has(name)) wrong.push({ offset: field.offset, why: `${name.slice(0, 60)} stands twice` });
    fields.set(name, field);
  }
  return { fields, wrong };
}

function fieldOf(pair: Pair): Field {
  const key = isScalar(pair.key) ? pair.key : null;
  return { key: String(key?.value ?? ''), offset: key?.range?.[0] ?? 0, node: pair.value };
}

/** In one line; empty where nothing is said. */
export function textIn({ fields, wrong }: FieldsRead, name: string): string {
  const field = fields.get(name);
  const text = field === undefined ? '' : scalarText(field.node);
  if (text === null) wrong.push({ offset: field?.offset ?? 0, why: `${name} must be one text` });
  return itemText(text ?? '');
}

/** `key: path`, or `key: [path, path]`. A key without a path lists nothing. */
export function artifactsIn(read: FieldsRead): ListedArtifact[] {
  return pairsIn(read, 'artifacts').flatMap(({ key, node, offset }) => {
    const nodes = isSeq(node) ? node.items : [node];
    const texts = nodes.map(scalarText);
    if (texts.includes(null)) read.wrong.push({ offset, why: `artifacts: ${key.slice(0, 60)} must be a path, or a list of paths` });
    const paths = texts.flatMap((text) => (text === null || isNothing(text) || isForm(text) ? [] : [pathIn(text)]));
    return paths.length === 0 ? [] : [{ key, paths: [...new Set(paths)] }];
  });
}

/** `./docs//a.md` is `docs/a.md`: one file has one name. What leaves the workspace stays as it is, for the gate to see. */
function pathIn(text: string): string {
  const path = unspanned(text.trim());
  if (pathProblem(path) !== null) return path;
  const parts = path.split('/').filter((part, index, all) => part !== '.' && (part !== '' || index === 0 || index === all.length - 1));
  const plain = parts.join('/');
  return plain === '' ? path : plain;
}

export function metricsIn(read: FieldsRead): Metric[] {
  return pairsIn(read, 'metrics').map(({ key, node, offset }) => {
    const text = scalarText(node);
    if (text === null) read.wrong.push({ offset, why: `metrics: ${key.slice(0, 60)} must be one value` });
    return { key, value: metricValue(itemText(text ?? '')) };
  });
}

/** `- Missing: boundary` is meant as a sentence, and so is what follows a `#` in one. */
export function criticalIssuesIn({ fields, wrong }: FieldsRead): string[] {
  const field = fields.get('critical-issues');
  if (field === undefined) return [];
  const items = isSeq(field.node) ? field.node.items : [field.node];
  const issues = items.map((item) => (isMap(item) ? sentenceOf(item) : scalarSentence(item)));
  if (issues.includes(null) || isMap(field.node)) wrong.push({ offset: field.offset, why: 'critical-issues must be a list of sentences' });
  return issues.flatMap((issue) => (issue === null || isNothing(issue) || issue === '[]' ? [] : [issue]));
}

function sentenceOf(map: YAMLMap): string | null {
  const parts = map.items.map(fieldOf).map(({ key, node }) => [key, scalarSentence(node)] as const);
  return parts.some(([, text]) => text === null) ? null : parts.map(([key, text]) => itemText(`${key}: ${text}`)).join('; ');
}

function scalarSentence(node: unknown): string | null {
  const text = scalarText(node);
  const comment = isScalar(node) && typeof node.comment === 'string' ? ` #${node.comment}` : '';
  return text === null ? null : itemText(text + comment);
}

/** A path or a word; what is more than that is kept as JSON, so that the next step may read it. */
export function nextInputsIn(read: FieldsRead): NextInput[] {
  return pairsIn(read, 'next-inputs').flatMap(({ key, node }) => {
    const nodes = isSeq(node) ? node.items : [node];
    const values = nodes.map((one) => scalarText(one) ?? JSON.stringify(jsonOf(one))).map(itemText);
    const said = values.filter((value) => !isNothing(value) && !isForm(value));
    return said.length === 0 ? [] : [{ key, values: said }];
  });
}

export function othersIn({ fields }: FieldsRead, known: readonly string[]): { key: string; value: Json }[] {
  return [...fields].filter(([name]) => !known.includes(name)).map(([, { key, node }]) => ({ key, value: jsonOf(node) }));
}

function pairsIn({ fields, wrong }: FieldsRead, name: string): Field[] {
  const field = fields.get(name);
  if (field === undefined || isNothing(scalarText(field.node) ?? 'more')) return [];
  if (isMap(field.node)) return field.node.items.map(fieldOf).filter(({ key }) => !isForm(key));
  wrong.push({ offset: field.offset, why: `${name} must be keys with values, or {}` });
  return [];
}

/** null: a list, or keys with values. */
function scalarText(node: unknown): string | null {
  if (node === null || node === undefined) return '';
  if (!isScalar(node)) return null;
  const text = String(node.value ?? '');
  return /^(?:null|~)$/i.test(text) && node.type === 'PLAIN' ? '' : text;
}

function jsonOf(node: unknown): Json {
  if (isSeq(node)) return node.items.map(jsonOf);
  if (isMap(node)) return Object.fromEntries(node.items.map(fieldOf).map(({ key, node: value }) => [key, jsonOf(value)]));
  return scalarText(node) ?? '';
}
