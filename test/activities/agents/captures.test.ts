import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { adapterFor } from '../../../activities/agents/adapters.js';
import type { Agent } from '../../../documents/config.js';
import table from '../../captures.json' with { type: 'json' };

// Codex prints a clock time of the machine that it ran on.
process.env.TZ = 'UTC';

/** Real output of the agents (references in test/captures), each with what is read of it. */
const folder = join(import.meta.dirname, '../../captures');
const files = readdirSync(folder);
const KINDS: Record<string, Agent> = {
  claude: { kind: 'claude-code' },
  codex: { kind: 'codex' },
  opencode: { kind: 'opencode' },
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
