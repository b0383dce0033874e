import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { knownSecrets } from '../../activities/secrets.js';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'donewhen-secrets-'));
});
afterEach(() => rmSync(home, { recursive: true }));

function keep(file: string, text: string): void {
  mkdirSync(dirname(join(home, file)), { recursive: true });
  writeFileSync(join(home, file), text);
}

it('what the configuration names, and what is named like a secret, is one; a plain word is not (L01)', () => {
  const environment = {
    MINE: 'pa',
    DEPLOY_TOKEN: 'abcdefghijklmnop',
    DB_PASSWORD: 'hunter22',
    SORT_KEY: 'createdAt',
    KEYBOARD: 'de-latin1-nodeadkeys',
  };
  expect(knownSecrets(['MINE', 'ABSENT'], environment)).toEqual(['pa', 'abcdefghijklmnop', 'hunter22']);
});

it('what git and its helpers keep in the home is one, also decoded', () => {
  keep('.git-credentials', 'https://ana:p%40ss-word@example.org\nhttps://example.com\n');
  keep('.netrc', 'machine example.org login ana password net-pass\n');
  keep('.config/gh/hosts.yml', 'github.com:\n    oauth_token: gho_short\n    user: ana\n');
  expect(knownSecrets([], { HOME: home })).toEqual(['p%40ss-word', 'p@ss-word', 'net-pass', 'gho_short']);
});

it('what agents keep in the home is one, their other settings are not', () => {
  keep(
    '.claude/.credentials.json',
    JSON.stringify({ claudeAiOauth: { accessToken: 'claude-access-1234', expiresAt: 1, subscriptionType: 'a-long-plan-name-here' } }),
  );
  keep(
    '.codex/auth.json',
    JSON.stringify(
      { OPENAI_API_KEY: null, tokens: { refresh_token: 'codex-refresh-1234', account_id: 'not-one-of-them-at-all' } },
      null,
      2,
    ),
  );
  keep('.gemini/.env', 'GEMINI_API_KEY="gemini-key-12345678"\nGOOGLE_GEMINI_BASE_URL=http://127.0.0.1:1234/a/b\n');
  expect(knownSecrets([], { HOME: home })).toEqual(['claude-access-1234', 'codex-refresh-1234', 'gemini-key-12345678']);
});

it('a home without any of it, and no home, have none', () => {
  expect([knownSecrets([], { HOME: home }), knownSecrets([], {})]).toEqual([[], []]);
});
