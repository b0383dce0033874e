import { type AgentApp, agent, PROTOCOL_VERSION } from '@agentclientprotocol/sdk';
import { describe, expect, it } from 'vitest';
import { createAcpAdapter } from '../../../activities/agents/acp.js';
import type { AcpEvent } from '../../../activities/agents/acp-events.js';
import { isAllowed, modeFor, optionFor } from '../../../activities/agents/acp-permissions.js';
import { type AcpTask, talk } from '../../../activities/agents/acp-talk.js';
import { fieldsOf } from '../../../activities/agents/stream.js';
import { request } from './request.js';

/** An agent of the protocol, in this process, and what it was asked. */
function actor(capabilities: object = {}): { app: AgentApp; asked: unknown[] } {
  const asked: unknown[] = [];
  const app = agent({ name: 'actor' })
    .onRequest('initialize', () => ({ protocolVersion: PROTOCOL_VERSION, agentCapabilities: capabilities }))
    .onRequest('session/new', () => ({
      sessionId: 's-new',
      modes: { currentModeId: 'plan', availableModes: ['plan', 'acceptEdits', 'default', 'yolo'].map((id) => ({ id, name: id })) },
      configOptions: [{ id: 'model', name: 'Model', type: 'select' as const, currentValue: 'a', options: [{ value: 'b', name: 'b' }] }],
    }))
    .onRequest('session/set_mode', ({ params }) => {
      asked.push(params.modeId);
    })
    .onRequest('session/set_config_option', ({ params }) => {
      asked.push(params.value);
      return { configOptions: [] };
    });
  return { app, asked };
}

const says = (text: string) => ({ sessionUpdate: 'agent_message_chunk' as const, content: { type: 'text' as const, text } });

async function talked(app: AgentApp, more: Partial<AcpTask> = {}, signal = new AbortController().signal): Promise<AcpEvent[]> {
  const said: AcpEvent[] = [];
  const task: AcpTask = {
    cwd: '/w',
    session: null,
    model: null,
    prompt: 'the brief',
    level: 'edit',
    network: false,
    commands: [],
    ...more,
  };
  const pipe = [new TransformStream(), new TransformStream()] as const;
  app.connect({ readable: pipe[0].readable, writable: pipe[1].writable });
  await talk({ readable: pipe[1].readable, writable: pipe[0].writable }, task, { print: (event) => said.push(event), signal });
  return said;
}

describe('a conversation by the Agent Client Protocol', () => {
  it('sets the mode that its role asks for and the model, and asks once', async () => {
    const { app, asked } = actor();
    app.onRequest('session/prompt', async ({ params, client }) => {
      asked.push(params.prompt);
      await client.notify('session/update', { sessionId: params.sessionId, update: says('status: done') });
      return { stopReason: 'end_turn' };
    });
    const said = await talked(app, { model: 'b' });
    expect(asked).toEqual(['acceptEdits', 'b', [{ type: 'text', text: 'the brief' }]]);
    expect(said).toEqual([
      { acp: 'session', session: 's-new' },
      { acp: 'text', text: 'status: done', message: '' },
      { acp: 'ended', reason: 'end_turn' },
    ]);
  });

  it('denies what its permissions do not allow, and says so (H09)', async () => {
    const { app } = actor();
    const options = [
      { optionId: 'yes', kind: 'allow_once' as const, name: 'Yes' },
      { optionId: 'no', kind: 'reject_once' as const, name: 'No' },
    ];
    const outcomes: unknown[] = [];
    app.onRequest('session/prompt', async ({ params: { sessionId }, client }) => {
      for (const command of ['npm test', 'rm -rf /']) {
        const toolCall = { toolCallId: command, kind: 'execute' as const, rawInput: { command } };
        outcomes.push(fieldsOf(await client.request('session/request_permission', { sessionId, toolCall, options })).outcome);
      }
      return { stopReason: 'end_turn' };
    });
    expect(await talked(app, { commands: ['npm test'] })).toContainEqual({ acp: 'denied', call: 'rm -rf /' });
    expect(outcomes).toEqual([
      { outcome: 'selected', optionId: 'yes' },
      { outcome: 'selected', optionId: 'no' },
    ]);
  });

  it('goes on in a session, and takes none of what an old one replays', async () => {
    const { app } = actor({ loadSession: true });
    app
      .onRequest('session/load', ({ params: { sessionId }, client }) => {
        setTimeout(() => void client.notify('session/update', { sessionId, update: says('status: failed') }), 20);
        return {};
      })
      .onRequest('session/prompt', async ({ params: { sessionId }, client }) => {
        await client.notify('session/update', { sessionId, update: says('status: done') });
        return { stopReason: 'end_turn' };
      });
    expect(await talked(app, { session: 's-old' })).toEqual([
      { acp: 'session', session: 's-old' },
      { acp: 'text', text: 'status: done', message: '' },
      { acp: 'ended', reason: 'end_turn' },
    ]);
  });

  it('begins anew where the old session is gone', async () => {
    const { app } = actor({ sessionCapabilities: { resume: {} } });
    app
      .onRequest('session/resume', () => {
        throw new Error('gone');
      })
      .onRequest('session/prompt', () => ({ stopReason: 'end_turn' as const }));
    const said = await talked(app, { session: 's-old' });
    expect(said.slice(1)).toEqual([
      { acp: 'session', session: 's-new' },
      { acp: 'ended', reason: 'end_turn' },
    ]);
  });

  it('is cancelled in its own words', async () => {
    const { app } = actor();
    const stop = new AbortController();
    const cancelled = new Promise<void>((resolve) => app.onNotification('session/cancel', () => resolve()));
    app.onRequest('session/prompt', async () => {
      stop.abort();
      await cancelled;
      return { stopReason: 'cancelled' };
    });
    expect((await talked(app, {}, stop.signal)).at(-1)).toEqual({ acp: 'ended', reason: 'cancelled' });
  });
});

describe('what an agent that asks may do', () => {
  const may = (level: 'read' | 'edit' | 'full', kind: string, command = '', network = false) =>
    isAllowed({ level, network, commands: ['npm test && npm run lint'] }, { kind, rawInput: { command } });

  it('is what its role may, and of commands only ours', () => {
    expect(
      ['read', 'edit', 'delete', 'fetch', 'other', ''].map((kind) => [may('read', kind), may('edit', kind), may('full', kind)]),
    ).toEqual([
      [true, true, true],
      [false, true, true],
      [false, true, true],
      [false, false, true],
      [false, false, true],
      [false, false, true],
    ]);
    expect([
      may('edit', 'fetch', '', true),
      may('edit', 'execute', 'npm test && npm run lint'),
      may('read', 'execute', 'git diff HEAD'),
    ]).toEqual([true, true, true]);
  });

  it.each(['npm test', 'git push', 'git add . && rm -rf /', 'git log > /etc/x', 'git add $(x)', 'git status\nrm x', ''])(
    'is not %j',
    (command) => {
      expect(may('edit', 'execute', command)).toBe(false);
    },
  );

  it('is answered for this one time where that can be', () => {
    const options = ['allow_always', 'allow_once', 'reject_once'].map((kind) => ({ kind, optionId: kind }));
    expect([optionFor(true, options), optionFor(false, options), optionFor(false, options.slice(0, 2))]).toEqual([
      'allow_once',
      'reject_once',
      null,
    ]);
  });

  it('is set by the nearest of its modes', () => {
    expect([
      modeFor('edit', ['default', 'autoEdit', 'yolo']),
      modeFor('full', ['default']),
      modeFor('read', ['read-only', 'agent']),
    ]).toEqual(['autoEdit', null, 'read-only']);
  });
});

describe('how it is started', () => {
  it('by our client, which starts the program of its kind', () => {
    const start = createAcpAdapter('gemini', { kind: 'gemini', model: 'pro' }).start(request({ checks: ['run: npm test'], session: 's' }));
    if ('refused' in start) throw new Error(start.refused.why);
    const [node, client = '', task = '', ...program] = start.argv;
    expect([node, client.split('/').at(-1), program, start.program]).toEqual([
      process.execPath,
      'acp-client.js',
      ['gemini', '--acp', '-m', 'pro'],
      'gemini',
    ]);
    expect(JSON.parse(task)).toEqual({ session: 's', level: 'edit', model: null, network: false, commands: ['npm test'] });
  });

  it('begins anew where nobody knows where its sessions are', () => {
    expect(createAcpAdapter('mine', { kind: 'acp', command: ['x'] }).sessionFiles?.('s', {})).toBeNull();
  });
});
