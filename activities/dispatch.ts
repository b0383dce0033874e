import { isAbsolute, join } from 'node:path';
import type { Cost, End } from '../core/values.js';
import type { AgentAdapter, AgentReading, AgentStart, Refusal } from './agents/adapter.js';
import { createInlineAdapter } from './agents/inline.js';
import { doubtsAbout, plausibleCost, plausibleSession } from './agents/plausible.js';
import { attemptPath } from './attempt-folder.js';
import { type Attempted, isWorkspaceThere, runAttempt } from './dispatch-attempt.js';
import type { Spent } from './dispatch-budget.js';
import { endOf, refusal } from './dispatch-end.js';
import type { AgentPorts, DispatchPorts, PerformerEnvironment } from './dispatch-ports.js';
import { costOfTry, knowsAttempt, untilIn } from './dispatch-session.js';
import { NOTHING_TO_START, startOf } from './dispatch-start.js';
import type { Dispatched, DispatchInput, Place } from './interface.js';
import type { AskAgent } from './ports.js';
import { readClaim, readOutcome } from './process/attempt-files.js';
import { findTool } from './process/forest.js';
import { maskTexts } from './process/mask.js';

/** Nothing was started, so nothing was spent. */
const FREE: Cost = { usd: 0, tokens: 0 };

type Refused = Extract<End, { is: 'refused' }>;

/**
 * Hands a brief to the performer of a task and brings back how that ended. Idempotent by the attempt's token (design.md
 * §4): asked again it attends the same attempt, or returns its outcome. Rejects only with a cancellation that leaves the
 * attempt running, or where the world itself fails (a disk, a supervisor that does not start).
 */
export function createDispatch(ports: DispatchPorts): (input: DispatchInput) => Promise<Dispatched> {
  return async (input) => {
    const { place, token, task, timeoutMs } = input;
    const found = await performerOf(input, ports);
    if ('is' in found) return refused(found);
    const environment = await ports.environment(place, found.passes);
    const how = input.cut === true ? 'end' : isBegun(place, token) ? 'go on' : 'begin';
    const start = how === 'begin' ? await performerStart(found, input, { ports, environment }) : NOTHING_TO_START;
    if ('refused' in start) return refused(refusal(start.refused));
    const hindrance = how === 'begin' ? whyNot(place, task.performer, start, environment) : null;
    if (hindrance !== null) return refused(hindrance);
    const { left } = input;
    const request = {
      place,
      token,
      role: input.step?.briefing.step.agent ?? 'performer',
      task: task.id,
      start,
      timeoutMs,
      how,
      ...(left === undefined ? {} : { left }),
    } as const;
    const attempted = await runAttempt(request, { supervisor: ports.supervisor, environment, adapter: found, limits: ports.limits });
    const reading = maskTexts(await readAttempt(found, attempted, environment), environment.secrets);
    // What a step's agent answers is read when its delivery is looked at; a return block in it would be a quotation.
    const said = input.step === undefined ? {} : { claim: null, problem: null };
    return dispatched(attempted, { ...reading, ...said, ...credible(reading, costOfTry(found, reading, { place, token })) });
  };
}

/** Asks a role other than the performer, on the same machinery: the same token again gives the same answer. */
export function createAskAgent(ports: AgentPorts): AskAgent {
  return async ({ place, token, role, agent, task, prompt, timeoutMs }) => {
    const adapter = await ports.agentFor(place, agent);
    if ('missing' in adapter) return { output: '', end: noAgent(adapter), cost: FREE };
    const environment = await ports.environment(place, adapter.passes);
    const how = isBegun(place, token) ? 'go on' : 'begin';
    const starting = { place, environment, role, prompt, token, session: null, checks: [] };
    const start = how === 'begin' ? await startOf(adapter, starting) : NOTHING_TO_START;
    if ('refused' in start) return { output: '', end: refusal(start.refused), cost: FREE };
    const hindrance = how === 'begin' ? whyNot(place, agent, start, environment) : null;
    if (hindrance !== null) return { output: '', end: hindrance, cost: FREE };
    const request = { place, token, role, task, start, timeoutMs, how } as const;
    const attempted = await runAttempt(request, { supervisor: ports.supervisor, environment, adapter, limits: ports.limits });
    const reading = maskTexts(await readAttempt(adapter, attempted, environment), environment.secrets);
    // The answer of a role is its text; a return block in it would be a quotation.
    const end = endOf(attempted.outcome, { ...reading, claim: null, problem: null });
    return { output: reading.output, end, cost: plausibleCost(reading.cost), ...(how === 'go on' ? { again: true as const } : {}) };
  };
}

/** A session that does not know the attempt is not gone on in; the fresh one is told that somebody may have acted. */
async function performerStart(
  adapter: AgentAdapter,
  input: DispatchInput,
  { ports, environment }: { ports: DispatchPorts; environment: PerformerEnvironment },
): Promise<AgentStart | { refused: Refusal }> {
  const { place, token, task } = input;
  const mends = input.step?.mends === true;
  const session = plausibleSession(input.session);
  const isKnown = session !== null && (await knowsAttempt(adapter, { session, place, token, mends }, environment.variables));
  // Who mends an earlier attempt does not repeat it: a fresh session is told what is wrong, and nothing of an interruption.
  const asked = input.session === null || isKnown ? input : { ...input, session: null, again: mends ? input.again : true };
  const prompt = await ports.composeBrief(asked);
  return startOf(adapter, { place, environment, role: 'performer', prompt, token, session: asked.session, checks: task.checks });
}

async function readAttempt(adapter: AgentAdapter, attempted: Attempted, { variables }: PerformerEnvironment): Promise<AgentReading> {
  const reading = adapter.read(attempted);
  if (reading.limited === null || reading.session === null) return reading;
  const until = await untilIn(adapter, reading.session, variables);
  return until === null || until <= attempted.endedAt ? reading : { ...reading, limited: { ...reading.limited, until } };
}

async function performerOf(input: DispatchInput, ports: DispatchPorts): Promise<AgentAdapter | Refused> {
  const { performer, id } = input.task;
  if (performer !== 'inline') {
    const agent = await ports.agentFor(input.place, performer, input.step?.briefing.step.permissions);
    return 'missing' in agent ? noAgent(agent) : agent;
  }
  const command = await ports.inlineCommand(input);
  if (command !== null && command.trim() !== '') return createInlineAdapter(command);
  return refusal({
    why: `${id} is inline, but the plan has no Run: for it`,
    blocker: 'inline-without-run',
    userAction: `Give ${id} a Run: line in a new plan version.`,
  });
}

function noAgent({ missing, userAction }: { missing: string; userAction: string }): Refused {
  return refusal({ why: missing, blocker: 'agent-not-configured', userAction });
}

function refused(end: Refused): Dispatched {
  return { end, cost: FREE, log: '' };
}

/** Its cost as far as it can be so, and a word for what cannot. */
function credible({ doubts = [] }: AgentReading, cost: Cost): Pick<AgentReading, 'cost' | 'doubts'> {
  const found = [...doubtsAbout('USD', [cost.usd, cost.estimatedUsd]), ...doubtsAbout('tokens', [cost.tokens])];
  return { cost: plausibleCost(cost), doubts: [...new Set([...doubts, ...found])] };
}

/** What it says was put together from its stream, and masked again (R16): there a secret may come in two pieces. */
function dispatched(attempted: Attempted, reading: AgentReading): Dispatched {
  const { session } = reading;
  const hasBegun = attempted.outcome === 'lost' || attempted.outcome.sha256 !== '';
  const cost = hasBegun ? reading.cost : FREE;
  const end = attempted.usedUp === null ? endOf(attempted.outcome, reading) : budgetEnd(attempted.usedUp);
  return { end, cost, log: attempted.log, ...(session === null ? {} : { session }) };
}

function budgetEnd(spent: Spent): Refused {
  const limit = spent === 'cost' ? 'limits.costUsd' : 'limits.tokens';
  return refusal({
    why: `it was ended: it had spent all that ${limit} left`,
    blocker: `budget-${spent}`,
    userAction: `Raise ${limit} in donewhen.yaml, or grant it once more, and resolve budget-${spent}.`,
  });
}

/** Whether somebody claimed the token: then only its outcome counts, whatever the world looks like now. */
function isBegun(place: Place, token: string): boolean {
  const dir = join(place.folder, attemptPath(token));
  return readOutcome(dir) !== null || readClaim(dir) !== null;
}

/** What would keep the process from beginning, said before anything is claimed. */
function whyNot(place: Place, name: string, start: AgentStart, environment: PerformerEnvironment): Refused | null {
  if (!isWorkspaceThere(place)) {
    return refusal({
      why: `the workspace ${place.workspace} is gone or is another folder now`,
      blocker: 'workspace-missing',
      userAction: `Put ${place.workspace} back, then resolve this blocker.`,
    });
  }
  const program = start.program ?? start.argv[0] ?? '';
  if (isThere(program, place.workspace, { ...environment.variables, ...start.env }.PATH ?? '')) return null;
  return refusal({
    why: `${name}: ${program === '' ? 'its command is empty' : `${program} is not there, or may not be run`}`,
    blocker: 'agent-not-found',
    userAction: `Install ${program === '' ? name : program}, or change the agent ${name} in donewhen.yaml.`,
  });
}

function isThere(program: string, workspace: string, path: string): boolean {
  if (program === '') return false;
  if (!program.includes('/')) return findTool(program, path) !== null;
  const file = isAbsolute(program) ? program : join(workspace, program);
  return findTool(file.slice(file.lastIndexOf('/') + 1), file.slice(0, file.lastIndexOf('/')) || '/') !== null;
}
