import { existsSync, readFileSync, statSync } from 'node:fs';
import { expect, it } from 'vitest';
import { claimFileIn } from '../../activities/process/attempt-files.js';
import { carryOut } from '../../activities/process/attend.js';
import { openRoom, ordersOf, performer, until } from '../support/attempts.js';

const LINES = 200_000;
const LINE_BYTES = 1_000;
const MEMORY_MB_MAX = 200;

it('200 MB of output pass through a supervisor that stays small, and both ends of it are kept (H13)', async () => {
  const room = openRoom();
  const spec = room.attempt('T1.1.1', {
    argv: performer('writes-much.mjs', String(LINES)),
    logBytesMax: 16 * 1024 * 1024,
    timeoutMs: 600_000,
  });
  const { orders } = ordersOf('leave');
  const outcome = carryOut(spec, { supervisor: room.supervisor, orders, onLook: () => undefined });
  await until(() => existsSync(claimFileIn(spec.dir)));
  const { pid } = JSON.parse(readFileSync(claimFileIn(spec.dir), 'utf8')).supervisor;
  expect(await outcome).toMatchObject({ end: { is: 'exited', code: 0 }, bytes: LINES * LINE_BYTES });
  const [, peakKb] = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  expect(Number(peakKb) / 1024).toBeLessThan(MEMORY_MB_MAX);
  expect(statSync(spec.logFile).size).toBeLessThanOrEqual(spec.logBytesMax + 100);
  expect(readFileSync(spec.logFile, 'utf8').trimEnd().split('\n').at(-1)?.slice(0, 10)).toBe(String(LINES).padStart(10, '0'));
  await room.leave();
});
