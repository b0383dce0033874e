import { expect, it } from 'vitest';
import { adapterFor } from '../../../activities/agents/adapters.js';
import type { Agent } from '../../../documents/config.js';

function idleMsOf(agent: Agent): number | undefined | string {
  const adapter = adapterFor('it', agent);
  return 'missing' in adapter ? adapter.missing : adapter.idleMs;
}

it('an agent that prints its steps hangs after half an hour of silence, a command may be silent, and both as they are told (D17, H05)', () => {
  const command = { kind: 'command', command: ['it'] } as const;
  const claude = { kind: 'claude-code' } as const;
  expect([claude, { ...claude, idleMinutes: 5 }, { ...claude, idleMinutes: null }].map(idleMsOf)).toEqual([1_800_000, 300_000, undefined]);
  expect([command, { ...command, idleMinutes: 0.5 }].map((agent) => idleMsOf({ ...agent, command: ['it'] }))).toEqual([undefined, 30_000]);
});
