import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createDisk } from '../../../activities/files/disk.js';
import { type Lease, leasePath, leaveLease, takeLease } from '../../../activities/load/lease.js';
import { crashingDisk, temporaryFolder } from '../../support/disks.js';

const disk = createDisk();
const ONE: Lease = { slug: 'one', workflowId: 'donewhen-one', host: 'h' };
const TWO: Lease = { slug: 'two', workflowId: 'donewhen-two', host: 'h' };
const open = async () => true;

function workspace(): string {
  const folder = temporaryFolder();
  mkdirSync(join(folder, '.donewhen'));
  return folder;
}

test('a second run in one workspace is told who works there (I13)', async () => {
  const folder = workspace();
  expect(await takeLease(disk, folder, ONE, open)).toEqual({ is: 'taken' });
  expect(await takeLease(disk, folder, TWO, open)).toEqual({ is: 'held', by: ONE });
  expect(await takeLease(disk, folder, TWO, async () => null)).toEqual({ is: 'held', by: ONE });
});

test('the same run takes its workspace again, as often as it loads', async () => {
  const folder = workspace();
  await takeLease(disk, folder, ONE, open);
  expect(await takeLease(disk, folder, ONE, open)).toEqual({ is: 'taken' });
});

test('a run that is closed holds nothing, however it ended (B08)', async () => {
  const folder = workspace();
  await takeLease(disk, folder, ONE, open);
  expect(await takeLease(disk, folder, TWO, async (id) => id !== 'donewhen-one')).toEqual({ is: 'taken' });
  expect(JSON.parse(readFileSync(leasePath(folder), 'utf8'))).toEqual(TWO);
});

test('only the run that has it gives it back', async () => {
  const folder = workspace();
  await takeLease(disk, folder, ONE, open);
  await leaveLease(disk, folder, 'donewhen-two');
  expect(await takeLease(disk, folder, TWO, open)).toEqual({ is: 'held', by: ONE });
  await leaveLease(disk, folder, 'donewhen-one');
  await leaveLease(disk, folder, 'donewhen-one');
  expect(await takeLease(disk, folder, TWO, open)).toEqual({ is: 'taken' });
});

test('a lease that nobody can read is nobody’s to ignore', async () => {
  const folder = workspace();
  writeFileSync(leasePath(folder), '{"slug": 1}');
  expect(await takeLease(disk, folder, ONE, open)).toEqual({ is: 'unreadable' });
  expect(readFileSync(leasePath(folder), 'utf8')).toEqual('{"slug": 1}');
});

test('of many runs that start at once exactly one gets the workspace', async () => {
  const folder = workspace();
  const runs = Array.from({ length: 20 }, (_, n) => ({ slug: `r${n}`, workflowId: `donewhen-r${n}`, host: 'h' }));
  const takings = await Promise.all(runs.map((lease) => takeLease(disk, folder, lease, open)));
  expect(takings.filter((taking) => taking.is === 'taken')).toEqual([{ is: 'taken' }]);
  expect(readdirSync(join(folder, '.donewhen'))).toEqual(['lease.json']);
});

test('a crash while taking leaves a whole lease or none', async () => {
  for (let after = 0; ; after += 1) {
    const folder = workspace();
    const crashing = crashingDisk(after, 'torn');
    await takeLease(crashing.disk, folder, ONE, open).catch(() => undefined);
    expect(await takeLease(disk, folder, ONE, open)).toEqual({ is: 'taken' });
    expect(JSON.parse(readFileSync(leasePath(folder), 'utf8'))).toEqual(ONE);
    if (!crashing.crashed()) break;
  }
});
