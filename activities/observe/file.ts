import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { createContext, runInContext } from 'node:vm';
import { glob } from 'tinyglobby';
import type { FileExpectation } from '../../documents/check.js';
import { isPattern } from '../../documents/paths.js';
import { disproved, holds, type LookContext, quote, type Sight, unobservable } from './context.js';
import { type Found, findInside, LEAVES, readFound } from './inside.js';
import { jsonSight } from './json.js';

/** What is searched, matched or parsed is read into memory. */
const CONTENT_BYTES_MAX = 32 * 1024 * 1024;
/** A larger file is there, but it is not hashed at every look. */
const HASH_BYTES_MAX = 256 * 1024 * 1024;
const MATCHES_MAX = 1_000;
/** Some expressions take longer than the age of the world on some texts. */
const REGEX_MS = 2_000;

export async function lookAtFile(check: { path: string; expect: FileExpectation }, context: LookContext): Promise<Sight> {
  const { path, expect } = check;
  const found = await findInside(context.workspace, path);
  if (expect.is === 'absent') return found.is === 'absent' && isPattern(path) ? lookForNone(path, context) : absence(found);
  // A name may look like a pattern (`app/[id]/page.tsx`): what is really there comes first.
  return found.is === 'absent' && isPattern(path) ? lookForAny(path, expect, context) : lookForOne(found, expect, context);
}

type Wanted = Exclude<FileExpectation, { is: 'absent' }>;

async function lookForOne(found: Found, expect: Wanted, context: LookContext): Promise<Sight> {
  if (found.is !== 'file') return missing(found);
  return expect.is === 'exists' ? presence(found) : lookInside(found, expect, context);
}

function absence(found: Found): Sight {
  switch (found.is) {
    case 'absent':
      return holds('absent');
    case 'file':
      return disproved(`there, ${bytes(found.bytes)}`);
    case 'other':
      return disproved(`there, ${found.what}`);
    case 'leaves':
      return disproved(LEAVES);
    case 'unknown':
      return unobservable(found.why);
  }
}

/** Why what was found is no regular file of the workspace. */
function missing(found: Exclude<Found, { is: 'file' }>): Sight {
  switch (found.is) {
    case 'absent':
      return disproved('absent');
    case 'other':
      return disproved(found.what === 'a folder' ? 'a folder, not a regular file' : found.what);
    case 'leaves':
      return disproved(LEAVES);
    case 'unknown':
      return unobservable(found.why);
  }
}

type File = Extract<Found, { is: 'file' }>;

async function presence(found: File): Promise<Sight> {
  if (found.bytes === 0) return disproved('empty');
  const sha256 = found.bytes <= HASH_BYTES_MAX ? await hashOf(found.real) : null;
  return holds(`there, ${bytes(found.bytes)}`, sha256 === null ? {} : { sha256 });
}

async function lookInside(
  found: File,
  expect: Exclude<FileExpectation, { is: 'exists' | 'absent' }>,
  context: LookContext,
): Promise<Sight> {
  if (found.bytes === 0) return disproved('empty');
  const content = await readFound(found, CONTENT_BYTES_MAX);
  if (content === null) return unobservable(`larger than ${bytes(CONTENT_BYTES_MAX)}, or no regular file any more`);
  const sha256 = createHash('sha256').update(content).digest('hex');
  const size = `there, ${bytes(content.length)}`;
  switch (expect.is) {
    case 'contains':
      return content.includes(expect.text)
        ? holds(size, { sha256 })
        : disproved(`${size}, without ${quote(expect.text)}`, { sha256, output: content.toString('utf8') });
    case 'matches': {
      const pattern = `/${expect.source}/${expect.flags}`;
      const matched = matches(expect, content.toString('utf8'));
      if (matched === null) return unobservable(`${pattern} took longer than ${REGEX_MS} ms`, { sha256 });
      return matched
        ? holds(size, { sha256 })
        : disproved(`${size}, nothing matches ${quote(pattern)}`, { sha256, output: content.toString('utf8') });
    }
    case 'json':
      return { ...(await jsonSight(content, expect.schema, context)), sha256 };
  }
}

/** null: nobody knows, it takes too long. */
function matches({ source, flags }: { source: string; flags: string }, text: string): boolean | null {
  const sandbox = createContext({ source, flags, text });
  try {
    return runInContext('new RegExp(source, flags).test(text)', sandbox, { timeout: REGEX_MS }) === true;
  } catch (error) {
    // It comes from the context, whose Error is another.
    if (typeof error === 'object' && error !== null && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return null;
    throw error;
  }
}

/** One file that is as it should be suffices. */
async function lookForAny(pattern: string, expect: Wanted, context: LookContext): Promise<Sight> {
  const paths = (await matching(pattern, context)).slice(0, MATCHES_MAX);
  const sights: Sight[] = [];
  for (const path of paths) sights.push(await lookForOne(await findInside(context.workspace, path), expect, context));
  const there = sights.filter((sight) => sight.is === 'holds');
  if (there.length > 1 && expect.is === 'exists') return holds(`there, ${there.length} files`);
  const [first] = there.length > 0 ? there : sights.filter((sight) => sight.is === 'unobservable');
  if (first !== undefined) return expect.is === 'exists' ? first : { ...first, saw: `${paths[sights.indexOf(first)]}: ${first.saw}` };
  const [only] = sights;
  if (only === undefined) return disproved('nothing matches');
  if (sights.length === 1) return only;
  return disproved(`none of ${sights.length} files: ${only.saw}`, { output: sights.map(({ saw }) => saw).join('\n') });
}

async function lookForNone(pattern: string, context: LookContext): Promise<Sight> {
  const [first] = await matching(pattern, context);
  return first === undefined ? holds('absent') : disproved(`there: ${first}`);
}

/** Never what we or git keep, and what was installed only where the pattern says so. */
async function matching(pattern: string, { workspace, signal, timeoutMs }: LookContext): Promise<string[]> {
  const installed = pattern.includes('node_modules') ? [] : ['**/node_modules/**'];
  const found = await glob(pattern, {
    cwd: workspace,
    onlyFiles: false,
    followSymbolicLinks: false,
    expandDirectories: false,
    ignore: ['.donewhen/**', '**/.git/**', ...installed],
    signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
  });
  return found.sort();
}

function hashOf(file: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const hash = createHash('sha256');
    createReadStream(file)
      .on('data', (chunk) => hash.update(chunk))
      .on('error', reject)
      .on('end', () => resolve(hash.digest('hex')));
  });
}

function bytes(count: number): string {
  return count === 1 ? '1 byte' : `${count} bytes`;
}
