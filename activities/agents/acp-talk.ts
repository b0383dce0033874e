import { setTimeout as sleep } from 'node:timers/promises';
import { type ClientContext, client, PROTOCOL_VERSION, type Stream } from '@agentclientprotocol/sdk';
import { type AcpEvent, eventOfError, eventsOfEnd, eventsOfUpdate } from './acp-events.js';
import { type Allowed, commandOf, isAllowed, modeFor, optionFor } from './acp-permissions.js';
import { fieldsOf, listOf, textOf } from './stream.js';

/** What is asked of an agent that speaks the Agent Client Protocol. */
export interface AcpTask extends Allowed {
  cwd: string;
  session: string | null;
  model: string | null;
  prompt: string;
}

/** Some replay an old session after they have opened it: what comes before this much silence is not our answer. */
const QUIET_MS = 300;
const QUIET_WAIT_MS_MAX = 10_000;

/** One prompt, from the greeting to its answer. It never rejects: what goes wrong is an event. */
export async function talk(
  stream: Stream,
  task: AcpTask,
  { print, signal }: { print(event: AcpEvent): void; signal: AbortSignal },
): Promise<void> {
  let isAsked = false;
  let heardAt = 0;
  const app = client({ name: 'donewhen' })
    .onNotification('session/update', ({ params }) => {
      heardAt = performance.now();
      if (isAsked) for (const event of eventsOfUpdate(fieldsOf(params.update))) print(event);
    })
    .onRequest('session/request_permission', ({ params }) => {
      const toolCall = fieldsOf(params.toolCall);
      const allowed = isAllowed(task, toolCall);
      if (!allowed) print({ acp: 'denied', call: commandOf(toolCall) });
      const optionId = optionFor(allowed, params.options);
      return { outcome: optionId === null ? { outcome: 'cancelled' } : { outcome: 'selected', optionId } };
    });
  try {
    await app.connectWith(stream, async (agent) => {
      const { session, isReplayed } = await open(agent, task, print);
      print({ acp: 'session', session });
      if (isReplayed) await quiet(() => heardAt);
      signal.addEventListener('abort', () => void agent.notify('session/cancel', { sessionId: session }).catch(() => undefined));
      isAsked = true;
      const prompt = [{ type: 'text' as const, text: task.prompt }];
      for (const event of eventsOfEnd(fieldsOf(await agent.request('session/prompt', { sessionId: session, prompt })))) print(event);
    });
  } catch (error) {
    print(eventOfError(error));
  }
}

/** A session that cannot be gone on in is no reason to stop: the brief says everything. */
async function open(
  agent: ClientContext,
  task: AcpTask,
  print: (event: AcpEvent) => void,
): Promise<{ session: string; isReplayed: boolean }> {
  const greeting = await agent.request('initialize', {
    protocolVersion: PROTOCOL_VERSION,
    clientCapabilities: {},
    clientInfo: { name: 'donewhen', version: '1' },
  });
  const { loadSession, sessionCapabilities } = fieldsOf(greeting.agentCapabilities);
  const { cwd } = task;
  const opened = { sessionId: task.session ?? '', cwd, mcpServers: [] };
  const how = fieldsOf(sessionCapabilities).resume == null ? 'session/load' : 'session/resume';
  if (task.session !== null && (how === 'session/resume' || loadSession === true)) {
    try {
      await settle(agent, task, task.session, fieldsOf(await agent.request(how, opened)));
      return { session: task.session, isReplayed: how === 'session/load' };
    } catch (error) {
      const { acp: _acp, ...trouble } = { words: 'the earlier session is gone', status: null, ...eventOfError(error) };
      print({ ...trouble, acp: 'trouble' });
    }
  }
  const begun = await agent.request('session/new', { cwd, mcpServers: [] });
  await settle(agent, task, begun.sessionId, fieldsOf(begun));
  return { session: begun.sessionId, isReplayed: false };
}

/** Its mode and its model. An agent without the mode still has to ask for each call. */
async function settle(
  agent: ClientContext,
  task: AcpTask,
  sessionId: string,
  { modes, models, configOptions }: Record<string, unknown>,
): Promise<void> {
  const { availableModes, currentModeId } = fieldsOf(modes);
  const modeId = modeFor(
    task.level,
    listOf(availableModes).map((mode) => textOf(fieldsOf(mode).id)),
  );
  if (modeId !== null && modeId !== currentModeId) await agent.request('session/set_mode', { sessionId, modeId });
  if (task.model === null) return;
  const hasOption = listOf(configOptions).some((option) => fieldsOf(option).id === 'model');
  if (hasOption) await agent.request('session/set_config_option', { sessionId, configId: 'model', value: task.model });
  else if (models != null) await agent.request('session/set_model', { sessionId, modelId: task.model });
}

async function quiet(heardAt: () => number): Promise<void> {
  const until = performance.now() + QUIET_WAIT_MS_MAX;
  do await sleep(QUIET_MS);
  while (performance.now() - heardAt() < QUIET_MS && performance.now() < until);
}
