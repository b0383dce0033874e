import { expect, it } from 'vitest';
import { adapterFor } from '../../../activities/agents/adapters.js';
import type { AgentKind } from '../../../documents/config-schema.js';

function readBy(kind: AgentKind, ...events: object[]) {
  const adapter = adapterFor('it', { kind });
  if ('missing' in adapter) throw new Error(adapter.missing);
  const { cost, doubts } = adapter.read({ stdout: events.map((event) => JSON.stringify(event)).join('\n'), stderr: '', endedAt: 0 });
  return { usd: cost.usd, tokens: cost.tokens, doubts };
}

const taken = (...amounts: string[]) => amounts.map((amount) => `it says that it cost ${amount}, which is taken as unknown`);

it('what an agent says that it cost and that is no amount is unknown, and said, whoever says it', () => {
  const modelUsage = { one: { inputTokens: -5, outputTokens: 'many' } };
  const tokens = { input: -1, output: 7 };
  expect([
    readBy('claude-code', { type: 'result', result: '', total_cost_usd: '0.5', modelUsage }),
    readBy('codex', { type: 'turn.completed', usage: { input_tokens: -3, output_tokens: 'x' } }),
    readBy('opencode', { type: 'step_finish', part: { reason: 'stop', cost: -2, tokens } }),
  ]).toEqual([
    { usd: null, tokens: null, doubts: taken('"0.5" USD', '-5 tokens', '"many" tokens') },
    { usd: null, tokens: null, doubts: taken('-3 tokens', '"x" tokens') },
    { usd: null, tokens: 7, doubts: taken('-2 USD', '-1 tokens') },
  ]);
});

it('what an agent calls its session and is no name of one is ignored: it is handed to the agent again', () => {
  const adapter = adapterFor('it', { kind: 'command', command: ['it'] });
  if ('missing' in adapter) throw new Error(adapter.missing);
  const names = ['ses_1:a.b-c', '../../../../etc', '--resume', '.hidden', 'a b', 'a/b'];
  const lines = names.map((session) => JSON.stringify({ donewhen: { session } }));
  expect(lines.map((stdout) => adapter.read({ stdout, stderr: '', endedAt: 0 }).session)).toEqual([
    'ses_1:a.b-c',
    ...names.slice(1).map(() => null),
  ]);
  expect(lines.map((line) => adapter.glance([line]).session)).toEqual(['ses_1:a.b-c', ...names.slice(1).map(() => null)]);
});
