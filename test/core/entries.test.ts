import { describe, expect, it } from 'vitest';
import { entryFor } from '../../core/entries.js';
import type { Attempt, Entry, EntryText, Observation, Task } from '../../core/values.js';
import { judgeAfter } from '../../core/verdict.js';
import { claimOf, NOTHING_SEEN, runOf, seen, taskOf } from '../support/run-values.js';

/** What an entry says (seed 002 §5): state over activity, evidence with both looks, nothing left out. */
function entryOf(more: Partial<Attempt> = {}, task: Partial<Task> = {}): Entry {
  const own = taskOf('T1', { title: 'A timeout', ...task });
  const attempt: Attempt = {
    task: own,
    planVersion: 1,
    startedAt: 10,
    stage: 'verifying',
    number: 1,
    leg: 1,
    move: 'm1',
    dispatched: true,
    asOf: 1,
    before: seen(own.checks, 'disproved', 'absent'),
    end: { is: 'answered', claim: claimOf('done'), code: 0 },
    after: seen(own.checks, 'holds', 'there'),
    cost: { usd: 0.5, tokens: 900 },
    ...more,
  };
  const judged = judgeAfter(attempt);
  if (judged.is !== 'entry') throw new Error(`no entry: ${judged.is}`);
  return entryFor(runOf([own]), attempt, judged, 20);
}

const EMPTY: EntryText = {
  stateDelta: ['A timeout: its checks hold now'],
  evidence: [{ check: 'file: out-T1', before: 'absent', after: 'there', holds: true, is: 'holds' }],
  words: [],
  discovered: [],
  unresolved: [],
  risk: [],
  userAction: [],
  deviation: [],
};

it('an entry says what was done, by whom, how it was looked at and what it cost', () => {
  expect(entryOf({ session: 'abc' })).toEqual({
    seq: 1,
    task: 'T1',
    title: 'A timeout',
    status: 'done',
    label: 'verified',
    planVersion: 1,
    attempt: 1,
    performer: 'mine',
    covers: [],
    states: 'promise of T1',
    checks: ['file: out-T1'],
    observed: 'holds',
    asOf: 1,
    gates: [],
    cost: { usd: 0.5, tokens: 900 },
    startedAt: 10,
    endedAt: 20,
    text: { ...EMPTY, session: 'abc' },
  });
});

// Seed 002 §5.
it('what the performer says comes along; of what does not hold it stays its own words (R8)', () => {
  const claim = claimOf('done', { stateDelta: ['requests fail after 30 s'], evidence: ['all tests pass'] });
  const end = { is: 'answered', claim, code: 0 } as const;
  const deltas = [entryOf({ end }), entryOf({ end, after: seen(['file: out-T1'], 'disproved', 'absent') })].map(
    (entry) => entry.text?.stateDelta,
  );
  expect(deltas).toEqual([['requests fail after 30 s'], ['the performer says: requests fail after 30 s']]);
});

// Seed 002 §5.
it('evidence that a performer claims is no evidence', () => {
  const end = { is: 'answered', claim: claimOf('done', { evidence: ['npm test → 200 passed'] }), code: 0 } as const;
  expect(entryOf({ end }).text).toEqual(EMPTY);
});

it('of a check that does not hold the end of its output is kept, with its hash', () => {
  const look = {
    check: 'file: out-T1',
    is: 'disproved',
    saw: 'exit 1',
    excerpt: 'expected 30, got 0',
    sha256: 'abcd',
    mark: '3f2a',
  } as const;
  const entry = entryOf({ after: { ...NOTHING_SEEN, looks: [look] } });
  expect([entry.blocker, entry.text?.evidence]).toEqual([
    'out-t1-exit-1-3f2a',
    [
      {
        check: 'file: out-T1',
        before: 'absent',
        after: 'exit 1',
        holds: false,
        is: 'disproved',
        excerpt: 'expected 30, got 0',
        sha256: 'abcd',
      },
    ],
  ]);
});

it('a check that the verifier compiled is shown as that', () => {
  const before: Observation = { ...seen(['run: npm test'], 'disproved', 'exit 1'), compiled: ['run: npm test'] };
  const entry = entryOf({ before, after: seen(['run: npm test'], 'holds', 'exit 0') }, { checks: [] });
  expect([entry.checks, entry.text?.words]).toEqual([['run: npm test'], ['compiled by the verifier, before the work: run: npm test']]);
});

it('what only a person saw is said in that person’s name', () => {
  const attested = { is: 'attested', happened: 'yes', by: 'ana' } as const;
  const entry = entryOf({ end: attested, attested, before: NOTHING_SEEN, after: NOTHING_SEEN }, { checks: ['human: is it nice?'] });
  expect([entry.label, entry.text?.stateDelta, entry.text?.words]).toEqual([
    'attested',
    ['A timeout: ana says that it is so'],
    ['ana attests: yes'],
  ]);
});

it('a file of the record that an attempt changed is a deviation, put back, and no news (R17)', () => {
  const entry = entryOf({ after: { ...seen(['file: out-T1'], 'holds', 'there'), tampered: ['LEDGER.md'] } });
  expect([entry.tampered, entry.news, entry.text?.deviation]).toEqual([
    ['LEDGER.md'],
    undefined,
    ["changed LEDGER.md, which is not the performer's to write; the run went on with the version it began with"],
  ]);
});

// Seed 002 §5.
it('a write outside its set is a deviation that code saw (I08)', () => {
  const entry = entryOf({ after: { ...seen(['file: out-T1'], 'holds', 'there'), deviations: ['wrote docs/x.md, outside Writes'] } });
  // What code saw is recorded; only what the performer declares drives the planner (design §4).
  expect([entry.status, entry.text?.deviation, entry.news]).toEqual(['done', ['wrote docs/x.md, outside Writes'], undefined]);
});

it('a verifier that wrote while it was asked, before the work or after it, is a deviation too', () => {
  const holds = seen(['file: out-T1'], 'holds', 'there');
  const before = { ...seen(['file: out-T1'], 'disproved', 'absent'), deviations: ['the verifier changed a'] };
  expect(entryOf({ before, after: { ...holds, deviations: ['the verifier changed b'] } }).text?.deviation).toEqual([
    'the verifier changed a',
    'the verifier changed b',
  ]);
});

it('what code saw to be gone is a state delta, whatever the performer says and however it ends (seed 002 §5)', () => {
  const destroyed = ['removed src/old.ts'];
  const done = entryOf({ after: { ...seen(['file: out-T1'], 'holds', 'there'), destroyed } });
  const failed = entryOf({ after: { ...seen(['file: out-T1'], 'disproved', 'absent'), destroyed } });
  expect([done.text?.stateDelta.at(-1), failed.text?.stateDelta]).toEqual([
    'destroyed: removed src/old.ts',
    ['none that was observed', 'destroyed: removed src/old.ts'],
  ]);
});

// Seed 002 §5.
describe('every discovery says whether it was confirmed (R10)', () => {
  it('and only an entry with one is looked up for the facts of later briefs', () => {
    const discovered = [
      { label: 'verified', fact: 'the table has 7 rows', check: 'run: count' },
      { label: 'reported, unconfirmed', fact: 'it is slow' },
    ] as const;
    const entry = entryOf({ after: { ...seen(['file: out-T1'], 'holds', 'there'), discovered: [...discovered] } });
    expect([entry.facts, entry.news, entry.text?.discovered]).toEqual([
      true,
      ['[verified] the table has 7 rows', '[reported, unconfirmed] it is slow'],
      discovered,
    ]);
  });
});

it('what is unfinished keeps how it was to be done, for the task that reopens it', () => {
  const after = seen(['file: out-T1'], 'disproved', 'absent');
  const entries = [entryOf(), entryOf({ after }, { writes: ['src/**'], repeatable: false, timeoutMs: 1000 })];
  expect(entries.map((entry) => entry.terms)).toEqual([undefined, { writes: ['src/**'], repeatable: false, timeoutMs: 1000 }]);
});

// R8: what it had claimed is told, and counts for nothing.
it('of an attempt that was ended from outside keeps what the performer had claimed by then', () => {
  const claim = claimOf('done', { stateDelta: ['requests fail fast'] });
  const nothing = { ...seen(['file: out-T1'], 'unobservable', 'its time ran out') };
  const said = (end: Attempt['end']) => {
    const { status, label, text } = entryOf({ end, after: nothing });
    return [status, label, text?.risk];
  };
  const words = ['before it was ended the performer had claimed: done; requests fail fast'];
  expect([
    said({ is: 'answered', claim, code: null }),
    said({ is: 'cut', claim }),
    said({ is: 'lost', claim }),
    said({ is: 'answered', claim, code: 0 }),
    said({ is: 'timeout' }),
  ]).toEqual([
    ['partial', 'unverified', words],
    ['partial', 'unverified', words],
    ['partial', 'unverified', words],
    ['partial', 'unverified', []],
    ['partial', 'unverified', []],
  ]);
});
