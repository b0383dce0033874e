import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { carryOut, type Look } from '../../../activities/process/attend.js';
import { createSupervisor } from '../../../activities/process/client.js';
import { openRoom, ordersOf, PATH, type Room } from '../../support/attempts.js';

/** A small disk of its own for one test, where the system lets us have one. */
const supervisor = createSupervisor({ searchPath: PATH });
let room: Room;
let small = '';
let isMounted = false;
beforeEach(() => {
  room = openRoom(supervisor);
  small = join(room.dir, 'small');
  mkdirSync(small);
  isMounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', small]).status === 0;
});
afterEach(async () => {
  if (isMounted) spawnSync('umount', ['-l', small]);
  await room.leave();
  supervisor.close();
});

it('an attempt that has ended on a full disk says so where it is looked at, and ends when there is room', async ({ skip }) => {
  skip(!isMounted, 'no disk may be mounted here');
  const dir = join(small, 'T1.1.1');
  mkdirSync(dir);
  const spec = { ...room.attempt('T1.1.1', {}), dir, logFile: join(dir, 'output.log') };
  const full = { ...spec, argv: ['sh', '-c', `cat /dev/zero > '${small}/filled' 2>/dev/null; exit 3`] };
  let look: Look = async () => null;
  const onLook = (given: Look) => {
    look = given;
  };
  const outcome = carryOut(full, { supervisor, orders: ordersOf('leave').orders, onLook });
  const fault = async (): Promise<string> => (await look())?.fault ?? fault();
  expect(await fault()).toEqual(
    `the end of T1.1.1 cannot be written (${dir}): the disk is full; free some space and the run goes on by itself`,
  );
  rmSync(join(small, 'filled'));
  expect(await outcome).toMatchObject({ end: { is: 'exited', code: 3 } });
});
