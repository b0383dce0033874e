import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { chownSync, existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type ClaimRecord,
  claimFileIn,
  claimToken,
  type Outcome,
  readClaim,
  readOutcome,
} from '../../../activities/process/attempt-files.js';
import { carryOut } from '../../../activities/process/attend.js';
import { createSupervisor } from '../../../activities/process/client.js';
import { identityOf, lifeOf, ownIdentity } from '../../../activities/process/identity.js';
import {
  carriedOut,
  fixture,
  openRoom,
  ordersOf,
  PATH,
  performer,
  processesWith,
  type Room,
  uniqueSeconds,
  until,
} from '../../support/attempts.js';

// Shared, because starting one takes longer than most of these tests; one that is killed is replaced by the next request.
const supervisor = createSupervisor({ searchPath: PATH });
let room: Room;
beforeEach(() => {
  room = openRoom(supervisor);
});
afterEach(() => room.leave());
afterAll(() => supervisor.close());

const NOBODY = 65534;
const sha256 = (text: string | Buffer) => createHash('sha256').update(text).digest('hex');
const endOf = (outcome: Outcome | 'lost') => (outcome === 'lost' ? 'lost' : outcome.end);
const logOf = (spec: { logFile: string }) => readFileSync(spec.logFile, 'utf8');
const claimOf = (dir: string): ClaimRecord => {
  const claim = readClaim(dir);
  if (claim === null || claim === 'unreadable') throw new Error('no claim');
  return claim;
};

describe('an attempt', () => {
  it('ends with the exit status of its performer, which is written down before it is told', async () => {
    const spec = room.attempt('T1.1.1', { argv: ['sh', '-c', 'echo said; echo noise >&2; exit 3'] });
    const outcome = await carriedOut(room, spec);
    expect(outcome).toEqual({
      token: 'T1.1.1',
      end: { is: 'exited', code: 3 },
      startedAt: claimOf(spec.dir).startedAt,
      endedAt: expect.any(Number),
      bytes: 11,
      sha256: sha256('said\n'),
    });
    expect(readOutcome(spec.dir)).toEqual(outcome);
    expect([logOf(spec), readFileSync(`${spec.logFile}.err`, 'utf8')]).toEqual(['said\n', 'noise\n']);
  });

  it('gives the performer its input and then the end of it (H07, H11)', async () => {
    const stdinFile = join(room.dir, 'brief.md');
    writeFileSync(stdinFile, 'the brief\n');
    const spec = room.attempt('T1.1.1', { argv: ['sh', '-c', 'cat; echo read'], stdinFile });
    expect(endOf(await carriedOut(room, spec))).toEqual({ is: 'exited', code: 0 });
    expect(logOf(spec)).toBe('the brief\nread\n');
  });

  it('without an input reads an end at once', async () => {
    const spec = room.attempt('T1.1.1', { argv: ['cat'] });
    expect(endOf(await carriedOut(room, spec))).toEqual({ is: 'exited', code: 0 });
  });

  it('tells a death by signal from an exit status that looks like one', async () => {
    const ends = await Promise.all(
      [performer('kills-itself.sh', 'KILL'), performer('kills-itself.sh', 'TERM'), performer('kills-itself.sh', 'INT')]
        .concat([
          ['sh', '-c', 'exit 137'],
          ['sh', '-c', 'exit 143'],
        ])
        .map(async (argv, index) => endOf(await carriedOut(room, room.attempt(`T${index}.1.1`, { argv })))),
    );
    expect(ends).toEqual([
      { is: 'signalled', signal: 'SIGKILL' },
      { is: 'signalled', signal: 'SIGTERM' },
      { is: 'signalled', signal: 'SIGINT' },
      { is: 'exited', code: 137 },
      { is: 'exited', code: 143 },
    ]);
  });

  it('that prints nothing for too long is ended, with all it started; one that goes on printing is not (D17, D18)', async () => {
    const word = uniqueSeconds();
    const silent = room.attempt('T1.1.1', { argv: ['sh', '-c', `echo said; setsid sleep ${word} & sleep ${word}`], idleMs: 300 });
    const busy = room.attempt('T2.1.1', { argv: ['sh', '-c', 'for n in 1 2 3 4 5 6 7 8; do echo $n >&2; sleep 0.1; done'], idleMs: 600 });
    const outcomes = await Promise.all([carriedOut(room, silent), carriedOut(room, busy)]);
    expect(outcomes.map(endOf)).toEqual([
      { is: 'silent', forMs: 300 },
      { is: 'exited', code: 0 },
    ]);
    expect(processesWith(word)).toEqual([]);
    expect(readOutcome(silent.dir)).toEqual(outcomes[0]);
  });

  it('of a program that is not there ends as a shell would say it', async () => {
    const spec = room.attempt('T1.1.1', { argv: ['no-such-agent-anywhere'] });
    expect(endOf(await carriedOut(room, spec))).toEqual({ is: 'exited', code: 127 });
    expect(readFileSync(`${spec.logFile}.err`, 'utf8')).toContain('no-such-agent-anywhere');
  });

  it('in a folder that is gone never begins', async () => {
    const spec = room.attempt('T1.1.1', { argv: ['touch', 'made'], cwd: join(room.dir, 'gone') });
    expect(endOf(await carriedOut(room, spec))).toEqual({ is: 'exited', code: 126 });
  });

  it('whose log cannot be opened ends with the reason and starts nothing', async () => {
    const spec = room.attempt('T1.1.1', { argv: ['touch', 'made'], logFile: join(room.dir, 'no-folder', 'log') });
    expect(endOf(await carriedOut(room, spec))).toEqual({ is: 'unspawned', error: expect.stringContaining('ENOENT') });
    expect(existsSync(join(room.dir, 'made'))).toBe(false);
  });

  it('passes arguments as they are, no shell reads them (F01)', async () => {
    const spec = room.attempt('T1.1.1', { argv: ['printf', '%s|', '$HOME', "it's", 'a  b', '*', '; rm -rf x', '-n'] });
    await carriedOut(room, spec);
    expect(logOf(spec)).toBe("$HOME|it's|a  b|*|; rm -rf x|-n|");
  });

  it('has the environment that it is given and no other', async () => {
    const spec = room.attempt('T1.1.1', { argv: ['env'], env: { PATH, DONEWHEN_TASK: 'T1' } });
    await carriedOut(room, spec);
    const names = logOf(spec)
      .split('\n')
      .flatMap((line) => (line.includes('=') ? [line.slice(0, line.indexOf('='))] : []));
    expect(names.filter((name) => !['PWD', '_', 'OLDPWD', 'SHLVL'].includes(name)).sort()).toEqual([
      'DONEWHEN_ATTEMPT_ID',
      'DONEWHEN_TASK',
      'PATH',
    ]);
  });
});

describe('nothing outlives its attempt (R14)', () => {
  it('not a background job, not another session, not a double fork, not who holds the pipe (B21, C01, H01, H02, H06)', async () => {
    const seconds = uniqueSeconds();
    const spec = room.attempt('T1.1.1', { argv: performer('leaves-everything-behind.sh', seconds) });
    expect(endOf(await carriedOut(room, spec))).toEqual({ is: 'exited', code: 0 });
    expect(processesWith(seconds)).toEqual([]);
    expect(logOf(spec)).toBe('done here\n');
  });

  it('not one that will not be asked: its time over, it is killed (D14)', async () => {
    const spec = room.attempt('T1.1.1', { argv: performer('ignores-term.sh'), timeoutMs: 300 });
    expect(endOf(await carriedOut(room, spec))).toEqual({ is: 'timeout' });
    expect(processesWith('ignores-term.sh')).toEqual([]);
  });

  it('not one that has stopped itself', async () => {
    const spec = room.attempt('T1.1.1', { argv: performer('stops-itself.sh'), timeoutMs: 300 });
    expect(endOf(await carriedOut(room, spec))).toEqual({ is: 'timeout' });
    expect(processesWith('stops-itself.sh')).toEqual([]);
  });

  it('and one that cleans up when asked has the time for it', async () => {
    const spec = room.attempt('T1.1.1', { argv: performer('ends-politely.sh'), graceMs: 20_000 });
    const { orders, give } = ordersOf('stop');
    const outcome = carriedOut(room, spec, orders);
    await until(() => existsSync(spec.logFile) && logOf(spec).includes('begun'));
    give();
    expect(endOf(await outcome)).toEqual({ is: 'cut', why: 'stop' });
    expect(logOf(spec)).toContain('cleaned up');
  });

  it('and when the supervisor is killed everything ends with it, and the attempt is lost (H12)', async () => {
    const seconds = uniqueSeconds();
    const spec = room.attempt('T1.1.1', { argv: ['sh', '-c', `setsid sleep ${seconds} & sleep ${seconds}`] });
    const outcome = carriedOut(room, spec);
    await until(() => processesWith(seconds).length >= 2);
    process.kill(claimOf(spec.dir).supervisor.pid, 'SIGKILL');
    expect(endOf(await outcome)).toBe('lost');
    expect(processesWith(seconds)).toEqual([]);
  });

  it('and a supervisor that is killed at any moment of a beginning leaves nothing behind', async () => {
    for (let moment = 0; moment < 12; moment += 1) {
      const seconds = uniqueSeconds();
      const spec = room.attempt(`T${moment}.1.1`, { argv: ['sleep', seconds] });
      const outcome = carriedOut(room, spec);
      await until(() => existsSync(claimFileIn(spec.dir)));
      const { pid } = claimOf(spec.dir).supervisor;
      await sleep(moment);
      process.kill(pid, 'SIGKILL');
      expect(await outcome).toBe('lost');
      await until(() => processesWith(`donewhen-init-of-${pid}`).length === 0);
      expect(processesWith(seconds)).toEqual([]);
    }
  });

  it('and a supervisor that hangs beyond all its limits is ended with what it started', async () => {
    const seconds = uniqueSeconds();
    const spec = room.attempt('T1.1.1', { argv: ['sleep', seconds], timeoutMs: 400, graceMs: 50, attendMs: 50 });
    const { orders } = ordersOf('leave');
    const outcome = carryOut(spec, { supervisor: room.supervisor, orders, onLook: () => undefined, overdueMs: 500 });
    await until(() => processesWith(seconds).length > 0);
    process.kill(claimOf(spec.dir).supervisor.pid, 'SIGSTOP');
    expect(await outcome).toBe('lost');
    expect(processesWith(seconds)).toEqual([]);
  });

  it('and a claim that names somebody else as its supervisor ends nobody', async () => {
    const bystander = spawn('sleep', [uniqueSeconds()], { stdio: 'ignore' });
    const spec = room.attempt('T1.1.1', { timeoutMs: 0, graceMs: 0, attendMs: 0 });
    const supervisor = identityOf(bystander.pid ?? 0);
    if (supervisor === null) throw new Error('no bystander');
    claimToken(spec.dir, { token: 'T1.1.1', supervisor, socket: '/nowhere', mark: 'none', startedAt: 0, timeoutMs: 1 });
    const { orders } = ordersOf('leave');
    expect(await carryOut(spec, { supervisor: room.supervisor, orders, onLook: () => undefined, overdueMs: 100 })).toBe('lost');
    expect(lifeOf(supervisor)).toBe('alive');
    bystander.kill('SIGKILL');
  });

  it('and without a worker that attends it, it ends after its limit (H03)', async () => {
    const spec = room.attempt('T1.1.1', { argv: performer('ends-politely.sh'), attendMs: 300 });
    const { orders, give } = ordersOf('leave');
    const first = carriedOut(room, spec, orders).catch((error: Error) => error.message);
    await until(() => existsSync(spec.logFile) && logOf(spec).includes('begun'));
    give();
    expect(await first).toBe('told to');
    await until(() => readOutcome(spec.dir) !== null);
    expect(endOf(await carriedOut(room, spec))).toEqual({ is: 'cut', why: 'unattended' });
  });
});

describe('what a performer prints', () => {
  it('is kept from both ends when it is too much, and its true size is known (H13)', async () => {
    const spec = room.attempt('T1.1.1', { argv: performer('writes-much.mjs', '20000') });
    const outcome = await carriedOut(room, spec);
    const log = logOf(spec);
    expect(outcome).toMatchObject({ end: { is: 'exited', code: 0 }, bytes: 20_000_000 });
    expect(statSync(spec.logFile).size).toBeLessThanOrEqual(spec.logBytesMax + 100);
    expect([log.startsWith('0000000001 xxx'), log.includes('bytes are left out here'), log.endsWith(`${'x'.repeat(988)}\n`)]).toEqual([
      true,
      true,
      true,
    ]);
    expect(log.trimEnd().split('\n').at(-1)?.slice(0, 10)).toBe('0000020000');
    expect([existsSync(`${spec.logFile}.a`), existsSync(`${spec.logFile}.b`)]).toEqual([false, false]);
  });

  it('is kept byte for byte, whatever the bytes are (E21)', async () => {
    const spec = room.attempt('T1.1.1', { argv: ['printf', '\\377\\376\\000\\303\\050\\342\\202 end'] });
    await carriedOut(room, spec);
    expect(readFileSync(spec.logFile)).toEqual(Buffer.from([0xff, 0xfe, 0x00, 0xc3, 0x28, 0xe2, 0x82, 0x20, 0x65, 0x6e, 0x64]));
  });

  it('ends in a folder and never beyond a link that the performer put in its place (F05)', async () => {
    const dir = join(room.dir, '.donewhen/demo/attempts/T1.1.1');
    const elsewhere = join(room.dir, 'elsewhere');
    mkdirSync(dir, { recursive: true });
    mkdirSync(elsewhere);
    const links = `rm -rf .donewhen; ln -s '${elsewhere}' .donewhen`;
    const spec = room.attempt('T1.1.1', { argv: ['sh', '-c', links], dir, logFile: join(dir, 'output.log') });
    expect(endOf(await carriedOut(room, spec))).toEqual({ is: 'exited', code: 0 });
    expect([readdirSync(elsewhere), realpathSync(dir), readOutcome(dir)?.cleared]).toEqual([[], dir, true]);
  });

  it('ends as it did where a file stands in place of its folder', async () => {
    const dir = join(room.dir, '.donewhen/demo/attempts/T1.1.1');
    mkdirSync(dir, { recursive: true });
    const spec = room.attempt('T1.1.1', {
      argv: ['sh', '-c', 'rm -rf .donewhen; echo > .donewhen; exit 3'],
      dir,
      logFile: join(dir, 'output.log'),
    });
    expect([endOf(await carriedOut(room, spec)), readOutcome(dir)?.cleared]).toEqual([{ is: 'exited', code: 3 }, true]);
  });

  it('keeps its claim where the performer cleared it away (R3)', async () => {
    const dir = join(room.dir, '.donewhen/demo/attempts/T1.1.1');
    mkdirSync(dir, { recursive: true });
    const clears = 'rm -rf .donewhen; while [ ! -e .donewhen/demo/attempts/T1.1.1/claim.json ]; do sleep 0.1; done';
    const spec = room.attempt('T1.1.1', { argv: ['sh', '-c', clears], dir, logFile: join(dir, 'output.log') });
    expect(endOf(await carriedOut(room, spec))).toEqual({ is: 'exited', code: 0 });
  });

  it('never holds a secret, not even one that came in two pieces (L01, L03)', async () => {
    const spec = room.attempt('T1.1.1', { argv: performer('says-a-secret-in-two-pieces.mjs'), secrets: ['hunter2-forever'] });
    await carriedOut(room, spec);
    expect([logOf(spec), readFileSync(`${spec.logFile}.err`, 'utf8')]).toEqual([
      'the key is [secret] and ends here\n',
      'on stderr: [secret]\n',
    ]);
    expect(readFileSync(claimFileIn(spec.dir), 'utf8')).not.toContain('hunter2');
  });
});

describe('a token', () => {
  const counting = (token: string) => room.attempt(token, { argv: ['sh', '-c', 'echo once >> count; sleep 0.3; echo said'] });
  const count = () => readFileSync(join(room.dir, 'count'), 'utf8');

  it('is carried out once, however many ask for it at the same time (C04, C12)', async () => {
    const spec = counting('T1.1.1');
    const outcomes = await Promise.all([carriedOut(room, spec), carriedOut(room, spec), carriedOut(room, spec)]);
    expect(new Set(outcomes.map((outcome) => JSON.stringify(outcome))).size).toBe(1);
    expect(count()).toBe('once\n');
  });

  it('is carried out once, also between two workers with a supervisor each', async () => {
    const spec = counting('T1.1.1');
    const other = createSupervisor({ searchPath: PATH });
    const orders = ordersOf('leave').orders;
    const [one, two] = await Promise.all([carriedOut(room, spec), carryOut(spec, { supervisor: other, orders, onLook: () => undefined })]);
    other.close();
    expect(one).toEqual(two);
    expect(count()).toBe('once\n');
  });

  it('that has its outcome is never carried out again (C02, C13)', async () => {
    const spec = counting('T1.1.1');
    const first = await carriedOut(room, spec);
    expect(await carriedOut(room, spec)).toEqual(first);
    expect(count()).toBe('once\n');
  });

  it('goes on while nobody looks, and tells whoever asks next', async () => {
    const spec = counting('T1.1.1');
    const { orders, give } = ordersOf('leave');
    const first = carriedOut(room, spec, orders).catch((error: Error) => error.message);
    await until(() => existsSync(join(room.dir, 'count')));
    give();
    expect(await first).toBe('told to');
    expect(endOf(await carriedOut(room, spec))).toEqual({ is: 'exited', code: 0 });
    expect(count()).toBe('once\n');
  });

  it('survives its worker: killed and replaced, the next one gets the outcome (B12, B13, C10)', async () => {
    const spec = room.attempt('T1.1.1', { argv: ['sh', '-c', 'echo once >> count; until [ -e go ]; do sleep 0.02; done; echo said'] });
    const file = join(room.dir, 'spec.json');
    writeFileSync(file, JSON.stringify(spec));
    const worker = spawn(process.execPath, [fixture('attending-worker.mjs'), file], { stdio: 'ignore', env: { PATH } });
    await until(() => existsSync(join(room.dir, 'count')));
    worker.kill('SIGKILL');
    await once(worker, 'exit');
    writeFileSync(join(room.dir, 'go'), '');
    expect(endOf(await carriedOut(room, spec))).toEqual({ is: 'exited', code: 0 });
    expect([count(), logOf(spec)]).toEqual(['once\n', 'said\n']);
  });

  it('that was claimed by a supervisor which is gone, without an outcome, is lost and not begun again (R3)', async () => {
    const spec = counting('T1.1.1');
    const gone = { ...ownIdentity(), start: '1' };
    const claim = { token: 'T1.1.1', supervisor: gone, socket: '/nowhere', mark: 'none', startedAt: 0, timeoutMs: 1 };
    expect(claimToken(spec.dir, claim)).toBe(true);
    expect(await carriedOut(room, spec)).toBe('lost');
    expect(existsSync(join(room.dir, 'count'))).toBe(false);
  });

  it('whose claim nobody can read any more is lost, not begun again (R11)', async () => {
    const spec = counting('T1.1.1');
    writeFileSync(claimFileIn(spec.dir), '{"token":');
    expect(await carriedOut(room, spec)).toBe('lost');
    expect(existsSync(join(room.dir, 'count'))).toBe(false);
  });

  it('whose folder has the outcome of another, as on a disk that knows no case, is refused', async () => {
    const other = counting('t1.1.1');
    await carriedOut(room, other);
    await expect(carriedOut(room, { ...other, token: 'T1.1.1' })).rejects.toThrow('belongs to t1.1.1, not to T1.1.1');
  });

  it('is told after everything temporary was cleared away: its outcome lives in the folder of the run (B20)', async () => {
    const [spec, temporary, kept] = [counting('T1.1.1'), join(room.dir, 'tmp'), process.env.TMPDIR];
    mkdirSync(temporary);
    process.env.TMPDIR = temporary;
    const [first, second] = [createSupervisor({ searchPath: PATH }), createSupervisor({ searchPath: PATH })];
    try {
      const before = await carriedOut({ ...room, supervisor: first }, spec);
      expect(readdirSync(temporary)).not.toEqual([]);
      first.close();
      rmSync(temporary, { recursive: true, force: true });
      mkdirSync(temporary);
      expect(await carriedOut({ ...room, supervisor: second }, spec)).toEqual(before);
    } finally {
      first.close();
      second.close();
      if (kept === undefined) delete process.env.TMPDIR;
      else process.env.TMPDIR = kept;
    }
    expect(count()).toBe('once\n');
  });

  it('keeps its outcome although the performer removed its folder', async () => {
    const spec = room.attempt('T1.1.1', { argv: ['sh', '-c', `rm -rf "${join(room.dir, 'T1.1.1')}"; exit 4`] });
    expect(endOf(await carriedOut(room, spec))).toEqual({ is: 'exited', code: 4 });
  });
});

// Only root can become somebody else; elsewhere every other test already runs as an ordinary user.
it.runIf(process.getuid?.() === 0)('an ordinary user gets the same: nothing outlives the attempt, and its end is told truly', () => {
  const [seconds, file] = [uniqueSeconds(), join(room.dir, 'spec.json')];
  const argv = ['sh', '-c', `setsid sleep ${seconds} & echo made > made; kill -TERM $$`];
  const spec = room.attempt('T1.1.1', { argv });
  writeFileSync(file, JSON.stringify(spec));
  for (const path of [room.dir, spec.dir]) chownSync(path, NOBODY, NOBODY);
  const nobody = ['--reuid', `${NOBODY}`, '--regid', `${NOBODY}`, '--clear-groups'];
  const told = execFileSync('setpriv', [...nobody, process.execPath, fixture('attending-worker.mjs'), file], {
    env: { PATH },
    encoding: 'utf8',
  });
  expect(JSON.parse(told)).toMatchObject({ token: 'T1.1.1', end: { is: 'signalled', signal: 'SIGTERM' } });
  expect([statSync(join(room.dir, 'made')).uid, processesWith(seconds)]).toEqual([NOBODY, []]);
});

it('a supervisor without a worker and without an attempt ends, and takes its socket with it', async () => {
  const own = openRoom();
  const spec = own.attempt('T1.1.1', {});
  await carriedOut(own, spec);
  const { socket } = claimOf(spec.dir);
  expect(existsSync(socket)).toBe(true);
  await own.leave();
  await until(() => !existsSync(dirname(socket)));
  await until(() => processesWith(socket).length === 0);
});
