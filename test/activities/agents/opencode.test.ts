import { describe, expect, it } from 'vitest';
import type { AgentRequest, AgentStart } from '../../../activities/agents/adapter.js';
import { createOpencodeAdapter } from '../../../activities/agents/opencode.js';
import type { Agent } from '../../../documents/config.js';
import { request } from './request.js';

const adapter = (agent: Partial<Agent> = {}) => createOpencodeAdapter('opencode', { kind: 'opencode', ...agent });
const start = (agent: Partial<Agent>, more: Partial<AgentRequest> = {}): AgentStart => {
  const started = adapter(agent).start(request(more));
  if ('refused' in started) throw new Error(started.refused.why);
  return started;
};
const permissions = ({ env }: AgentStart) => JSON.parse(env.OPENCODE_PERMISSION ?? '{}');

describe('how it is started', () => {
  it('takes the brief by standard input and goes on in a session', () => {
    const { argv, stdin } = start({ model: 'p/m' }, { session: 'ses_1' });
    expect(argv).toEqual(['opencode', 'run', '--format', 'json', '-m', 'p/m', '-s', 'ses_1']);
    expect(stdin).toBe('Run demo of 0, attempt T1#1.1\n\nthe brief');
  });

  it('runs the commands of its checks and what git does locally, and is never left to ask', () => {
    const allowed = permissions(start({}, { checks: ['run: npm test', 'file: a exists'] }));
    expect(Object.keys(allowed.bash).filter((rule) => !rule.startsWith('git '))).toEqual(['*', 'npm test']);
    expect(allowed).toMatchObject({ edit: 'allow', bash: { '*': 'deny', 'npm test': 'allow', 'git commit *': 'allow' }, webfetch: 'deny' });
    expect(JSON.stringify(allowed)).not.toContain('ask');
    expect(JSON.stringify(allowed)).not.toContain('push');
  });

  it('does not edit as a reviewer, and does everything only where a person wrote so', () => {
    const reader = permissions(start({ permissions: 'full' }, { role: 'reviewer', checks: ['run: npm test'] }));
    expect(reader).toMatchObject({ edit: 'deny', bash: { '*': 'deny', 'git diff *': 'allow' } });
    expect(reader.bash).not.toHaveProperty('npm test');
    expect(permissions(start({ permissions: 'full' }))).toEqual({ '*': 'allow' });
    expect(start({ permissions: 'full' }).argv).toContain('--auto');
  });
});

const at = 1_000_000;
const line = (value: object) => `${JSON.stringify({ sessionID: 'ses_1', timestamp: at, ...value })}\n`;
const read = (...events: object[]) => adapter().read({ stdout: events.map(line).join(''), stderr: '', endedAt: 0 });
const says = (text: string) => ({ type: 'text', part: { text } });
const finish = (reason: string, cost = 0.5) => ({ type: 'step_finish', part: { reason, cost, tokens: { total: 10 } } });
const refused = (data: object) => ({ type: 'error', error: { name: 'APIError', data } });

describe('what it answers', () => {
  it('is the text after its last tool; its steps add up', () => {
    const reading = read(says('I look.'), { type: 'tool_use', part: {} }, finish('tool-calls'), says('status: done'), finish('stop'));
    expect(reading).toMatchObject({ output: 'status: done', claim: { status: 'done' }, cost: { usd: 1, tokens: 20 }, session: 'ses_1' });
  });

  it('is none where it ended without a word', () => {
    expect(read(finish('stop'))).toMatchObject({ claim: null, problem: 'it ended without an answer' });
    expect(read(says('status: failed'), { type: 'tool_use', part: {} })).toMatchObject({ problem: 'its stream ends without a result' });
  });

  it('costs an unknown amount where its list has no price', () => {
    expect(read(says('status: done'), finish('stop', 0)).cost).toEqual({ usd: null, tokens: 10 });
  });
});

it('a limit lasts until the provider said, never less than a minute (K03)', () => {
  const until = (responseHeaders: object) => read(refused({ message: 'rate limit', statusCode: 429, responseHeaders })).limited?.until;
  expect([until({ 'retry-after': '3600' }), until({ 'retry-after': '2' }), until({}), until({ 'retry-after': 'soon' })]).toEqual([
    at + 3_600_000,
    at + 60_000,
    null,
    null,
  ]);
});
