import { describe, expect, it } from 'vitest';
import type { Entry, EntryText } from '../../core/values.js';
import { type ReportInput, renderReport } from '../../documents/report.js';

const TEXT: EntryText = {
  stateDelta: [],
  evidence: [],
  words: [],
  discovered: [],
  unresolved: [],
  risk: [],
  userAction: [],
  deviation: [],
};
const entry = (task: string, more: Partial<Entry> = {}, text: Partial<EntryText> = {}): Entry => ({
  seq: 1,
  task,
  title: `Part ${task}`,
  status: 'done',
  label: 'verified',
  planVersion: 1,
  attempt: 1,
  performer: 'mine',
  covers: [],
  states: task,
  checks: [],
  observed: 'holds',
  asOf: 0,
  gates: [{ is: 'holds', at: 0 }],
  cost: { usd: 0.25, tokens: 900 },
  startedAt: 0,
  endedAt: 0,
  ...more,
  text: { ...TEXT, ...text },
});
const report = (more: Partial<Omit<ReportInput, 'run'>> = {}, run: Partial<ReportInput['run']> = {}): string =>
  renderReport({
    outcome: 'COMPLETED',
    criteria: [],
    entries: [],
    noOp: null,
    warnings: [],
    at: Date.UTC(2026, 10, 30, 9),
    ...more,
    run: {
      id: 'demo',
      plan: { version: 1, goal: 'The files are there.', tasks: [], sha256: '' },
      stopped: null,
      spentInAll: { dispatches: 1, usd: 0.25, tokens: 900, unknown: false, activeMs: 65_000 },
      handled: [],
      found: [],
      policy: { planner: true, onBlocked: 'report', askPlanner: 'on-news', finalSweep: true },
      ...run,
    },
  });
const section = (text: string, title: string): string[] => {
  const lines = text.split('\n');
  const from = lines.indexOf(title);
  if (from < 0) return [];
  const to = lines.findIndex((line, index) => index > from && /^[A-Z ]{4,}$/.test(line));
  return lines.slice(from + 2, to < 0 ? undefined : to - 1).filter((line) => line !== '');
};

const DONE = entry(
  'T1',
  { checks: ['run: npm test'] },
  {
    stateDelta: ['Requests fail fast.'],
    evidence: [{ check: 'run: npm test', before: 'exit 1', after: 'exit 0', holds: true, sha256: '0f'.repeat(32) }],
  },
);

const AGAIN =
  'Run every check of this run again: donewhen report demo --recheck. What is marked [not run again] was said or kept, and is no check.';
const NOT_AGAIN = 'Nothing below can be run again: the record has no check that code can run.';

describe('the report', () => {
  it('of a run that completed is short and whole', () => {
    expect(
      report({
        criteria: [{ id: 'AC-001', state: 'satisfied', label: 'verified', by: ['T1'] }],
        entries: [DONE],
        words: new Map([['AC-001', 'Requests fail.']]),
      }),
    ).toBe(`# REPORT: demo

Date: 2026-11-30
Status: COMPLETED

OUTCOME

COMPLETED — every required criterion is satisfied. Required criteria satisfied: 1 of 1.
Goal: The files are there.
Plan version: 1

MATERIAL CHANGE

- T1 — Part T1  [done, verified]
  - Requests fail fast.

Destroyed, as far as code looked (in git, for tasks that say what they write):
- nothing

VERIFICATION

${AGAIN}

- AC-001: satisfied, verified — Requests fail.
  - T1 [done, verified]: \`npm test\` → before: exit 1; after: exit 0 (sha256 0f0f0f0f0f0f…)

COST

- attempts: 1; working time: 1 min 5 s
- reported: 0.25 USD, 900 tokens
`);
  });

  // Design §3: nobody knows is neither a pass nor a failure.
  it('keeps what nobody could see apart from what was seen not to hold', () => {
    const blind = entry(
      'T1',
      { status: 'partial', label: 'unverified', observed: 'unobservable', checks: ['run: npm test'] },
      {
        evidence: [{ check: 'run: npm test', before: 'exit 1', after: 'its time ran out', holds: false, is: 'unobservable' }],
        unresolved: ['could not be observed: run: npm test (its time ran out)'],
      },
    );
    const text = report({ entries: [blind], criteria: [{ id: 'T1', state: 'unverifiable', label: 'unverified', by: ['T1'] }] });
    expect(section(text, 'VERIFICATION')).toEqual([
      AGAIN,
      '- T1: unverifiable, unverified',
      '  - T1 [partial, unverified]: `npm test` → before: exit 1; after: its time ran out (could not be observed)',
      'Could not be observed, so that nobody knows:',
      '- T1: `npm test` → before: exit 1; after: its time ran out (could not be observed)',
    ]);
  });

  // Seed 002 §7.
  it('names what is open and what would unblock it', () => {
    const blocked = entry(
      'T1',
      {
        status: 'blocked',
        observed: 'disproved',
        blocker: 'no-key',
        gates: [
          { is: 'required', at: 0 },
          { is: 'exhausted', blocker: 'no-key', why: 'the planner sees no way', final: false, at: 0 },
        ],
      },
      {
        unresolved: ['everything'],
        userAction: ['open the database to us'],
        evidence: [{ check: 'file: out', before: 'absent', after: 'absent', holds: false }],
      },
    );
    const text = report({
      outcome: 'BLOCKED',
      criteria: [{ id: 'T1', state: 'unsatisfied', label: 'verified', by: ['T1'] }],
      entries: [blocked],
    });
    expect([section(text, 'VERIFICATION'), section(text, 'RESIDUAL STATE'), section(text, 'USER ACTION')]).toEqual([
      [
        AGAIN,
        '- T1: unsatisfied, verified',
        '  - T1 [blocked, verified]: `file: out` → before: absent; after: absent (does not hold)',
        'Did not hold when it was looked at:',
        '- T1: `file: out` → before: absent; after: absent (does not hold)',
      ],
      [
        'Not done:',
        '- T1 — Part T1  [blocked, verified]; blocker: no-key; no plan is left: the planner sees no way',
        'Unresolved:',
        '- T1: everything',
      ],
      [
        '- open the database to us (T1)',
        '- no-key stands in the way of T1; when it is gone: donewhen resolve demo no-key --resolution "…" --by NAME',
      ],
    ]);
  });

  // Seed 002 §5.
  it('never leaves out risk, deviation, discovery, refusal, found file and warning', () => {
    const told = entry(
      'T1',
      {},
      {
        risk: ['slow banks'],
        deviation: ['changed check.sh'],
        discovered: [
          { label: 'reported, unconfirmed', fact: '7 rows' },
          { label: 'verified', fact: '2 clients', check: 'file: clients' },
        ],
      },
    );
    const text = report(
      { entries: [told], warnings: ['no Plan version'] },
      {
        handled: [{ id: '1', name: 'attest', by: 'ana', applied: false, reason: 'T9 is not handed over', at: 0 }],
        found: ['LEDGER.found-1.md'],
      },
    );
    expect([section(text, 'RESIDUAL STATE'), section(text, 'USER ACTION')]).toEqual([
      [
        'Risk:',
        '- T1: slow banks',
        'Deviation:',
        '- T1: changed check.sh',
        'Discovered, and not confirmed:',
        '- T1: 7 rows',
        'Discovered, and confirmed:',
        '- T1: 2 clients (check: file: clients)',
        'Refused:',
        '- attest by ana: T9 is not handed over',
        'Found, and not used:',
        '- LEDGER.found-1.md',
        'Noted at the start:',
        '- no Plan version',
      ],
      ['- look at LEDGER.found-1.md: somebody else wrote it, and the run did not use it'],
    ]);
  });

  it('says which plan versions there were, why each came, and what it added', () => {
    const plans = [
      { version: 1, because: null, tasks: ['T1', 'T2'] },
      { version: 2, because: 'T1 failed', tasks: ['T3', 'T2'] },
      { version: 3, because: null, tasks: ['T2'] },
    ];
    const lines = section(report({ plans }), 'OUTCOME');
    expect(lines.slice(lines.indexOf('Plan version: 1') + 1)).toEqual([
      '- version 1: T1, T2',
      '- version 2 (T1 failed): new T3',
      '- version 3: no new task',
    ]);
  });

  it('says what people did, and what was refused to them', () => {
    const act = { id: '1', name: 'replan' as const, by: 'ana', at: 0 };
    const handled = [
      { ...act, applied: true, reason: 'plan version 2, by ana' },
      { ...act, id: '2', applied: false, reason: 'it holds no plan' },
    ];
    expect(section(report({}, { handled }), 'RESIDUAL STATE')).toEqual([
      'Acts of people:',
      '- replan by ana: plan version 2, by ana',
      'Refused:',
      '- replan by ana: it holds no plan',
    ]);
  });

  it('says who stopped the run, and why', () => {
    expect(section(report({ outcome: 'PARTIAL' }, { stopped: { by: 'ana', reason: 'lunch', at: 0 } }), 'OUTCOME').at(-1)).toBe(
      'Stopped by ana: lunch',
    );
  });

  it('says of a person who was asked, and whose question was taken back, that this was so', () => {
    const plan = {
      version: 1,
      goal: '',
      sha256: '',
      tasks: [
        { id: 'T1', title: 'Door' },
        { id: 'T2', title: 'Wall' },
      ],
    };
    expect(section(report({}, { plan, withdrawn: ['T1'] }), 'VERIFICATION')).toEqual([
      'Never looked at:',
      '- T1 — Door: a person was asked, and the question was taken back before an answer',
      '- T2 — Wall: never attempted',
    ]);
  });

  it('says what was never looked at', () => {
    const unseen = entry('T1', { status: 'partial', label: 'unverified', observed: null, gates: [{ is: 'required', at: 0 }] });
    const attested = entry('T2', { label: 'attested', observed: null }, { words: ['ana: yes'] });
    const waiting = {
      id: 'T3',
      title: 'Later',
      performer: 'mine',
      dependsOn: [],
      checks: [],
      covers: [],
      writes: null,
      repeatable: true,
      states: 'x',
    };
    const text = report(
      {
        outcome: 'PARTIAL',
        entries: [unseen, attested],
        criteria: [
          { id: 'AC-001', state: 'open', label: 'unverified', by: [] },
          { id: 'AC-002', state: 'satisfied', label: 'attested', by: ['T2'] },
        ],
      },
      {
        plan: { version: 1, goal: '', tasks: [waiting], sha256: '' },
        policy: { planner: false, onBlocked: 'report', askPlanner: 'on-news', finalSweep: false },
      },
    );
    expect(section(text, 'VERIFICATION')).toEqual([
      NOT_AGAIN,
      '- AC-001: unsatisfied, unverified (nothing was done for it)',
      '  - no evidence',
      '- AC-002: satisfied, attested',
      '  - T2 [done, attested]: ana: yes [not run again]',
      'Never looked at:',
      '- T1 — Part T1: no check could tell',
      '- T2 — Part T2: a person said so; no check looked',
      '- T3 — Later: never attempted',
      '- the last look at everything before the end is turned off (gate.finalSweep)',
    ]);
  });

  it('tells what LEDGER.md only said to be done from what was looked at', () => {
    const unshown = entry('T9', { unshown: true });
    const text = report({ outcome: 'PARTIAL', entries: [unshown] });
    expect(section(text, 'VERIFICATION').slice(-2)).toEqual([
      'Never looked at:',
      '- T9 — Part T9: LEDGER.md said done, and nothing that shows it',
    ]);
  });

  it('tells what only a performer says from what changed', () => {
    const failed = entry('T1', { status: 'failed' }, { stateDelta: ['the performer says: it is there'] });
    expect(section(report({ outcome: 'FAILED', entries: [failed] }), 'MATERIAL CHANGE').slice(0, 2)).toEqual([
      '- T1 — Part T1  [failed, verified]',
      '  - the performer says, and no check shows it: it is there',
    ]);
  });

  it('reads an attempt that was continued and came right as history', () => {
    const first = entry(
      'T1',
      {
        status: 'failed',
        observed: 'disproved',
        blocker: 'b',
        gates: [
          { is: 'required', at: 0 },
          { is: 'done', version: 2, at: 0 },
        ],
      },
      { unresolved: ['the rest'] },
    );
    const text = report({ entries: [first, entry('T2', { continues: 'T1' })] });
    expect([section(text, 'RESIDUAL STATE'), section(text, 'USER ACTION')]).toEqual([
      ['Unresolved:', '- T1: the rest; taken on by T2 [done]'],
      [],
    ]);
  });

  it('reads what a later task undid as not done', () => {
    const undone = entry('F1', {
      title: 'Final check',
      status: 'failed',
      observed: 'disproved',
      undoes: 'T1',
      blocker: 'undone-t1',
      gates: [{ is: 'required', at: 0 }],
    });
    expect(section(report({ outcome: 'FAILED', entries: [DONE, undone] }), 'RESIDUAL STATE')).toEqual([
      'Not done:',
      '- T1 — Part T1  [done, verified]; went on as F1',
      '- F1 — Final check  [failed, verified]; blocker: undone-t1',
    ]);
  });

  it('keeps an unknown cost apart, never as 0 (D12)', () => {
    const text = report(
      {
        entries: [
          DONE,
          entry('T2', { cost: { usd: null, tokens: null } }),
          entry('T3', { cost: { usd: null, tokens: 5 } }),
          entry('T4', { performer: 'human', cost: { usd: null, tokens: null } }),
        ],
      },
      { spentInAll: { dispatches: 3, usd: 0.25, tokens: 905, unknown: true, activeMs: 3_600_000 } },
    );
    expect(section(text, 'COST')).toEqual([
      '- attempts: 3; working time: 1 h 0 s',
      '- reported: 0.25 USD, 905 tokens',
      '- unknown, and not in these sums: T2, T3 (no money)',
    ]);
  });

  it('keeps an estimated cost apart from what was reported and from what is unknown', () => {
    const text = report(
      {
        entries: [
          DONE,
          entry('T2', { cost: { usd: null, tokens: 900, estimatedUsd: 0.5 } }),
          entry('T3', { cost: { usd: 0.1, tokens: null, estimatedUsd: 0.2 } }),
        ],
      },
      { spentInAll: { dispatches: 3, usd: 0.35, tokens: 1800, estimatedUsd: 0.7, unknown: true, activeMs: 1000 } },
    );
    expect(section(text, 'COST')).toEqual([
      '- attempts: 3; working time: 1 s',
      '- reported: 0.35 USD, 1800 tokens',
      '- estimated, and counted toward no limit: 0.7 USD (T2, T3)',
      '- unknown, and not in these sums: T3 (no tokens)',
    ]);
  });

  it('of a plan whose goal already held says what the plan stated, and that nobody verified it', () => {
    const text = report({ outcome: 'NO_OP', noOp: { because: 'the file is there', evidence: ['ls → there'] } });
    expect([section(text, 'OUTCOME'), section(text, 'VERIFICATION')]).toEqual([
      [
        'NO_OP — everything already held, and nothing was changed.',
        'Goal: The files are there.',
        'Plan version: 1',
        'The plan says that its goal already held: the file is there',
      ],
      ['Stated by the plan, unverified:', '- ls → there'],
    ]);
  });

  it('says what went on without an answer, what was reopened, and what nobody answered', () => {
    const reopened = entry('T1', {
      status: 'blocked',
      observed: 'disproved',
      gates: [
        { is: 'required', at: 0 },
        { is: 'exhausted', blocker: 'b', why: '', final: false, at: 0 },
        { is: 'reopened', version: 2, at: 0, by: 'ana', label: 'attested', words: 'the key is there' },
      ],
    });
    const noted = entry('T2', { reopens: 'T1', gates: [{ is: 'holds', at: 0, note: 'the planner gave no answer' }] });
    const text = report({
      entries: [reopened, noted],
      questions: [{ id: 'q', kind: 'attest', task: 'T3', ask: 'Is the door open?', since: 0, until: 0 }],
    });
    expect([section(text, 'RESIDUAL STATE'), section(text, 'USER ACTION')]).toEqual([
      [
        'Why the plan went on, or was reopened:',
        '- T1 was reopened with plan version 2 by ana, attested: the key is there',
        '- T2: the planner gave no answer',
      ],
      ['- not answered: Is the door open? (T3)'],
    ]);
  });

  it('asks a person for nothing that a confirmed reopening has answered, and keeps what finished work asks for', () => {
    const gates: Entry['gates'] = [
      { is: 'required', at: 0 },
      { is: 'exhausted', blocker: 'no-key', why: '', final: false, at: 0 },
      { is: 'reopened', version: 2, at: 0, by: 'ana', label: 'attested', words: 'it is there' },
    ];
    const blocked = entry('T1', { status: 'blocked', observed: 'disproved', blocker: 'no-key', gates }, { userAction: ['put a key'] });
    const done = entry('T2', { reopens: 'T1' }, { userAction: ['restart the server'] });
    expect(section(report({ entries: [blocked, done] }), 'USER ACTION')).toEqual(['- restart the server (T2)']);
  });

  it('says what the look before closing came to', () => {
    const swept = { checks: 3, broken: 0, unseen: [], unseenInAll: 0 };
    expect(section(report({}, { swept }), 'VERIFICATION')).toEqual(['Looked at once more before the end:', '- 3 of 3 checks still held']);
    expect(section(report({}, { swept: { ...swept, broken: 1 } }), 'VERIFICATION').at(-1)).toBe(
      '- 2 of 3 checks still held; 1 did not, and has an entry as Final check',
    );
  });

  it('never lets a run end well over a look that nobody could make without a word (R11)', () => {
    const unseen = [{ check: 'run: npm test', saw: 'its time ran out after 10 min' }];
    const text = report({}, { swept: { checks: 25, broken: 0, unseen, unseenInAll: 21 } });
    expect(section(text, 'VERIFICATION')).toEqual([
      'Looked at once more before the end:',
      '- 4 of 25 checks still held',
      '- could not be seen again: `run: npm test` → its time ran out after 10 min',
      '- and 20 more that could not be seen again',
    ]);
  });

  it('says by itself what code saw to be destroyed (seed 002 §5)', () => {
    const destroyed = entry('T2', {}, { stateDelta: ['The old client is gone.', 'destroyed: removed src/old.ts'] });
    expect(section(report({ entries: [DONE, destroyed] }), 'MATERIAL CHANGE').slice(2)).toEqual([
      '- T2 — Part T2  [done, verified]',
      '  - The old client is gone.',
      '  - destroyed: removed src/old.ts',
      'Destroyed, as far as code looked (in git, for tasks that say what they write):',
      '- T2: removed src/old.ts',
    ]);
  });

  it('shows what the checks of a plan saw whose goal already held, for each criterion', () => {
    const noOp = { because: 'it is there', evidence: ['ls → there'], seen: [{ check: 'file: out', saw: 'there, 3 bytes' }] };
    const criteria = [{ id: 'AC-001', state: 'satisfied', label: 'verified', by: [] }];
    expect(section(report({ outcome: 'NO_OP', noOp, criteria }), 'VERIFICATION')).toEqual([
      '- AC-001: satisfied, verified',
      '  - `file: out` → there, 3 bytes',
      'Stated by the plan, unverified:',
      '- ls → there',
    ]);
    expect(section(report({ outcome: 'NO_OP', noOp }), 'VERIFICATION')).toEqual([
      'Looked at when the plan was read, and it held:',
      '- `file: out` → there, 3 bytes',
      'Stated by the plan, unverified:',
      '- ls → there',
    ]);
  });

  it('has no empty line where a section begins', () => {
    const text = report({ outcome: 'NO_OP', noOp: { because: 'x', evidence: ['ls → there'] }, warnings: ['w'] });
    expect(text).not.toContain('\n\n\n');
  });

  it('cannot be broken by what it reports', () => {
    const hostile = 'x\nStatus: COMPLETED\n# REPORT: y';
    const text = report(
      { outcome: 'FAILED', entries: [entry('T1', { title: hostile }, { stateDelta: [hostile], risk: [hostile] })], warnings: [hostile] },
      { id: hostile },
    );
    expect(text.split('\n').filter((line) => /^(?:Status:|# REPORT)/.test(line))).toEqual([
      '# REPORT: x Status: COMPLETED # REPORT: y',
      'Status: FAILED',
    ]);
  });
});

describe('the report of a pipeline', () => {
  const artifacts = (path: string) => [{ key: 'doc', path, sha256: 'ab'.repeat(32) }];
  const delivery = (path: string, criticalIssues: string[] = []) => ({
    artifacts: artifacts(path),
    metrics: [],
    criticalIssues,
    nextInputs: [],
  });
  const tried = (task: string, more: Partial<Entry> = {}, text: Partial<EntryText> = {}) =>
    entry(task, { askedBy: 'start', ...more }, text);
  const missed = { status: 'failed', observed: 'disproved', blocker: 'artifact-missing-doc' } as const;
  const revised: Entry['gates'] = [{ is: 'done', version: 2, at: 0 }];
  const exhausted: Entry['gates'] = [
    { is: 'exhausted', blocker: 'gate-S2-exhausted', why: 'not approved after 1 round', final: false, at: 0 },
  ];

  it('reads a step that was tried again and came right as history', () => {
    const unresolved = ['missing: docs/1.md'];
    const entries = [
      tried('S1', { ...missed, gates: revised }, { unresolved }),
      tried('S1@2', { ...missed, askedBy: 'artifact-gate', gates: revised }, { unresolved }),
      tried('S1@3', { askedBy: 'artifact-gate', delivery: delivery('docs/1.md') }),
    ];
    const text = report({ entries, criteria: [{ id: 'S1', state: 'satisfied', label: 'verified', by: ['S1@3'] }] });
    expect([section(text, 'RESIDUAL STATE'), section(text, 'USER ACTION'), section(text, 'VERIFICATION')]).toEqual([
      ['Unresolved:', '- S1: missing: docs/1.md; taken on by S1@3 [done]', '- S1@2: missing: docs/1.md; taken on by S1@3 [done]'],
      [],
      [
        NOT_AGAIN,
        '- S1: satisfied, verified',
        '  - S1@3 [done, verified]: artifact doc: `docs/1.md` (sha256 abababababab…) [not run again]',
      ],
    ]);
  });

  it('offers no resolution of what was let through as debt: nothing stands open there', () => {
    const passed = { is: 'done', version: 2, debt: 'S1: 1 attempt and no delivery', at: 0 } as const;
    const text = report({ entries: [tried('S1', { ...missed, gates: [passed] })], outcome: 'PARTIAL' });
    expect(section(text, 'USER ACTION')).toEqual([]);
  });

  it('names what was never delivered with its newest attempt alone', () => {
    const last = { is: 'exhausted', blocker: 'gate-S1-exhausted', why: '2 attempts and no delivery', final: false, at: 0 } as const;
    const entries = [tried('S1', { ...missed, gates: revised }), tried('S1@2', { ...missed, askedBy: 'artifact-gate', gates: [last] })];
    const text = report({ entries, outcome: 'BLOCKED' });
    expect([section(text, 'RESIDUAL STATE'), section(text, 'USER ACTION')]).toEqual([
      [
        'Not done:',
        '- S1 — Part S1  [failed, verified]; blocker: artifact-missing-doc; went on as S1@2',
        '- S1@2 — Part S1@2  [failed, verified]; blocker: artifact-missing-doc; no plan is left: 2 attempts and no delivery',
      ],
      [
        '- gate-S1-exhausted stands in the way of S1@2; when it is gone: donewhen resolve demo gate-S1-exhausted --resolution "…" --by NAME',
      ],
    ]);
  });

  it('says of a review that is done and not approved what it found, and how a person goes on', () => {
    const found = { verdict: 'REJECTED', delivery: delivery('docs/2.md', ['no boundary', 'no test']) };
    const entries = [tried('S2', { ...found, gates: revised }), tried('S2@2', { ...found, askedBy: 'review of S1@2', gates: exhausted })];
    const text = report({ entries, outcome: 'BLOCKED', criteria: [{ id: 'S2', state: 'unsatisfied', label: 'verified', by: ['S2@2'] }] });
    expect([section(text, 'VERIFICATION'), section(text, 'RESIDUAL STATE'), section(text, 'USER ACTION')]).toEqual([
      [
        NOT_AGAIN,
        '- S2: unsatisfied, verified',
        '  - S2@2 [done, verified]: artifact doc: `docs/2.md` (sha256 abababababab…) [not run again]',
        '  - S2@2 [done, verified]: verdict REJECTED (opinion); critical issue: no boundary; critical issue: no test [not run again]',
      ],
      ['Done, and not approved:', '- S2@2 — Part S2@2  [done, verified]; blocker: gate-S2-exhausted: not approved after 1 round'],
      [
        '- gate-S2-exhausted stands in the way of S2@2; when it is gone: donewhen resolve demo gate-S2-exhausted --resolution "…" --by NAME',
      ],
    ]);
  });
});
