import { describe, expect, it } from 'vitest';
import type { Entry, EntryText, LookResult } from '../../core/values.js';
import { parseLedger } from '../../documents/ledger.js';
import { renderGate } from '../../documents/ledger-gate.js';
import { renderEntry, renderEntryBody, renderLedger } from '../../documents/ledger-render.js';
import { hasErrors, renderProblem } from '../../documents/problem.js';
import { fc } from '../support/fast-check.js';

const parse = (text: string) => parseLedger(text, { file: 'LEDGER.md' });
const said = (text: string) => parse(text).problems.map(renderProblem);
const NO_TEXT: EntryText = {
  stateDelta: [],
  evidence: [],
  words: [],
  discovered: [],
  unresolved: [],
  risk: [],
  userAction: [],
  deviation: [],
};
const BARE: Entry = {
  seq: 1,
  task: 'T1',
  title: 'Payment client timeout',
  status: 'done',
  label: 'verified',
  planVersion: 1,
  attempt: 1,
  performer: 'claude',
  covers: [],
  states: '',
  checks: [],
  observed: 'holds',
  asOf: 0,
  gates: [],
  cost: { usd: null, tokens: null },
  startedAt: 0,
  endedAt: 0,
  text: NO_TEXT,
};

const FULL: Entry = {
  ...BARE,
  status: 'failed',
  covers: ['FR-004', 'AC-002'],
  planVersion: 2,
  attempt: 3,
  checks: ['run: npm test', 'file: out contains "a `b`"', 'human: Is the door open?', 'run: file: x', 'run: a.sh => exit 3', 'git: clean'],
  observed: 'disproved',
  continues: 'T0',
  blocker: 'npm-test-exit-1-3f2a',
  askedBy: 'start',
  verdict: 'REJECTED',
  undoes: 'T9',
  gates: [
    { is: 'required', at: 0 },
    { is: 'exhausted', blocker: 'gate-S5-exhausted', why: 'three attempts', final: true, at: 0 },
    { is: 'reopened', version: 3, at: 0, by: 'ana', label: 'attested', words: 'the key is there: look' },
  ],
  cost: { usd: 0.25, tokens: 900 },
  text: {
    stateDelta: ['Requests fail after 30 seconds.', 'The old client is gone.'],
    evidence: [
      {
        check: 'run: npm test',
        before: 'exit 1',
        after: 'exit 1',
        holds: false,
        is: 'disproved',
        excerpt: '1 failing\n\n  at x',
        sha256: 'a'.repeat(64),
      },
      { check: 'file: out contains "a `b`"', before: 'absent', after: 'there, 12 bytes', holds: true, is: 'holds' },
      { check: 'run: file: x', before: '', after: 'exit 127', holds: false, is: 'disproved' },
      { check: 'run: a.sh => exit 3', before: 'exit 3', after: '', holds: true, is: 'holds' },
    ],
    words: ['ana: yes, the door is open'],
    discovered: [
      { label: 'verified', fact: 'The job calls it too.', check: 'file: job.ts contains "pay"' },
      { label: 'reported, unconfirmed', fact: 'The table has 7 rows.' },
    ],
    unresolved: ['The second client.'],
    risk: ['Slow banks.'],
    userAction: ['Open the port.'],
    deviation: ['20 seconds instead of 30.'],
    session: 'abc, def',
  },
};

const FULL_TEXT = `## T1 — Payment client timeout  [failed]
Plan version: 2
Covers: FR-004, AC-002
Done when: Requests fail after 30 seconds.
Restates: Requests fail.
Undoes: T9
State delta:
- Requests fail after 30 seconds.
- The old client is gone.
Evidence:
- \`npm test\` → before: exit 1; after: exit 1 (does not hold)
  sha256: ${'a'.repeat(64)}
  > 1 failing
  >
  >   at x
- \`\` file: out contains "a \`b\`" \`\` → before: absent; after: there, 12 bytes
- \`human: Is the door open?\` → asked of a person
- \`run: file: x\` → after: exit 127 (does not hold)
- \`a.sh => exit 3\` → before: exit 3
- \`git: clean\` → not looked at
- ana: yes, the door is open
Verification: verified
Discovered:
- [verified] The job calls it too. (check: file: job.ts contains "pay")
- [reported, unconfirmed] The table has 7 rows.
Unresolved:
- The second client.
Risk:
- Slow banks.
User action:
- Open the port.
Deviation: 20 seconds instead of 30.
Blocker: npm-test-exit-1-3f2a
Continues: T0
Asked by: start
Verdict: REJECTED (opinion)
Attempt: 3, claude, session abc, def
Cost: 0.25 USD, 900 tokens
Gate blocker: gate-S5-exhausted
Gate note: final; three attempts
Resolution: ana, attested: the key is there: look
Gate: replan reopened (plan version 3)
`;

describe('an entry', () => {
  // Seed 002 §5.
  it('is written with its fields in the order of the record, the gate last', () => {
    expect(renderEntry(FULL, { doneWhen: 'Requests fail\nafter 30 seconds.', restates: 'Requests fail.' })).toBe(FULL_TEXT);
  });

  it('is read again as it was', () => {
    const { ledger, problems } = parse(`# LEDGER: x\n\n${FULL_TEXT}`);
    expect({ ledger, problems }).toEqual({
      ledger: {
        foreword: [],
        title: 'x',
        entries: [FULL],
        details: [{ task: 'T1', line: 3, doneWhen: 'Requests fail after 30 seconds.', restates: 'Requests fail.', unknown: [] }],
        preamble: [],
        sections: [],
      },
      problems: [],
    });
  });

  it('loses nothing of a value that stands in a fence (E08)', () => {
    const fenced = (lines: string) => `\`\`\`\n${lines}\n\`\`\`\n`;
    const lists = `State delta:\n${fenced('- a')}Evidence:\n${fenced('- b')}Discovered:\n${fenced('- [verified] c')}Unresolved:\n${fenced('- d')}`;
    const { entries } = parse(`# LEDGER: x\n\n## T1 — a  [partial]\n${lists}Verification: verified\n`).ledger;
    expect(entries[0]?.text).toEqual({
      ...NO_TEXT,
      stateDelta: ['a'],
      words: ['b'],
      discovered: [{ label: 'verified', fact: 'c' }],
      unresolved: ['d'],
    });
  });

  it('says of what nobody was sent for that it was so, and is read again so', () => {
    const held: Entry = { ...FULL, status: 'no_op', performer: '' };
    const text = `# LEDGER: x\n\n${renderEntry(held)}`;
    expect(text).toContain('\nAttempt: 3, nobody was sent');
    expect(parse(text).ledger.entries[0]?.performer).toEqual('');
  });

  it('that names a performer of what nobody was sent for, as older ones do, keeps the name', () => {
    const text = `# LEDGER: x\n\n${renderEntry({ ...FULL, status: 'no_op' })}`;
    expect(renderLedger(parse(text).ledger)).toEqual(text);
  });

  it('keeps the lines before its title where they stand, and refuses an entry there', () => {
    const kept = `## By hand\nSome words.\n\n# LEDGER: x\n\n${FULL_TEXT}`;
    expect([renderLedger(parse(kept).ledger), parse(kept).problems]).toEqual([kept, []]);
    expect(parse(`## T9 — a  [done]\n\n# LEDGER: x\n`).problems.map(renderProblem)).toEqual([
      'LEDGER.md:1: T9 stands before the title, where no entry is read; move the title above it',
    ]);
  });

  it('without its gate is what the gate is appended to', () => {
    expect(renderEntryBody(FULL) + renderGate(FULL)).toBe(renderEntry(FULL));
  });

  it('that has no gate yet ends without one', () => {
    expect(renderEntry(BARE)).toBe(
      '## T1 — Payment client timeout  [done]\nPlan version: 1\nVerification: verified\nAttempt: 1, claude\nCost: unknown\n',
    );
  });

  it.each<[Entry['cost'], string]>([
    [{ usd: null, tokens: null }, 'unknown'],
    [{ usd: 0, tokens: 0 }, '0 USD, 0 tokens'],
    [{ usd: null, tokens: 12 }, 'unknown USD, 12 tokens'],
    [{ usd: 10, tokens: null }, '10 USD, unknown tokens'],
    [{ usd: 0.1 + 0.2, tokens: 1 }, '0.3 USD, 1 tokens'],
    [{ usd: null, tokens: 12, estimatedUsd: 0.25 }, 'estimated 0.25 USD, 12 tokens'],
    [{ usd: 0.1, tokens: 12, estimatedUsd: 0.25 }, '0.1 USD, estimated 0.25 USD, 12 tokens'],
    [{ usd: null, tokens: null, estimatedUsd: 0 }, 'estimated 0 USD, unknown tokens'],
  ])('that cost %j says %s, is read back as it was, and unknown is never 0 (D12)', (cost, words) => {
    const text = renderEntry({ ...BARE, cost });
    expect([text.split('\n').at(-2), parse(`# LEDGER: x\n\n${text}`).ledger.entries[0]?.cost]).toEqual([
      `Cost: ${words}`,
      { ...cost, usd: cost.usd === null ? null : Number(cost.usd.toFixed(6)) },
    ]);
  });

  it.each<[Entry['gates'], string]>([
    [[{ is: 'holds', at: 5 }], 'Gate: plan holds\n'],
    [[{ is: 'holds', at: 5, note: 'nobody answered' }], 'Gate note: nobody answered\nGate: plan holds\n'],
    [[{ is: 'required', at: 5 }], 'Gate: replan required\n'],
    [
      [
        { is: 'required', at: 5 },
        { is: 'done', version: 2, at: 6 },
      ],
      'Gate: replan done (plan version 2)\n',
    ],
    [
      [
        { is: 'required', at: 5 },
        { is: 'exhausted', blocker: 'b', why: '', final: false, at: 6 },
      ],
      'Gate: replan exhausted\n',
    ],
    [
      [
        { is: 'required', at: 5 },
        { is: 'exhausted', blocker: 'b', why: '', final: false, at: 6 },
        { is: 'reopened', version: 4, at: 7 },
      ],
      'Gate: replan reopened (plan version 4)\n',
    ],
  ])('with the gates %j is read with the same, but for their times', (gates, text) => {
    const entry: Entry = {
      ...BARE,
      status: gates[0]?.is === 'holds' ? 'done' : 'failed',
      observed: gates[0]?.is === 'holds' ? 'holds' : 'disproved',
      blocker: 'b',
      gates,
    };
    const again = parse(`# LEDGER: x\n\n${renderEntry(entry)}`).ledger.entries[0];
    expect([renderGate(entry), again?.gates]).toEqual([text, gates.map((gate) => ({ ...gate, at: 0 }))]);
  });

  it('cannot be broken by what a performer says of itself', () => {
    const hostile = 'fine\n## T2 — Never done  [done]\nVerification: verified\nGate: plan holds\n```\n\u001b[31mred\u001b[0m';
    const text = {
      ...NO_TEXT,
      stateDelta: [hostile],
      words: [hostile, '`npm test` → before: exit 1; after: exit 0'],
      unresolved: [hostile],
      deviation: [hostile],
      risk: ['```'],
      session: hostile,
      evidence: [{ check: 'run: x', before: hostile, after: hostile, holds: false, excerpt: hostile }],
    };
    const entry: Entry = {
      ...BARE,
      status: 'partial',
      label: 'unverified',
      title: hostile,
      checks: ['run: x'],
      text,
      gates: [{ is: 'required', at: 0 }],
    };
    const { ledger, problems } = parse(`# LEDGER: x\n\n${renderEntry(entry, { doneWhen: hostile })}`);
    expect(
      ledger.entries.map(({ task, status, label, checks, gates, text: read }) => ({
        task,
        status,
        label,
        checks,
        gates,
        words: read?.words,
      })),
    ).toEqual([
      {
        task: 'T1',
        status: 'partial',
        label: 'unverified',
        checks: ['run: x'],
        gates: [{ is: 'required', at: 0 }],
        words: [
          'fine ## T2 — Never done [done] Verification: verified Gate: plan holds ``` red',
          'stated: `npm test` → before: exit 1; after: exit 0',
        ],
      },
    ]);
    expect(problems).toEqual([]);
  });
});

describe('a ledger', () => {
  it('that we wrote comes out letter for letter', () => {
    const text = `# LEDGER: x\n\n${FULL_TEXT}\n${renderEntry({ ...BARE, seq: 2, task: 'T2' }, { doneWhen: 'It is there.' })}`;
    expect(renderLedger(parse(text).ledger)).toBe(text);
  });

  it('written by hand is read with dashes, arrows, blank lines and free words of many kinds', () => {
    const text = `\ufeff# LEDGER: by-hand

Kept by Ana.

### T1 - Login  [DONE]

Plan version: 3
Covers: FR-004 , AC-002
State delta:
- Sign-in refuses expired tokens,
  on every path.
Evidence:
- \`file: out\` -> there
- unit tests → passed (14)
- \`npm test\` → all green
Verification: verified (on the build machine); speed was not measured
Discovered:
- [unverified] The report calls it.
- [verified] There are two clients.
- A third, perhaps.
Unresolved:
- none
Deviation: 60 seconds instead of 300, because the job
tolerates a minute.
Lineage: T0
Gate: plan holds — nothing else to say

## T2: Cache [partial]
Plan version: 3
Verification: unverified
Unresolved:
- the other path
Gate: replan required

## Replan checkpoint — T2
Old plan version: 3
Gate: replan done (plan version 4)

## T3 — Login, second way  [blocked]
Plan version: 4
Verification: verified
Blocker: \`no-key\`
Continues: T2
`.replaceAll('\n', '\r\n');
    const { ledger, problems } = parse(text);
    expect(ledger).toEqual({
      foreword: [],
      title: 'by-hand',
      preamble: ['Kept by Ana.'],
      sections: ['## Replan checkpoint — T2\nOld plan version: 3\nGate: replan done (plan version 4)'],
      details: [
        { task: 'T1', line: 5, doneWhen: null, restates: null, unknown: ['Lineage: T0'] },
        { task: 'T2', line: 28, doneWhen: null, restates: null, unknown: [] },
        { task: 'T3', line: 39, doneWhen: null, restates: null, unknown: [] },
      ],
      entries: [
        {
          ...BARE,
          title: 'Login',
          planVersion: 3,
          performer: '',
          covers: ['FR-004', 'AC-002'],
          checks: ['file: out'],
          gates: [{ is: 'holds', at: 0 }],
          text: {
            ...NO_TEXT,
            stateDelta: ['Sign-in refuses expired tokens, on every path.'],
            words: [
              '`file: out` -> there',
              'unit tests → passed (14)',
              '`npm test` → all green',
              'verification: (on the build machine); speed was not measured',
            ],
            discovered: [
              { label: 'reported, unconfirmed', fact: 'The report calls it.' },
              { label: 'verified', fact: 'There are two clients.' },
              { label: 'reported, unconfirmed', fact: 'A third, perhaps.' },
            ],
            deviation: ['60 seconds instead of 300, because the job tolerates a minute.'],
          },
        },
        {
          ...BARE,
          seq: 2,
          task: 'T2',
          title: 'Cache',
          status: 'partial',
          label: 'unverified',
          planVersion: 3,
          performer: '',
          observed: null,
          gates: [
            { is: 'required', at: 0 },
            { is: 'done', version: 4, at: 0 },
          ],
          text: { ...NO_TEXT, unresolved: ['the other path'] },
        },
        {
          ...BARE,
          seq: 3,
          task: 'T3',
          title: 'Login, second way',
          status: 'blocked',
          planVersion: 4,
          performer: '',
          attempt: 2,
          observed: 'disproved',
          blocker: 'no-key',
          continues: 'T2',
        },
      ],
    });
    expect(problems.map(renderProblem)).toEqual([
      'LEDGER.md:18: warning: a discovery of T1 has neither [verified] nor [reported, unconfirmed]; it is taken as unconfirmed',
      'LEDGER.md:20: warning: a discovery of T1 has neither [verified] nor [reported, unconfirmed]; it is taken as unconfirmed',
    ]);
  });

  it('fills the identity of its promises where it is given a hash', () => {
    const hash = (text: string) => `<${text}>`.padEnd(16, '.');
    const text =
      '# LEDGER: x\n\n## T1 — a  [done]\nPlan version: 1\nDone when: It  is\nthere.\nRestates: It was.\nVerification: verified\nGate: plan holds\n\n## T2 — b  [done]\nPlan version: 1\nVerification: verified\n';
    expect(parseLedger(text, { file: 'LEDGER.md', hash }).ledger.entries.map(({ states, restates }) => [states, restates])).toEqual([
      ['<It is there.>..', '<It was.>.......'],
      ['<x T2>..........', undefined],
    ]);
  });

  it('keeps what it does not know and writes it back', () => {
    const text =
      '# LEDGER: x\n\n## T1 — a  [done]\nPlan version: 1\nVerification: verified\nAttempt: 1, mine\nCost: unknown\n\nLineage: T0\nGate: plan holds\n\n## Notes\nMilk.\n';
    expect(renderLedger(parse(text).ledger)).toBe(text);
  });

  it.each<[string, string, string[]]>([
    [
      'no title',
      '## T1 — a  [done]\nPlan version: 1\nVerification: verified\n',
      ['LEDGER.md:1: there is no title; the first line of a ledger is # LEDGER: <name of the plan>'],
    ],
    [
      'a second entry of a task',
      '# LEDGER: x\n## T1 — a  [done]\nPlan version: 1\nVerification: verified\n## T1 — a  [done]\n',
      ['LEDGER.md:5: T1 has a second entry; the first is in line 2, and a task is recorded once'],
    ],
    [
      'done without observation',
      '# LEDGER: x\n## T1 — a  [done]\nPlan version: 1\n',
      [
        'LEDGER.md:2: T1 is done and unverified, and what nobody observed is not done; make it [partial], or write Verification: attested and who confirmed it',
      ],
    ],
    [
      'a failure whose plan holds',
      '# LEDGER: x\n## T1 — a  [failed]\nPlan version: 1\nVerification: verified\nBlocker: b\nGate: plan holds\n',
      ['LEDGER.md:6: T1 is failed, so its plan cannot simply hold; write Gate: replan required'],
    ],
    [
      'a failure without a blocker',
      '# LEDGER: x\n## T1 — a  [failed]\nPlan version: 1\nVerification: verified\n',
      ['LEDGER.md:2: warning: T1 is failed and names no Blocker, so that the same obstacle cannot be told when it comes back'],
    ],
    [
      'a gate in other words',
      '# LEDGER: x\n## T1 — a  [done]\nPlan version: 1\nVerification: verified\nGate: looks good\n',
      ['LEDGER.md:5: warning: the gate "looks good" of T1 is not understood; it is taken as not yet run'],
    ],
    [
      'an entry without a status',
      '# LEDGER: x\n## T1 — a\nVerification: verified\n',
      ['LEDGER.md:2: "## T1 — a" has no status that is known; write ## T1 — title  [done], [partial], [blocked], [failed] or [no_op]'],
    ],
    [
      'a status that is not known',
      '# LEDGER: x\n## T1 — a  [finished]\n',
      [
        'LEDGER.md:2: "## T1 — a [finished]" has no status that is known; write ## T1 — title  [done], [partial], [blocked], [failed] or [no_op]',
      ],
    ],
    [
      'a field that is there twice',
      '# LEDGER: x\n## T1 — a  [done]\nPlan version: 1\nVerification: attested\nVerification: verified\n',
      ['LEDGER.md:5: warning: T1 has a second "Verification"; it stands, and the one in line 4 does not'],
    ],
    [
      'no plan version',
      '# LEDGER: x\n## T1 — a  [done]\nVerification: attested\n',
      ['LEDGER.md:2: warning: T1 does not say of which Plan version it is; it is taken as 1'],
    ],
    [
      'a plan version that none can have',
      '# LEDGER: x\n## T1 — a  [done]\nPlan version: 0\nVerification: attested\n',
      ['LEDGER.md:3: warning: the Plan version of T1, "0", is no number from 1 on; it is taken as 1'],
    ],
    [
      'a fence that is never closed',
      '# LEDGER: x\n\n```\n## T1 — a  [done]\n',
      ['LEDGER.md:3: this fence is never closed, so that the entries after it cannot be told from its content; close it'],
    ],
  ])('with %s is said with its place', (_name, text, expected) => {
    expect(said(text)).toEqual(expected);
  });

  it('that shows an entry inside a fence has no such entry', () => {
    expect(parse('# LEDGER: x\n\n~~~\n## T1 — a  [done]\n~~~\n').ledger.entries).toEqual([]);
  });
});

describe('evidence', () => {
  const evidenceOf = (result: string) =>
    parse(`# LEDGER: x\n\n## T1 — a  [partial]\nPlan version: 1\nEvidence:\n- \`npm test\` → before: exit 1; after: ${result}\n`).ledger
      .entries[0]?.text?.evidence[0];

  it('that was wrapped is read without the space where its line ended', () => {
    const evidence = '- `x` → before: exit 1\n  ; after: exit 0\n';
    const { ledger } = parse(
      `# LEDGER: x\n\n## T1 — a  [done]\nPlan version: 1\nEvidence:\n${evidence}Verification: verified\nGate: plan holds\n`,
    );
    expect(ledger.entries[0]?.text?.evidence).toEqual([{ check: 'run: x', before: 'exit 1', after: 'exit 0', holds: true, is: 'holds' }]);
  });

  it('that nobody could see reads as unknown, and what was seen not to hold as that', () => {
    expect([evidenceOf('exit 0'), evidenceOf('exit 1 (does not hold)'), evidenceOf('its time ran out (could not be observed)')]).toEqual([
      { check: 'run: npm test', before: 'exit 1', after: 'exit 0', holds: true, is: 'holds' },
      { check: 'run: npm test', before: 'exit 1', after: 'exit 1', holds: false, is: 'disproved' },
      { check: 'run: npm test', before: 'exit 1', after: 'its time ran out', holds: false, is: 'unobservable' },
    ]);
  });

  it('of a record that says only whether it held is written as it was', () => {
    const text = (holds: boolean) => ({ ...NO_TEXT, evidence: [{ check: 'run: a', before: 'exit 1', after: 'exit 1', holds }] });
    const line = (holds: boolean) => renderEntryBody({ ...BARE, checks: ['run: a'], text: text(holds) }).split('\n')[3];
    expect([line(true), line(false)]).toEqual([
      '- `a` → before: exit 1; after: exit 1',
      '- `a` → before: exit 1; after: exit 1 (does not hold)',
    ]);
  });
});

describe('any ledger', () => {
  const word = fc.stringMatching(/^[A-Za-zé日😀()[\]`*_#:.,;→-]{1,12}$/u);
  const start = fc.constantFrom('```', '```日', '~~~', '- x', '#', '1.', '>');
  const line = fc.array(fc.oneof({ weight: 6, arbitrary: word }, start), { minLength: 1, maxLength: 6 }).map((words) => words.join(' '));
  const lines = fc.array(line, { maxLength: 3 });
  const status = fc.constantFrom<Entry['status']>('partial', 'blocked', 'failed');
  const looked = fc.record({
    check: fc.constantFrom('run: npm test', 'run: a `b`', 'file: x contains "y"', 'run: git: x', 'run: x => prints "z"'),
    before: line,
    after: line,
    is: fc.constantFrom<LookResult>('holds', 'disproved', 'unobservable'),
  });
  const evidence = looked.map((item) => ({ ...item, holds: item.is === 'holds' }));
  const written = fc.record({
    title: line,
    status,
    lists: fc.array(lines, { minLength: 5, maxLength: 5 }),
    evidence: fc.uniqueArray(evidence, { maxLength: 3, selector: (item) => item.check }),
    cents: fc.nat(100_000),
    doneWhen: line,
  });

  it('that is written is written the same after it was read', () => {
    fc.assert(
      fc.property(written, (sample) => {
        const [stateDelta = [], words = [], unresolved = [], risk = [], deviation = []] = sample.lists;
        const text = { ...NO_TEXT, stateDelta, words, unresolved, risk, deviation, evidence: sample.evidence };
        const entry: Entry = {
          ...BARE,
          title: sample.title,
          status: sample.status,
          checks: sample.evidence.map((item) => item.check),
          cost: { usd: sample.cents / 100, tokens: null },
          blocker: 'b',
          gates: [{ is: 'required', at: 0 }],
          text,
        };
        const once = `# LEDGER: x\n\n${renderEntry(entry, { doneWhen: sample.doneWhen })}`;
        const { ledger } = parse(once);
        expect(renderLedger(ledger)).toBe(once);
        expect(ledger.entries[0]?.checks).toEqual(entry.checks);
      }),
      { numRuns: 1000 },
    );
  });

  it('with letters changed is read without an exception, and what is accepted keeps its meaning when written', () => {
    const whole = `# LEDGER: x\n\n${FULL_TEXT}\n${FULL_TEXT.replaceAll('T1', 'T2')}`;
    const put = fc.oneof(
      fc.string(),
      fc.constantFrom('\n## T3 — x [done]\n', '\n```\n', '\n\n', '\nGate: ', '- `', '\nAttempt: 0', '\nVerification: '),
    );
    fc.assert(
      fc.property(fc.nat(whole.length), fc.nat(60), put, (at, length, text) => {
        const { ledger, problems } = parse(whole.slice(0, at) + text + whole.slice(at + length));
        if (hasErrors(problems)) return;
        const once = renderLedger(ledger);
        expect(parse(once).ledger.entries.map((entry) => [entry.task, entry.status, entry.label, entry.gates])).toEqual(
          ledger.entries.map((entry) => [entry.task, entry.status, entry.label, entry.gates]),
        );
      }),
      { numRuns: 1000 },
    );
  }, 60_000);
});
