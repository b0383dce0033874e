import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sha256Of } from '../../../activities/texts.js';
import { temporaryFolder } from '../../support/disks.js';
import { CONFIG_TEXT, committed, inFolder, loadingPipeline, refusal } from '../../support/load-values.js';

const PIPELINE = `pipeline: demo
goal: The documents are there.
values: { feature-id: 001-x, module-id: mod01 }
steps:
  - step: 1
    agent: okr.srs
    promptFile: prompts/srs.md
    artifacts: { srs: "docs/srs-*.md" }
  - step: 2
    agent: okr.bd
    prompt: Write \${feature-id}.
    inputs: { srs: 1.srs }
    artifacts: { bd: "docs/bd-*.md" }
    checks: ["run: sh tools/look.sh"]
  - step: 3
    agent: okr.code
    optional: true
    prompt: Mend it.
    artifacts: { code: "src/*" }
  - step: 4
    run: sh tools/launch.sh
`;
const files = { 'prompts/srs.md': 'Write the requirements.\n' };
const onDisk = { 'donewhen.yaml': CONFIG_TEXT, 'tools/look.sh': 'exit 0\n' };
const pinnedIn = ({ place }: Awaited<ReturnType<typeof loadingPipeline>>) => place.pinned.map(({ path }) => path);

describe('a start of a pipeline becomes values', () => {
  it('with every default filled in, and its prompts by hash', async () => {
    const { about, place, plan, entries, found } = await loadingPipeline(inFolder(onDisk), { pipeline: PIPELINE, files });
    const steps = about?.pipeline.steps.map(({ step, agent, performer, run, states }) => [step, agent, performer, run, states]);
    expect(steps).toEqual([
      ['1', 'okr.srs', 'mine', false, sha256Of('Write the requirements.\n')],
      ['2', 'okr.bd', 'mine', false, sha256Of('Write 001-x.')],
      ['3', 'okr.code', 'mine', false, sha256Of('Mend it.')],
      ['4', null, 'inline', true, sha256Of('sh tools/launch.sh')],
    ]);
    expect([about?.pipeline.featureId, about?.pipeline.moduleId, about?.range]).toEqual(['001-x', 'mod01', undefined]);
    expect([plan, entries, found]).toEqual([
      { version: 1, goal: 'The documents are there.', tasks: [], sha256: sha256Of(PIPELINE), noOp: null },
      [],
      'nothing was there: a new run',
    ]);
    expect(readFileSync(join(place.folder, 'texts', sha256Of('Write 001-x.')), 'utf8')).toBe('Write 001-x.');
  });

  it('twice, and is the same', async () => {
    const workspace = inFolder(onDisk);
    const first = await loadingPipeline(workspace, { pipeline: PIPELINE, files });
    const second = await loadingPipeline(workspace, { pipeline: PIPELINE, files });
    expect({ ...second, place: { ...second.place, spare: first.place.spare } }).toEqual(first);
  });
});

describe('what decides a pipeline is pinned as it lies on disk', () => {
  it('under its usual name, beside its prompts', async () => {
    const workspace = inFolder({ ...onDisk, ...files, 'pipeline.yaml': PIPELINE });
    expect(pinnedIn(await loadingPipeline(workspace, { pipeline: PIPELINE, files, out: workspace }))).toEqual([
      'pipeline.yaml',
      'prompts/srs.md',
      'donewhen.yaml',
      'tools/look.sh',
    ]);
  });

  it('under whatever name and in whatever folder the start says', async () => {
    const workspace = inFolder({ ...onDisk, 'flows/okr.yml': PIPELINE, 'flows/prompts/srs.md': files['prompts/srs.md'] });
    const pipelineFile = join(workspace, 'flows/okr.yml');
    expect(pinnedIn(await loadingPipeline(workspace, { pipeline: PIPELINE, files, out: workspace, pipelineFile }))).toEqual([
      'flows/okr.yml',
      'flows/prompts/srs.md',
      'donewhen.yaml',
      'tools/look.sh',
    ]);
  });

  it('and makes no workspace dirty: it may be written while the run begins', async () => {
    const workspace = committed(inFolder({ ...onDisk, ...files, 'okr.yml': 'older\n' }));
    inFolder({ 'okr.yml': PIPELINE }, workspace);
    const pipelineFile = join(workspace, 'okr.yml');
    expect(pinnedIn(await loadingPipeline(workspace, { pipeline: PIPELINE, files, pipelineFile }))).toContain('okr.yml');
  });

  it('but not where another text lies', async () => {
    const workspace = inFolder({ ...onDisk, 'okr.yml': 'another\n' });
    const pipelineFile = join(workspace, 'okr.yml');
    expect(pinnedIn(await loadingPipeline(workspace, { pipeline: PIPELINE, files, pipelineFile }))).toEqual([
      'donewhen.yaml',
      'tools/look.sh',
    ]);
  });
});

describe('a part of a pipeline', () => {
  it('begins with what earlier steps left, hashed; a step that is only a fix need have left nothing', async () => {
    const workspace = inFolder({ ...onDisk, 'docs/srs-a.md': 'a', 'docs/srs-b.md': 'b', 'docs/bd-a.md': 'c' });
    const { about } = await loadingPipeline(workspace, { pipeline: PIPELINE, files, from: '4' });
    const left = (key: string, path: string, text: string) => ({ key, path, sha256: sha256Of(text) });
    expect([about?.range, about?.given]).toEqual([
      { from: '4' },
      [
        { step: '1', artifacts: [left('srs', 'docs/srs-a.md', 'a'), left('srs', 'docs/srs-b.md', 'b')] },
        { step: '2', artifacts: [left('bd', 'docs/bd-a.md', 'c')] },
      ],
    ]);
  });

  it('is refused where an earlier artifact is missing, and nothing is written', async () => {
    const workspace = inFolder({ ...onDisk, 'docs/srs-a.md': 'a' });
    expect(await refusal(loadingPipeline(workspace, { pipeline: PIPELINE, files, only: '4' }))).toEqual({
      type: 'InvalidInput',
      problems: ['step 2 comes before 4, and its artifact bd is not there: nothing matches docs/bd-*.md'],
    });
    expect(readdirSync(workspace).sort()).toEqual(['docs', 'donewhen.yaml', 'tools']);
  });

  it.each([
    ['9', 'the pipeline has no step 9 that runs in order; there are 1, 2, 4'],
    ['3', 'the pipeline has no step 3 that runs in order; there are 1, 2, 4'],
  ])('is refused where step %s does not run in order', async (from, problem) => {
    expect(await refusal(loadingPipeline(inFolder(onDisk), { pipeline: PIPELINE, files, from }))).toEqual({
      type: 'InvalidInput',
      problems: [problem],
    });
  });
});

describe('a start of a pipeline is refused', () => {
  it.each<[string, object, string]>([
    ['pipeline', { pipeline: 5 }, 'input.pipeline must be the text of the pipeline, not a number'],
    ['files', { files: ['x'] }, 'input.files must have the text of each prompt file by its path, like { "prompts/srs.md": "…" }'],
    ['from and only', { from: '1', only: '1' }, 'input has from and only; give one of them'],
    ['pipelineFile', { pipelineFile: 5 }, 'input.pipelineFile must be a text, not a number'],
    [
      'unknown',
      { plan: '# PLAN: x' },
      'input has an unknown key "plan"; known are slug, pipeline, files, pipelineFile, ledger, workspace, config, from, only',
    ],
  ])('where its input has a wrong form: %s', async (_what, wrong, problem) => {
    expect(await refusal(loadingPipeline(temporaryFolder(), { pipeline: PIPELINE, files, ...wrong } as { pipeline: string }))).toEqual({
      type: 'InvalidInput',
      problems: [problem],
    });
  });

  it('where a path means nothing on this host', async () => {
    expect(await refusal(loadingPipeline(inFolder(onDisk), { pipeline: PIPELINE, files, pipelineFile: 'okr.yml', out: 'here' }))).toEqual({
      type: 'InvalidInput',
      problems: [
        'out "here" is no absolute path; give the folder where LEDGER.md goes',
        'pipelineFile "okr.yml" is no absolute path; give the file of the pipeline, or leave it out',
      ],
    });
  });

  it('with the name of its file and the line where a prompt is missing', async () => {
    const { type, problems } = await refusal(loadingPipeline(inFolder(onDisk), { pipeline: PIPELINE, pipelineFile: '/x/okr.yml' }));
    expect([type, problems]).toEqual(['InvalidPlan', [expect.stringMatching(/^okr\.yml:7: .*prompts\/srs\.md/)]]);
  });

  it('where a ledger is the record of something else', async () => {
    const ledger = '# LEDGER: payments\n\n';
    expect(await refusal(loadingPipeline(inFolder(onDisk), { pipeline: PIPELINE, files, ledger }))).toMatchObject({
      type: 'InvalidInput',
      problems: ['LEDGER.md is the record of payments, and this pipeline is demo; move the file away, or start afresh with --again'],
    });
  });
});

it('a pipeline goes on from a LEDGER.md alone: what it says of a step is completed from the pipeline', async () => {
  const ledger =
    '# LEDGER: demo\n\n## S1 — okr.srs  [done]\nPlan version: 1\nState delta:\n- srs: docs/srs-a.md\nVerification: verified\nAsked by: start\nGate: plan holds\n\n';
  const { entries, found } = await loadingPipeline(inFolder(onDisk), { pipeline: PIPELINE, files, ledger });
  expect(entries.map(({ task, states, performer, checks, askedBy }) => ({ task, states, performer, checks, askedBy }))).toEqual([
    { task: 'S1', states: sha256Of(files['prompts/srs.md']), performer: 'mine', checks: [], askedBy: 'start' },
  ]);
  expect(found).toBe('a LEDGER.md with 1 entries: going on from S1 [done], plan holds');
});
