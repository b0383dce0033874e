import { describe, expect, it } from 'vitest';
import { checksOf, type PlanDocument, parsePlan, slugOf, toTasks } from '../../documents/plan.js';
import { renderPlan } from '../../documents/plan-render.js';
import { renderProblem } from '../../documents/problem.js';
import { fc } from '../support/fast-check.js';

const HEADER = '# PLAN: payment-timeouts\n\nSpec: ./SPEC.md\nGoal: Outbound calls fail fast.\nPlan version: 1\n\n';
const SMALL = '## T1 — First\nTask: Do it.\nDone when: It is done.\nVerify by: looking\nDepends on: —\n';
const parse = (text: string, recorded: string[] = []) => parsePlan(text, { file: 'PLAN.md', recorded });
const said = (text: string) => parse(text).problems.map(renderProblem);
const hash = (text: string) => `${text.length}`.padStart(4, '0').repeat(16);

const FULL = `# PLAN: payment-timeouts

Spec: ./SPEC.md
Goal: Outbound payment calls fail fast instead of hanging.
Plan version: 2
Replanned because: T1 found a second client.

## T4 — Payment client timeout
Reasoning: The client is created in src/pay.ts without a timeout.
Task: Give every outbound payment request a 30 second timeout.
Keep retries as they are.
\`\`\`ts
Done when: this is code, no field
## T9 — this too
\`\`\`
Done when: Outbound payment requests fail after 30 seconds
instead of hanging.
Verify by: the timeout tests pass
Checks:
- run: npm test -- payment-timeout
- file: src/pay.ts contains "timeout"
Covers: FR-004, AC-002
Depends on: —
Continues: T1
Performer: claude
Writes: src/**/*.{ts,tsx}, test/pay
Timeout: 1h 30m
Repeatable: no

## T5 — Tell the team
Task: Write to the team.
Done when: The team knows.
Verify by: user confirmation
Depends on: T4
Performer: human
`;

const FULL_PLAN: PlanDocument = {
  title: 'payment-timeouts',
  spec: './SPEC.md',
  goal: 'Outbound payment calls fail fast instead of hanging.',
  version: 2,
  replannedBecause: 'T1 found a second client.',
  noOp: null,
  checks: [],
  tasks: [
    {
      id: 'T4',
      title: 'Payment client timeout',
      line: 8,
      lines: { covers: 22, dependsOn: 23, performer: 25 },
      reasoning: 'The client is created in src/pay.ts without a timeout.',
      task: 'Give every outbound payment request a 30 second timeout.\nKeep retries as they are.\n```ts\nDone when: this is code, no field\n## T9 — this too\n```',
      doneWhen: 'Outbound payment requests fail after 30 seconds\ninstead of hanging.',
      verifyBy: 'the timeout tests pass',
      checks: ['run: npm test -- payment-timeout', 'file: src/pay.ts contains "timeout"'],
      covers: ['FR-004', 'AC-002'],
      dependsOn: [],
      continues: 'T1',
      performer: 'claude',
      writes: ['src/**/*.{ts,tsx}', 'test/pay'],
      timeoutMs: 5_400_000,
      repeatable: false,
      unknown: [],
      stray: [],
    },
    {
      id: 'T5',
      title: 'Tell the team',
      line: 30,
      lines: { covers: 30, dependsOn: 34, performer: 35 },
      task: 'Write to the team.',
      doneWhen: 'The team knows.',
      verifyBy: 'user confirmation',
      checks: [],
      covers: [],
      dependsOn: ['T4'],
      performer: 'human',
      writes: null,
      repeatable: true,
      unknown: [],
      stray: [],
    },
  ],
  unknown: [],
  stray: [],
  sections: [],
};

describe('a plan', () => {
  it('is read with every field, wrapped values and fenced code that looks like fields (E14)', () => {
    expect(parse(FULL)).toEqual({ plan: FULL_PLAN, draft: FULL_PLAN, problems: [] });
  });

  it('with a BOM, CRLF and hyphens for dashes is the same plan', () => {
    const typed = FULL.replace('## T4 —', '## T4 -').replace('## T5 —', '## T5 –').replace('Depends on: —', 'Depends on: -');
    expect(parse(`\ufeff${typed.replaceAll('\n', '\r\n')}`)).toEqual(parse(FULL));
  });

  it.each([
    '## T1 – First',
    '## T1 - First',
    '## T1 -- First',
    '## T1: First',
    '## T1. First',
    '## T1) First',
    '### T1 — First',
    '##  T1  —  First  ',
    '## T1 First',
  ])('reads %j as the heading of a task', (heading) => {
    expect(parse(HEADER + SMALL.replace('## T1 — First', heading)).plan?.tasks.map(({ id, title }) => ({ id, title }))).toEqual([
      { id: 'T1', title: 'First' },
    ]);
  });

  it.each(['## Task 2 — next', '# T2', '## 2. Next', '##T2 — next'])('refuses %j instead of reading it into the task above', (heading) => {
    expect(said(`${HEADER}${SMALL}\n${heading}\nTask: x\n`)).toEqual([
      `PLAN.md:13: "${heading}" is not read as a task; write ## T2 — title`,
    ]);
  });

  it('written by us is the same plan when read again', () => {
    const text = renderPlan(FULL_PLAN);
    const again = parse(text);
    expect({ plan: withoutLines(again.plan), text: renderPlan(again.draft) }).toEqual({ plan: withoutLines(FULL_PLAN), text });
  });

  it('keeps what it does not know, warns, and writes it back', () => {
    const text = `${HEADER.replace('\n\nSpec', '\n\n_By Ana_\nOwner: ana\nSpec')}${SMALL}Priority: high\nDepend on: T7\n\n## Notes\nRemember the milk.\n`;
    const { plan, problems } = parse(text);
    expect({ unknown: [plan?.unknown, plan?.tasks[0]?.unknown], stray: plan?.stray, sections: plan?.sections }).toEqual({
      unknown: [
        [{ name: 'Owner', value: 'ana' }],
        [
          { name: 'Priority', value: 'high' },
          { name: 'Depend on', value: 'T7' },
        ],
      ],
      stray: ['_By Ana_'],
      sections: ['## Notes\nRemember the milk.'],
    });
    expect(problems.map(renderProblem)).toEqual([
      'PLAN.md:4: warning: "Owner" is no known field; The plan keeps it, and nothing reads it (indent the line if it belongs to the field above)',
      'PLAN.md:14: warning: "Priority" is no known field; T1 keeps it, and nothing reads it (indent the line if it belongs to the field above)',
      'PLAN.md:15: warning: "Depend on" is no known field; did you mean Depends on; T1 keeps it, and nothing reads it (indent the line if it belongs to the field above)',
      'PLAN.md:17: warning: "## Notes" is no task; the section is kept, and nothing reads it',
    ]);
    expect(withoutLines(parse(renderPlan(plan ?? FULL_PLAN)).plan)).toEqual(withoutLines(plan));
  });

  it('keeps a line that only looks like a field within the prose of its Task', () => {
    const { plan } = parse(HEADER + SMALL.replace('Do it.', 'Do it.\nNote: never twice.'));
    expect(plan?.tasks[0]?.task).toBe('Do it.\nNote: never twice.');
  });

  it('does not read chatter after the last task as a dependency', () => {
    const { plan, problems } = parse(`${HEADER}${SMALL}\nLet me know whether that fits.\n`);
    expect([plan?.tasks[0]?.dependsOn, problems.map((problem) => problem.severity)]).toEqual([[], ['warning']]);
  });

  it.each(['—', '-', '–', 'none', 'None.', 'n/a', ''])('reads %j as no dependency', (nothing) => {
    expect(parse(HEADER + SMALL.replace('Depends on: —', `Depends on: ${nothing}`)).plan?.tasks[0]?.dependsOn).toEqual([]);
  });

  it('reads Writes: none as a task that only reads, and no Writes as unknown', () => {
    expect([parse(`${HEADER}${SMALL}Writes: none\n`), parse(HEADER + SMALL)].map(({ plan }) => plan?.tasks[0]?.writes)).toEqual([[], null]);
  });

  it.each([
    ['90s', 90_000],
    ['30m', 1_800_000],
    ['2h', 7_200_000],
    ['1.5 hours', 5_400_000],
    ['1h30m', 5_400_000],
  ])('reads the timeout %s', (text, ms) => {
    expect(parse(`${HEADER}${SMALL}Timeout: ${text}\n`).plan?.tasks[0]?.timeoutMs).toBe(ms);
  });

  it.each(['soon', '30', '0m', '-5m', '900h', '5 moons'])('refuses the timeout %s', (text) => {
    expect(parse(`${HEADER}${SMALL}Timeout: ${text}\n`).problems.map((problem) => [problem.line, problem.severity])).toEqual([
      [12, 'error'],
    ]);
  });

  it('reads the command of an inline task as text, code span or fenced block', () => {
    const inline = (run: string) => parse(`${HEADER}${SMALL}Performer: inline\nRun: ${run}\n`).plan?.tasks[0]?.run;
    expect([inline('echo a > b'), inline('`echo a > b`'), inline('\n```sh\necho a\necho b\n```')]).toEqual([
      'echo a > b',
      'echo a > b',
      'echo a\necho b',
    ]);
  });

  it('reads list values written under their name', () => {
    const { plan } = parse(`${HEADER}${SMALL.replace('Depends on: —', 'Depends on:\n- T0\n- `T9`\nCovers:\n* AC-001\n* AC-002')}`, [
      'T0',
      'T9',
    ]);
    expect([plan?.tasks[0]?.dependsOn, plan?.tasks[0]?.covers]).toEqual([
      ['T0', 'T9'],
      ['AC-001', 'AC-002'],
    ]);
  });

  it('reads checks inside a fence under Checks', () => {
    const { plan } = parse(`${HEADER}${SMALL}Checks:\n\`\`\`\n- run: npm test\n- file: out\n\`\`\`\n`);
    expect(plan?.tasks[0]?.checks).toEqual(['run: npm test', 'file: out']);
  });

  it('that a goal already holds is read with its evidence', () => {
    const text =
      '# PLAN: x\n\nSpec: none\nGoal: g\nPlan version: 1\nStatus: no-op\nAlready true because: the file is there.\nEvidence: ls → there\nChecks:\n- file: out\n';
    const { plan, problems } = parse(text);
    expect({ noOp: plan?.noOp, problems, again: parse(renderPlan(plan ?? FULL_PLAN)).plan }).toEqual({
      noOp: { because: 'the file is there.', evidence: ['ls → there'], checks: ['file: out'] },
      problems: [],
      again: plan,
    });
  });
});

describe('what is wrong with a plan', () => {
  it.each<[string, string, string[]]>([
    [
      'an unknown dependency, with the id that was meant (J02)',
      `${HEADER}${SMALL}${SMALL.replace('T1', 'T8')}${SMALL.replace('T1', 'T4').replace('—\n', 'T9\n').replace('on: —', 'on: T9')}`,
      ['PLAN.md:21: T4 depends on T9, which this plan does not have; did you mean T8?'],
    ],
    ['a dependency on itself', HEADER + SMALL.replace('on: —', 'on: T1'), ['PLAN.md:11: T1 depends on itself']],
    [
      'an id that is there twice',
      HEADER + SMALL + SMALL,
      ['PLAN.md:12: T1 is there twice; the first is in line 7, and an id is never used again'],
    ],
    [
      'ids that differ only in case',
      HEADER + SMALL + SMALL.replace('T1', 't1'),
      ['PLAN.md:12: t1 differs from T1 only in case; the first is in line 7, and an id is never used again'],
    ],
    [
      'a missing Done when',
      HEADER + SMALL.replace('Done when: It is done.\n', ''),
      ['PLAN.md:7: T1 has no Done when; write the one state that can be observed when it is done'],
    ],
    [
      'a Done when without words',
      HEADER + SMALL.replace('It is done.', ''),
      ['PLAN.md:7: T1 has no Done when; write the one state that can be observed when it is done'],
    ],
    [
      'two Done when',
      HEADER + SMALL.replace('Verify by', 'Done when'),
      ['PLAN.md:10: T1 has a second "Done when"; the first is in line 9'],
    ],
    ['no task', HEADER, ['PLAN.md:1: the plan has no task; write ## T1 — <title>, or Status: no-op where the goal already holds']],
    [
      'no title',
      HEADER.replace('# PLAN: payment-timeouts', '') + SMALL,
      ['PLAN.md:1: there is no title; the first line of a plan is # PLAN: <name>'],
    ],
    [
      'no goal',
      HEADER.replace('Goal: Outbound calls fail fast.\n', '') + SMALL,
      ['PLAN.md:1: the plan has no Goal; write Goal: and one sentence'],
    ],
    ['no version', HEADER.replace('Plan version: 1\n', '') + SMALL, ['PLAN.md:1: warning: the plan has no Plan version; it is taken as 1']],
    [
      'a version that is no number',
      HEADER.replace('version: 1', 'version: two') + SMALL,
      ['PLAN.md:5: Plan version "two" is no whole number from 1'],
    ],
    [
      'a fence that is never closed',
      `${HEADER}${SMALL}Task: x\n~~~\n`.replace('Task: Do it.\n', ''),
      ['PLAN.md:12: this fence is never closed, so that what follows cannot be told from its content; close it'],
    ],
    [
      'a check of an unknown kind',
      `${HEADER}${SMALL}Checks:\n- magic: wand\n`,
      ['PLAN.md:13: "magic: wand" is no check; a check begins with run:, file:, http:, git: or human:'],
    ],
    [
      'a check outside the workspace',
      `${HEADER}${SMALL}Checks:\n- file: ../../etc/passwd\n`,
      ['PLAN.md:13: file: ../../etc/passwd leaves the workspace'],
    ],
    [
      'a Verify by that is a broken check',
      HEADER + SMALL.replace('looking', '`file: /etc/passwd`'),
      ['PLAN.md:10: file: /etc/passwd is absolute; write it relative to the workspace'],
    ],
    [
      'a write outside the workspace',
      `${HEADER}${SMALL}Writes: ../x\n`,
      ['PLAN.md:12: Writes of T1 names ../x, which leaves the workspace'],
    ],
    [
      'an inline task without a command',
      `${HEADER}${SMALL}Performer: inline\n`,
      ['PLAN.md:12: T1 is performed inline and has no Run; write Run: and its command'],
    ],
    [
      'a command that nobody runs',
      `${HEADER}${SMALL}Run: x\n`,
      ['PLAN.md:7: T1 has a Run, which only Performer: inline carries out; add that line, or make it a run: check'],
    ],
    ['two ids to continue', `${HEADER}${SMALL}Continues: T8, T9\n`, ['PLAN.md:12: Continues of T1 names T8 and T9; one id is meant']],
    [
      'a reopening that also continues',
      `${HEADER}${SMALL}Continues: T8\nReopens: T9\n`,
      ['PLAN.md:7: T1 both continues T8 and reopens T9; a reopening starts anew, so keep Reopens alone'],
    ],
    ['Repeatable: maybe', `${HEADER}${SMALL}Repeatable: maybe\n`, ['PLAN.md:12: Repeatable of T1 is "maybe"; write yes or no']],
    [
      'an id that the final check uses',
      HEADER + SMALL.replace('T1', 'F1'),
      ['PLAN.md:7: F1 is a name that the final check of a run uses; call the task T and a number'],
    ],
    [
      'a no-op plan with a task',
      HEADER.replace('Plan version', 'Status: no-op\nAlready true because: x\nEvidence: y\nPlan version') + SMALL,
      ['PLAN.md:5: Status: no-op says that nothing is to be done, and T1 is to be done; remove one of the two'],
    ],
    [
      'a no-op plan without reason and evidence',
      HEADER.replace('Plan version', 'Status: no-op\nPlan version'),
      [
        'PLAN.md:5: Status: no-op needs Already true because: and the reason',
        'PLAN.md:5: Status: no-op needs Evidence: and what was looked at',
      ],
    ],
    [
      'a no-op plan that nobody can look at',
      HEADER.replace('./SPEC.md', 'none').replace('Plan version', 'Status: no-op\nAlready true because: x\nEvidence: y\nPlan version'),
      ['PLAN.md:5: warning: Status: no-op has no Checks: in its header, so nobody looks whether the goal is met; the report says so'],
    ],
    [
      'another Status',
      HEADER.replace('Plan version', 'Status: blocked\nPlan version') + SMALL,
      ['PLAN.md:5: warning: Status "blocked" is not read; only no-op is'],
    ],
  ])('%s is said with its place', (_name, text, expected) => {
    expect(said(text)).toEqual(expected);
  });

  it('a circle of dependencies is one message that names it, beside another circle', () => {
    const task = (id: string, needs: string) => SMALL.replace('T1', id).replace('—\n', `${needs}\n`).replace('on: —', `on: ${needs}`);
    expect(said(HEADER + task('T1', 'T2') + task('T2', 'T3') + task('T3', 'T1') + task('T4', 'T1, T5') + task('T5', 'T4'))).toEqual([
      'PLAN.md:11: these tasks wait for each other: T1 → T2 → T3 → T1; remove one of these dependencies',
      'PLAN.md:26: these tasks wait for each other: T4 → T5 → T4; remove one of these dependencies',
    ]);
  });

  it('an id that is there twice is one clear problem, and no circle is made of it', () => {
    const task = (id: string, needs: string) => SMALL.replace('T1', id).replace('on: —', `on: ${needs}`);
    expect(said(HEADER + task('T1', '—') + task('T2', 'T1') + task('T1', 'T2'))).toEqual([
      expect.stringMatching(/^PLAN\.md:\d+: T1 is there twice; the first is in line \d+, and an id is never used again$/),
    ]);
  });

  it('a dependency that has left the plan for the ledger is no problem (J05)', () => {
    expect(parse(HEADER + SMALL.replace('on: —', 'on: T0'), ['T0']).problems).toEqual([]);
  });

  it('is all said at once', () => {
    expect(said('## T1 — x\nDepends on: T1, T7\nChecks:\n- magic: wand\n').map((line) => line.split(':')[1])).toEqual([
      '1',
      '1',
      '1',
      '1',
      '1',
      '2',
      '2',
      '4',
    ]);
  });

  it('that is no plan at all is an error, not an empty plan', () => {
    expect(
      [parse(''), parse('no plan here'), parse('\0\u0001')].map(({ plan, problems }) => [
        plan,
        problems.some((problem) => problem.severity === 'error'),
      ]),
    ).toEqual([
      [null, true],
      [null, true],
      [null, true],
    ]);
  });

  it('with ten thousand faults is said in a hundred lines', () => {
    expect(said(HEADER + SMALL.repeat(4000)).length).toBe(101);
  });
});

describe('the checks of a task', () => {
  const checks = (more: string) => {
    const { plan } = parse(HEADER + SMALL.replace('Verify by: looking\n', more));
    return plan?.tasks.map(checksOf)[0];
  };

  it.each<[string, string[]]>([
    ['Verify by: `npm test`\n', ['run: npm test']],
    ['Verify by: `test -s out` succeeds\n', ['run: test -s out']],
    ['Verify by: `npm test` passes.\n', ['run: npm test']],
    ['Verify by: `npm test` exits 0\n', ['run: npm test']],
    ['Verify by: `npm test` prints no warning\n', []],
    ['Verify by: `a` and `b`\n', []],
    ['Verify by: `test ! -e x => exit 1`\n', ['run: test ! -e x => exit 1']],
    ['Verify by: `file: out`\n', ['file: out']],
    ['Verify by: user confirmation\n', ['human: It is done.']],
    ['Verify by: the file is there\n', []],
    ['Verify by: the file is there\nPerformer: human\n', ['human: It is done.']],
    ['Performer: human\nChecks:\n- file: out\n', ['file: out']],
    ['Verify by: `npm test`\nChecks:\n- file: out\n- run: npm test\n', ['file: out', 'run: npm test']],
  ])('%j are %j', (text, expected) => {
    expect(checks(text)).toEqual(expected);
  });
});

describe('the tasks that the rules get', () => {
  it('carry only what the rules need', () => {
    expect(toTasks(FULL_PLAN, { defaultPerformer: 'mine', hash })).toEqual([
      {
        id: 'T4',
        title: 'Payment client timeout',
        performer: 'claude',
        dependsOn: [],
        checks: ['run: npm test -- payment-timeout', 'file: src/pay.ts contains "timeout"'],
        covers: ['FR-004', 'AC-002'],
        writes: ['src/**/*.{ts,tsx}', 'test/pay'],
        repeatable: false,
        timeoutMs: 5_400_000,
        continues: 'T1',
        states: '0067006700670067',
      },
      {
        id: 'T5',
        title: 'Tell the team',
        performer: 'human',
        ask: expect.stringMatching(/ Done when: /),
        dependsOn: ['T4'],
        checks: ['human: The team knows.'],
        covers: [],
        writes: null,
        repeatable: true,
        states: '0015001500150015',
      },
    ]);
  });

  it('state the same promise however its lines break', () => {
    const promise = (doneWhen: string) =>
      toTasks(
        { ...FULL_PLAN, tasks: FULL_PLAN.tasks.slice(1).map((task) => ({ ...task, doneWhen, restates: doneWhen })) },
        { defaultPerformer: 'mine', hash: (text) => `${text}…………………` },
      );
    expect(promise('It  is\n done. ')).toEqual([{ ...promise('It is done.')[0], checks: ['human: It is done.'] }]);
  });
});

describe('a slug', () => {
  it.each([
    ['Payment timeouts', 'payment-timeouts'],
    ['  Ação: não é fácil!! ', 'acao-nao-e-facil'],
    ['a---b__c', 'a-b-c'],
    ['日本語', ''],
    ['x'.repeat(100), 'x'.repeat(60)],
    [`${'x'.repeat(59)} y`, 'x'.repeat(59)],
  ])('of %j is %j', (title, slug) => {
    expect(slugOf(title)).toBe(slug);
  });
});

describe('any text', () => {
  const fragments = fc.constantFrom(
    '# PLAN: x\n',
    'Goal: g\n',
    'Plan version: 1\n',
    '## T1 — a\n',
    '## T2 — b\n',
    'Task: t\n',
    'Done when: d\n',
    'Checks:\n',
    '- run: x\n',
    'Depends on: T1\n',
    '```\n',
    '~~~\n',
    '\n',
    'Owner: me\n',
    'Note that: x\n',
    'Status: no-op\n',
    'Evidence: e\n',
    'Already true because: b\n',
    'Writes: a, b\n',
    'Performer: inline\n',
    'Run: `x`\n',
    '  wrapped\n',
    '**Task:** t\n',
    '# Other\n',
    '### T3\n',
    'Run:\n```\na\n```\n',
    'Reasoning: r\n',
    'Restates: d\n',
  );
  const texts = fc
    .array(fc.oneof({ weight: 5, arbitrary: fragments }, { weight: 1, arbitrary: fc.string() }), { maxLength: 30 })
    .map((parts) => parts.join(''));

  it('is read without an exception, and a plan that is accepted survives being written', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const { plan } = parse(text);
        if (plan === null) return;
        const written = renderPlan(plan);
        const again = parse(written);
        expect({ plan: withoutLines(again.plan), text: renderPlan(again.draft) }).toEqual({ plan: withoutLines(plan), text: written });
      }),
      {
        numRuns: 3000,
        examples: [
          // A label of the header is prose within a task; an unknown one is prose within a prose field.
          ['# PLAN: x\nGoal: g\n## T1 — a\nDone when: d\nAlready true because: b\n'],
          ['# PLAN: x\nGoal: g\n## T1 — a\nTask: t\nNote that: x\nDone when: d\n'],
          ['# PLAN: x\nGoal: g\n## T1 — a\nDone when: d\n#5 is closed\n'],
        ],
      },
    );
  });

  it('that is a plan with letters changed is read without an exception', () => {
    fc.assert(
      fc.property(fc.nat(FULL.length), fc.nat(40), fc.string(), (at, length, put) => {
        parse(FULL.slice(0, at) + put + FULL.slice(at + length));
      }),
      { numRuns: 2000 },
    );
  });
});

function withoutLines(plan: PlanDocument | null): unknown {
  return plan === null ? null : { ...plan, tasks: plan.tasks.map(({ line: _line, lines: _lines, ...task }) => task) };
}
