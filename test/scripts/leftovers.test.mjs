import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { endLeftovers, markedEnvironment } from '../../scripts/leftovers.mjs';

it.skipIf(process.platform !== 'linux')(
  'a process that carries the mark of a run is named and ended, and no other is',
  { timeout: 40_000 },
  async () => {
    const mark = randomUUID();
    // Of its environment only PATH is left, as with everything that donewhen starts.
    const start = (value) => spawn('/bin/sleep', ['60'], { env: { PATH: markedEnvironment(process.env, value).PATH }, stdio: 'ignore' });
    const [ours, other] = [start(mark), start(randomUUID())];
    const ended = new Promise((resolve) => ours.on('exit', (_code, signal) => resolve(signal)));
    try {
      expect(await endLeftovers(mark, { waitMsMax: 300 })).toEqual([`left running: process ${ours.pid} (/bin/sleep 60)`]);
      expect(await ended).toBe('SIGKILL');
      expect(other.exitCode ?? other.signalCode).toBe(null);
    } finally {
      other.kill('SIGKILL');
      ours.kill('SIGKILL');
    }
  },
);

it('where nothing is left, nothing is said', async () => {
  expect(await endLeftovers(randomUUID())).toEqual([]);
});
