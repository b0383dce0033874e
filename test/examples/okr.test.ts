import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { StepBriefing, StepResult } from '../../core/methods/pipeline-values.js';
import { parseConfig } from '../../documents/config.js';
import { parsePipeline, promptFilesIn, toPipeline } from '../../documents/pipeline/file.js';
import { renderStepBrief } from '../../documents/pipeline/step-brief.js';
import { parseStepResult } from '../../documents/pipeline/step-result.js';
import { renderProblem } from '../../documents/problem.js';
import { ROOT } from '../support/sources.js';

const EXAMPLE = join(ROOT, 'examples', 'okr');
const FILE = 'pipeline.yaml';
const text = readFileSync(join(EXAMPLE, FILE), 'utf8');
const files = new Map(promptFilesIn(text, { file: FILE }).map((path) => [path, readFileSync(join(EXAMPLE, path), 'utf8')]));
const { pipeline: document, problems } = parsePipeline(text, { file: FILE, files });
const hash = (content: string | Buffer) => createHash('sha256').update(content).digest('hex');
const pipeline = document === null ? null : toPipeline(document, { performer: 'writer', reviewer: 'reviewer', hash });

// Seed 003 Artifact Verification Table.
describe('the example pipeline', () => {
  it('is sound, and so is its configuration', () => {
    expect(problems.map(renderProblem)).toEqual([]);
    expect(parseConfig(readFileSync(join(EXAMPLE, 'donewhen.yaml'), 'utf8'), { file: 'donewhen.yaml' }).problems).toEqual([]);
  });

  it.each([
    ['1', 'okr.srs', 'srs', 'docs/output/ipa-docs/srs/srs-*.md'],
    ['2', 'okr.bd', 'bd', 'docs/output/ipa-docs/bd/bd-*.md'],
    ['3', 'speckit.specify', 'spec', 'specs/*/spec.md'],
    ['6', 'speckit.plan', 'plan', 'specs/*/plan.md'],
    ['8', 'okr.dd', 'dd', 'docs/output/ipa-docs/dd/dd-*.md'],
    ['8b', 'okr.testkit', 'testcases', 'docs/output/ipa-docs/testcase/testcase-*.md'],
    ['9', 'speckit.tasks', 'tasks', 'specs/*/tasks.md'],
  ])('demands of step %s (%s) the artifact of the table: %s', (name, agent, key, pattern) => {
    const step = pipeline?.steps.find((one) => one.step === name);
    expect([step?.agent, step?.artifacts]).toEqual([agent, [{ key, pattern }]]);
  });

  it('demands of the reviews and the launch their reports alone', () => {
    const reports = pipeline?.steps.filter(({ step }) => ['5', '7', '11', '13'].includes(step));
    expect(reports?.map(({ gate, run, fix, artifacts }) => [gate, run, fix, artifacts.map(({ key }) => key)])).toEqual([
      ['review', false, '3', ['report']],
      ['review', false, '6', ['report']],
      ['review', false, '10', ['report']],
      ['none', true, null, ['report']],
    ]);
  });
});

describe('its agents go wrong as agents do', () => {
  const folder = mkdtempSync(join(tmpdir(), 'donewhen-okr-'));
  cpSync(EXAMPLE, folder, { recursive: true });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const path = (name: string) => join(folder, name);
  const sha = (name: string) => (existsSync(path(name)) ? hash(readFileSync(path(name))) : null);

  function answer(task: string, why: Partial<Pick<StepBriefing, 'askedBy' | 'issues'>> = {}): StepResult {
    const name = task.slice(1).split('@')[0];
    const step = pipeline?.steps.find((one) => one.step === name);
    const written = document?.steps.find((one) => one.step === name);
    if (step === undefined || written?.prompt === undefined || written.prompt === null || pipeline === null)
      throw new Error(`${task} has no agent`);
    const asked = { askedBy: 'start', because: [], issues: [], inputs: [], notes: [], again: false, ...why };
    const input = renderStepBrief({ pipeline, step, task, prompt: written.prompt, ...asked });
    const env = { PATH: process.env.PATH, DONEWHEN_ROLE: step.agent ?? '', DONEWHEN_TASK: task };
    const { stdout, stderr } = spawnSync(process.execPath, ['agents/okr.mjs'], { cwd: folder, input, env, encoding: 'utf8' });
    const read = parseStepResult(stdout);
    if (read.is !== 'result') throw new Error(`${task}: ${JSON.stringify(read)} ${stderr}`);
    expect([read.result.step, read.result.agent]).toEqual([step.step, step.agent]);
    return read.result;
  }
  const listed = (result: StepResult, key: string) => result.artifacts.find((one) => one.key === key)?.paths[0] ?? '';

  it('one lists a file that it does not write, until it is asked again', () => {
    expect(existsSync(path(listed(answer('S1'), 'srs')))).toBe(true);
    expect(existsSync(path(listed(answer('S2'), 'bd')))).toBe(false);
    expect(existsSync(path(listed(answer('S2@2', { askedBy: 'artifact-gate' }), 'bd')))).toBe(true);
  });

  it('a review rejects, its issue is mended and it approves', () => {
    answer('S3');
    const { verdict, criticalIssues: issues } = answer('S5');
    expect([verdict, issues]).toEqual(['REJECTED', ['Missing BR-002 boundary: no key results']]);
    answer('S3@2', { askedBy: 'fix of S5', issues });
    expect(answer('S5@2', { askedBy: 'review of S3@2' })).toMatchObject({ verdict: 'APPROVED', criticalIssues: [] });
  });

  it('one lists a file outside the workspace', () => {
    expect(listed(answer('S6'), 'plan')).toBe('../001-key-results-plan.md');
    expect(existsSync(path(listed(answer('S6@2'), 'plan')))).toBe(true);
    expect(answer('S7').verdict).toBe('APPROVED');
  });

  it('one takes the file of an earlier feature for its own', () => {
    const dd = 'docs/output/ipa-docs/dd/dd-mod01.md';
    const before = sha(dd);
    expect([listed(answer('S8'), 'dd'), sha(dd)]).toEqual([dd, before]);
    answer('S8@2');
    expect(sha(dd)).not.toBe(before);
  });

  it('the launch works only once the code is mended', () => {
    const launch = () => spawnSync(process.execPath, ['tools/launch.mjs', '001-key-results'], { cwd: folder }).status;
    expect(answer('S8b').metrics).toEqual([{ key: 'case-count', value: 3 }]);
    answer('S9');
    const { criticalIssues: issues } = answer('S11');
    expect([issues, launch()]).toEqual([['progressOf([]) is no number'], 1]);
    answer('S10', { askedBy: 'fix of S11', issues });
    expect([answer('S11@2').verdict, launch()]).toEqual(['APPROVED', 0]);
  });
});
