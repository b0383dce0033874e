import type { Check, FileExpectation, Read } from './check.js';
import { pathProblem } from './paths.js';
import { quoted, quotedAt, unspanned } from './quoting.js';

const KEYWORDS = /\s(contains|matches|is json|is absent|absent|exists)(?=\s|$)/g;
/** A path holds few of these words; a hostile line many. */
const KEYWORDS_TRIED_MAX = 16;
const FORMS = 'write file: <path>, or the path followed by contains "text", matches /regex/, is json [schema.json] or absent';

/** What follows `file:`. A path may hold spaces, and these words, when it stands in quotes. */
export function parseFileCheck(rest: string): Read {
  if (rest === '') return { wrong: `has no path; ${FORMS}` };
  const inQuotes = quotedAt(rest);
  if (inQuotes !== null && (inQuotes.rest === '' || /^\s/.test(inQuotes.rest))) {
    const tail = inQuotes.rest.trim();
    const expect = tail === '' ? { is: 'exists' as const } : expectationOf(tail);
    return expect === null ? { wrong: `"${tail.slice(0, 60)}" is not understood; ${FORMS}` } : withPath(inQuotes.value, expect);
  }
  let tried = 0;
  let unread: string | null = null;
  for (const match of rest.matchAll(KEYWORDS)) {
    if (++tried > KEYWORDS_TRIED_MAX) break;
    const tail = rest.slice(match.index).trim();
    const expect = expectationOf(tail);
    if (expect !== null) return withPath(unspanned(rest.slice(0, match.index).trim()), expect);
    if (match[1] === 'contains' || match[1] === 'matches') unread ??= tail;
  }
  if (unread !== null) return { wrong: `"${unread.slice(0, 60)}" is not understood; ${FORMS}` };
  return withPath(unspanned(rest), { is: 'exists' });
}

function withPath(path: string, expect: FileExpectation | { wrong: string }): Read {
  if ('wrong' in expect) return expect;
  const wrong = pathProblem(path);
  if (wrong !== null) return { wrong: `${path.slice(0, 60)} ${wrong}` };
  return { check: { kind: 'file', path, expect } };
}

/** null: not one of the forms. */
function expectationOf(tail: string): FileExpectation | { wrong: string } | null {
  if (tail === 'exists') return { is: 'exists' };
  if (tail === 'absent' || tail === 'is absent') return { is: 'absent' };
  const json = /^is json(?:\s+(\S.*))?$/.exec(tail);
  if (json !== null) return jsonExpectation(unspanned(json[1] ?? ''));
  const contains = /^contains\s+(\S.*)$/s.exec(tail);
  if (contains !== null) {
    const text = quotedAt(contains[1] ?? '');
    return text === null || text.rest !== '' || text.value === '' ? null : { is: 'contains', text: text.value };
  }
  const matches = /^matches\s+\/(.*)\/([a-z]*)$/s.exec(tail);
  return matches === null ? null : regexExpectation(matches[1] ?? '', matches[2] ?? '');
}

function jsonExpectation(given: string): FileExpectation | { wrong: string } {
  if (given === '') return { is: 'json', schema: null };
  const schema = quotedAt(given)?.value ?? given;
  const wrong = pathProblem(schema);
  return wrong === null ? { is: 'json', schema } : { wrong: `${schema.slice(0, 60)} ${wrong}` };
}

function regexExpectation(source: string, flags: string): FileExpectation | { wrong: string } {
  if (source === '') return { wrong: 'the regular expression is empty' };
  if (!/^[imsu]*$/.test(flags)) return { wrong: `/${flags} are no flags for a look; i, m, s and u are` };
  try {
    new RegExp(source, flags);
  } catch (error) {
    // The only way to ask whether a pattern is one.
    if (error instanceof SyntaxError)
      return {
        wrong: `/${source.slice(0, 60)}/${flags} is no regular expression: ${error.message.replace(/^Invalid regular expression: /, '')}`,
      };
    throw error;
  }
  return { is: 'matches', source, flags };
}

export function renderFileCheck(check: Extract<Check, { kind: 'file' }>): string {
  const { expect } = check;
  const path = mustQuote(check.path) ? quoted(check.path) : check.path;
  switch (expect.is) {
    case 'exists':
      return `file: ${path}`;
    case 'absent':
      return `file: ${path} absent`;
    case 'contains':
      return `file: ${path} contains ${quoted(expect.text)}`;
    case 'matches':
      return `file: ${path} matches /${expect.source}/${expect.flags}`;
    case 'json':
      return `file: ${path} is json${expect.schema === null ? '' : ` ${mustQuote(expect.schema) ? quoted(expect.schema) : expect.schema}`}`;
  }
}

function mustQuote(path: string): boolean {
  return path.trim() !== path || /^["'“`]/.test(path) || [...path.matchAll(KEYWORDS)].length > 0;
}
