import { describe, expect, it } from 'vitest';
import type { AgentRequest, AgentStart } from '../../../activities/agents/adapter.js';
import { createCodexAdapter } from '../../../activities/agents/codex.js';
import { clockTimeIn, limitInRollout, tokensInRollout } from '../../../activities/agents/codex-limits.js';
import type { Agent } from '../../../documents/config.js';
import { request } from './request.js';

// A clock time without a date is one of this machine's zone.
process.env.TZ = 'Europe/Berlin';

const adapter = (agent: Partial<Agent> = {}) => createCodexAdapter('codex', { kind: 'codex', ...agent });
const start = (agent: Partial<Agent>, more: Partial<AgentRequest> = {}): AgentStart => {
  const started = adapter(agent).start(request(more));
  if ('refused' in started) throw new Error(started.refused.why);
  return started;
};
const here = { isRoot: false, isSandbox: false, hasSandbox: false, gitDir: '/repo/.git' };

describe('how it is started', () => {
  it('goes on in a session with its sandbox named anew, in the same folder (H08)', () => {
    const { argv, stdin } = start({ model: 'm' }, { session: 'th-1' });
    expect(argv).toEqual([
      ...['codex', 'exec', '--json', '--skip-git-repo-check', '-C', '/w', '-m', 'm'],
      ...['--output-schema', '/w/.donewhen/demo/attempts/T1.1.1/answer.schema.json'],
      ...['--sandbox', 'workspace-write', '-c', 'sandbox_workspace_write.network_access=false'],
      ...['-c', 'check_for_update_on_startup=false', '-c', 'features.unbounded_connection_retries=false'],
      ...['resume', 'th-1', '-'],
    ]);
    expect(stdin).toBe('Run demo of 0, attempt T1#1.1\n\nthe brief');
  });

  it('may commit only where a check looks at git, and use the network only where a person wrote so', () => {
    const plain = start({}).argv;
    const open = start({ network: true }, { here }).argv;
    expect(plain).not.toContain('sandbox_workspace_write.writable_roots=["/repo/.git"]');
    expect(open).toContain('sandbox_workspace_write.writable_roots=["/repo/.git"]');
    expect(open).toContain('sandbox_workspace_write.network_access=true');
  });

  it('writes the form of its answer only for a performer, and reads only as a reviewer', () => {
    expect(Object.keys(start({}).files ?? {})).toEqual(['answer.schema.json']);
    const reviewer = start({ permissions: 'edit' }, { role: 'reviewer' });
    expect([reviewer.files, reviewer.argv.slice(6, 8)]).toEqual([undefined, ['--sandbox', 'read-only']]);
  });

  it('gets where its configuration is by itself, a key only where a person passes it on', () => {
    expect(adapter().passes).toEqual(['CODEX_HOME', 'TZ']);
  });
});

const read = (...events: object[]) =>
  adapter().read({ stdout: events.map((event) => `${JSON.stringify(event)}\n`).join(''), stderr: '', endedAt: 0 });
const says = (text: string) => ({ type: 'item.completed', item: { type: 'agent_message', text } });
const ended = { type: 'turn.completed', usage: { input_tokens: 5, output_tokens: 1 } };

describe('what it answers', () => {
  it('is its last message, as JSON of the return contract or as text with a block', () => {
    const asValue = says(JSON.stringify({ status: 'blocked', blocker: 'No Key', user_action: ['give it a key'] }));
    expect(read(says('I begin.'), asValue, ended).claim).toMatchObject({
      status: 'blocked',
      blocker: 'no-key',
      userAction: ['give it a key'],
    });
    expect(read(says('status: done'), says('I was done before.'), ended).claim?.status).toBe('done');
    expect(read(says('{"status":"splendid"}'), ended)).toMatchObject({ claim: null, problem: expect.stringContaining('return contract') });
  });

  it('stands although it was killed after it, and not where it went on', () => {
    const acts = { type: 'item.started', item: { type: 'command_execution', command: 'ls' } };
    expect([read(says('status: done')).claim?.status, read(says('status: done'), acts).claim]).toEqual(['done', null]);
  });
});

describe('what it has spent while it works', () => {
  const counted = (timestamp: string, total_tokens: number) =>
    JSON.stringify({ timestamp, payload: { type: 'token_count', info: { last_token_usage: { total_tokens } } } });

  it('is in its session, answer by answer, without what earlier attempts spent in it', () => {
    const record = [counted('2026-11-30T12:00:00Z', 900), counted('2026-11-30T12:00:02Z', 1_100), counted('2026-11-30T12:00:03Z', 50)];
    const since = Date.parse('2026-11-30T12:00:01Z');
    expect([tokensInRollout(record.join('\n'), since), tokensInRollout(record[0] ?? '', since), tokensInRollout('', since)]).toEqual([
      1_150,
      null,
      null,
    ]);
  });
});

describe('until when its limit lasts', () => {
  const token = (primary: object) => JSON.stringify({ type: 'event_msg', payload: { type: 'token_count', rate_limits: { primary } } });

  it('is in the newest counters of its session, where a window is used up', () => {
    const full = token({ used_percent: 100, window_minutes: 300, resets_at: 1796045160 });
    expect(limitInRollout(`{}\n${token({ used_percent: 20, resets_at: 7 })}\n${full}\n{"torn":"rate_limits`)).toBe(1796045160_000);
    expect(limitInRollout(`${full}\n${token({ used_percent: 3, resets_at: 9 })}`)).toBeNull();
    expect(limitInRollout('')).toBeNull();
  });

  it('is else the next such clock time of this person', () => {
    const at = (iso: string) => Date.parse(iso);
    const noon = at('2026-11-30T12:00:00+01:00');
    expect([
      clockTimeIn('or try again at 1:26 PM.', noon),
      clockTimeIn('or try again at 11:00 AM.', noon),
      clockTimeIn('or try again at 12:00 AM.', noon),
      clockTimeIn('or try again at 13:26.', noon),
      clockTimeIn('try again at Dec 20th, 2026 3:39 AM', noon),
      clockTimeIn('try again at Aug 20th, 2025 3:39 AM', noon),
      clockTimeIn('try again in 3.5s', noon),
    ]).toEqual([
      at('2026-11-30T13:26:00+01:00'),
      at('2026-12-01T11:00:00+01:00'),
      at('2026-12-01T00:00:00+01:00'),
      at('2026-11-30T13:26:00+01:00'),
      at('2026-12-20T03:39:00+01:00'),
      null,
      null,
    ]);
  });
});

it('while it works, it is seen by what it does', () => {
  const lines = [
    { type: 'thread.started', thread_id: 'th-1' },
    { type: 'item.started', item: { type: 'command_execution', command: 'npm test' } },
  ].map((event) => JSON.stringify(event));
  expect(adapter().glance(lines)).toEqual({ session: 'th-1', progress: 'npm test' });
});
