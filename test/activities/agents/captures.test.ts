import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createAcpAdapter } from '../../../activities/agents/acp.js';
import type { AcpEvent } from '../../../activities/agents/acp-events.js';
import { talk } from '../../../activities/agents/acp-talk.js';
import { adapterFor } from '../../../activities/agents/adapters.js';
import type { Agent } from '../../../documents/config.js';
import table from '../../captures.json' with { type: 'json' };
import { recordedIn, replayed } from './acp-replay.js';

// Codex prints a clock time of the machine that it ran on.
process.env.TZ = 'UTC';

/** Real output of the agents (references in test/captures), each with what is read of it. */
const folder = join(import.meta.dirname, '../../captures');
const files = readdirSync(folder);
const KINDS: Record<string, Agent> = {
  claude: { kind: 'claude-code' },
  codex: { kind: 'codex' },
  opencode: { kind: 'opencode' },
  // It is asked by the Agent Client Protocol; in its other forms it has said nothing that counts.
  gemini: { kind: 'gemini' },
};
const READ_WITH_ANOTHER = /\.(?:stderr|err)$/;

function logOf(file: string) {
  const stem = file.replace(/\.[a-z]+$/, '');
  const errors = files.find((name) => name === `${stem}.stderr` || name === `${stem}.err`);
  const text = (name: string | undefined) => (name === undefined ? '' : readFileSync(join(folder, name), 'utf8'));
  return { stdout: READ_WITH_ANOTHER.test(file) ? '' : text(file), stderr: text(errors), endedAt: Date.parse('2026-11-30T12:00:00Z') };
}

describe.each(Object.keys(KINDS))('what %s printed', (name) => {
  const adapter = adapterFor(name, KINDS[name]);
  if ('missing' in adapter) throw new Error(adapter.missing);

  it.each(Object.entries(table).filter(([file]) => file.startsWith(`${name}-`)))('%s is read as the table says', (file, { reading }) => {
    expect(adapter.read(logOf(file))).toEqual(reading);
  });

  it('is in the table, every capture of it', () => {
    const stems = new Set(files.filter((file) => file.startsWith(`${name}-`)).map((file) => file.replace(/\.[a-z]+$/, '')));
    const rows = new Set(Object.keys(table).map((file) => file.replace(/\.[a-z]+$/, '')));
    expect([...stems].filter((stem) => !rows.has(stem))).toEqual([]);
  });

  it('is a session from its first lines on, while it works', () => {
    for (const [file, { reading }] of Object.entries(table).filter(([file]) => file.startsWith(`${name}-`))) {
      const { session } = adapter.glance(logOf(file).stdout.split('\n'));
      expect([file, session]).toEqual([file, reading.session]);
    }
  });
});

describe('a conversation by the Agent Client Protocol', () => {
  const commands = ['cat hello.txt && id -u && pwd'];
  const rows = Object.entries(table).filter(([file]) => file.startsWith('acp-'));

  it.each(rows)('%s is read as the table says', async (file, { reading }) => {
    const recorded = recordedIn(join(folder, file));
    const said: AcpEvent[] = [];
    const task = { level: 'edit' as const, network: false, commands, cwd: '/w', session: recorded.session, model: null, prompt: 'x' };
    await talk(replayed(recorded), task, { print: (event) => said.push(event), signal: new AbortController().signal });
    const [, name = ''] = /^acp-(\w+)/.exec(file) ?? [];
    const stdout = said.map((event) => `${JSON.stringify(event)}\n`).join('');
    const adapter = createAcpAdapter(name, { kind: 'acp', command: ['x'] });
    expect(adapter.read({ stdout, stderr: recorded.stderr, endedAt: 0 })).toEqual(reading);
  });

  it('is in the table, every recording of one', () => {
    const recordings = files.filter((file) => file.startsWith('acp-'));
    expect(recordings.filter((file) => !Object.hasOwn(table, file))).toEqual([]);
  });
});
