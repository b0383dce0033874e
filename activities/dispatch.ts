import { isAbsolute, join } from 'node:path';
import type { Cost, End } from '../core/values.js';
import type { AgentAdapter, AgentReading, AgentStart } from './agents/adapter.js';
import { createInlineAdapter } from './agents/inline.js';
import { attemptPath } from './attempt-folder.js';
import { type Attempted, isWorkspaceThere, runAttempt } from './dispatch-attempt.js';
import { endOf, refusal } from './dispatch-end.js';
import type { AgentPorts, DispatchPorts, PerformerEnvironment } from './dispatch-ports.js';
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
    const { place, token, task } = input;
    const environment = await ports.environment(place);
    const found = await performerOf(input, ports);
    if ('is' in found) return refused(found);
    const how = input.cut === true ? 'end' : isBegun(place, token) ? 'go on' : 'begin';
    const prompt = how === 'begin' ? await ports.composeBrief(input) : '';
    const start = found.start({ role: 'performer', prompt, session: input.session, workspace: place.workspace });
    const hindrance = how === 'begin' ? whyNot(place, task.performer, start, environment) : null;
    if (hindrance !== null) return refused(hindrance);
    const { timeoutMs } = input;
    const request = { place, token, role: 'performer', task: task.id, start, timeoutMs, how } as const;
    const attempted = await runAttempt(request, { supervisor: ports.supervisor, environment, adapter: found, limits: ports.limits });
    return dispatched(attempted, maskTexts(found.read(attempted), environment.secrets));
  };
}

/** Asks a role other than the performer, on the same machinery: the same token again gives the same answer. */
export function createAskAgent(ports: AgentPorts): AskAgent {
  return async ({ place, token, role, agent, task, prompt, timeoutMs }) => {
    const environment = await ports.environment(place);
    const adapter = await ports.agentFor(place, agent);
    if ('missing' in adapter) return { output: '', end: noAgent(adapter), cost: FREE };
    const start = adapter.start({ role, prompt, session: null, workspace: place.workspace });
    const how = isBegun(place, token) ? 'go on' : 'begin';
    const hindrance = how === 'begin' ? whyNot(place, agent, start, environment) : null;
    if (hindrance !== null) return { output: '', end: hindrance, cost: FREE };
    const request = { place, token, role, task, start, timeoutMs, how } as const;
    const attempted = await runAttempt(request, { supervisor: ports.supervisor, environment, adapter, limits: ports.limits });
    const reading = maskTexts(adapter.read(attempted), environment.secrets);
    // The answer of a role is its text; a return block in it would be a quotation.
    const end = endOf(attempted.outcome, { ...reading, claim: null, problem: null });
    return { output: reading.output, end, cost: reading.cost, ...(how === 'go on' ? { again: true as const } : {}) };
  };
}

async function performerOf(input: DispatchInput, ports: DispatchPorts): Promise<AgentAdapter | Refused> {
  const { performer, id } = input.task;
  if (performer !== 'inline') {
    const agent = await ports.agentFor(input.place, performer);
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

/** What it says was put together from its stream, and masked again (R16): there a secret may come in two pieces. */
function dispatched(attempted: Attempted, reading: AgentReading): Dispatched {
  const { session } = reading;
  const hasBegun = attempted.outcome === 'lost' || attempted.outcome.sha256 !== '';
  const cost = hasBegun ? reading.cost : FREE;
  return { end: endOf(attempted.outcome, reading), cost, log: attempted.log, ...(session === null ? {} : { session }) };
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
  const [program = ''] = start.argv;
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
