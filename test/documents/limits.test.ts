import { describe, expect, it } from 'vitest';
import { parseLedger } from '../../documents/ledger.js';
import { parsePipeline } from '../../documents/pipeline/file.js';
import { parseStepResult } from '../../documents/pipeline/step-result.js';
import { parsePlan } from '../../documents/plan.js';
import { type Problem, renderProblem } from '../../documents/problem.js';
import { parseSpec } from '../../documents/spec.js';

const PLAN = '# PLAN: x\nGoal: g\nPlan version: 1\n';
const TASK = `${PLAN}## T1 — a\nTask: t\nDone when: d\n`;
const ENTRY = '# LEDGER: x\n## T1 — a  [done]\nPlan version: 1\nVerification: verified\n';
const HEAD = 'pipeline: a\ngoal: g\n';
const STEPS = 'steps:\n  - { step: 1, agent: a, prompt: x }\n';

const many = (count: number, line: (index: number) => string) => Array.from({ length: count }, (_, index) => line(index)).join('');
const errorsOf = (problems: readonly Problem[]) => problems.filter(({ severity }) => severity === 'error').map(renderProblem);

const plan = (text: string) => errorsOf(parsePlan(text, { file: 'PLAN.md' }).problems);
const spec = (text: string) => errorsOf(parseSpec(text, { file: 'SPEC.md' }).problems);
const ledger = (text: string) => errorsOf(parseLedger(text, { file: 'LEDGER.md' }).problems);
const pipeline = (text: string) => errorsOf(parsePipeline(text, { file: 'p.yaml', files: new Map() }).problems);

const CASES: [string, string[], string][] = [
  ['headings of a plan', plan(TASK + '## a\n'.repeat(10_000)), 'PLAN.md:10006: the plan has more than 10000 headings; split it'],
  ['fields of a task', plan(TASK + 'Odd: x\n'.repeat(10_001)), 'PLAN.md:10005: T1 has more than 10000 fields; split it'],
  [
    'checks of a task',
    plan(`${TASK}Checks:\n${'- run: true\n'.repeat(10_001)}`),
    'PLAN.md:7: Checks of T1 holds more than 10000 items; split it',
  ],
  [
    'ids of a task',
    plan(`${TASK}Covers: ${many(10_001, (index) => `A-${index} `)}`),
    'PLAN.md:7: Covers of T1 holds more than 10000 items; split it',
  ],
  ['globs of a task', plan(`${TASK}Writes: ${'a,'.repeat(10_001)}`), 'PLAN.md:7: Writes of T1 holds more than 10000 items; split it'],
  [
    'ids of a contract',
    spec(many(20_001, (index) => `- AC-${index}: a\n`)),
    'SPEC.md:20001: the contract defines more than 20000 ids; split it',
  ],
  [
    'headings of a ledger',
    ledger(`# LEDGER: x\n${many(20_001, (index) => `## T${index}  [done]\n`)}`),
    'LEDGER.md:20002: the ledger has more than 20000 headings, and a run goes on from less; start afresh with --again',
  ],
  ['fields of an entry', ledger(ENTRY + 'Odd: x\n'.repeat(10_001)), 'LEDGER.md:10003: T1 has more than 10000 fields, which no entry has'],
  [
    'evidence of an entry',
    ledger(`${ENTRY}Evidence:\n${'- `a` → after: b\n'.repeat(10_001)}`),
    'LEDGER.md:5: Evidence of T1 holds more than 10000 items, which no entry does',
  ],
  [
    'values of a pipeline',
    pipeline(`${HEAD}values:\n${many(1001, (index) => `  k${index}: v\n`)}${STEPS}`),
    'p.yaml:3: values has more than 1000 keys, not keys with values',
  ],
  ['parts of a pipeline', pipeline(`${HEAD}a: [${'1,'.repeat(30_000)}]\n`), 'p.yaml:1: the file has more parts than any pipeline'],
  [
    'levels of a pipeline',
    pipeline(`${HEAD}a: ${'['.repeat(65)}${']'.repeat(65)}\n`),
    'p.yaml:1: the file is nested too deeply; a pipeline has three levels',
  ],
];

describe('more than anybody writes is refused in words', () => {
  it.each(CASES)('%s', (_name, errors, words) => {
    expect(errors).toContain(words);
  });

  it('and a block of a step that is nested more deeply than the library can go down', () => {
    const deep = `<!-- STEP-RESULT\nstep: 1\nagent: a\nstatus: SUCCESS\na: ${'['.repeat(15_000)}\n/STEP-RESULT -->`;
    expect(parseStepResult(deep)).toEqual({ is: 'unparsed', line: 2, why: 'the block is nested too deeply' });
  });

  it('an answer that ends with more unfilled forms than a person would send is one of them', () => {
    const form = '<!-- STEP-RESULT\nstep: 1\nagent: a\nstatus: SUCCESS | FAILED\n/STEP-RESULT -->\n';
    const filled = form.replace(' | FAILED', '');
    expect(parseStepResult(filled + form.repeat(10))).toMatchObject({ is: 'result' });
    expect(parseStepResult(filled + form.repeat(10_000))).toEqual({ is: 'template' });
  });
});
