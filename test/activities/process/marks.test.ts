import { spawn } from 'node:child_process';
import { afterEach, describe, expect, it } from 'vitest';
import { startJob } from '../../../activities/process/job.js';
import { belongingTo, createMarkedForest, endMarked, parsePs } from '../../../activities/process/marks.js';
import { ATTEMPT_MARK } from '../../../activities/process/tree.js';
import { PATH, performer, processesWith, uniqueSeconds, until } from '../../support/attempts.js';

const ours: number[] = [];
afterEach(() => {
  for (const pid of ours.splice(0)) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended.
    }
  }
});

describe('where trees are only marked', () => {
  const jobOf = (argv: string[], more = {}, mark = 'mark-1') => {
    const forest = createMarkedForest({ setpriv: null });
    return forest.take(mark, 'act').then((tree) =>
      startJob(
        {
          program: { argv },
          cwd: '/',
          env: { PATH },
          mark,
          stdinFile: null,
          timeoutMs: 60_000,
          graceMs: 200,
          onStdout: () => undefined,
          onStderr: () => undefined,
          ...more,
        },
        tree,
        () => tree.end(),
      ),
    );
  };

  it('other sessions and double forks end with their attempt (H01, H02)', async () => {
    const seconds = uniqueSeconds();
    const job = await jobOf(performer('leaves-everything-behind.sh', seconds));
    expect(await job.ended).toEqual({ is: 'exited', code: 0 });
    expect(processesWith(seconds)).toEqual([]);
  });

  it('who will not be asked is killed', async () => {
    const job = await jobOf(performer('ignores-term.sh'), { timeoutMs: 200 });
    expect(await job.ended).toEqual({ is: 'timeout' });
    expect(processesWith('ignores-term.sh')).toEqual([]);
  });

  it('a death by signal is told apart from an exit status', async () => {
    const endOf = async (argv: string[], mark: string) => (await jobOf(argv, {}, mark)).ended;
    const ends = await Promise.all([endOf(['sh', '-c', 'kill -KILL $$'], 'killed'), endOf(['sh', '-c', 'exit 137'], 'exited')]);
    expect(ends).toEqual([
      { is: 'signalled', signal: 'SIGKILL' },
      { is: 'exited', code: 137 },
    ]);
  });

  it('only who bears the mark is ended', async () => {
    const seconds = uniqueSeconds();
    const start = (mark: string) => spawn('sleep', [seconds], { env: { PATH, [ATTEMPT_MARK]: mark }, stdio: 'ignore' });
    ours.push(start('mine').pid ?? 0, start('mine-too-long').pid ?? 0, start('other').pid ?? 0);
    await until(() => processesWith(seconds).length === 3);
    await endMarked('mine');
    expect(processesWith(seconds).length).toBe(2);
  });
});

it('to a marked process belong its descendants and its session, and nobody else', () => {
  const listed = [
    { pid: 10, parent: 1, session: 10, marked: true },
    { pid: 11, parent: 10, session: 10, marked: false },
    { pid: 12, parent: 11, session: 12, marked: false },
    { pid: 13, parent: 1, session: 10, marked: false },
    { pid: 20, parent: 1, session: 20, marked: false },
    { pid: process.pid, parent: 10, session: 1, marked: true },
  ];
  expect(belongingTo(listed).sort()).toEqual([10, 11, 12, 13]);
});

it('ps as macOS prints it is read with the environment behind the command', () => {
  const text = [
    '    1     0     1 Ss   /sbin/launchd',
    `  501   400   501 S    node agent.mjs PATH=/bin ${ATTEMPT_MARK}=abc HOME=/Users/a`,
    `  502   501   501 Z    (sh)`,
    `  503   501   501 S+   sleep 5 ${ATTEMPT_MARK}=abcd`,
    '',
  ].join('\n');
  expect(parsePs(text, `${ATTEMPT_MARK}=abc`)).toEqual([
    { pid: 1, parent: 0, session: 1, marked: false },
    { pid: 501, parent: 400, session: 501, marked: true },
    { pid: 503, parent: 501, session: 501, marked: false },
  ]);
});
