import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import type { Claim, Entry } from '../../core/values.js';
import { parseConfig } from '../../documents/config.js';
import { parseLedger } from '../../documents/ledger.js';
import { renderLedger } from '../../documents/ledger-render.js';
import { parsePlan } from '../../documents/plan.js';
import { renderPlan } from '../../documents/plan-render.js';
import { parsePlannerAnswer } from '../../documents/planner-answer.js';
import { hasErrors } from '../../documents/problem.js';
import { parseReturnBlock } from '../../documents/return-block.js';
import { parseSpec, requiredCriteria, sliceFor } from '../../documents/spec.js';
import { parseFactChecks, parseVerifierAnswer } from '../../documents/verifier-answer.js';
import { fc } from '../support/fast-check.js';

/**
 * Whole documents, damaged: pieces cut out, doubled, moved, or put in that look like structure. Nothing throws, what is
 * accepted keeps its meaning when it is written, and no damage makes more true than the text says (R11).
 */
const RUNS = 2_000;
/** YAML is slow to read and to write; test/documents/config.test.ts has the other runs. */
const YAML_RUNS = 500;

const PLAN = `# PLAN: payment-timeouts

Spec: ./SPEC.md
Goal: Outbound payment calls fail fast.
Plan version: 2
Replanned because: the client moved

## T1 — Payment client timeout
Reasoning: The client is created without a timeout.
Task: Give every request a 30 second timeout.
  It wraps.
Done when: Requests fail after 30 seconds.
Verify by: the timeout tests pass
Checks:
- run: npm test -- payment-timeout => prints "ok: 3"
- file: src/pay.ts contains "timeout"
- http: GET http://127.0.0.1:1/x => 200
Covers: FR-004, AC-002
Writes: src/**, test/**
Timeout: 30m
Depends on: —

## T2 — Badge
Task: Open the door.
Done when: The badge opens the door.
Checks:
- human: does the badge work?
Performer: human
Repeatable: no
Depends on: T1

\`\`\`
## T9 — only an example
\`\`\`
`;

const SPEC = `# SPEC: x

### Out of scope

- Paying.

| ID | Requirement | Priority |
|---|---|---|
| FR-001 | Make the first | Must |
| FR-002 | Make the second | Should |

| ID | Rule | Why |
|---|---|---|
| BR-001 | Never twice | money |

### Constraints

- No network.

- AC-001 (FR-001, BR-001): Given a, when b, then first.
- AC-002 (FR-002): Given a, when b, then second.
`;

const ENTRY = `## T1 — Payment client timeout  [done]
Plan version: 1
Covers: FR-004, AC-002
State delta:
- Requests fail after 30 seconds.
Evidence:
- \`npm test\` → before: exit 1; after: exit 0
Verification: verified
Discovered:
- [verified] The endpoint is called by the job. (check: file: a)
- [reported, unconfirmed] It is slow.
Unresolved:
- The cache.
Attempt: 1, mine, session 0c1d
Cost: 0.12 USD, 8123 tokens
Gate: plan holds
`;
const LEDGER = `# LEDGER: x

${ENTRY}
${ENTRY.replaceAll('T1', 'T2').replace('[done]', '[failed]').replace('Attempt:', 'Blocker: a-wall\nAttempt:').replace('plan holds', 'replan required')}`;

const BLOCK = `I looked.

\`\`\`
status: partial
state_delta:
- Requests fail after 30 seconds.
evidence:
- npm test → exit 0
discovered:
- The table has 7 rows (a.csv)
unresolved:
- The cache.
risk:
- It may be slow.
user_action:
- Restart it.
deviation: TTL 60 s
blocker: a-wall
\`\`\`
`;
const CONFIG = `agents:
  mine: { kind: command, command: [node, tools/agent.mjs] }
roles: { performer: mine, planner: mine }
limits: { parallel: 2, taskMinutes: 60, costUsd: 25, tokens: null }
workspace: { isolation: in-place }
people: { onBlocked: wait }
gate: { askPlanner: on-news, finalSweep: on }
environment: { pass: [PATH, HOME], secrets: [A_KEY] }
`;

const PIECES = fc.constantFrom(
  ...[
    '\n',
    '\n\n',
    '```\n',
    '~~~\n',
    '- ',
    '* ',
    '  ',
    '\t',
    '# ',
    '## T1 — a\n',
    '## T3 — x  [done]\n',
    ': ',
    '<a b>',
    '`',
    '**',
    '|',
    '\r\n',
  ],
  ...[
    'Gate: plan holds\n',
    'Verification: verified\n',
    'status: done\n',
    'Done when: d\n',
    'Depends on: T2\n',
    'Checks:\n',
    '- AC-003: x\n',
  ],
  ...[
    'NO VALID PLAN: r\n',
    'PLAN HOLDS: r\n',
    'CANNOT TELL: r\n',
    '# PLAN: y\n',
    '\u0000',
    '\ud800',
    '\u2028',
    '\ufeff',
    '\u001b[31m',
    '"',
    '&a ',
    '*a',
    '{',
    '}',
    '日',
  ],
);

type Edit = (text: string) => string;
const edit: fc.Arbitrary<Edit> = fc
  .record({
    kind: fc.constantFrom('put', 'cut', 'double', 'move'),
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    to: fc.double({ min: 0, max: 1, noNaN: true }),
    length: fc.nat(80),
    piece: fc.oneof({ weight: 4, arbitrary: PIECES }, { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 8 }) }),
  })
  .map(({ kind, at, to, length, piece }) => (text) => {
    const [from, target] = [Math.floor(at * text.length), Math.floor(to * text.length)];
    const [part, rest] = [text.slice(from, from + length), text.slice(0, from) + text.slice(from + length)];
    if (kind === 'put') return text.slice(0, from) + piece + text.slice(from);
    if (kind === 'cut') return rest;
    return kind === 'double' ? text.slice(0, target) + part + text.slice(target) : rest.slice(0, target) + part + rest.slice(target);
  });

/** Every damaged form of a text is looked at; the whole text itself too. */
function whateverIsDoneTo(text: string, holds: (damaged: string) => void, numRuns = RUNS): void {
  const damaged = fc.array(edit, { maxLength: 5 }).map((edits) => edits.reduce((whole, one) => one(whole), text));
  fc.assert(fc.property(damaged, holds), { numRuns, examples: [[text]] });
}

it('a plan: what is accepted has whole tasks with ids of their own, waits for tasks that are there, and is written back as it was read', () => {
  let accepted = 0;
  whateverIsDoneTo(PLAN, (text) => {
    const { plan } = parsePlan(text, { file: 'PLAN.md' });
    if (plan === null) return;
    accepted += 1;
    const ids = plan.tasks.map(({ id }) => id);
    expect([new Set(ids).size, plan.tasks.filter(({ doneWhen }) => doneWhen.trim() === '')]).toEqual([ids.length, []]);
    const written = renderPlan(plan);
    const again = parsePlan(written, { file: 'PLAN.md' }).plan;
    expect(again === null ? null : renderPlan(again)).toEqual(written);
  });
  expect(accepted).toBeGreaterThan(RUNS / 20);
});

it('a contract: what names a criterion is required or known as less than a Must, and its slice holds what was asked for', () => {
  whateverIsDoneTo(SPEC, (text) => {
    const { spec } = parseSpec(text, { file: 'SPEC.md' });
    const required = requiredCriteria(spec).map(({ id }) => id);
    expect(spec.criteria.filter(({ id }) => !required.includes(id))).toEqual([]);
    expect(spec.requirements.filter(({ id, isMust }) => isMust !== required.includes(id))).toEqual([]);
    const slice = sliceFor(spec, spec.ids);
    expect(spec.criteria.filter(({ id }) => !slice.includes(id))).toEqual([]);
  });
});

/** What a run that goes on from this entry decides by; its prose loses what nobody sees. */
function decisiveIn({ task, status, label, planVersion, attempt, covers, checks, observed, gates, cost, text }: Entry): unknown {
  const evidence = text?.evidence.map(({ check, holds, is }) => ({ check, holds, is }));
  return { task, status, label, planVersion, attempt, covers, checks, observed, gates, cost, evidence };
}

it('a ledger: nothing is done that is not verified or attested, and what is accepted keeps its meaning when written', () => {
  let accepted = 0;
  whateverIsDoneTo(LEDGER, (text) => {
    const { ledger, problems } = parseLedger(text, { file: 'LEDGER.md' });
    if (hasErrors(problems)) return;
    accepted += 1;
    const done = ledger.entries.filter(({ status }) => status === 'done' || status === 'no_op');
    expect(done.filter(({ label }) => label === 'unverified')).toEqual([]);
    const { ledger: again } = parseLedger(renderLedger(ledger), { file: 'LEDGER.md' });
    expect(again.entries.map(decisiveIn)).toEqual(ledger.entries.map(decisiveIn));
  });
  expect(accepted).toBeGreaterThan(RUNS / 20);
});

describe('a return block', () => {
  it('claims no status that does not stand in the text as one', () => {
    whateverIsDoneTo(BLOCK, (text) => {
      const { claim, problem } = parseReturnBlock(text);
      expect(claim === null || problem === null).toBe(true);
      if (claim?.status === 'done') expect(text.toLowerCase()).toMatch(/status[^\n]*done/);
    });
  });

  it('is read as it was said', () => {
    const word = fc.stringMatching(/^[A-Za-z日é0-9]{1,10}$/u);
    const item = fc.array(word, { minLength: 1, maxLength: 5 }).map((words) => words.join(' '));
    const items = fc.array(item, { maxLength: 3 });
    const said = fc.record({
      status: fc.constantFrom<Claim['status']>('done', 'partial', 'blocked', 'failed', 'no_op'),
      stateDelta: items,
      unresolved: items,
      risk: items,
      userAction: items,
    });
    const list = (name: string, lines: string[]) => (lines.length === 0 ? '' : `${name}:\n${lines.map((line) => `- ${line}\n`).join('')}`);
    fc.assert(
      fc.property(said, ({ status, stateDelta, unresolved, risk, userAction }) => {
        const lists = [
          list('state_delta', stateDelta),
          list('unresolved', unresolved),
          list('risk', risk),
          list('user_action', userAction),
        ];
        expect(parseReturnBlock(`status: ${status}\n${lists.join('')}`).claim).toMatchObject({
          status,
          stateDelta,
          unresolved,
          risk,
          userAction,
        });
      }),
      { numRuns: RUNS },
    );
  });
});

it("a planner's answer: nothing but those words says that the plan holds, and a plan that was found is found again", () => {
  let plans = 0;
  whateverIsDoneTo(`Here is my plan.\n\n${PLAN}`, (text) => {
    const answer = parsePlannerAnswer(text);
    if (answer.is === 'holds') expect(text).toContain('PLAN HOLDS');
    if (answer.is !== 'plan') return;
    plans += 1;
    expect(answer.text).toMatch(/^\s{0,3}#\s*PLAN/i);
    expect(parsePlannerAnswer(answer.text).is).toBe('plan');
  });
  expect(plans).toBeGreaterThan(RUNS / 20);
});

describe("a verifier's answer", () => {
  const lines = '- run: npm test => exit 0\n- file: src/pay.ts contains "timeout"\n- http: GET http://127.0.0.1:1/x => 200\n';

  it('is whole or none: each item under its heading is a check, and what was accepted is read the same again', () => {
    let accepted = 0;
    whateverIsDoneTo(`I thought.\n\nChecks:\n${lines}\nBye.\n`, (text) => {
      const answer = parseVerifierAnswer(text);
      if (answer === null || !('checks' in answer)) return;
      accepted += 1;
      expect(answer.checks).not.toEqual([]);
      expect(parseVerifierAnswer(`Checks:\n${answer.checks.map((check) => `- ${check}\n`).join('')}`)).toEqual(answer);
    });
    expect(accepted).toBeGreaterThan(RUNS / 20);
  });

  it('about facts never runs a command, asks a person or takes absence for a proof', () => {
    whateverIsDoneTo('Checks:\n- 1: file: a.csv contains "7"\n- 2: run: rm -rf x\n- 3: file: b absent\n- 4: git: tracked c\n', (text) => {
      const found = [...parseFactChecks(text, 4)];
      expect(
        found.filter(([number, check]) => number < 1 || number > 4 || !/^(?:file|http|git): /.test(check) || / absent$/.test(check)),
      ).toEqual([]);
    });
  });
});

it('donewhen.yaml: a configuration or problems, never both, and what was accepted is read the same again', () => {
  let accepted = 0;
  whateverIsDoneTo(
    CONFIG,
    (text) => {
      const { config, problems } = parseConfig(text, { file: 'donewhen.yaml' });
      expect(config === null).toBe(hasErrors(problems));
      if (config === null) return;
      accepted += 1;
      expect(parseConfig(stringify(config), { file: 'donewhen.yaml' }).config).toEqual(config);
    },
    YAML_RUNS,
  );
  expect(accepted).toBeGreaterThan(YAML_RUNS / 20);
});
