import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSupervisor } from '../../../activities/process/client.js';
import { fixture, openRoom, PATH, processesWith, type Room, uniqueSeconds, until } from '../../support/attempts.js';

// Shared, because starting one takes longer than most of these tests; one that is killed is replaced by the next request.
const supervisor = createSupervisor({ searchPath: PATH });
let room: Room;
beforeEach(() => {
  room = openRoom(supervisor);
});
afterEach(() => room.leave());
afterAll(() => supervisor.close());

const run = (script: string, more = {}) => room.supervisor.run(room.command(script, more));
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

describe('a command', () => {
  it('is looked at by its exit status and all it printed, in the order in which it did', async () => {
    expect(await run('echo one; echo two >&2; echo three; exit 3')).toEqual({
      end: { is: 'exited', code: 3 },
      text: 'one\ntwo\nthree\n',
      bytes: 14,
      sha256: sha256('one\ntwo\nthree\n'),
      found: false,
      errors: '',
    });
  });

  it('runs in its folder, with quotes, arrows and words that a shell knows', async () => {
    writeFileSync(join(room.dir, "it's here"), 'x');
    const { text } = await run(`cat "it's here" && echo ' =>' "$0" $#; pwd`);
    expect(text).toBe(`x => sh 0\n${room.dir}\n`);
  });

  it('that is not there or may not be run says so by its status', async () => {
    writeFileSync(join(room.dir, 'plain'), 'no program');
    expect([(await run('no-such-command')).end, (await run('./plain')).end]).toEqual([
      { is: 'exited', code: 127 },
      { is: 'exited', code: 126 },
    ]);
  });

  it('that is killed is told apart from one that exits with the same number', async () => {
    expect([(await run('kill -KILL $$')).end, (await run('exit 137')).end, (await run('kill -PIPE $$')).end]).toEqual([
      { is: 'signalled', signal: 'SIGKILL' },
      { is: 'exited', code: 137 },
      { is: 'signalled', signal: 'SIGPIPE' },
    ]);
  });

  it('that takes too long is ended with all that it started', async () => {
    const seconds = uniqueSeconds();
    const { end } = await run(`setsid sleep ${seconds} & sleep ${seconds}`, { timeoutMs: 200 });
    expect(end).toEqual({ is: 'timeout' });
    expect(processesWith(seconds)).toEqual([]);
  });

  it('that nobody wants to see any more is ended', async () => {
    const seconds = uniqueSeconds();
    const controller = new AbortController();
    const ran = room.supervisor.run(room.command(`sleep ${seconds}`), controller.signal);
    await until(() => processesWith(`sleep ${seconds}`).length > 0);
    controller.abort();
    expect((await ran).end).toEqual({ is: 'cut', why: 'stop' });
    expect(processesWith(seconds)).toEqual([]);
  });

  it('leaves nothing to the next one: what it left behind is gone before it is told', async () => {
    const seconds = uniqueSeconds();
    await run('true');
    expect((await run(`setsid sleep ${seconds} & (sleep ${seconds} &) ; echo done`)).text).toBe('done\n');
    expect(processesWith(seconds)).toEqual([]);
    expect((await run(`ps -A -o args | grep -c "[s]leep ${seconds}"`)).text).toBe('0\n');
  });

  it('prints as much as it likes: both ends are kept, the rest is counted and hashed', async () => {
    const all = Array.from({ length: 20_000 }, (_, index) => `${index + 1}\n`).join('');
    const result = await run('seq 20000', { headBytes: 4, tailBytes: 12 });
    expect(result).toEqual({
      end: { is: 'exited', code: 0 },
      text: `1\n2\n\n[${all.length - 16} bytes are left out here]\n19999\n20000\n`,
      bytes: all.length,
      sha256: sha256(all),
      found: false,
      errors: '',
    });
  });

  it('is searched whole, also where its output is not kept', async () => {
    const script = 'seq 20000; printf nee; sleep 0.05; printf dle; seq 20000';
    const looks = await Promise.all(['needle', 'noodle'].map((find) => run(script, { headBytes: 4, tailBytes: 4, find })));
    expect(looks.map((look) => look.found)).toEqual([true, false]);
  });

  it('shows no secret, and is searched for what it really printed', async () => {
    const { text, found } = await run('echo hunter2-forever; cat .nothing', { secrets: ['hunter2-forever'], find: 'hunter2-forever' });
    expect([text.split('\n')[0], found]).toEqual(['[secret]', true]);
  });

  it('of a worker that went away is ended with it', async () => {
    const seconds = uniqueSeconds();
    const own = openRoom();
    const ran = own.supervisor.run(own.command(`sleep ${seconds}`)).catch((error: Error) => error.message);
    await until(() => processesWith(`sleep ${seconds}`).length > 0);
    await own.leave();
    expect(await ran).toBe('the supervisor has ended');
    await until(() => processesWith(seconds).length === 0);
  });

  it('many at once do not mix', async () => {
    const looks = await Promise.all(Array.from({ length: 12 }, (_, index) => run(`sleep 0.05; echo ${index}; exit ${index}`)));
    expect(looks.map(({ end, text }) => [end, text])).toEqual(
      Array.from({ length: 12 }, (_, index) => [{ is: 'exited', code: index }, `${index}\n`]),
    );
  });

  it('whose supervisor was killed rejects, and the next one has a new supervisor', async () => {
    const { text } = await run('echo here');
    const ran = run('echo begun > begun; sleep 60').catch((error: Error) => error.message);
    await until(() => existsSync(join(room.dir, 'begun')));
    await room.killSupervisor();
    expect(await ran).toBe('the supervisor has ended');
    expect((await run('echo here')).text).toBe(text);
  });
});

// Only root can become somebody else; elsewhere every other test already runs as an ordinary user.
it.runIf(process.getuid?.() === 0)('an ordinary user gets the same: a tree of his own, and true signals', () => {
  const nobody = ['--reuid', '65534', '--regid', '65534', '--clear-groups'];
  const ran = (script: string) =>
    JSON.parse(
      execFileSync('setpriv', [...nobody, process.execPath, fixture('check-as-this-user.mjs'), script], {
        env: { PATH },
        encoding: 'utf8',
      }),
    );
  const seconds = uniqueSeconds();
  expect([ran(`setsid sleep ${seconds} & kill -TERM $$`).end, ran('id -u').text]).toEqual([
    { is: 'signalled', signal: 'SIGTERM' },
    '65534\n',
  ]);
  expect(processesWith(seconds)).toEqual([]);
});
