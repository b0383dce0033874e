import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readRegular } from '../../../activities/files/regular.js';
import { readClaim, readOutcome } from '../../../activities/process/attempt-files.js';
import { createSupervisor } from '../../../activities/process/client.js';
import { carriedOut, openRoom, PATH, type Room } from '../../support/attempts.js';

const supervisor = createSupervisor({ searchPath: PATH });
let room: Room;
beforeEach(() => {
  room = openRoom(supervisor);
});
afterEach(() => room.leave());
afterAll(() => supervisor.close());

const pipe = (file: string) => execFileSync('mkfifo', [file]);

describe('what a performer puts in the place of a file of its attempt stops nobody (R3)', () => {
  it.each(['mkfifo outcome.json', 'mkdir -p outcome.json/full', 'ln -s /dev/zero outcome.json', 'ln -s outcome.json outcome.json'])(
    'where its end is written: %s',
    async (work) => {
      const spec = room.attempt('T1.1.1', {});
      const outcome = await carriedOut(room, { ...spec, argv: ['sh', '-c', `cd '${spec.dir}' && ${work}; exit 3`] });
      expect(outcome).toMatchObject({ end: { is: 'exited', code: 3 } });
      expect(readOutcome(spec.dir)).toEqual(outcome);
    },
  );

  it('where a later attempt has its files: nothing is waited for, and nothing is taken for ours', () => {
    const { dir } = room.attempt('T2.1.1', {});
    pipe(join(dir, 'outcome.json'));
    pipe(join(dir, 'claim.json'));
    expect([readOutcome(dir), readClaim(dir)]).toEqual([null, 'unreadable']);
  });

  it('where a later attempt has its log: the log is a file of its own', async () => {
    const spec = room.attempt('T3.1.1', { argv: ['sh', '-c', 'head -c 300000 /dev/zero | tr "\\0" x'] });
    pipe(spec.logFile);
    const outcome = await carriedOut(room, spec);
    expect([outcome, readRegular(spec.logFile)?.length]).toEqual([expect.objectContaining({ bytes: 300_000 }), 300_000]);
  });
});

it('only a regular file has a content; a pipe, a folder, a device and a link in a circle have none', () => {
  const at = (name: string) => join(room.dir, name);
  pipe(at('pipe'));
  mkdirSync(at('folder'));
  symlinkSync('circle', at('circle'));
  writeFileSync(at('file'), 'text');
  symlinkSync('file', at('link'));
  const read = (path: string) => readRegular(path)?.toString('utf8') ?? null;
  expect(['pipe', 'folder', 'circle', 'absent', 'file/below', 'file', 'link'].map((name) => read(at(name)))).toEqual([
    null,
    null,
    null,
    null,
    null,
    'text',
    'text',
  ]);
  expect(read('/dev/zero')).toEqual(null);
});
