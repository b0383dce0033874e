import { describe, expect, it } from 'vitest';
import { adapterFor } from '../../../activities/agents/adapters.js';
import { createCommandAdapter } from '../../../activities/agents/command.js';

const adapter = createCommandAdapter(['node', 'tools/agent.mjs']);
const read = (stdout: string) => adapter.read({ stdout, stderr: '', endedAt: 0 });
const said = (value: unknown) => JSON.stringify({ donewhen: value });

it('the brief goes in by standard input, the session to go on in by the environment', () => {
  const here = { isRoot: false, isSandbox: false, hasSandbox: false, gitDir: null };
  const request = { role: 'performer', prompt: 'the brief', mark: 'a', workspace: '/w', checks: [], folder: '/f', tmp: '/t', here };
  expect([adapter.start({ ...request, session: null }), adapter.start({ ...request, session: 's-1' })]).toEqual([
    { argv: ['node', 'tools/agent.mjs'], env: {}, stdin: 'the brief' },
    { argv: ['node', 'tools/agent.mjs'], env: { DONEWHEN_SESSION: 's-1' }, stdin: 'the brief' },
  ]);
});

describe('its output', () => {
  it('is its last complete block, and what it said by the side', () => {
    const block = 'status: partial\nunresolved:\n- the rest\n';
    const reading = read(
      [said({ session: 'a' }), 'status: done', '', 'no, wait', said({ session: 'b', cost: { usd: 0.5 } }), block].join('\n'),
    );
    expect(reading).toMatchObject({
      claim: { status: 'partial', unresolved: ['the rest'] },
      problem: null,
      session: 'b',
      cost: { usd: 0.5, tokens: null },
      limited: null,
    });
    expect(reading.output).toBe(`status: done\n\nno, wait\n${block}`);
  });

  it('adds up what it says it cost; what it never says stays unknown', () => {
    const costs = [{ usd: 0.1 }, { usd: 0.2, tokens: 10 }, { tokens: 5 }].map((cost) => said({ cost }));
    expect(read(costs.join('\n')).cost).toEqual({ usd: expect.closeTo(0.3), tokens: 15 });
    const estimates = [{ estimatedUsd: 0.1 }, { tokens: 10 }, { estimatedUsd: 0.2 }].map((cost) => said({ cost }));
    expect(read(estimates.join('\n')).cost).toEqual({ usd: null, tokens: 10, estimatedUsd: expect.closeTo(0.3) });
    expect(read('nothing').cost).toEqual({ usd: null, tokens: null });
  });

  it('tells a limit and until when, with CRLF too', () => {
    const until = '2026-12-01T09:00:00Z';
    expect(read(`${said({ limited: { until } })}\r\nbye\r\n`).limited).toEqual({
      until: Date.parse(until),
      why: 'the agent reported a usage limit',
    });
    expect(read(said({ limited: {} })).limited).toEqual({ until: null, why: 'the agent reported a usage limit' });
  });

  it('is shown while it works by its session and progress', () => {
    expect(adapter.glance(['words', said({ session: 's' }), said({ progress: 'one' }), said({ progress: 'two' })])).toEqual({
      session: 's',
      progress: 'two',
    });
    expect(adapter.glance([])).toEqual({ session: null, progress: null });
  });
});

it('an agent that donewhen.yaml does not have is named with the way out', () => {
  expect(adapterFor('ghost', undefined)).toEqual({
    missing: 'donewhen.yaml has no agent ghost',
    userAction: 'Add ghost under agents in donewhen.yaml, or name another performer.',
  });
});
