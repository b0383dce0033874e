import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { addCost } from '../../core/limits.js';
import type { Cost, End, Look, Observation } from '../../core/values.js';
import type { Check } from '../../documents/check.js';
import { parseVerifierAnswer } from '../../documents/verifier-answer.js';
import { readRegular } from '../files/regular.js';
import type { CheckInput } from '../interface.js';
import { isInside } from '../load/workspace.js';
import type { AskAgent } from '../ports.js';
import { sha256Of } from '../texts.js';
import { type Prose, verifierPrompt } from './compile-prompt.js';
import type { CompiledCache } from './compiled-cache.js';
import type { LookContext } from './context.js';
import { checkOf, lineIn, lookAt } from './look.js';

export interface CompilePorts {
  ask: AskAgent;
  /** The agent that fills the verifier role; null: nobody does. */
  verifier(input: CheckInput): Promise<string | null>;
  /** The task's prose; null: the plan gives it none, or checks of its own. */
  prose(input: CheckInput): Promise<Prose | null>;
  cache: CompiledCache;
  timeoutMs: number;
  now(): number;
}

/** Usage limits that are waited for, one after the other, before the verifier counts as silent. */
const LIMITS_WAITED_MAX = 200;

/** Looks with the checks that the verifier role proposed; null: there is nothing to compile. */
export type Compile = (
  input: CheckInput,
  context: LookContext,
) => Promise<(Pick<Observation, 'looks' | 'compiled' | 'cost' | 'limited'> & { deviations?: string[] }) | null>;

/**
 * Turns a prose `Verify by:` into checks (design.md §3): the verifier role proposes, code runs them. One that holds
 * already and also holds in an empty folder observes nothing, and is refused; none left is no usable check (R11).
 */
export function createCompile(ports: CompilePorts): Compile {
  return async (input, context) => {
    if (input.task === null || input.token === null || input.checks.length > 0) return null;
    const prose = await ports.prose(input);
    if (prose === null) return null;
    const cached = await ports.cache.get(input.place, prose);
    if (cached !== null) return accepted(cached, context);
    const agent = await ports.verifier(input);
    if (agent === null) return null;
    const { output, end, ...paid } = await askVerifier(ports, { ...input, token: input.token, task: input.task }, { agent, prose });
    // R13: nothing was said because nothing could be; the look is made again when the limit is over.
    if (end.is === 'limited') return { looks: [], ...paid, limited: { until: end.until, why: `the verifier: ${end.why}` } };
    const answer = parseVerifierAnswer(output);
    const proposed = answer !== null && 'checks' in answer ? answer.checks : [];
    // Only an answer is kept: silence is asked again by the next run (E13).
    if (proposed.length > 0) await ports.cache.put(input.place, input.task, { prose, checks: proposed });
    return { ...(await accepted(proposed, context)), ...paid };
  };
}

/** After a usage limit that is over the same question has a token of its own: the old one would find the limit for ever. */
async function askVerifier(
  ports: CompilePorts,
  { place, token, task, planSha256 }: CheckInput & { token: string; task: string },
  { agent, prose }: { agent: string; prose: Prose },
): Promise<{ output: string; end: End; cost?: Cost; deviations?: string[] }> {
  const prompt = verifierPrompt(prose);
  const mark = sha256Of(`${place.startedAt ?? 0} ${prompt}`).slice(0, 8);
  const deviations: string[] = [];
  let cost: Cost | undefined;
  for (let leg = 1; ; leg++) {
    const legged = `verify-${mark}-${token}${leg === 1 ? '' : `.${leg}`}`;
    const said = await ports.ask({ place, token: legged, role: 'verifier', agent, task, planSha256, prompt, timeoutMs: ports.timeoutMs });
    if (said.deviation !== undefined) deviations.push(said.deviation);
    // What an earlier look found is booked already.
    if (said.again !== true) cost = cost === undefined ? said.cost : addCost(cost, said.cost);
    const isOver = said.end.is === 'limited' && said.again === true && (said.end.until ?? 0) <= ports.now();
    if (isOver && leg < LIMITS_WAITED_MAX) continue;
    const more = { ...(cost === undefined ? {} : { cost }), ...(deviations.length === 0 ? {} : { deviations }) };
    return { output: said.output, end: said.end, ...more };
  }
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
    await addOurs(empty, context);
    const look = await lookAt(lineIn(line, context.workspace, empty), { ...context, workspace: empty });
    return look?.is !== 'disproved';
  } finally {
    await rm(empty, { recursive: true, force: true });
  }
}

/** The plan, what a run keeps beside it and what was pinned stood there before any work, and say nothing of it. */
async function addOurs(empty: string, { workspace, ours }: LookContext): Promise<void> {
  for (const path of [...ours.written, ...ours.putBack]) {
    const content = isInside(workspace, path) && !path.endsWith('/') ? readRegular(path) : null;
    if (content === null) continue;
    const file = join(empty, relative(workspace, path));
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, content);
  }
}

function looksElsewhere(check: Check): boolean {
  if (check.kind === 'http' || check.kind === 'git' || check.kind === 'human') return true;
  return check.kind === 'file' && check.expect.is === 'absent';
}
