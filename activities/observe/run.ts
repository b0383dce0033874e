import type { RunExpectation } from '../../documents/check.js';
import type { AttemptEnd } from '../process/attempt-files.js';
import type { CommandResult } from '../process/wire.js';
import { disproved, holds, type LookContext, quote, type Sight, unobservable } from './context.js';

/** A check that was asked to end gets little time for it: it only looks. */
const GRACE_MS = 2_000;
const HEAD_BYTES = 16 * 1024;
const TAIL_BYTES = 48 * 1024;
const MINUTE_MS = 60_000;

export function lookByRunning(check: { command: string; expect: RunExpectation }, context: LookContext): Promise<Sight> {
  return runIn(context.workspace, check, context);
}

/** The same in another folder: a scratch copy of the workspace, or an empty one. */
export async function runIn(cwd: string, check: { command: string; expect: RunExpectation }, context: LookContext): Promise<Sight> {
  const { expect, command } = check;
  const find = expect.is === 'prints' ? { find: expect.text } : {};
  const result = await context.run({ program: { script: command }, cwd, ...find, ...commandSettings(context) });
  return sightOf(result, expect, context.timeoutMs);
}

/** What every command that looks has in common. */
export function commandSettings({ variables, secrets, timeoutMs }: LookContext) {
  return { env: variables, secrets, timeoutMs, graceMs: GRACE_MS, headBytes: HEAD_BYTES, tailBytes: TAIL_BYTES };
}

function sightOf(result: CommandResult, expect: RunExpectation, timeoutMs: number): Sight {
  const more = { output: result.text, excerpt: result.text, sha256: result.sha256 };
  const { end } = result;
  if (end.is !== 'exited') return unobservable(unfinished(end, timeoutMs), more);
  const saw = `exit ${end.code}`;
  if (expect.is === 'exit') return end.code === expect.code ? holds(saw, more) : disproved(saw, more);
  // A command that fails has not done what was asked of it, whatever it printed.
  if (end.code !== 0) return disproved(saw, more);
  return result.found
    ? holds(`${saw}, prints ${quote(expect.text)}`, more)
    : disproved(`${saw}, does not print ${quote(expect.text)}`, more);
}

/** It says nothing of the postcondition: a killed or unfinished look is no look. */
export function unfinished(end: Exclude<AttemptEnd, { is: 'exited' }>, timeoutMs: number): string {
  switch (end.is) {
    case 'signalled':
      return `killed by ${end.signal}`;
    case 'silent':
      return `it printed nothing for ${end.forMs} ms`;
    case 'timeout':
      return `its time ran out after ${timeoutMs >= MINUTE_MS ? `${timeoutMs / MINUTE_MS} min` : `${timeoutMs} ms`}`;
    case 'cut':
      return 'stopped before its end';
    case 'unspawned':
      return `could not be started: ${end.error}`;
  }
}
