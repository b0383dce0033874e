import { describe, expect, it } from 'vitest';
import { colorsFor, wantsColor } from '../../../client/present/colors.js';
import { endText } from '../../../client/present/end.js';
import { graphLines } from '../../../client/present/graph.js';
import { listed, listTable } from '../../../client/present/list.js';
import { liveFrame } from '../../../client/present/live.js';
import { statusScreen } from '../../../client/present/status.js';
import { columnsOf } from '../../../client/present/text.js';
import { waitingText } from '../../../client/present/waiting.js';
import { type RunState, readRunState } from '../../../client/run-state.js';
import { info, NOW } from '../support/fake-world.js';
import { entryDocument, runDocument, taskDocument } from '../support/run-documents.js';

const colors = colorsFor({ env: { NO_COLOR: '1' }, isTTY: false });
const screen = { now: NOW, columns: 80, colors };

function stateOf(more: Record<string, unknown>): RunState {
  const state = readRunState(runDocument(more));
  if (state === null) throw new Error('no run');
  return state;
}

const failed = { status: 'failed', blocker: 'npm-test-exit-1-3f2a', gates: [{ gate: 'replan done (plan version 2)' }] };
const busy = stateOf({
  ledger: [entryDocument(1, 'T1'), entryDocument(2, 'T2', failed)],
  plan: {
    version: 2,
    goal: 'The files are there.',
    tasks: [
      taskDocument('T3'),
      taskDocument('T4', { dependsOn: ['T3'], title: 'A long title that says a great deal about what is to be done' }),
      taskDocument('T5', { performer: 'human' }),
    ],
  },
  active: [
    { task: 'T3', title: 'Part T3', performer: 'mine', stage: 'dispatching', startedAt: '2026-12-01T08:59:00.000Z' },
    { task: 'T5', title: 'Part T5', performer: 'human', stage: 'handedOver', startedAt: '2026-12-01T08:00:00.000Z' },
  ],
  waiting: [{ kind: 'attest', task: 'T5', gate: null, ask: 'Does the badge open the door?', since: '2026-12-01T08:00:00.000Z' }],
  criteria: [
    { id: 'AC-001', state: 'satisfied', label: 'verified', by: ['T1'] },
    { id: 'AC-002', state: 'open', label: 'unverified', by: [] },
  ],
  dispatches: 3,
  cost: { usd: 0.4, tokens: 21000, unknown: true },
});

it('on a pipe nothing is cut', () => {
  const blocker = 'the-integration-tests-of-the-payment-service-exit-1-3f2a';
  const words = 'so much that no terminal has room for it '.repeat(10).trim();
  const entry = entryDocument(1, 'T-with-a-long-name', {
    ...failed,
    blocker,
    title: words,
    performer: 'an-agent-with-a-long-name',
    userAction: [words],
  });
  const state = stateOf({ phase: 'closed', outcome: 'BLOCKED', ledger: [entry], plan: { version: 1, goal: words, tasks: [] } });
  const piped = { ...screen, columns: Number.POSITIVE_INFINITY };
  const asked = [{ run: 'demo', waiting: { kind: 'attest', task: 'T1', gate: null, ask: words, since: null }, blocker: null }];
  const task = {
    id: 'T1',
    title: words,
    performer: 'an-agent-with-a-long-name',
    dependsOn: [],
    checks: { machine: 1, human: 0 },
    recorded: false,
  };
  const folder = `/${'folder/'.repeat(40)}`;
  const runs = [listed(info({ slug: 'demo', memo: { ...info({ slug: 'demo' }).memo, folder } }))];
  const said = [
    statusScreen(state, piped),
    endText(state, piped, { ledger: null, report: null }),
    waitingText(asked, piped),
    graphLines([task], piped).join('\n'),
    listTable(runs, piped),
  ];
  expect(said.map((text) => [text.includes('…'), [blocker, words, folder].some((whole) => text.includes(whole))])).toEqual(
    said.map(() => [false, true]),
  );
});

describe('status', () => {
  it('one screen shows what was done, what goes on, what is open and what waits for whom', () => {
    expect(statusScreen(busy, screen).split('\n')).toEqual([
      'demo  dispatching',
      'Goal: The files are there.',
      'plan version 2 · 1 of 4 tasks done, 1 replaced · 3 dispatches',
      'cost $0.40, 21,000 tokens, and some unknown',
      '',
      'T1  done           verified              Part T1                   mine   1m 30s',
      'T2  failed         npm-test-exit-1-3f2a  Part T2                   mine   1m 30s',
      'T3  working                              Part T3                   mine   1m 00s',
      'T4  after T3                             A long title that says…   mine',
      'T5  with a person                        Part T5                   human  1h 00m',
      '',
      '1 of 2 criteria satisfied',
      '  AC-002 open (no entry shows it)',
      '',
      'Waiting:',
      '  T5 (1h 00m)  Does the badge open the door?',
      '      donewhen attest demo T5 --happened yes --by NAME',
    ]);
  });

  it('a usage limit says when it ends, as far as that is known, and why (K01)', () => {
    const limited = (until: string | null, why: string) =>
      stateOf({
        plan: { version: 1, goal: '', tasks: [taskDocument('T1')] },
        active: [{ task: 'T1', stage: 'limited', startedAt: '2026-12-01T08:59:00.000Z', until, why }],
      });
    const line = (until: string | null, why = '') => statusScreen(limited(until, why), screen).split('\n')[3];
    expect([line('2026-12-01T11:30:00.000Z', '5-hour limit\nreached'), line(null)]).toEqual([
      'T1  usage limit  goes on in 2h 30m: 5-hour limit reached  Part T1  1m 00s',
      'T1  usage limit  until an unknown time  Part T1  mine  1m 00s',
    ]);
  });

  it('a usage limit of the planner says the same', () => {
    const limited = (until: string | null) =>
      stateOf({ phase: 'limited', planner: { limited: true, until, why: '5-hour limit\nreached' } });
    const line = (until: string | null) => statusScreen(limited(until), screen).split('\n')[3];
    expect([line('2026-12-01T11:30:00.000Z'), line(null), statusScreen(stateOf({}), screen).includes('planner')]).toEqual([
      'The planner is at its usage limit, goes on in 2h 30m: 5-hour limit reached',
      'The planner is at its usage limit, until an unknown time: 5-hour limit reached',
      false,
    ]);
  });

  it('what a person resolved is advised no more, and of what is exhausted now the command that reopens it', () => {
    const advice = 'limits.costUsd: 1 is used up: donewhen resolve demo budget-cost --resolution TEXT --by NAME grants it once more';
    const blocked = { ...failed, status: 'blocked', blocker: 'budget-cost', userAction: [advice] };
    const reopened = { ...blocked, gates: [{ gate: 'replan exhausted' }, { gate: 'replan reopened (plan version 2)' }] };
    const wall = { ...failed, blocker: 'a-wall', gates: [{ gate: 'replan exhausted', blocker: 'a-wall' }] };
    const exhausted = { ...blocked, gates: [{ gate: 'replan exhausted', blocker: 'budget-cost' }] };
    const lines = (ledger: ReturnType<typeof entryDocument>[], waiting: object[] = []) => {
      const piped = { ...screen, columns: Number.POSITIVE_INFINITY };
      const all = statusScreen(stateOf({ phase: 'closed', outcome: 'BLOCKED', ledger, waiting }), piped).split('\n');
      return all.filter((line) => line.includes('donewhen resolve'));
    };
    const resolve = 'donewhen resolve demo a-wall --resolution TEXT --by NAME';
    expect([
      lines([entryDocument(1, 'T2', reopened), entryDocument(2, 'T3', wall)]),
      lines([entryDocument(1, 'T2', exhausted)]),
      lines([entryDocument(1, 'T3', wall)], [{ kind: 'resolve', task: 'T3', gate: 'T3', ask: 'a-wall stopped T3', since: null }]),
    ]).toEqual([[`  ${resolve}  (once a-wall is gone from the way of T3)`], [`  ${advice}`], [`      ${resolve}`]]);
  });

  it('of a closed run it says what was never started, who stopped it, and what only a person can do', () => {
    const closed = stateOf({
      phase: 'closed',
      outcome: 'PARTIAL',
      stopped: { by: 'ana', reason: 'lunch' },
      ledger: [
        entryDocument(1, 'T1', {
          status: 'partial',
          verification: 'unverified',
          userAction: ['open the door'],
          gates: [{ gate: 'replan required' }],
        }),
      ],
      plan: { version: 1, goal: 'g', tasks: [taskDocument('T2')] },
      criteria: [{ id: 'T1', state: 'unverifiable', label: 'unverified', by: ['T1'] }],
      found: ['PLAN.found-20261201.md'],
    });
    expect(statusScreen(closed, screen).split('\n')).toEqual([
      'demo  PARTIAL, stopped',
      'Goal: g',
      'plan version 1 · 0 of 2 tasks done · 0 dispatches · cost $0.00, 0 tokens',
      'Stopped by ana: lunch',
      '',
      'T1  partial   unverified     Part T1  mine  1m 30s',
      'T2  not done  never started  Part T2  mine',
      '',
      '0 of 1 criterion satisfied',
      '  T1 unverifiable (T1)',
      '',
      'Only a person can:',
      '  open the door',
      '',
      'Written by somebody else and saved beside:',
      '  PLAN.found-20261201.md',
    ]);
  });

  it.each([20, 40, 60, 80, 200])(
    'no line of the table is wider than a terminal of %i columns, if it is wide enough for the facts',
    (columns) => {
      const widest = Math.max(
        ...statusScreen(busy, { ...screen, columns })
          .split('\n')
          .slice(5, 10)
          .map(columnsOf),
      );
      expect(widest).toBeLessThanOrEqual(Math.max(columns, 69));
    },
  );

  it('a title that steers the terminal does not', () => {
    const state = stateOf({ plan: { version: 1, goal: '\u001b[2J', tasks: [taskDocument('T1', { title: 'a\u001b[2Jb\nc' })] } });
    expect(statusScreen(state, screen)).not.toContain('\u001b');
  });
});

describe('the live picture', () => {
  const live = { ...screen, rows: 24, since: NOW - 5_000, trouble: null };

  it('shows the same facts, and that leaving is harmless', () => {
    expect(liveFrame(busy, live).split('\n').slice(-4)).toEqual([
      '  T5 (1h 00m)  Does the badge open the door?',
      '      donewhen attest demo T5 --happened yes --by NAME',
      '',
      'watching for 5s · Ctrl-C leaves; the run is kept',
    ]);
  });

  it('on a small terminal it folds tasks, then facts, never questions', () => {
    const frame = (rows: number) => liveFrame(busy, { ...live, rows }).split('\n');
    expect([frame(15), frame(9)]).toEqual([
      [
        'demo  dispatching',
        'Goal: The files are there.',
        'plan version 2 · 1 of 4 tasks done, 1 replaced · 3 dispatches',
        'cost $0.40, 21,000 tokens, and some unknown',
        '',
        '… 2 tasks, 1 not done, above',
        'T3  working  Part T3  mine  1m 00s',
        '… 2 tasks below',
        '',
        'Waiting:',
        '  T5 (1h 00m)  Does the badge open the door?',
        '      donewhen attest demo T5 --happened yes --by NAME',
        '',
        'watching for 5s · Ctrl-C leaves; the run is kept',
      ],
      [
        'demo  dispatching',
        '',
        'Waiting:',
        '  T5 (1h 00m)  Does the badge open the door?',
        '      donewhen attest demo T5 --happened yes --by NAME',
        '',
        'watching for 5s · Ctrl-C leaves; the run is kept',
      ],
    ]);
  });

  it('a thousand tasks never scroll the terminal', () => {
    const many = stateOf({
      plan: { version: 1, goal: 'g', tasks: Array.from({ length: 1000 }, (_, n) => taskDocument(`T${n + 1}`)) },
      active: [{ task: 'T500', stage: 'dispatching', startedAt: null }],
    });
    const frame = liveFrame(many, live).split('\n');
    expect({ fits: frame.length < 24, showsWork: frame.some((line) => line.startsWith('T500')) }).toEqual({ fits: true, showsWork: true });
  });

  it('before anything is heard it says so', () => {
    expect(liveFrame(null, { ...live, trouble: 'no worker has answered for 12s' })).toEqual(
      'no worker has answered for 12s\nwatching for 5s · Ctrl-C leaves; the run is kept',
    );
  });

  it('a plan that is being read has no table yet', () => {
    expect(
      liveFrame(stateOf({ phase: 'checking', plan: {} }), live)
        .split('\n')
        .slice(0, 2),
    ).toEqual(['demo  checking', 'the plan is being read']);
  });
});

describe('the end', () => {
  const files = { ledger: '/plans/demo/LEDGER.md', report: '/plans/demo/REPORT.md' };

  it('of a complete run is short', () => {
    const done = stateOf({
      phase: 'closed',
      outcome: 'COMPLETED',
      ledger: [entryDocument(1, 'T1')],
      dispatches: 1,
      criteria: [{ id: 'T1', state: 'satisfied', label: 'verified', by: ['T1'] }],
    });
    expect(endText(done, screen, files).split('\n')).toEqual([
      'demo  COMPLETED  1 of 1 task done, 1 dispatch, cost $0.00, 0 tokens',
      'Report: /plans/demo/REPORT.md',
      'Ledger: /plans/demo/LEDGER.md',
    ]);
  });

  it('of a failed run says what stopped it and what is unsatisfied', () => {
    const over = stateOf({
      phase: 'closed',
      outcome: 'FAILED',
      ledger: [entryDocument(1, 'T1', { ...failed, gates: [{ gate: 'replan exhausted' }] })],
      criteria: [{ id: 'T1', state: 'unsatisfied', label: 'verified', by: ['T1'] }],
    });
    expect(endText(over, screen, files).split('\n')).toEqual([
      'demo  FAILED  0 of 1 task done, 0 dispatches, cost $0.00, 0 tokens',
      '  T1 failed by npm-test-exit-1-3f2a: replan exhausted',
      '',
      '0 of 1 criterion satisfied',
      '  T1 unsatisfied (T1)',
      '',
      'Only a person can:',
      '  donewhen resolve demo npm-test-exit-1-3f2a --resolution TEXT --by NAME  (once…',
      'Report: /plans/demo/REPORT.md',
      'Ledger: /plans/demo/LEDGER.md',
    ]);
  });
});

it('the end of a pipeline whose review is not approved names what a person resolves, and why', () => {
  const gate = { gate: 'replan exhausted', blocker: 'gate-S2-exhausted', note: 'not approved' };
  const over = stateOf({ phase: 'closed', outcome: 'BLOCKED', ledger: [entryDocument(1, 'S2', { gates: [gate] })] });
  expect(endText(over, screen, { ledger: null, report: null }).split('\n')[1]).toBe(
    '  S2 done: replan exhausted, blocker gate-S2-exhausted (not approved)',
  );
});

describe('lists', () => {
  it('of runs: state, tasks, cost, age and folder', () => {
    const seen = { phase: 'waiting', outcome: null, done: 1, total: 3, costUsd: 0.25, waitingFor: ['T5'] };
    const runs = [
      info({
        slug: 'demo',
        seen,
        startedAt: NOW - 3_600_000,
        memo: { ...info({ slug: 'x' }).memo, folder: '/home/ana/projects/a/very/long/way/down/to/the/plan' },
      }),
      info({
        slug: 'payments',
        status: 'completed',
        seen: { ...seen, outcome: 'COMPLETED', costUsd: null, waitingFor: [] },
        startedAt: NOW - 86_400_000,
      }),
      info({ slug: 'lost', status: 'terminated', seen: { ...seen, done: null, costUsd: null, waitingFor: [] } }),
    ];
    expect(
      listTable(
        runs.map((one) => listed(one)),
        screen,
      ).split('\n'),
    ).toEqual([
      'RUN       STATE        TASKS  COST   AGE     FOLDER',
      'demo      waiting: T5  1/3    $0.25  1h 00m  …s/a/very/long/way/down/to/the/plan',
      'payments  COMPLETED    1/3           1d 00h  /plans/demo',
      'lost      terminated                 1m 00s  /plans/demo',
    ]);
  });

  it('of no runs: how to get one', () => {
    expect(listTable([], screen)).toEqual('There are no runs yet: `donewhen run DIR` starts one.');
  });

  it('of questions: each with the command that answers it, in a form that can be pasted', () => {
    const ask = (kind: string, more: object) => ({
      run: 'demo',
      blocker: null,
      waiting: { kind, task: null, gate: null, ask: 'What now?', since: null, ...more },
    });
    const items = [
      ask('attest', { task: 'T3' }),
      ask('decide', { gate: 'plan-approved' }),
      { ...ask('resolve', { gate: 'T1' }), blocker: 'no key' },
      { ...ask('note', {}), run: 'other' },
    ];
    expect(waitingText(items, screen).split('\n')).toEqual([
      'demo',
      '  T3  What now?',
      '      donewhen attest demo T3 --happened yes --by NAME',
      '  plan-approved  What now?',
      '      donewhen decide demo plan-approved approve --by NAME',
      '  T1  What now?',
      "      donewhen resolve demo 'no key' --resolution TEXT --by NAME",
      '',
      'other',
      '  What now?',
    ]);
  });
});

it.each([
  [{ env: {}, isTTY: true }, true],
  [{ env: {}, isTTY: false }, false],
  [{ env: { NO_COLOR: '1' }, isTTY: true }, false],
  [{ env: { NO_COLOR: '' }, isTTY: true }, true],
  [{ env: { CI: 'true' }, isTTY: true }, false],
  [{ env: { TERM: 'dumb' }, isTTY: true }, false],
  [{ env: { FORCE_COLOR: '1' }, isTTY: false }, true],
  [{ env: { FORCE_COLOR: '1', NO_COLOR: '1' }, isTTY: true }, false],
])('with %o colours are %s', (terminal, wanted) => {
  expect(wantsColor(terminal)).toEqual(wanted);
});
