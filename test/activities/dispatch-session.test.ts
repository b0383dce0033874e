import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createClaudeAdapter } from '../../activities/agents/claude.js';
import { createCodexAdapter } from '../../activities/agents/codex.js';
import { createCommandAdapter } from '../../activities/agents/command.js';
import { createOpencodeAdapter } from '../../activities/agents/opencode.js';
import { costOfTry, knowsAttempt, markOf, untilIn } from '../../activities/dispatch-session.js';
import type { Place } from '../../activities/interface.js';

let home: string;
let place: Place;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'donewhen-sessions-'));
  const place0 = {
    slug: 'demo',
    workflowId: 'w',
    workspace: home,
    out: home,
    folder: join(home, 'run'),
    configSha256: '',
    specSha256: null,
  };
  place = { ...place0, pinned: [], host: 'h', startedAt: 7 };
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const put = (path: string, text: string) => {
  mkdirSync(dirname(join(home, path)), { recursive: true });
  writeFileSync(join(home, path), text);
};
const claude = createClaudeAdapter('claude', { kind: 'claude-code' });
const codex = createCodexAdapter('codex', { kind: 'codex' });
const opencode = createOpencodeAdapter('opencode', { kind: 'opencode' });
const at = (token: string) => markOf({ place, token });

describe('a session is gone on in (B19, C10)', () => {
  const knows = (adapter: typeof claude, session = 's-1', more: Partial<Place> = {}) =>
    knowsAttempt(adapter, { session, place: { ...place, ...more }, token: 'T1#2.1', mends: false }, { HOME: home });
  const mends = (session: string) => knowsAttempt(claude, { session, place, token: 'S3@3#1.1', mends: true }, { HOME: home });

  it('where its own record holds the brief of an earlier try', async () => {
    put('.claude/projects/-w/s-1.jsonl', `${'x'.repeat(3_000_000)}${JSON.stringify({ text: `${at('T1#1.1')}\n\nthe brief` })}`);
    put('.codex/sessions/2026/12/01/rollout-2026-12-01T00-00-00-s-1.jsonl', at('T1#1.3'));
    put('.local/share/opencode/opencode.db-wal', at('T1#1.1'));
    expect([await knows(claude), await knows(codex), await knows(opencode)]).toEqual([true, true, true]);
  });

  it('not where it is blank, of another task, of another run, or not there', async () => {
    put('.claude/projects/-w/s-1.jsonl', '{"type":"summary"}');
    put('.claude/projects/-w/s-2.jsonl', at('T11#1.1'));
    put('.claude/projects/-w/s-3.jsonl', at('T1#1.1'));
    expect([
      await knows(claude),
      await knows(claude, 's-2'),
      await knows(claude, 's-3', { startedAt: 8 }),
      await knows(claude, 's-4'),
      await knows(claude, '*'),
    ]).toEqual([false, false, false, false, false]);
  });

  it('by a fix where it holds the brief of any attempt at its step, and of no other step', async () => {
    put('.claude/projects/-w/s-1.jsonl', at('S3#1.1'));
    put('.claude/projects/-w/s-2.jsonl', at('S3@2#1.1'));
    put('.claude/projects/-w/s-3.jsonl', `${at('S3b#1.1')} ${at('S31#1.1')} ${at('S1#1.1')}`);
    expect([await mends('s-1'), await mends('s-2'), await mends('s-3')]).toEqual([true, true, false]);
  });

  it('always by a command, which keeps its own', async () => {
    expect(await knows(createCommandAdapter(['x']))).toBe(true);
  });
});

it('a limit lasts until the time in the session of Codex', async () => {
  const limits = { rate_limits: { primary: { used_percent: 100, resets_at: 1796045160 } } };
  put('.codex/sessions/2026/12/01/rollout-x-s-1.jsonl', JSON.stringify({ payload: limits }));
  expect(await untilIn(codex, 's-1', { HOME: home })).toBe(1796045160_000);
  expect(await untilIn(codex, 's-2', { HOME: home })).toBeNull();
  expect(await untilIn(claude, 's-1', { HOME: home })).toBeNull();
});

describe('a counter that runs over a session', () => {
  const log = (session: string, tokens: number) =>
    [
      { type: 'thread.started', thread_id: session },
      { type: 'turn.completed', usage: { input_tokens: tokens } },
    ]
      .map((event) => JSON.stringify(event))
      .join('\n');
  const spent = (session: string, tokens: number, token = 'T1#2.1') =>
    costOfTry(codex, codex.read({ stdout: log(session, tokens), stderr: '', endedAt: 0 }), { place, token }).tokens;

  it('is booked once: the newest earlier try of the same session is taken off', () => {
    put('run/attempts/T1.1.1/output.log', log('s-1', 100));
    put('run/attempts/T1.1.2/output.log', log('s-1', 300));
    put('run/attempts/T1.2.2/output.log', log('s-1', 900));
    put('run/attempts/T11.1.1/output.log', log('s-1', 999));
    expect([spent('s-1', 1000), spent('s-2', 1000), spent('s-1', 1000, 'T1#1.2'), spent('s-1', 1000, 'T1#1.1')]).toEqual([
      700, 1000, 900, 1000,
    ]);
  });

  it('is booked once by a fix, which goes on in the session of an earlier attempt at its step', () => {
    put('run/attempts/S3.1.1/output.log', log('s-1', 100));
    put('run/attempts/S3.2.1/output.log', log('s-1', 150));
    put('run/attempts/S3@2.1.1/output.log', log('s-1', 400));
    put('run/attempts/S3@10.1.1/output.log', log('s-1', 700));
    put('run/attempts/S3b.1.1/output.log', log('s-1', 990));
    const tokens = ['S3@2#1.1', 'S3@3#1.1', 'S3@11#1.1', 'S3b#2.1', 'S3b@2#1.1', 'S4#1.1'];
    expect(tokens.map((token) => spent('s-1', 1000, token))).toEqual([850, 600, 300, 10, 10, 1000]);
  });

  it('counts whole in a fix that was given a session of its own', () => {
    put('run/attempts/S3.1.1/output.log', log('s-1', 100));
    expect([spent('s-2', 1000, 'S3@2#1.1'), spent('s-1', 60, 'S3@2#1.1')]).toEqual([1000, 60]);
  });

  it('counts whole where it stands lower than before: it began anew', () => {
    put('run/attempts/T1.1.1/output.log', log('s-1', 100));
    expect(spent('s-1', 40)).toBe(40);
  });
});
