// biome-ignore-all lint/suspicious/noTemplateCurlyInString: a name in a dollar sign and braces is how a pipeline writes a value
import { createHash } from 'node:crypto';
import { describe, expect, it, test } from 'vitest';
import { type PipelineDocument, parsePipeline, promptFilesIn, toPipeline } from '../../../documents/pipeline/file.js';
import { pipelineJsonSchema } from '../../../documents/pipeline/schema.js';
import { renderProblem } from '../../../documents/problem.js';

const FILE = 'pipeline.yaml';
const FILES = new Map([
  ['prompts/review.md', 'Review ${feature-id}.\n'],
  ['prompts/empty.md', ' \n'],
]);
const parse = (text: string, files = FILES) => parsePipeline(text, { file: FILE, files });
const said = (text: string) => parse(text).problems.map(renderProblem);
const HEAD = 'pipeline: okr\ngoal: It is there.\nsteps:\n';
const SRS = '  - { step: 1, agent: okr.srs, prompt: Write. }\n';
/** Lines 4 and on are the steps. */
const steps = (text: string) => said(`${HEAD}${SRS}${text}`);

const WHOLE = `pipeline: OKR web
goal: Key results
  can be edited.
values: { feature-id: 001-key-results, module-id: 007 }
steps:
  - step: 1
    agent: okr.srs
    performer: claude
    prompt: Write the SRS of \${feature-id}; leave $\${HOME} alone.
    artifacts: { srs: "docs/srs-\${module-id}-*.md", contracts: contracts/ }
    inputs: {}
    attempts: 3
    checks: ["run: test -e docs/srs-\${module-id}-a.md", "file: docs exists"]
    require: ["metrics.tbc-count == 0", "metrics.coverage>=80%"]
    permissions: edit
    writes: [docs/**]
    timeout: 1h 30m
  - step: 8b
    agent: okr.reviewspec
    promptFile: prompts/review.md
    gate: review
    inputs: { srs: 1.srs }
    fix: 1
    rounds: 2
    backToPlan: 1
    conditions: fix
    onExhausted: continue-with-debt
  - step: 10
    agent: speckit.implement
    prompt: Mend it.
    optional: true
  - step: launch
    run: npm run launch -- \${feature-id}
    when: { step: 8b, verdict: approved with conditions }
    gate: human
    fix: 10
`;

describe('a pipeline', () => {
  const { pipeline, problems } = parse(WHOLE);

  it('is read with every key, its values filled in and every default written out', () => {
    expect(problems).toEqual([]);
    const common = { inputs: null, artifacts: [], backToPlan: null, when: null, checks: [], require: [], optional: false, writes: null };
    const whole: PipelineDocument = {
      title: 'OKR web',
      slug: 'okr-web',
      goal: 'Key results can be edited.',
      values: [
        { name: 'feature-id', text: '001-key-results' },
        { name: 'module-id', text: '007' },
      ],
      steps: [
        {
          ...common,
          line: 6,
          lines: { performer: 8 },
          step: '1',
          agent: 'okr.srs',
          title: 'okr.srs',
          run: false,
          performer: 'claude',
          prompt: 'Write the SRS of 001-key-results; leave ${HOME} alone.',
          promptFile: null,
          command: null,
          gate: 'none',
          inputs: [],
          artifacts: [
            { key: 'srs', pattern: 'docs/srs-007-*.md' },
            { key: 'contracts', pattern: 'contracts/' },
          ],
          attempts: 3,
          fix: null,
          rounds: 0,
          conditions: 'debt',
          onExhausted: 'ask',
          checks: ['run: test -e docs/srs-007-a.md', 'file: docs'],
          require: [
            { metric: 'tbc-count', is: '==', value: 0, text: 'metrics.tbc-count == 0' },
            { metric: 'coverage', is: '>=', value: 80, text: 'metrics.coverage>=80%' },
          ],
          permissions: 'edit',
          writes: ['docs/**'],
          timeoutMs: 5_400_000,
        },
        {
          ...common,
          line: 18,
          lines: { performer: 18 },
          step: '8b',
          agent: 'okr.reviewspec',
          title: 'okr.reviewspec',
          run: false,
          prompt: 'Review 001-key-results.\n',
          promptFile: 'prompts/review.md',
          command: null,
          gate: 'review',
          inputs: [{ name: 'srs', step: '1', key: 'srs' }],
          attempts: 5,
          fix: '1',
          rounds: 2,
          backToPlan: '1',
          conditions: 'fix',
          onExhausted: 'continue-with-debt',
        },
        {
          ...common,
          line: 28,
          lines: { performer: 28 },
          step: '10',
          agent: 'speckit.implement',
          title: 'speckit.implement',
          run: false,
          prompt: 'Mend it.',
          promptFile: null,
          command: null,
          gate: 'none',
          attempts: 5,
          fix: null,
          rounds: 0,
          conditions: 'debt',
          onExhausted: 'ask',
          optional: true,
        },
        {
          ...common,
          line: 32,
          lines: { performer: 32 },
          step: 'launch',
          agent: null,
          title: 'npm run launch -- 001-key-results',
          run: true,
          prompt: null,
          promptFile: null,
          command: 'npm run launch -- 001-key-results',
          gate: 'human',
          attempts: 5,
          fix: '10',
          rounds: 5,
          conditions: 'debt',
          onExhausted: 'ask',
          when: { step: '8b', verdict: 'APPROVED_WITH_CONDITIONS' },
        },
      ],
    };
    expect(pipeline).toEqual(whole);
  });

  it('gives the rules its steps with a performer each, and what was asked by hash', () => {
    const hash = (text: string) => createHash('sha256').update(text).digest('hex');
    const { steps, ...rest } = toPipeline(pipeline ?? never(), { performer: 'mine', reviewer: 'other', hash });
    expect(rest).toEqual({ slug: 'okr-web', goal: 'Key results can be edited.', featureId: '001-key-results', moduleId: '007' });
    expect(steps.map(({ step, performer, states }) => [step, performer, states])).toEqual([
      ['1', 'claude', hash('Write the SRS of 001-key-results; leave ${HOME} alone.')],
      ['8b', 'other', hash('Review 001-key-results.\n')],
      ['10', 'mine', hash('Mend it.')],
      ['launch', 'inline', hash('npm run launch -- 001-key-results')],
    ]);
    expect(Object.keys(steps[0] ?? {})).not.toContain('prompt');
  });

  it('names the prompt files that somebody must read first', () => {
    expect(promptFilesIn(WHOLE, { file: FILE })).toEqual(['prompts/review.md']);
    expect(promptFilesIn('steps: [', { file: FILE })).toEqual([]);
  });

  it('is read with CRLF and a byte order mark, too', () => {
    expect(parse(`\ufeff${WHOLE.replaceAll('\n', '\r\n')}`)).toEqual({ pipeline, problems });
  });
});

function never(): never {
  throw new Error('the pipeline above is sound');
}

describe('what is wrong with a pipeline is said with its line and a way out, all of it at once', () => {
  test.each<[string, string[]]>([
    [
      '',
      [
        'pipeline.yaml:1: pipeline is missing; write a text',
        'pipeline.yaml:1: goal is missing; write a text',
        'pipeline.yaml:1: steps is missing; write a list, like [a, b]',
      ],
    ],
    ['a: [', ['pipeline.yaml:1: the file is no YAML: Flow sequence in block collection must be sufficiently indented and end with a ]']],
    ['pipeline: a\npipeline: b\n', ['pipeline.yaml:2: the file is no YAML: Map keys must be unique']],
    ['pipeline: &a x\ngoal: *a\nsteps: []\n', ['pipeline.yaml:2: the file uses an alias; write the values out']],
    [
      `pipeline: "漢字"\ngoal: g\nsteps:\n${SRS}`,
      ['pipeline.yaml:1: pipeline, the name of the run, has no letter or digit of a-z and 0-9; write one that has'],
    ],
    [`${HEAD}  []\n`, ['pipeline.yaml:3: steps is empty']],
    [
      `${HEAD}  - { step: 1, agnt: a, prompt: x }\n  - { step: 5, agent: b, prompt: x, gate: reveiw, fix: 7 }\n  - { step: 6, agent: c, prompt: x, gate: review, fix: 7 }\n`,
      [
        'pipeline.yaml:4: step 1: agnt is no known key; did you mean agent?',
        'pipeline.yaml:5: step 5: gate must be none, review or human, not "reveiw"; did you mean review?',
        'pipeline.yaml:6: step 6: fix names step 7, which this pipeline does not have; did you mean 6?',
      ],
    ],
  ])('%j', (text, problems) => {
    expect(parse(text)).toMatchObject({ pipeline: null });
    expect(said(text)).toEqual(problems);
  });

  test.each<[string, string]>([
    ['- { step: 1, agent: a, prompt: x }', 'step 1 stands twice; the first is in line 4'],
    ['- { step: "1", agent: a, prompt: x }', 'step 1 stands twice; the first is in line 4'],
    [
      '- { step: A/b, agent: a, prompt: x }',
      'step A/b: step must be a number, a number and a letter (8b), or a word of small letters, digits and dashes, not "A/b"',
    ],
    [
      '- { agent: a, prompt: x }',
      'step number 2 of the list: step is missing; write a number, a number and a letter (8b), or a word of small letters, digits and dashes',
    ],
    ['- { step: 2, prompt: x }', 'step 2 has neither agent nor run; write agent: and what its STEP-RESULT says, or run: and a command'],
    ['- { step: 2, agent: a }', 'step 2: agent is asked nothing; write prompt: or promptFile:'],
    ['- { step: 2, agent: a, prompt: x, promptFile: prompts/review.md }', 'step 2: promptFile stands beside prompt; leave one of them out'],
    ['- { step: 2, run: x, agent: a }', 'step 2: agent is for an agent, and run: is a command; leave one of them out'],
    ['- { step: 2, run: x, gate: review }', 'step 2: gate is review, and a command gives no verdict; use checks, or gate: human'],
    [
      '- { step: 2, agent: a, promptFile: prompts/reveiw.md }',
      'step 2: promptFile names prompts/reveiw.md, which is not beside the pipeline; did you mean prompts/review.md?',
    ],
    ['- { step: 2, agent: a, promptFile: prompts/empty.md }', 'step 2: promptFile names prompts/empty.md, which is empty'],
    ['- { step: 2, agent: a, promptFile: ../x.md }', 'step 2: promptFile names ../x.md, which leaves the workspace'],
    ['- { step: 2, agent: a, prompt: x, artifacts: { a: ../x } }', 'step 2: artifacts.a is ../x, which leaves the workspace'],
    [
      '- { step: 2, agent: a, prompt: x, artifacts: { a: /etc/passwd } }',
      'step 2: artifacts.a is /etc/passwd, which is absolute; write it relative to the workspace',
    ],
    [
      '- { step: 2, agent: a, prompt: x, artifacts: { a: "{..,b}/x" } }',
      'step 2: artifacts.a is {..,b}/x, which holds `..` in a pattern; name the folder',
    ],
    [
      '- { step: 2, agent: a, prompt: x, artifacts: { a: LEDGER.md } }',
      'step 2: artifacts.a is LEDGER.md, which donewhen writes itself; name another file',
    ],
    [
      '- { step: 2, agent: a, prompt: x, artifacts: { a: .git/config } }',
      'step 2: artifacts.a is .git/config, which belongs to git; name another file',
    ],
    [
      '- { step: 2, agent: a, prompt: x, writes: [~/x] }',
      'step 2: writes.1 is ~/x, which starts at a home folder; write it relative to the workspace',
    ],
    [
      '- { step: 2, agent: a, prompt: "Do ${faeture}" }',
      'step 2: prompt names ${faeture}, which values does not have; add faeture under values, or write $${faeture} for the text itself',
    ],
    [
      '- { step: 2, run: "echo ${HOME}" }',
      'step 2: run names ${HOME}, which values does not have; add HOME under values, or write $${HOME} for the text itself',
    ],
    [
      '- { step: 2, agent: a, prompt: x, checks: ["rum: x"] }',
      '"rum: x" is no check; did you mean run? (kinds: run, file, http, git, human)',
    ],
    [
      '- { step: 2, agent: a, prompt: x, require: ["metrics.a = 1"] }',
      'step 2: require.1 is "metrics.a = 1"; write metrics.KEY, one of == != < <= > >=, and a number',
    ],
    [
      '- { step: 2, agent: a, prompt: x, require: ["tests == 1"] }',
      'step 2: require.1 is "tests == 1"; write metrics.KEY, one of == != < <= > >=, and a number',
    ],
    ['- { step: 2, agent: a, prompt: x, timeout: soon }', 'step 2: timeout is "soon"; write 90s, 30m or 2h'],
    ['- { step: 2, agent: a, prompt: x, attempts: 0 }', 'step 2: attempts must be at least 1, not 0'],
    ['- { step: 2, agent: a, prompt: x, fix: 1 }', 'step 2: fix needs a gate that can reject; write gate: review or gate: human'],
    [
      '- { step: 2, agent: a, prompt: x, gate: human, fix: 1, conditions: fix }',
      'step 2: conditions is for gate: review; a person approves or rejects',
    ],
    ['- { step: 2, agent: a, prompt: x, gate: review, rounds: 2 }', 'step 2: rounds needs fix: and the step that mends what is rejected'],
    [
      '- { step: 2, agent: a, prompt: x, gate: review, conditions: fix }',
      'step 2: conditions is fix, and no step is named to do it; write fix:',
    ],
    ['- { step: 2, agent: a, prompt: x, gate: review, fix: 2 }', 'step 2: fix names this very step; it must be an earlier one'],
    [
      '- { step: 2, agent: a, prompt: x, gate: review, backToPlan: 9 }',
      'step 2: backToPlan names step 9, which this pipeline does not have; did you mean 2?',
    ],
    ['- { step: 2, agent: a, prompt: x, when: { step: 1 } }', 'step 2: when.verdict is missing; write a text'],
    ['- { step: 2, agent: a, prompt: x, inputs: { srs: srs } }', 'step 2: inputs.srs is "srs"; write the step and the key, like 1.srs'],
    [
      '- { step: 2, agent: a, prompt: x, inputs: { srs: 3.srs } }',
      'step 2: inputs.srs names step 3, which this pipeline does not have; did you mean 2?',
    ],
    [
      '- { step: 2, agent: a, prompt: x, optional: true, when: { step: 1, verdict: PASS } }\n  - { step: 3, agent: a, prompt: x, gate: review, fix: 2 }',
      'step 2: when is never asked of an optional step; leave one of them out',
    ],
  ])('%s', (text, problem) => {
    expect(steps(`  ${text}\n`)).toEqual([`pipeline.yaml:5: ${problem}`]);
  });

  test.each<[string, string, string]>([
    [
      'a fix that comes later',
      '- { step: 2, agent: a, prompt: x, gate: review, fix: 3 }\n  - { step: 3, agent: a, prompt: x }',
      'pipeline.yaml:5: step 2: fix names step 3, which comes later; it must be an earlier one',
    ],
    [
      'a fix by a command',
      '- { step: 2, run: x }\n  - { step: 3, agent: a, prompt: x, gate: review, fix: 2 }',
      'pipeline.yaml:6: step 3: fix names step 2, which is a command and cannot be told what to mend; name a step with an agent',
    ],
    [
      'a condition on a command',
      '- { step: 2, run: x }\n  - { step: 3, agent: a, prompt: x, when: { step: 2, verdict: PASS } }',
      'pipeline.yaml:6: step 3: when.step names step 2, which is a command and gives no verdict',
    ],
    [
      'an input that a command does not leave',
      '- { step: 2, run: x, artifacts: { log: a.log } }\n  - { step: 3, agent: a, prompt: x, inputs: { srs: 2.srs } }',
      'pipeline.yaml:6: step 3: inputs.srs names 2.srs, and the command of step 2 leaves only log',
    ],
    [
      'a way back to an optional step',
      '- { step: 2, agent: a, prompt: x, optional: true }\n  - { step: 3, agent: a, prompt: x, gate: review, fix: 2, backToPlan: 2 }',
      'pipeline.yaml:6: step 3: backToPlan names step 2, which is optional and never runs in order',
    ],
  ])('%s', (_title, text, problem) => {
    expect(steps(`  ${text}\n`)).toEqual([problem]);
  });

  it('in a prompt file, with the line of that file', () => {
    const files = new Map([['prompts/a.md', 'Write.\nUse ${feature-ib}.\n']]);
    const text = `pipeline: a\ngoal: g\nvalues: { feature-id: x }\nsteps:\n  - { step: 1, agent: a, promptFile: prompts/a.md }\n`;
    expect(parse(text, files).problems.map(renderProblem)).toEqual([
      'prompts/a.md:2: the prompt names ${feature-ib}, which values does not have; did you mean feature-id?',
    ]);
  });

  it('a pipeline in which nothing runs is none', () => {
    expect(said(`${HEAD}  - { step: 1, agent: a, prompt: x, optional: true }\n`)).toEqual(
      [
        'pipeline.yaml:4: warning: step 1 is optional and no fix names it, so that it never runs',
        'pipeline.yaml:3: every step is optional, so that none would run',
      ].sort(),
    );
  });
});

describe('what is odd but can be carried out is warned of', () => {
  test.each<[string, string]>([
    ['- { step: 2, agent: a, prompt: x, optional: true }', 'step 2 is optional and no fix names it, so that it never runs'],
    [
      '- { step: 2, agent: a, prompt: x, when: { step: 1, verdict: APROVED } }',
      'step 2: when.verdict is APROVED, which reviews do not say; did you mean APPROVED?',
    ],
    ['- { step: 2, run: x, require: ["metrics.a == 1"] }', 'step 2: require never holds, because a command gives no metrics; use checks'],
  ])('%s', (text, problem) => {
    const { pipeline, problems } = parse(`${HEAD}${SRS}  ${text}\n`);
    expect(problems.map(renderProblem)).toEqual([`pipeline.yaml:5: warning: ${problem}`]);
    expect(pipeline?.steps.map(({ step }) => step)).toEqual(['1', '2']);
  });
});

describe('the JSON Schema that the package ships', () => {
  it('is the one that a pipeline is read by', async () => {
    await expect(`${JSON.stringify(pipelineJsonSchema(), null, 2)}\n`).toMatchFileSnapshot('../../../schemas/pipeline.schema.json');
  });
});
