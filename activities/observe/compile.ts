import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Look, Observation } from '../../core/values.js';
import type { Check } from '../../documents/check.js';
import { parseVerifierAnswer } from '../../documents/verifier-answer.js';
import type { CheckInput } from '../interface.js';
import type { AskAgent } from '../ports.js';
import { verifierPrompt } from './compile-prompt.js';
import type { LookContext } from './context.js';
import { checkOf, lookAt } from './look.js';

/** What of a task the verifier role is told. It is asked before the work, blind to any claim. */
export interface Prose {
  title: string;
  task: string;
  doneWhen: string;
  verifyBy: string;
}

export interface CompilePorts {
  ask: AskAgent;
  /** The agent that fills the verifier role; null: nobody does. */
  verifier(input: CheckInput): Promise<string | null>;
  /** The task's prose; null: the plan gives it none, or checks of its own. */
  prose(input: CheckInput): Promise<Prose | null>;
  timeoutMs: number;
}

/** Looks with the checks that the verifier role proposed; null: there is nothing to compile. */
export type Compile = (input: CheckInput, context: LookContext) => Promise<Pick<Observation, 'looks' | 'compiled'> | null>;

/**
 * Turns a prose `Verify by:` into checks (design.md §3): the verifier role proposes, code runs them. One that holds
 * already and also holds in an empty folder observes nothing, and is refused; none left is no usable check (R11).
 */
export function createCompile(ports: CompilePorts): Compile {
  return async (input, context) => {
    if (input.task === null || input.token === null || input.checks.length > 0) return null;
    const prose = await ports.prose(input);
    const agent = prose === null ? null : await ports.verifier(input);
    if (prose === null || agent === null) return null;
    const { place, token, task } = input;
    const prompt = verifierPrompt(prose);
    const asked = { place, token: `verify-${token}`, role: 'verifier' as const, agent, task, prompt, timeoutMs: ports.timeoutMs };
    const { output } = await ports.ask(asked);
    const answer = parseVerifierAnswer(output);
    const proposed = answer !== null && 'checks' in answer ? answer.checks : [];
    return accepted(proposed, context);
  };
}

/** R8: a proposal is only that. What it is worth is seen by running it, here and where nothing is. */
async function accepted(proposed: readonly string[], context: LookContext): Promise<{ looks: Look[]; compiled: string[] }> {
  const looks: Look[] = [];
  for (const line of proposed) {
    const look = await lookAt(line, context);
    // Only a person can answer a human check, and nobody asked for one.
    if (look === null || (look.is === 'holds' && (await isVacuous(line, context)))) continue;
    looks.push(look);
  }
  return { looks, compiled: looks.map((look) => look.check) };
}

/** Whether a check holds where nothing is; what cannot be run there counts as if it did. */
export async function isVacuous(line: string, context: LookContext): Promise<boolean> {
  const check = checkOf(line);
  if (check === null || looksElsewhere(check)) return true;
  const empty = await realpath(await mkdtemp(join(tmpdir(), 'donewhen-empty-')));
  try {
    const look = await lookAt(line, { ...context, workspace: empty });
    return look?.is !== 'disproved';
  } finally {
    await rm(empty, { recursive: true, force: true });
  }
}

function looksElsewhere(check: Check): boolean {
  if (check.kind === 'http' || check.kind === 'git' || check.kind === 'human') return true;
  return check.kind === 'file' && check.expect.is === 'absent';
}
