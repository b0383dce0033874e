#!/usr/bin/env node
// Every agent of the example. It does its step, and goes wrong on the way as agents do: one forgets to write a file, one lists a file
// outside the workspace, one lists an old file as its own, and two reviews find what is worth rejecting.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

const FEATURE = '001-key-results';
const { DONEWHEN_ROLE: role = '', DONEWHEN_TASK: task = '' } = process.env;
const brief = readFileSync(0, 'utf8');
const isFirst = !task.includes('@');
const DOCS = 'docs/output/ipa-docs';
const SPEC = `specs/${FEATURE}/spec.md`;
const CODE = 'src/progress.mjs';
const reportOf = (name) => `docs/output/output_logs/${FEATURE}/reports/${name}-report.md`;

function write(path, text) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `${text}\n`);
  return path;
}

/** What the brief says must be mended: the lines below why it is asked again. */
function issuesInBrief() {
  const [, asked = ''] = brief.split('## Why you are asked again\n');
  return asked
    .split('\n\n')[0]
    .split('\n')
    .filter((line) => line.startsWith('- '));
}

function review(report, issues) {
  write(report, `# Review\n\n${issues.length === 0 ? 'Nothing critical.' : issues.map((issue) => `- ${issue}`).join('\n')}`);
  return {
    artifacts: { report },
    verdict: issues.length === 0 ? 'APPROVED' : 'REJECTED',
    issues,
    metrics: { 'critical-count': issues.length },
  };
}

const AGENTS = {
  'okr.srs': () => {
    const srs = write(
      `${DOCS}/srs/srs-mod01.md`,
      '# Requirements\n\n- BR-001: progress is the mean of the key results.\n- BR-002: no key results, no progress.',
    );
    return { artifacts: { srs }, metrics: { 'fea-count': 1, 'tbc-count': 0 }, next: { 'srs-path': srs } };
  },
  // Forgets to write what it lists.
  'okr.bd': () => {
    const bd = `${DOCS}/bd/bd-mod01.md`;
    if (!isFirst) write(bd, '# Basic design\n\nOne function computes progress.');
    return { artifacts: { bd } };
  },
  'speckit.specify': () => {
    const boundary = issuesInBrief().some((issue) => issue.includes('BR-002'))
      ? '\n- BR-002: an objective without key results is at 0 %.'
      : '';
    return { artifacts: { spec: write(SPEC, `# Specification\n\n- BR-001: the mean, with one decimal.${boundary}`) } };
  },
  'okr.reviewspec': () =>
    review(reportOf('05-review-spec'), readFileSync(SPEC, 'utf8').includes('BR-002') ? [] : ['Missing BR-002 boundary: no key results']),
  // Lists a file outside the workspace.
  'speckit.plan': () => {
    const text = '# Plan\n\nChange progressOf, nothing else.';
    return { artifacts: { plan: isFirst ? `../${FEATURE}-plan.md` : write(`specs/${FEATURE}/plan.md`, text) } };
  },
  'okr.reviewplan': () => review(reportOf('07-review-plan'), []),
  // Lists the file of an earlier feature as its own.
  'okr.dd': () => {
    const dd = `${DOCS}/dd/dd-mod01.md`;
    if (!isFirst) write(dd, '# Detailed design\n\nprogressOf(keyResults) answers a number in percent.');
    return { artifacts: { dd } };
  },
  'okr.testkit': () => {
    const cases = ['1/3 and 1/1: 66.7', 'nothing reached: 0', 'no key results: 0'].map((one) => `- ${one}`);
    return {
      artifacts: { testcases: write(`${DOCS}/testcase/testcase-mod01.md`, `# Test cases\n\n${cases.join('\n')}`) },
      metrics: { 'case-count': cases.length },
    };
  },
  'speckit.tasks': () => ({ artifacts: { tasks: write(`specs/${FEATURE}/tasks.md`, '# Tasks\n\n- T001 progressOf') } }),
  'speckit.implement': () => {
    const guarded = '  if (keyResults.length === 0) return 0;\n';
    const code = readFileSync(CODE, 'utf8');
    if (!code.includes(guarded)) writeFileSync(CODE, code.replace('{\n  const sum', `{\n${guarded}  const sum`));
    return { artifacts: { code: CODE } };
  },
  'okr.reviewcode': () =>
    review(reportOf('11-review-code'), readFileSync(CODE, 'utf8').includes('length === 0') ? [] : ['progressOf([]) is no number']),
};

function lines(name, values) {
  const listed = Object.entries(values).map(([key, value]) => `  ${key}: ${value}`);
  return listed.length === 0 ? [`${name}: {}`] : [`${name}:`, ...listed];
}

function block({ artifacts, metrics = {}, verdict = 'N/A', issues = [], next = artifacts }) {
  return [
    '```yaml',
    '<!-- STEP-RESULT',
    `step: ${/^step: (\S+)$/m.exec(brief)?.[1] ?? 'unknown'}`,
    `agent: ${role}`,
    'status: SUCCESS',
    `feature-id: ${FEATURE}`,
    'module-id: mod01',
    ...lines('artifacts', artifacts),
    ...lines('metrics', metrics),
    `verdict: ${verdict}`,
    ...(issues.length === 0 ? ['critical-issues: []'] : ['critical-issues:', ...issues.map((issue) => `  - "${issue}"`)]),
    ...lines('next-inputs', next),
    '/STEP-RESULT -->',
    '```',
  ].join('\n');
}

const agent = AGENTS[role];
if (agent === undefined) throw new Error(`no agent of this example is called ${role}`);
const delivered = agent();
const there = Object.values(delivered.artifacts).filter((path) => existsSync(path)).length;
console.log(`I did my step; ${there} of my files are there.\n\n${block(delivered)}`);
