import { realpath } from 'node:fs/promises';
import type { Look } from '../../core/values.js';
import type { Check } from '../../documents/check.js';
import { parseCheck } from '../../documents/check-line.js';
import { withoutAnsi } from '../../documents/plain-text.js';
import { ConnectionEnded } from '../process/connection.js';
import { maskText } from '../process/mask.js';
import { EXCERPT_CHARS_MAX, type LookContext, SAW_CHARS_MAX, type Sight, unobservable } from './context.js';
import { lookAtFile } from './file.js';
import { lookAtGit } from './git.js';
import { lookByHttp } from './http.js';
import { markOf } from './mark.js';
import { lookByRunning } from './run.js';

/** Looks with one check. null: only a person can. It never throws for what the world is like: then nobody knows (R11). */
export async function lookAt(line: string, context: LookContext): Promise<Look | null> {
  const check = checkOf(line);
  if (check !== null && check.kind === 'human') return null;
  const sight = check === null ? unobservable('this check cannot be read') : await sightOf(check, context);
  context.signal.throwIfAborted();
  return lookOf(line, sight, context.secrets);
}

/** The check of a line, or null where it cannot be read. */
export function checkOf(line: string): Check | null {
  return parseCheck(line, { file: 'PLAN.md', line: 1 }).check;
}

/** The check for another folder: a path that names the workspace as a whole would lead out of it. */
export function lineIn(line: string, workspace: string, folder: string): string {
  const path = workspace.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return line.replace(new RegExp(`${path}(?![\\p{L}\\p{N}_.-])`, 'gu'), () => folder);
}

/** What was seen, with nothing in it that must not be kept, and short enough to be. */
export function lookOf(line: string, sight: Sight, secrets: readonly string[]): Look {
  const saw = maskText(sight.saw, secrets).replace(/\s+/g, ' ').slice(0, SAW_CHARS_MAX);
  const excerpt = maskText(withoutAnsi(sight.excerpt ?? ''), secrets)
    .replaceAll('\0', '')
    .trimEnd()
    .slice(-EXCERPT_CHARS_MAX);
  return {
    check: line,
    is: sight.is,
    saw,
    ...(sight.is === 'holds' ? {} : { mark: markOf(sight.output ?? saw) }),
    ...(excerpt === '' ? {} : { excerpt }),
    ...(sight.sha256 === undefined ? {} : { sha256: sight.sha256 }),
  };
}

async function sightOf(check: Exclude<Check, { kind: 'human' }>, context: LookContext): Promise<Sight> {
  const gone = await workspaceFault(context.workspace);
  if (gone !== null) return unobservable(gone);
  try {
    return await lookWith(check, context);
  } catch (error) {
    context.signal.throwIfAborted();
    // Nothing was seen, through no fault of the check: the look is made again with a new supervisor.
    if (error instanceof ConnectionEnded) throw error;
    return unobservable(`the look failed: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function lookWith(check: Exclude<Check, { kind: 'human' }>, context: LookContext): Promise<Sight> {
  switch (check.kind) {
    case 'run':
      return lookByRunning(check, context);
    case 'file':
      return lookAtFile(check, context);
    case 'http':
      return lookByHttp(check, context);
    case 'git':
      return lookAtGit(check.expect, context);
  }
}

/** The folder may have been removed, or replaced by a link, since the run began (B17, F05). */
async function workspaceFault(workspace: string): Promise<string | null> {
  try {
    return (await realpath(workspace)) === workspace ? null : 'the workspace is another folder now';
  } catch {
    return 'the workspace is gone';
  }
}
