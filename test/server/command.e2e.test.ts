import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openSession } from '../../client/connection.js';
import { planText, taskText } from '../client/support/folders.js';
import { COMMAND, createDesk, type Desk } from '../support/command.js';
import { createTestHome, type TestHome, until } from '../support/homes.js';

let home: TestHome;
let desk: Desk;
beforeEach(() => {
  home = createTestHome();
});
afterEach(async () => {
  openAgain();
  await desk.remove();
  await home.remove();
});

const two = planText(taskText('T1'), taskText('T2', { depends: 'T1' }));
const byHand = planText(
  taskText('T1', { checks: ['human: does it open?'], lines: 'Performer: human\n' }),
  taskText('T2', { depends: 'T1' }),
);
const sit = (plan: string, files: Record<string, string> = {}) => {
  desk = createDesk(home.env, { 'PLAN.md': plan, ...files });
  return desk;
};

let closed: string | null = null;
/** Not even root can write it, or put another in its place. */
const closeForWriting = (file: string) => {
  writeFileSync(file, '');
  const mounts = [
    ['--bind', file, file],
    ['-o', 'remount,ro,bind', file],
  ].map((argv) => spawnSync('mount', argv).status);
  closed = mounts.every((status) => status === 0) ? file : null;
};
const openAgain = () => {
  if (closed !== null) spawnSync('umount', [closed]);
  closed = null;
};
const firstLine = (text: string) => text.split('\n')[0];

describe('a whole run', () => {
  test('is carried out, looked at, rechecked, not repeated in silence, and begun afresh when asked', async () => {
    const { run, folder, calls } = sit(two);
    const first = await run('run', '.', '--json');
    const ledger = JSON.parse(first.out).ledger.map((entry: { task: string; status: string }) => `${entry.task} ${entry.status}`);
    expect({ code: first.code, ledger, calls: calls() }).toEqual({ code: 0, ledger: ['T1 done', 'T2 done'], calls: ['T1', 'T2'] });

    const status = await run('status', 'demo', '--json');
    expect({ code: status.code, same: JSON.parse(status.out) }).toEqual({ code: 0, same: JSON.parse(first.out) });
    const [listing, record, report, plan] = [
      await run('list', '--json'),
      await run('ledger', 'demo'),
      await run('report', 'demo'),
      await run('plan', 'demo'),
    ];
    expect({
      list: JSON.parse(listing.out).map((one: { run: string; outcome: string }) => [one.run, one.outcome]),
      ledger: record.out.includes('## T1 — Part T1  [done]'),
      report: report.out.includes('Status: COMPLETED'),
      plan: plan.out === two,
    }).toEqual({ list: [['demo', 'COMPLETED']], ledger: true, report: true, plan: true });

    const holds = await run('report', 'demo', '--recheck');
    rmSync(join(folder, 'out-T2'));
    const broken = await run('report', 'demo', '--recheck');
    expect([holds.code, broken.code, broken.out.split('\n')[1]]).toEqual([0, 10, 'no longer holds  T2  file: out-T2  →  absent']);

    const again = await run('run', '.');
    expect([again.code, again.err]).toEqual([2, 'run demo closed COMPLETED: --again starts a fresh record\n']);
    const fresh = await run('run', '.', '--again');
    expect({ code: fresh.code, calls: calls(), moved: existsSync(join(folder, '.donewhen/demo/runs/1/LEDGER.md')) }).toEqual({
      code: 0,
      calls: ['T1', 'T2', 'T2'],
      moved: true,
    });
  });

  test('that the worker refuses is exit 2, and the next one is not in its way', async () => {
    const { run, write, calls } = sit(two, { 'other.txt': 'committed\n' });
    write('other.txt', 'changed\n');
    expect((await run('check', '.')).out).toContain('`donewhen run` would refuse a new run: ');
    const refused = await run('run', '.');
    expect({ code: refused.code, named: refused.err.includes('other.txt'), calls: calls() }).toEqual({ code: 2, named: true, calls: [] });
    expect((await run('run', '.', '--allow-dirty')).code).toEqual(0);
  });
});

describe('a run that waits for a person', () => {
  test('and has no worker any more still shows its question and takes the answer', async () => {
    const { run, folder, write, calls } = sit(byHand, { slow: 'T2' });
    expect((await run('run', '.', '--until', 'waiting')).code).toEqual(11);
    const waiting = await run('waiting', 'demo');
    expect([waiting.out.includes('does it open?'), waiting.out.split('\n')[2], waiting.err]).toEqual([
      true,
      '      donewhen attest demo T1 --happened yes --by NAME',
      'no worker answers for run demo: this command hosts one to ask it\n',
    ]);
    const said = await run('attest', 'demo', 'T1', '--happened', 'yes', '--by', 'ana');
    const recorded = readFileSync(join(folder, 'LEDGER.md'), 'utf8').includes('## T1 — Part T1  [done]');
    expect([said.code, said.err, recorded]).toEqual([
      0,
      'no worker answers for run demo: this command hosts one until attest is recorded\n`donewhen watch demo` follows the run to its end\n',
      true,
    ]);
    write('go', '');
    expect([(await run('watch', 'demo')).code, calls()]).toEqual([0, ['T2']]);
  });

  test('and has no worker any more is stopped, with a report, by whoever says so', async () => {
    const { run, folder } = sit(byHand);
    await run('run', '.', '--until', 'waiting');
    const stopped = await run('stop', 'demo', '--by', 'ana');
    expect([stopped.code, stopped.err.split('\n')[1], existsSync(join(folder, 'REPORT.md'))]).toEqual([
      0,
      'run demo is closed: PARTIAL',
      true,
    ]);
    const end = await run('watch', 'demo');
    expect([end.code, end.out.includes('REPORT.md'), end.out.includes('LEDGER.md')]).toEqual([13, true, false]);
  });

  test('and whose record cannot be written says so to whoever looks; stop does not wait for it', async ({ skip }) => {
    const { run, begin, folder } = sit(byHand);
    await run('run', '.', '--until', 'waiting');
    closeForWriting(join(folder, 'LEDGER.md'));
    skip(closed === null, 'nothing may be mounted here');
    const said = await run('attest', 'demo', 'T1', '--happened', 'yes', '--by', 'ana');
    const watch = begin('watch', 'demo');
    await until('it is said', () => watch.said().out.includes('record keeps failing'), 60_000);
    const status = await run('status', 'demo', '--json');
    const failing = JSON.parse(status.out).failing.map((one: { activity: string; since: string }) => [
      one.activity,
      Date.parse(one.since) > 0,
    ]);
    const stop = await run('stop', 'demo', '--by', 'ana');
    expect([said.code, said.err.includes('record keeps failing'), failing, stop.code, stop.err.split(' (')[0]]).toEqual([
      0,
      true,
      [['record', true]],
      0,
      'the run ends when it can be recorded: record keeps failing',
    ]);
    openAgain();
    expect((await watch.ended).code).toEqual(13);
  });

  test('is left with 11, and goes on under watch', async () => {
    const { run, begin, write, calls } = sit(byHand, { slow: 'T2' });
    const left = await run('run', '.', '--until', 'waiting', '--json');
    expect([left.code, JSON.parse(left.out).waiting.map((one: { task: string }) => one.task)]).toEqual([11, ['T1']]);
    const watch = begin('watch', 'demo');
    await until('the question is shown', () => watch.said().out.includes('waiting for a person'));
    const waiting = await run('waiting', 'demo', '--json');
    expect(JSON.parse(waiting.out).map((one: { answer: string }) => one.answer)).toEqual([
      'donewhen attest demo T1 --happened yes --by NAME',
    ]);
    const [said, twice, stale] = [
      await run('attest', 'demo', 'T1', '--happened', 'yes', '--by', 'ana', '--id', 'a-1'),
      await run('attest', 'demo', 'T1', '--happened', 'yes', '--by', 'ana', '--id', 'a-1'),
      await run('attest', 'demo', 'T1', '--happened', 'no', '--by', 'bob'),
    ];
    expect([said.code, twice.code, stale.code, stale.err]).toEqual([0, 0, 2, 'demo: attest was refused: T1 is done already\n']);
    write('go', '');
    const end = await watch.ended;
    expect({ code: end.code, calls: calls(), last: end.out.includes('T1 done (attested)') }).toEqual({
      code: 0,
      calls: ['T2'],
      last: true,
    });
    const late = await run('pause', 'demo', '--by', 'ana');
    expect(late.code).toEqual(2);
  });
});

describe('a command that ends while its run goes on', () => {
  const slow = () => sit(planText(taskText('T1')), { slow: 'T1' });

  test('by Ctrl-C is 130 and says how to go on; the attempt is found again, not repeated', async () => {
    const { begin, run, write, calls } = slow();
    const first = begin('run', '.');
    await until('the agent works', () => calls().length === 1);
    first.child.kill('SIGINT');
    const left = await first.ended;
    expect([left.code, left.err]).toEqual([130, 'interrupted: run demo is kept and goes on when a worker is there: `donewhen run .`\n']);
    write('go', '');
    const second = await run('run', '.');
    expect([second.code, firstLine(second.out), calls()]).toEqual([0, 'run demo is running: rejoined', ['T1']]);
  });

  test('by SIGKILL loses nothing and repeats nothing', async () => {
    const { begin, run, write, calls } = slow();
    const first = begin('run', '.');
    await until('the agent works', () => calls().length === 1);
    first.child.kill('SIGKILL');
    await first.ended;
    write('go', '');
    expect([(await run('run', '.')).code, calls()]).toEqual([0, ['T1']]);
  });

  test('of a run that is terminated elsewhere is 13, and the record is gone on from', async () => {
    const { begin, run, write, calls } = sit(two, { slow: 'T2' });
    const first = begin('run', '.');
    await until('T1 is recorded', () => first.said().out.includes('T1 done'), 90_000);
    const session = await openSession({ env: home.env });
    await session.client.workflow.getHandle('donewhen-demo').terminate('by hand');
    await session.close();
    const left = await first.ended;
    expect([left.code, left.err]).toEqual([13, 'run demo was terminated: by hand; `donewhen run .` goes on from LEDGER.md\n']);
    write('go', '');
    const second = await run('run', '.');
    expect([second.code, firstLine(second.out), calls().filter((task) => task === 'T1')]).toEqual([
      0,
      'run demo was terminated: a new execution from LEDGER.md, where one task is recorded and not done again',
      ['T1'],
    ]);
  });
});

test('start leaves a worker behind that carries the run to its end, then nothing is left', async () => {
  const { run, write, calls } = sit(two, { slow: 'T1' });
  const started = await run('start', '.', '--json');
  const said = JSON.parse(started.out);
  expect({ code: started.code, run: said.run, queue: said.taskQueue }).toEqual({ code: 0, run: 'demo', queue: 'donewhen' });
  write('go', '');
  expect([(await run('watch', 'demo')).code, calls()]).toEqual([0, ['T1', 'T2']]);
  await until('its worker and server are gone', () => !existsSync(join(home.path, 'server.json')) || !hasUsers(home.path));
});

test('stop ends the attempt and says who wanted it', async () => {
  const { begin, run, calls } = sit(planText(taskText('T1')), { slow: 'T1' });
  const first = begin('run', '.', '--json');
  await until('the agent works', () => calls().length === 1);
  const stop = await run('stop', 'demo', '--by', 'ana', '--reason', 'lunch');
  const end = await first.ended;
  expect([stop.code, end.code, JSON.parse(end.out).stopped]).toEqual([0, 13, { by: 'ana', reason: 'lunch' }]);
});

test('the same plan from another folder is not the same run', async () => {
  const { run } = sit(planText(taskText('T1')));
  expect((await run('run', '.')).code).toEqual(0);
  const other = createDesk(home.env, { 'PLAN.md': planText(taskText('T1')) });
  try {
    const refused = await other.run('run', '.');
    const named = await other.run('run', '.', '--slug', 'demo-2');
    expect([refused.code, refused.err.includes(desk.folder), refused.err.includes('--slug NAME'), named.code]).toEqual([2, true, true, 0]);
  } finally {
    await other.remove();
  }
});

test('a reader that goes away ends a listing in silence', async () => {
  const { begin } = sit(two);
  const listing = begin('list');
  listing.child.stdout?.destroy();
  expect(await listing.ended).toMatchObject({ code: 0, err: '' });
});

test('what cannot be written is said in one line, and is no success', () => {
  sit(two);
  const lost = spawnSync('sh', ['-c', '"$0" "$1" --help > /dev/full', process.execPath, COMMAND], { encoding: 'utf8' });
  expect([lost.status, lost.stderr]).toEqual([2, 'standard output cannot be written (ENOSPC): make room, or send it elsewhere\n']);
});

function hasUsers(path: string): boolean {
  return existsSync(join(path, 'users')) && readdirSync(join(path, 'users')).length > 0;
}
