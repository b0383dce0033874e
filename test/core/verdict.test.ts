import { describe, expect, it } from 'vitest';
import { blockerOf } from '../../core/blocker.js';
import type { Judgement } from '../../core/method.js';
import type { Attempt, Claim, End, Label, Look, LookResult, Status } from '../../core/values.js';
import { judgeAfter, judgeBefore, worstOf } from '../../core/verdict.js';
import { claimOf, NOTHING_SEEN, seen, taskOf } from '../support/run-values.js';

/** The table of docs/interface.md §6, every cell by name, and the rules of a label. */
const CHECKS = ['run: npm test'];
const HUMAN = 'human: is the badge readable?';
const SAW: Record<LookResult, string> = { holds: 'exit 0', disproved: 'exit 1', unobservable: 'its time ran out' };
const FAILURE = 'npm-test-exit-1';

function attemptOf(more: Partial<Attempt> & { checks?: string[] } = {}): Attempt {
  const { checks = CHECKS, ...rest } = more;
  return {
    task: taskOf('T1', { checks }),
    planVersion: 1,
    startedAt: 0,
    stage: 'verifying',
    number: 1,
    leg: 1,
    move: 'm1',
    dispatched: true,
    asOf: 1,
    before: seen(checks, 'disproved', 'exit 1'),
    cost: { usd: 0, tokens: 0 },
    ...rest,
  };
}

function after(end: End, is: LookResult, more: Partial<Attempt> & { checks?: string[] } = {}): Judgement {
  const { checks = CHECKS } = more;
  return judgeAfter(attemptOf({ end, after: seen(checks, is, SAW[is]), ...more }));
}

function answered(status: Claim['status'], more: Partial<Claim> = {}): End {
  return { is: 'answered', claim: claimOf(status, more), code: 0 };
}

function attested(happened: 'yes' | 'no' | 'partly'): Extract<End, { is: 'attested' }> {
  return { is: 'attested', happened, by: 'ana' };
}

/** What a cell says: status, label, blocker; or that the same attempt goes on. */
function cellOf(judgement: Judgement): string {
  if (judgement.is !== 'entry') return judgement.is;
  return [judgement.status, judgement.label, judgement.blocker].filter((part) => part !== undefined).join(', ');
}

interface Row {
  end: string;
  makes: End;
  holds: string;
  disproved: string;
  unobservable: string;
}

const LIMITED: End = { is: 'limited', until: 1000, why: 'usage limit' };

const ROWS: Row[] = [
  {
    end: 'claim done',
    makes: answered('done'),
    holds: 'done, verified',
    disproved: `failed, verified, ${FAILURE}`,
    unobservable: 'partial, unverified',
  },
  {
    end: 'claim partial',
    makes: answered('partial'),
    holds: 'done, verified',
    disproved: 'partial, verified',
    unobservable: 'partial, unverified',
  },
  {
    end: 'claim blocked by a-wall',
    makes: answered('blocked', { blocker: 'a-wall' }),
    holds: 'done, verified',
    disproved: 'blocked, verified, a-wall',
    unobservable: 'blocked, unverified, a-wall',
  },
  {
    end: 'claim failed by a-wall',
    makes: answered('failed', { blocker: 'a-wall' }),
    holds: 'done, verified',
    disproved: 'failed, verified, a-wall',
    unobservable: 'failed, unverified, a-wall',
  },
  {
    end: 'claim no_op',
    makes: answered('no_op'),
    holds: 'done, verified',
    disproved: `failed, verified, ${FAILURE}`,
    unobservable: 'partial, unverified',
  },
  {
    end: 'no claim and exit 0',
    makes: { is: 'exited', code: 0 },
    holds: 'done, verified',
    disproved: `failed, verified, ${FAILURE}`,
    unobservable: 'partial, unverified',
  },
  {
    end: 'a malformed claim and exit 0',
    makes: { is: 'exited', code: 0, note: 'two statuses: done, failed' },
    holds: 'done, verified',
    disproved: `failed, verified, ${FAILURE}`,
    unobservable: 'partial, unverified',
  },
  {
    end: 'no claim and exit 3',
    makes: { is: 'exited', code: 3 },
    holds: 'done, verified',
    disproved: 'failed, verified, agent-exit-3',
    unobservable: 'failed, unverified, agent-exit-3',
  },
  {
    end: 'a signal',
    makes: { is: 'signalled', signal: 'SIGKILL' },
    holds: 'done, verified',
    disproved: 'again',
    unobservable: 'partial, unverified',
  },
  { end: 'lost', makes: { is: 'lost' }, holds: 'done, verified', disproved: 'again', unobservable: 'partial, unverified' },
  { end: 'limited', makes: LIMITED, holds: 'done, verified', disproved: 'wait', unobservable: 'wait' },
  {
    end: 'our Timeout',
    makes: { is: 'timeout' },
    holds: 'done, verified',
    disproved: 'failed, verified, agent-timeout',
    unobservable: 'partial, unverified',
  },
  {
    end: 'attest yes',
    makes: attested('yes'),
    holds: 'done, verified',
    disproved: `failed, verified, ${FAILURE}`,
    unobservable: 'partial, unverified',
  },
  {
    end: 'attest partly',
    makes: attested('partly'),
    holds: 'done, verified',
    disproved: 'partial, verified',
    unobservable: 'partial, unverified',
  },
  {
    end: 'attest no',
    makes: attested('no'),
    holds: 'done, verified',
    disproved: 'failed, verified, attested-no',
    unobservable: 'failed, unverified, attested-no',
  },
];

const CELLS = ROWS.flatMap((row) =>
  (['holds', 'disproved', 'unobservable'] as const).map((is) => ({ end: row.end, makes: row.makes, is, cell: row[is] })),
);

describe('after the work, an observation beats a claim', () => {
  it.each(CELLS)('$end, after $is: $cell', ({ makes, is, cell }) => {
    expect(cellOf(after(makes, is))).toBe(cell);
  });

  // Seed 002 §4.
  it('a claim that names no blocker gets one made from what was seen', () => {
    const cells = [answered('blocked'), answered('failed')].map((end) => cellOf(after(end, 'disproved')));
    expect(cells).toEqual([`blocked, verified, ${FAILURE}`, `failed, verified, ${FAILURE}`]);
  });

  it('a claim beats an exit status: done claimed, exit 3, and it holds (A04)', () => {
    expect(after({ is: 'answered', claim: claimOf('done'), code: 3 }, 'holds')).toEqual({ is: 'entry', status: 'done', label: 'verified' });
  });

  // Seed 002 §5.
  it('an exit status that is not 0 stays as a risk where the checks hold', () => {
    const judged = after({ is: 'exited', code: 3 }, 'holds');
    expect(judged).toEqual({ is: 'entry', status: 'done', label: 'verified', words: [], risk: ['exited 3'] });
  });

  it.each(['blocked', 'failed', 'partial'] as const)('%s claimed although the checks hold is done, and is news', (status) => {
    const said = `the performer said ${status}, but the checks hold`;
    expect(after(answered(status), 'holds')).toEqual({ is: 'entry', status: 'done', label: 'verified', words: [said], news: [said] });
  });

  // Seed 002 §4.
  it('what cannot be observed is partial and names the missing observation', () => {
    expect(after(answered('done'), 'unobservable')).toEqual({
      is: 'entry',
      status: 'partial',
      label: 'unverified',
      words: [],
      unresolved: ['could not be observed: run: npm test (its time ran out)'],
    });
  });

  it('a usage limit goes on as the same attempt, with the time that the agent named', () => {
    expect(after(LIMITED, 'disproved')).toEqual({ is: 'wait', until: 1000, why: 'usage limit' });
  });
});

describe('a loss is settled by looking (R3)', () => {
  const lost: End = { is: 'lost' };
  const unfinished = 'partial, verified';

  it('the second loss is partial', () => {
    expect(cellOf(after(lost, 'disproved', { number: 2 }))).toBe(unfinished);
  });

  it('what may not be repeated is not tried again (C07)', () => {
    const task = taskOf('T1', { checks: CHECKS, repeatable: false });
    expect(cellOf(after(lost, 'disproved', { task }))).toBe(unfinished);
  });

  it('what a person cut short is not tried again', () => {
    const cells = [lost, { is: 'cut' } as const].map((end) => cellOf(after(end, 'disproved', { cut: true })));
    expect(cells).toEqual([unfinished, unfinished]);
  });

  it('what was cut short and is there all the same is done', () => {
    expect(cellOf(after({ is: 'cut' }, 'holds', { cut: true }))).toBe('done, verified');
  });

  it('a dispatch that was refused is blocked by what refused it, unless it holds', () => {
    const refused: End = { is: 'refused', why: 'no agent is called claude', blocker: 'no-agent', userAction: 'install it' };
    expect((['holds', 'disproved', 'unobservable'] as const).map((is) => cellOf(after(refused, is)))).toEqual([
      'done, verified',
      'blocked, verified, no-agent',
      'blocked, unverified, no-agent',
    ]);
  });
});

describe('before the work', () => {
  const before = (checks: string[], is: LookResult, more: Partial<Attempt> = {}) =>
    attemptOf({ checks, before: seen(checks, is, SAW[is]), dispatched: false, stage: 'checking', ...more });

  // Seed 002 §2.
  it('checks that hold, and nobody was ever sent: no_op (D01)', () => {
    expect(judgeBefore(before(CHECKS, 'holds'), false)).toEqual({
      is: 'entry',
      status: 'no_op',
      label: 'verified',
      words: ['it held before anybody was sent'],
    });
  });

  it('checks that hold, and an earlier run may have acted: done, reconstructed (B01)', () => {
    expect(judgeBefore(before(CHECKS, 'holds'), true)).toEqual({
      is: 'entry',
      status: 'done',
      label: 'verified',
      words: ['reconstructed after an interruption: an earlier run may have done it without recording'],
    });
  });

  it.each(['disproved', 'unobservable'] as const)('checks that are %s: somebody is sent', (is) => {
    expect(judgeBefore(before(CHECKS, is), true)).toEqual({ is: 'go' });
  });

  it('no checks at all never hold (A07, A09)', () => {
    expect(judgeBefore(before([], 'holds'), true)).toEqual({ is: 'go' });
  });

  it('a check that brought no look back does not hold (R11)', () => {
    expect(judgeBefore(before([...CHECKS, 'file: out'], 'holds', { before: seen(CHECKS, 'holds') }), false)).toEqual({ is: 'go' });
  });

  it('a human check is never asked before the work, so that the task is not no_op by the machine alone', () => {
    expect(judgeBefore(before([...CHECKS, HUMAN], 'holds'), false)).toEqual({ is: 'go' });
  });

  it('a compiled check counts like a written one', () => {
    const compiled = { ...seen(['file: out'], 'holds'), compiled: ['file: out'] };
    expect(cellOf(judgeBefore(before([], 'holds', { before: compiled }), false))).toBe('no_op, verified');
  });
});

describe('without a single check nothing passes', () => {
  const none = (end: End) => cellOf(judgeAfter(attemptOf({ checks: [], end, before: NOTHING_SEEN, after: NOTHING_SEEN })));

  it.each([
    ['done', 'partial, unverified'],
    ['no_op', 'partial, unverified'],
    ['partial', 'partial, unverified'],
    ['blocked', 'blocked, unverified, unresolved-t1'],
    ['failed', 'failed, unverified, unresolved-t1'],
  ] as const)('claim %s: %s (A09)', (status, cell) => {
    expect(none(answered(status))).toBe(cell);
  });

  it('the death of a process completes nothing (A07)', () => {
    expect([none({ is: 'exited', code: 0 }), none({ is: 'signalled', signal: 'SIGTERM' }), none({ is: 'lost' })]).toEqual([
      'partial, unverified',
      'partial, unverified',
      'partial, unverified',
    ]);
  });

  it('the entry names what is missing', () => {
    const judged = judgeAfter(attemptOf({ checks: [], end: answered('done'), after: NOTHING_SEEN }));
    expect(judged).toEqual({
      is: 'entry',
      status: 'partial',
      label: 'unverified',
      words: [],
      unresolved: ['could not be observed: the task has no usable check'],
    });
  });
});

describe('several checks are a conjunction: disproved, then unobservable, then holds', () => {
  const looks = (...results: LookResult[]): Look[] => results.map((is, at) => ({ check: `file: ${at}`, is, saw: is }));

  it.each([
    [['holds', 'holds'], 'holds'],
    [['holds', 'unobservable'], 'unobservable'],
    [['unobservable', 'disproved', 'holds'], 'disproved'],
    [[], null],
  ] as const)('%j: %s', (results, worst) => {
    expect(worstOf(looks(...results))).toBe(worst);
  });

  it('a check that was not looked at makes the whole unobservable, but cannot hide one that is disproved', () => {
    const both = [...CHECKS, 'file: out'];
    const some = (is: LookResult) =>
      cellOf(judgeAfter(attemptOf({ checks: both, end: answered('done'), after: seen(CHECKS, is, SAW[is]) })));
    expect([some('holds'), some('disproved')]).toEqual(['partial, unverified', `failed, verified, ${FAILURE}`]);
  });
});

describe('human checks', () => {
  const both = [...CHECKS, HUMAN];
  const judged = (end: End, is: LookResult, more: Partial<Attempt> = {}) => after(end, is, { checks: both, ...more });

  it('are asked when the work is claimed done and the machine saw nothing against it', () => {
    expect(judged(answered('done'), 'holds')).toEqual({ is: 'ask', ask: 'is the badge readable?' });
  });

  it('are not asked when the machine disproves it already', () => {
    expect(cellOf(judged(answered('done'), 'disproved'))).toBe(`failed, verified, ${FAILURE}`);
  });

  const unfinished: End[] = [answered('partial'), answered('blocked'), { is: 'lost' }, { is: 'timeout' }, { is: 'exited', code: 1 }];

  it.each(unfinished)('are asked after an end that does not claim it, where the machine saw all that it can: $is', (end) => {
    expect(judged(end, 'holds')).toEqual({ is: 'ask', ask: 'is the badge readable?' });
  });

  it.each(unfinished)('are not asked after such an end where the machine could not see: $is', (end) => {
    expect(judged(end, 'unobservable').is).toBe('entry');
  });

  it.each([{ is: 'cut' }, LIMITED] as End[])('are not asked about work that was cut short: $is', (end) => {
    expect(judged(end, 'holds').is).not.toBe('ask');
  });

  const answers: ['yes' | 'no' | 'partly', LookResult, string][] = [
    ['yes', 'holds', 'done, attested'],
    ['yes', 'unobservable', 'partial, unverified'],
    ['yes', 'disproved', `failed, verified, ${FAILURE}`],
    ['partly', 'holds', 'partial, attested'],
    ['partly', 'unobservable', 'partial, attested'],
    ['partly', 'disproved', 'partial, verified'],
    ['no', 'holds', 'failed, attested, attested-no'],
    ['no', 'unobservable', 'failed, attested, attested-no'],
    ['no', 'disproved', 'failed, verified, attested-no'],
  ];

  it.each(answers)('answered %s while the machine says %s: %s', (happened, is, cell) => {
    expect(cellOf(judged(answered('done'), is, { attested: attested(happened) }))).toBe(cell);
  });

  it.each([
    ['yes', 'done, attested'],
    ['partly', 'partial, attested'],
    ['no', 'failed, attested, attested-no'],
  ] as const)('alone, answered %s: %s', (happened, cell) => {
    const attempt = attemptOf({ checks: [HUMAN], end: attested(happened), attested: attested(happened), after: NOTHING_SEEN });
    expect(cellOf(judgeAfter(attempt))).toBe(cell);
  });

  it('that nobody answers leave the task unverified', () => {
    expect(cellOf(judged(answered('partial'), 'unobservable'))).toBe('partial, unverified');
  });
});

describe('what a person says is kept', () => {
  it('in the words of the entry, with what is now true and what was unexpected', () => {
    const end: End = { ...attested('yes'), nowTrue: 'the badge opens the door', unexpected: 'it beeps' };
    expect(after(end, 'holds')).toEqual({
      is: 'entry',
      status: 'done',
      label: 'verified',
      words: ['ana attests: yes; now true: the badge opens the door; unexpected: it beeps'],
      news: ['it beeps'],
    });
  });

  it('a no beside checks that hold is done, and is news', () => {
    const judged = after(attested('no'), 'holds');
    const news = ['a person says no, but the checks hold'];
    expect(judged).toEqual({ is: 'entry', status: 'done', label: 'verified', words: ['ana attests: no'], news });
  });
});

describe('the blocker of a failed check is the identity of the failure', () => {
  const look = (more: Partial<Look>): Look => ({ check: 'run: npm test', is: 'disproved', saw: 'exit 1', ...more });

  it('its name, its result and the mark of its output', () => {
    expect(blockerOf(look({ mark: '3f2a' }))).toBe('npm-test-exit-1-3f2a');
  });

  // Seed 002 §5.
  it('the same failure twice has the same name, another failure has another', () => {
    const names = [look({ mark: '3f2a' }), look({ mark: '3f2a' }), look({ mark: '77b0' }), look({ saw: 'exit 2', mark: '3f2a' })].map(
      blockerOf,
    );
    expect(names).toEqual(['npm-test-exit-1-3f2a', 'npm-test-exit-1-3f2a', 'npm-test-exit-1-77b0', 'npm-test-exit-2-3f2a']);
  });

  it('stays short, however long the command is', () => {
    expect(blockerOf(look({ check: `run: ${'x'.repeat(500)}`, saw: 'y'.repeat(500) })).length).toBe(121);
  });

  it('a file and a page are named like a command', () => {
    const names = [look({ check: 'file: out/Report.md', saw: 'absent' }), look({ check: 'http: GET http://x/ => 200', saw: 'status 500' })];
    expect(names.map(blockerOf)).toEqual(['out-report-md-absent', 'get-http-x-200-status-500']);
  });
});

// Seed 002 Beginning, §4.
it('no claim and no end can make anything done that the checks disprove (A04, A11)', () => {
  const ends: End[] = [...ROWS.map((row) => row.makes), { is: 'cut' }, answered('done', { evidence: ['<promise>DONE</promise>'] })];
  const statuses: (Status | string)[] = ends.map((end) => after(end, 'disproved')).map((one) => (one.is === 'entry' ? one.status : one.is));
  expect(statuses.filter((status) => status === 'done' || status === 'no_op')).toEqual([]);
});

it('a task is judged by its own checks alone, whatever other work is judged by (A10)', () => {
  const docs = attemptOf({
    checks: ['file: README.md contains "usage"'],
    end: answered('done'),
    after: seen(['file: README.md contains "usage"'], 'holds', 'there'),
  });
  expect(cellOf(judgeAfter(docs))).toBe('done, verified');
});

it('verified is written only where a check was observed (R8)', () => {
  const labels: Label[] = ROWS.map((row) => after(row.makes, 'unobservable')).flatMap((one) => (one.is === 'entry' ? [one.label] : []));
  expect(labels.filter((label) => label !== 'unverified')).toEqual([]);
});
