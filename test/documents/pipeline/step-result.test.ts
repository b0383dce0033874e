import { describe, expect, it, test } from 'vitest';
import type { ReadResult, StepResult } from '../../../core/methods/pipeline-values.js';
import { parseStepResult } from '../../../documents/pipeline/step-result.js';
import { blockText, fenced } from './blocks.js';

const RESULT: StepResult = {
  step: '1',
  agent: 'okr.srs',
  status: 'SUCCESS',
  featureId: '001-xxx',
  moduleId: 'mod01',
  artifacts: [],
  metrics: [],
  verdict: 'N/A',
  criticalIssues: [],
  nextInputs: [],
  other: [],
};

const said = (result: Partial<StepResult> = {}): ReadResult => ({ is: 'result', result: { ...RESULT, ...result } });
const withLine = (line: string) => blockText().replace('metrics: {}', line);

// Seed 003 Examples.
describe('the examples of the seed', () => {
  it('the first step of the pipeline', () => {
    const block = blockText({
      artifacts: { srs: 'docs/output/ipa-docs/srs/srs-mod01-xxx.md', report: 'docs/output/output_logs/001-xxx/reports/01-srs-report.md' },
      metrics: { 'fea-count': '12', 'tbc-count': '3' },
      next: { 'srs-path': 'docs/output/ipa-docs/srs/srs-mod01-xxx.md' },
    });
    expect(parseStepResult(fenced(block))).toEqual(
      said({
        artifacts: [
          { key: 'srs', paths: ['docs/output/ipa-docs/srs/srs-mod01-xxx.md'] },
          { key: 'report', paths: ['docs/output/output_logs/001-xxx/reports/01-srs-report.md'] },
        ],
        metrics: [
          { key: 'fea-count', value: 12 },
          { key: 'tbc-count', value: 3 },
        ],
        nextInputs: [{ key: 'srs-path', values: ['docs/output/ipa-docs/srs/srs-mod01-xxx.md'] }],
      }),
    );
  });

  it('a review that did its job and rejects', () => {
    const issues = ['Missing BR-KR-002 boundary validation in spec §5', 'SCR-mod01-02 wireframe missing target field'];
    const block = blockText({ step: '5', agent: 'okr.reviewspec', verdict: 'REJECTED', issues });
    expect(parseStepResult(fenced(block))).toEqual(
      said({ step: '5', agent: 'okr.reviewspec', verdict: 'REJECTED', criticalIssues: issues }),
    );
  });
});

// Seed 003 Format.
describe('a block is found', () => {
  const block = blockText();
  const bare = block.split('\n').slice(1, -1).join('\n');
  test.each([
    ['by itself', block],
    ['in a fence of YAML', fenced(block)],
    ['in a fence without a language', fenced(block, '')],
    ['in a fence with a space before its language (E05)', fenced(block, ' yml')],
    ['in a fence of tildes', `~~~yaml\n${block}\n~~~`],
    ['as a fence alone', fenced(bare)],
    ['as a fence alone that bears its name', fenced(bare, 'STEP-RESULT')],
    ['as a fence alone with its name as the first line', fenced(`STEP-RESULT\n${bare}\n/STEP-RESULT`)],
    ['in a list', `1. done\n${block.replaceAll(/^/gm, '   ')}`],
    ['when its comment ends without its name', block.replace('/STEP-RESULT -->', '-->')],
    ['when its name and the end of the comment stand on two lines', block.replace('/STEP-RESULT -->', '/STEP-RESULT\n-->')],
    ['when it ends in the line of its last key', block.replace('\n/STEP-RESULT -->', ' /STEP-RESULT -->')],
    ['after a byte order mark and with CRLF', `\ufeff${block.replaceAll('\n', '\r\n')}`],
    ['in colours', block.replace('status:', '\u001b[32mstatus:\u001b[0m')],
    ['after a megabyte of report', `${'A line of the report, with ```inner fences``` in it.\n'.repeat(20_000)}${block}`],
    ['after an open fence that nothing closes', `\`\`\`ts\nlet a;\n${block}`],
    ['with a message for donewhen in the middle', block.replace('\nstatus', '\n{"donewhen":{"progress":"nearly"}}\nstatus')],
    ['with keys in other letters', block.replace('critical-issues', 'Critical_Issues')],
  ])('%s', (_title, answer) => {
    expect(parseStepResult(answer)).toEqual(said());
  });

  // Seed 003 Beginning.
  test.each([
    ['nothing', ''],
    ['prose', 'I wrote the SRS. All is well: step 1 is done.'],
    ['a sentence about the block', 'My answer ends with a `<!-- STEP-RESULT /STEP-RESULT -->` block.'],
    ['YAML of something else', fenced('step: 1\nstatus: SUCCESS')],
    ['the keys outside a fence', bare],
  ])('and not in %s', (_title, answer) => {
    expect(parseStepResult(answer)).toEqual({ is: 'none' });
  });
});

// Seed 003 Boss Parsing Rule 1.
describe('of several blocks', () => {
  const failed = blockText({ status: 'FAILED' });

  it('the last complete one counts (E24)', () => {
    expect(parseStepResult(`${fenced(failed)}\nand now for real\n${fenced(blockText())}`)).toEqual(said());
    expect(parseStepResult(`${fenced(blockText())}\n${failed}`)).toEqual(said({ status: 'FAILED' }));
  });

  it('one that breaks off does not hide the one after it, nor undo the one before it', () => {
    const begun = blockText().split('\n').slice(0, 4).join('\n');
    expect(parseStepResult(`${begun}\n${failed}`)).toEqual(said({ status: 'FAILED' }));
    expect(parseStepResult(`${failed}\n${begun}`)).toEqual(said({ status: 'FAILED' }));
  });

  it('one that cannot be read is not passed over for an older one', () => {
    expect(parseStepResult(`${blockText()}\n${blockText({ status: 'DONE' })}`)).toEqual({
      is: 'unparsed',
      line: 16,
      why: 'status DONE is neither SUCCESS nor FAILED',
    });
  });
});

// E24; docs/interface.md §10: the template echoed is no result.
// Seed 003 Format.
describe('the form that came back unfilled is no result', () => {
  test.each<[string, string]>([
    ['with its choices', blockText({ status: 'SUCCESS | FAILED', verdict: 'APPROVED | APPROVED_WITH_CONDITIONS | REJECTED | N/A' })],
    ['with only its verdict left open', blockText({ verdict: 'APPROVED | REJECTED' })],
    ['with its names', blockText({ step: '<step-number>', agent: '<agent-name>' })],
  ])('%s', (_title, block) => {
    expect(parseStepResult(fenced(block))).toEqual({ is: 'template' });
  });

  it('but an answer before it counts', () => {
    expect(parseStepResult(`${blockText()}\nThe form was:\n${blockText({ status: 'SUCCESS | FAILED' })}`)).toEqual(said());
  });
});

// Seed 003 Boss Parsing Rule 2, Format.
describe('what was meant as a block and cannot be read says where and why', () => {
  test.each<[string, string, number, string]>([
    ['a value with a colon (E01)', withLine('metrics: a: b'), 8, 'it is no YAML: Nested mappings are not allowed in compact mappings'],
    ['a quote that does not end', withLine('metrics: "a'), 12, 'it is no YAML: Missing closing "quote'],
    ['a key that stands twice', withLine('step: 2'), 8, 'it is no YAML: Map keys must be unique'],
    ['a key that stands twice in two spellings', withLine('critical_issues: [a]'), 10, 'critical-issues stands twice'],
    ['an alias', withLine('metrics: { a: *b }'), 8, 'it has an alias; put a value that begins with * or & into quotes'],
    ['no status', blockText().replace('status: SUCCESS\n', ''), 2, 'it has no status'],
    ['an empty step', blockText({ step: '' }), 2, 'it has no step'],
    ['another status', blockText({ status: 'OK' }), 4, 'status OK is neither SUCCESS nor FAILED'],
    [
      'artifacts in a list',
      withLine('metrics: {}').replace('artifacts: {}', 'artifacts:\n  - a.md'),
      7,
      'artifacts must be keys with values, or {}',
    ],
    [
      'a path that is none',
      withLine('metrics: {}').replace('artifacts: {}', 'artifacts: { srs: { a: b } }'),
      7,
      'artifacts: srs must be a path, or a list of paths',
    ],
    ['a metric that is a list', withLine('metrics: { a: [1] }'), 8, 'metrics: a must be one value'],
    ['a verdict that is a list', blockText({ verdict: '[APPROVED]' }), 9, 'verdict must be one text'],
    [
      'issues in a nest',
      blockText().replace('critical-issues: []', 'critical-issues: [[a]]'),
      10,
      'critical-issues must be a list of sentences',
    ],
    [
      'no keys',
      '<!-- STEP-RESULT\nall is well\n/STEP-RESULT -->',
      2,
      'it has no keys; write step:, agent:, status: and the rest, one a line',
    ],
    ['no content', '<!-- STEP-RESULT\n/STEP-RESULT -->', 2, 'it has no keys; write step:, agent:, status: and the rest, one a line'],
    ['no end', blockText().replace('\n/STEP-RESULT -->', ''), 1, 'the block begins here and does not end; close it with /STEP-RESULT -->'],
    [
      'too much',
      withLine(`metrics: { a: ${'x'.repeat(40_000)} }`),
      2,
      'the block is larger than 32 KiB; put what is long into a file and list its path',
    ],
  ])('%s', (_title, block, line, why) => {
    expect(parseStepResult(block)).toEqual({ is: 'unparsed', line, why });
  });

  it('with the line of the whole answer', () => {
    const answer = `${'a long report\n'.repeat(100_000)}${blockText({ status: 'OK' })}`;
    expect(parseStepResult(answer)).toMatchObject({ is: 'unparsed', line: 100_004 });
  });
});

// Seed 003 Format.
describe('what a block says is read as it is meant', () => {
  const read = (parts: Parameters<typeof blockText>[0]) => parseStepResult(blockText(parts));

  it.each([
    ['approved', 'APPROVED'],
    ['Approved with conditions', 'APPROVED_WITH_CONDITIONS'],
    ['**REJECTED**', 'REJECTED'],
    ['"`PASS`"', 'PASS'],
    ['n/a', 'N/A'],
    ['PASS WITH ENV BLOCKER', 'PASS_WITH_ENV_BLOCKER'],
    ['', null],
    ['null', null],
    ['none', null],
    ['—', null],
  ])('the verdict %j is %j', (verdict, meant) => {
    expect(read({ verdict: /^[*]/.test(verdict) ? `"${verdict}"` : verdict })).toEqual(said({ verdict: meant }));
  });

  it.each(['8b', '10a', '08', '1e3', '0x1', 'launch'])('the step %s stays the text that it is', (step) => {
    expect(read({ step })).toEqual(said({ step }));
  });

  it('a metric is a number where it looks like one', () => {
    const metrics = { a: '3', b: '-0.5', c: '85%', d: '"N/A"', e: '1e3', f: 'yes', g: '' };
    expect(read({ metrics })).toEqual(
      said({
        metrics: [
          { key: 'a', value: 3 },
          { key: 'b', value: -0.5 },
          { key: 'c', value: '85%' },
          { key: 'd', value: 'N/A' },
          { key: 'e', value: 1000 },
          { key: 'f', value: 'yes' },
          { key: 'g', value: '' },
        ],
      }),
    );
  });

  it('an artifact may be several paths, and one that is not named is not listed', () => {
    const artifacts = { contracts: '[contracts/, "./a//b.md", a/b.md]', none: 'N/A', empty: '', quoted: '"`docs/a b.md`"' };
    expect(read({ artifacts })).toEqual(
      said({
        artifacts: [
          { key: 'contracts', paths: ['contracts/', 'a/b.md'] },
          { key: 'quoted', paths: ['docs/a b.md'] },
        ],
      }),
    );
  });

  it('what was left of the form lists nothing', () => {
    const form = { '<key>': '<file-path>', srs: '<file-path>' };
    expect(read({ artifacts: form, metrics: { '<key>': '<value>' }, next: form })).toEqual(said());
  });

  it('a path that leaves the workspace is kept, for the artifact gate to refuse', () => {
    const artifacts = { a: '../../etc/passwd', b: '/etc/passwd', c: '~/x', d: 'file:///x' };
    expect(read({ artifacts })).toEqual(said({ artifacts: Object.entries(artifacts).map(([key, path]) => ({ key, paths: [path] })) }));
  });

  it('no issue is lost to a colon or a number sign', () => {
    const issues =
      'critical-issues:\n  - Missing: the boundary of BR-002\n  - Rule #3 is not met\n  - |\n    two\n    lines\n  - 漢字 and 😀';
    expect(parseStepResult(blockText().replace('critical-issues: []', issues))).toEqual(
      said({ criticalIssues: ['Missing: the boundary of BR-002', 'Rule #3 is not met', 'two lines', '漢字 and 😀'] }),
    );
  });

  it.each(['none', '[]', '', 'N/A', '["", none]'])('critical-issues: %s says that there are none', (none) => {
    expect(parseStepResult(blockText().replace('critical-issues: []', `critical-issues: ${none}`))).toEqual(said());
  });

  it('one issue need not be a list', () => {
    expect(parseStepResult(blockText().replace('critical-issues: []', 'critical-issues: broken'))).toEqual(
      said({ criticalIssues: ['broken'] }),
    );
  });

  it('a block without verdict, issues and inputs says nothing of them', () => {
    expect(parseStepResult('<!-- STEP-RESULT\nstep: 1\nagent: okr.srs\nstatus: success\n/STEP-RESULT -->')).toEqual({
      is: 'result',
      result: {
        step: '1',
        agent: 'okr.srs',
        status: 'SUCCESS',
        artifacts: [],
        metrics: [],
        verdict: null,
        criticalIssues: [],
        nextInputs: [],
        other: [],
      },
    });
  });

  it('next inputs may be more than paths, and unknown keys are kept', () => {
    const block = withLine('metrics: {}\nmodel: opus\nmodules: [{ id: mod01 }]').replace(
      'next-inputs: {}',
      'next-inputs: { spec: specs/a/spec.md, modules: [{ id: mod01 }, mod02], none: "" }',
    );
    expect(parseStepResult(block)).toEqual(
      said({
        nextInputs: [
          { key: 'spec', values: ['specs/a/spec.md'] },
          { key: 'modules', values: ['{"id":"mod01"}', 'mod02'] },
        ],
        other: [
          { key: 'model', value: 'opus' },
          { key: 'modules', value: [{ id: 'mod01' }] },
        ],
      }),
    );
  });

  it('the end of a path is not the end of the block', () => {
    expect(read({ artifacts: { a: 'docs/STEP-RESULT', b: 'x.md' } })).toEqual(
      said({
        artifacts: [
          { key: 'a', paths: ['docs/STEP-RESULT'] },
          { key: 'b', paths: ['x.md'] },
        ],
      }),
    );
  });
});
