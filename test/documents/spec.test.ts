import { describe, expect, it } from 'vitest';
import { coverageProblems } from '../../documents/coverage.js';
import { parsePlan } from '../../documents/plan.js';
import { renderProblem } from '../../documents/problem.js';
import { parseSpec, requiredCriteria, sliceFor } from '../../documents/spec.js';
import { fc } from '../support/fast-check.js';

const TEXT = `# SPEC: Marvels
Goal: Two marvels.

## 5. Scope
### Out of scope

- Paying.
- FR-009 comes later.

## 7. Requirements

| ID | Requirement | Priority | Acceptance signal |
|---|---|---|---|
| FR-001 | Make the first marvel | Must | it is there |
| **FR-002** | Make the second \\| marvel | Should | there |
| FR-003 | Keep it | Must | kept |

## 8. Rules

| ID | Rule | Rationale |
|---|---|---|
| BR-001 | Never twice | money |

### 10.1 Constraints

- No network.
- \`\`\`
  kept
  \`\`\`

## 14. Acceptance

- AC-001 (FR-001, BR-001): Given a, when b,
  then the first.
- **AC-002** (FR-002): Given a, when b, then the second.
1. AC-003: Given nothing, then nothing.

\`\`\`
- AC-009 (FR-001): only an example
\`\`\`

- SM-1: two marvels a day
`;

const parse = (text: string) => parseSpec(text, { file: 'SPEC.md' });

describe('a contract', () => {
  it('is read from its tables, bullets and sections', () => {
    expect(parse(TEXT)).toEqual({
      spec: {
        title: 'Marvels',
        requirements: [
          { id: 'FR-001', line: 14, text: 'Make the first marvel — it is there', priority: 'Must', isMust: true },
          { id: 'FR-002', line: 15, text: 'Make the second | marvel — there', priority: 'Should', isMust: false },
          { id: 'FR-003', line: 16, text: 'Keep it — kept', priority: 'Must', isMust: true },
        ],
        rules: [{ id: 'BR-001', line: 22, text: 'Never twice — money' }],
        criteria: [
          { id: 'AC-001', line: 33, text: 'Given a, when b, then the first.', refs: ['FR-001', 'BR-001'] },
          { id: 'AC-002', line: 35, text: 'Given a, when b, then the second.', refs: ['FR-002'] },
          { id: 'AC-003', line: 36, text: 'Given nothing, then nothing.', refs: [] },
        ],
        constraints: '- No network.\n- ```\n  kept\n  ```',
        outOfScope: '- Paying.\n- FR-009 comes later.',
        ids: ['FR-009', 'FR-001', 'FR-002', 'FR-003', 'BR-001', 'AC-001', 'AC-002', 'AC-003', 'AC-009', 'SM-1'],
      },
      problems: [],
    });
  });

  it('in Portuguese, with more columns and CRLF, is read the same way', () => {
    const text =
      '# SPEC: Maravilhas\n\n## Fora do escopo\n- Pagar.\n\n## 7 Requisitos\n| # | ID | Requisito | Prioridade | Sinal | Dono |\n|---|:--|---|---|---|---|\n| 1 | FR-001 | Fazer | Must | existe | Ana |\n\n### Restrições\n- Sem rede.\n\n* AC-001 (FR-001): Dado que…\n'.replaceAll(
        '\n',
        '\r\n',
      );
    const { spec, problems } = parse(text);
    expect({
      requirements: spec.requirements,
      criteria: spec.criteria.map(({ id, refs }) => [id, refs]),
      constraints: spec.constraints.split('\n')[0],
      outOfScope: spec.outOfScope,
      problems,
    }).toEqual({
      requirements: [{ id: 'FR-001', line: 9, text: '1 — Fazer — existe — Ana', priority: 'Must', isMust: true }],
      criteria: [['AC-001', ['FR-001']]],
      constraints: '- Sem rede.',
      outOfScope: '- Pagar.',
      problems: [],
    });
  });

  it('takes an unknown priority as a Must, and says so', () => {
    const { spec, problems } = parse('# SPEC: x\n\n- FR-001: Do it.\n- FR-002 (Could): Do more.\n- AC-001 (FR-007): There.\n');
    expect([spec.requirements.map(({ isMust }) => isMust), problems.map(renderProblem)]).toEqual([
      [true, false],
      [
        'SPEC.md:3: warning: FR-001 has no priority, and is taken as a Must; write Must, Should or Could',
        'SPEC.md:5: warning: AC-001 names FR-007, which nothing here defines; did you mean FR-002?',
      ],
    ]);
  });

  it('that defines an id twice says which counts', () => {
    expect(parse('- AC-001: a\n- AC-001: b\n').problems.map(renderProblem)).toEqual([
      'SPEC.md:2: warning: AC-001 is there twice; what line 1 says counts',
    ]);
  });

  it('without criteria says so', () => {
    expect(parse('# SPEC: x\n').problems.map((problem) => [problem.line, problem.severity])).toEqual([[1, 'warning']]);
  });

  it('requires every AC, and every Must FR through the ACs that name it', () => {
    expect(requiredCriteria(parse(TEXT).spec)).toEqual([
      { id: 'AC-001', through: null },
      { id: 'AC-002', through: null },
      { id: 'AC-003', through: null },
      { id: 'FR-001', through: ['AC-001'] },
      { id: 'FR-003', through: null },
    ]);
  });

  it('is cut to what a task covers', () => {
    expect(sliceFor(parse(TEXT).spec, ['AC-001'])).toBe(
      'Acceptance criteria:\n- AC-001 (FR-001, BR-001): Given a, when b, then the first.\n\nRequirements:\n- FR-001 (Must): Make the first marvel — it is there\n\nBusiness rules:\n- BR-001: Never twice — money\n\nConstraints:\n- No network.\n- ```\n  kept\n  ```\n\nOut of scope:\n- Paying.\n- FR-009 comes later.',
    );
  });

  it('of any text is read without an exception', () => {
    const fragments = fc.constantFrom(
      '| ID | Priority |\n',
      '|---|---|\n',
      '| FR-001 | Must |\n',
      '- AC-001 (FR-001): x\n',
      '- AC-002 (',
      '### Constraints\n',
      '## Out of scope\n',
      '```\n',
      '\n',
      '|',
      '- FR-2: y\n',
      '# SPEC: x\n',
      '  wrapped\n',
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(fragments, fc.string()), { maxLength: 25 }), (parts) => {
        const { spec } = parse(parts.join(''));
        sliceFor(spec, spec.ids);
        requiredCriteria(spec);
      }),
      { numRuns: 3000 },
    );
  });
});

describe('a plan against its contract', () => {
  const { spec } = parse(TEXT);
  const plan = (covers: string[][]) =>
    parsePlan(
      `# PLAN: x\n\nGoal: g\nPlan version: 1\n\n${covers.map((ids, index) => `## T${index + 1} — t\nTask: a\nDone when: b\nCovers: ${ids.join(', ')}\n`).join('\n')}`,
      { file: 'PLAN.md' },
    ).draft;
  const said = (covers: string[][], recorded: Parameters<typeof coverageProblems>[2]['recorded'] = []) =>
    coverageProblems(plan(covers), spec, { planFile: 'PLAN.md', specFile: 'SPEC.md', recorded }).map(renderProblem);

  it('that covers every required criterion has no problem', () => {
    expect(
      said([
        ['AC-001', 'AC-002'],
        ['AC-003', 'FR-003', 'BR-001'],
      ]),
    ).toEqual([]);
  });

  it('that leaves one out is an error with the place of that criterion', () => {
    expect(said([['FR-001', 'FR-003', 'AC-001', 'AC-003']])).toEqual([
      'SPEC.md:35: AC-002 is required, and no task of PLAN.md covers it; add it to the Covers of a task',
    ]);
  });

  it('that covers what the contract does not have is an error with a suggestion', () => {
    expect(said([['AC-001', 'AC-002', 'AC-003', 'FR-003', 'AC-0O1']])).toEqual([
      'PLAN.md:9: T1 covers AC-0O1, which SPEC.md does not have; did you mean AC-001?',
    ]);
  });

  it('counts what the ledger says is done, and what is still to be replanned, but not what was replanned', () => {
    const rest = [['AC-003', 'FR-003']];
    expect([
      said(rest, [{ covers: ['AC-001', 'AC-002'], status: 'done', gates: [{ is: 'holds', at: 0 }] }]),
      said(rest, [{ covers: ['AC-001', 'AC-002'], status: 'failed', gates: [{ is: 'required', at: 0 }] }]),
      said(rest, [
        {
          covers: ['AC-001', 'AC-002'],
          status: 'failed',
          gates: [
            { is: 'required', at: 0 },
            { is: 'done', version: 2, at: 0 },
          ],
        },
      ]).length,
    ]).toEqual([[], [], 2]);
  });
});
