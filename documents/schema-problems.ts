import type * as z from 'zod';
import { didYouMean } from './nearest.js';
import { errorAt, PROBLEMS_MAX, type Problem } from './problem.js';

type Issue = z.core.$ZodIssue;

export interface Given {
  file: string;
  /** The line of the value at a path, or of one of its keys. */
  lineOf(path: readonly PropertyKey[]): number;
  value: unknown;
  /** The keys that may stand at a path. */
  knownKeysAt(path: readonly PropertyKey[]): string[];
  /** A path in words. */
  nameOf(path: readonly PropertyKey[]): string;
  /** What a text must be that has a form of its own; null: a name like any other. */
  formOf?(path: readonly PropertyKey[]): string | null;
}

/** What a schema found wrong. Each names the key, what was written and what may stand there. */
export function schemaProblems(issues: readonly Issue[], given: Given): Problem[] {
  return issues.slice(0, PROBLEMS_MAX).flatMap((issue) => {
    if (issue.code === 'unrecognized_keys') return issue.keys.slice(0, PROBLEMS_MAX).map((key) => unknownKey(issue.path, key, given));
    return [errorAt({ file: given.file, line: given.lineOf(issue.path) }, `${given.nameOf(issue.path)} ${wordsFor(issue, given)}`)];
  });
}

function unknownKey(path: readonly PropertyKey[], key: string, given: Given): Problem {
  const known = given.knownKeysAt(path);
  const shown = key.slice(0, 60);
  const hint = didYouMean(key, known) || `; known keys: ${known.join(', ')}`;
  return errorAt({ file: given.file, line: given.lineOf([...path, key]) }, `${given.nameOf([...path, shown])} is no known key${hint}`);
}

export function nameOf(path: readonly PropertyKey[]): string {
  return path.length === 0 ? 'the file' : path.map((part) => String(part).slice(0, 60)).join('.');
}

function wordsFor(issue: Issue, given: Given): string {
  const value = valueAt(given.value, issue.path);
  const written = value === undefined ? '' : `, not ${shownValue(value)}`;
  const form = issue.code === 'invalid_union' || issue.code === 'invalid_format' ? (given.formOf?.(issue.path) ?? null) : null;
  if (form !== null) return value === undefined ? `is missing; write ${form}` : `must be ${form}${written}`;
  switch (issue.code) {
    case 'invalid_type':
      return value === undefined ? `is missing; write ${typeWords(issue.expected)}` : `must be ${typeWords(issue.expected)}${written}`;
    case 'invalid_value':
      return `must be ${oneOf(issue.values.map(String))}${written}${suggestion(value, issue.values.map(String))}`;
    case 'invalid_union':
      return unionWords(issue, value, written);
    case 'too_small':
      return issue.origin === 'array' || issue.origin === 'string'
        ? 'is empty'
        : `must be ${issue.inclusive === false ? 'more than' : 'at least'} ${issue.minimum}${written}`;
    case 'too_big':
      return `must be at most ${issue.maximum}${issue.origin === 'string' ? ' characters long' : issue.origin === 'array' ? ' items long' : written}`;
    case 'invalid_key':
      return 'is no name; a name begins with a letter and holds letters, digits, ".", "_" and "-"';
    case 'invalid_format':
      return issue.format === 'url'
        ? `must be an http or https URL${written}`
        : `must be a name of letters, digits, "_" and the like${written}`;
    default:
      return `${issue.message}${written}`;
  }
}

/** The kind of an agent says which of its forms is meant. */
function unionWords(issue: Extract<Issue, { code: 'invalid_union' }>, value: unknown, written: string): string {
  const kinds = 'options' in issue && Array.isArray(issue.options) ? issue.options.map(String) : [];
  if (kinds.length === 0) return `is not understood${written}`;
  return `${value === undefined ? 'is missing; it is' : 'must be'} ${oneOf(kinds)}${written}${suggestion(value, kinds)}`;
}

function suggestion(value: unknown, known: readonly string[]): string {
  return typeof value === 'string' ? didYouMean(value, known) : '';
}

function oneOf(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
}

function typeWords(expected: string): string {
  switch (expected) {
    case 'int':
      return 'a whole number';
    case 'number':
      return 'a number';
    case 'string':
      return 'a text';
    case 'boolean':
      return 'true or false';
    case 'array':
      return 'a list, like [a, b]';
    case 'object':
    case 'record':
      return 'keys with values';
    default:
      return `a ${expected}`;
  }
}

function shownValue(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && value !== null) return 'keys with values';
  const text = typeof value === 'string' ? `"${value}"` : String(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let current = value;
  for (const part of path) {
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, part)) return undefined;
    current = Object.entries(current).find(([key]) => key === String(part))?.[1];
  }
  return current;
}
