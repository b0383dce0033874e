import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { cacheFolder } from '../../scripts/agents.mjs';

/** A person's HOME in which every agent is set up for the model server at this address, as the agent's own manual says. */
export interface AgentHome {
  path: string;
  remove(): void;
}

/** How a home differs from the usual one. */
export interface HomeWords {
  /** Claude's account: a subscription has limits with a reset time, a key has none. */
  claudeAccount?: 'subscription';
}

export function createAgentHome(url: string, words: HomeWords = {}): AgentHome {
  mkdirSync(cacheFolder(), { recursive: true });
  const path = mkdtempSync(join(cacheFolder(), '.home-'));
  for (const [name, text] of Object.entries(filesOf(url, words))) {
    mkdirSync(dirname(join(path, name)), { recursive: true });
    writeFileSync(join(path, name), text, { mode: 0o600 });
  }
  return { path, remove: () => rmSync(path, { recursive: true, force: true, maxRetries: 5 }) };
}

function filesOf(url: string, words: HomeWords): Record<string, string> {
  const account = words.claudeAccount === 'subscription' ? { CLAUDE_CODE_OAUTH_TOKEN: 'scripted' } : { ANTHROPIC_API_KEY: 'scripted' };
  return {
    '.claude/settings.json': json({
      env: {
        ANTHROPIC_BASE_URL: url,
        ...account,
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
        DISABLE_AUTOUPDATER: '1',
      },
    }),
    '.codex/config.toml': codexConfig(url),
    '.gemini/settings.json': json({
      security: { auth: { selectedType: 'gemini-api-key' } },
      privacy: { usageStatisticsEnabled: false },
      telemetry: { enabled: false },
      general: { enableAutoUpdate: false },
      // Without a name it first asks another model which one to take.
      model: { name: 'gemini-3.8-flash' },
    }),
    '.gemini/.env': `GEMINI_API_KEY=scripted\nGOOGLE_GEMINI_BASE_URL=${url}\n`,
    '.config/opencode/opencode.json': json({
      autoupdate: false,
      share: 'disabled',
      model: 'scripted/one',
      small_model: 'scripted/one',
      enabled_providers: ['scripted'],
      provider: {
        scripted: {
          npm: '@ai-sdk/openai-compatible',
          name: 'scripted',
          options: { baseURL: `${url}/v1`, apiKey: 'scripted' },
          models: { one: { name: 'one', tool_call: true, limit: { context: 200_000, output: 8_000 }, cost: { input: 3, output: 15 } } },
        },
      },
    }),
  };
}

/** A model that Codex does not know gets its classic tools. */
function codexConfig(url: string): string {
  return `model = "scripted"
model_provider = "scripted"
check_for_update_on_startup = false

[analytics]
enabled = false

[features]
plugins = false

[model_providers.scripted]
name = "scripted"
base_url = "${url}/v1"
wire_api = "responses"
request_max_retries = 1
stream_max_retries = 1
`;
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
