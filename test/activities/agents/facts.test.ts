import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { factsOf } from '../../../activities/agents/facts.js';
import { askLive } from '../../../activities/agents/live.js';
import type { Agent } from '../../../documents/config.js';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'donewhen-facts-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const put = (path: string, text: string) => {
  mkdirSync(dirname(join(home, path)), { recursive: true });
  writeFileSync(join(home, path), text);
};
/** A program of this name that prints what a real one would. */
const install = (name: string, script: string) => {
  put(`bin/${name}`, `#!/bin/sh\n${script}\n`);
  chmodSync(join(home, 'bin', name), 0o755);
};
const names = { pass: ['PATH', 'HOME'], secrets: [] };
const around = (more: Record<string, string> = {}) => ({ PATH: `${join(home, 'bin')}:/usr/bin:/bin`, HOME: home, ...more });
const facts = (agent: Agent, more: { environment?: Record<string, string>; pass?: string[] } = {}) =>
  factsOf('it', agent, { environment: around(more.environment), names: { ...names, pass: [...names.pass, ...(more.pass ?? [])] } });

describe('what is known of an agent before it is asked', () => {
  it('is its version, the one that was tried, and what is missing', async () => {
    install('codex', 'echo "codex-cli 0.170.2"');
    expect(await facts({ kind: 'codex' })).toEqual({ version: '0.170.2', tried: '0.171.0', credentials: 'unknown', missing: [] });
    expect(await facts({ kind: 'opencode' })).toMatchObject({ version: null, missing: ['opencode'] });
  });

  it('is who pays: a key only where it is passed on', async () => {
    const credentials = async (...args: Parameters<typeof facts>) => (await facts(...args)).credentials;
    const key = { ANTHROPIC_API_KEY: 'k' };
    expect([
      await credentials({ kind: 'claude-code' }),
      await credentials({ kind: 'claude-code' }, { environment: key }),
      await credentials({ kind: 'claude-code' }, { environment: key, pass: ['ANTHROPIC_API_KEY'] }),
      await credentials({ kind: 'claude-code' }, { environment: { CLAUDE_CODE_OAUTH_TOKEN: 't' } }),
    ]).toEqual(['unknown', 'unknown', 'api key', 'subscription']);
    put('.claude/.credentials.json', '{"claudeAiOauth":{"accessToken":"x"}}');
    put('.codex/auth.json', '{"OPENAI_API_KEY":null,"tokens":{"id_token":"x"}}');
    put('.gemini/.env', 'GEMINI_API_KEY=x\n');
    put('.local/share/opencode/auth.json', '{"anthropic":{"type":"oauth"},"openai":{"type":"api"}}');
    expect([
      await credentials({ kind: 'claude-code' }),
      await credentials({ kind: 'codex' }),
      await credentials({ kind: 'gemini' }),
      await credentials({ kind: 'opencode' }),
    ]).toEqual(['subscription', 'subscription', 'api key', 'unknown']);
  });
});

describe('an agent that is asked one question', () => {
  const ask = (timeoutMs = 20_000) => askLive('codex', { kind: 'codex' }, { environment: around(), names, workspace: home, timeoutMs });
  const message = '{"type":"item.completed","item":{"type":"agent_message","text":"ready"}}';

  it('answers', async () => {
    install(
      'codex',
      `cat > /dev/null; echo '{"type":"thread.started","thread_id":"t"}'; echo '${message}'; echo '{"type":"turn.completed","usage":{}}'`,
    );
    expect(await ask()).toEqual({ answers: true, says: 'answers: ready', fix: null });
  });

  it('or says what a person has to do', async () => {
    install('codex', `echo '{"type":"turn.failed","error":{"message":"unexpected status 401 Unauthorized"}}'; exit 1`);
    expect(await ask()).toEqual({
      answers: false,
      says: 'codex: unexpected status 401 Unauthorized',
      fix: expect.stringContaining('Sign in to codex on this machine'),
    });
  });

  it('or is ended when its time is up, with what it said last', async () => {
    install('codex', 'sleep 100');
    expect(await ask(200)).toMatchObject({ answers: false, says: 'no answer within 0.2 s' });
  });

  it('or is not there', async () => {
    expect(await ask()).toMatchObject({ answers: false, says: expect.stringContaining('ENOENT') });
  });
});
