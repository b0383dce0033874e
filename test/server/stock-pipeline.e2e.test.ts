import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RunJson } from '../../core/run-json.js';
import { createTestHome, type TestHome } from '../support/homes.js';
import { createStage, makeFolder, type Stage } from '../support/stage.js';
import { type StockCli, stockCli } from '../support/stock-cli.js';

const TEST_MS = 240_000;

/** Two commands, the second for a person to approve: it needs no agent. */
const pipelineOf = (slug: string) => `pipeline: ${slug}
goal: The documents are there.
steps:
  - step: 1
    run: mkdir -p docs && echo one > docs/1.md
    artifacts: { doc: docs/1.md }
  - step: 2
    run: cat docs/1.md > all.md
    artifacts: { all: all.md }
    gate: human
`;

let home: TestHome;
let stage: Stage;
let temporal: StockCli;
beforeAll(async () => {
  home = createTestHome();
  stage = createStage(home, {});
  const dev = stage.begin('dev', '--json');
  await stage.until('dev serves', () => dev.said().out.trimEnd().endsWith('}'));
  temporal = await stockCli(JSON.parse(dev.said().out).address);
}, TEST_MS);
afterAll(async () => {
  await stage.remove();
  await home.remove();
});

const given = (input: unknown) => ['--input', JSON.stringify(input)];

test('with nothing but the temporal command a pipeline is started, approved by a person, and ends with its state', {
  timeout: TEST_MS,
}, async () => {
  const workspace = makeFolder(join(stage.outside, 'elsewhere'));
  const file = join(stage.outside, 'run.json');
  writeFileSync(file, JSON.stringify({ pipeline: pipelineOf('by-file'), files: {}, workspace: { path: workspace } }));
  await temporal.startPipeline('by-file', '--input-file', file);
  await stage.until('by-file waits', async () => ((await temporal.query('by-file', 'state')) as RunJson).phase === 'waiting');
  expect(await temporal.query('by-file', 'waiting')).toMatchObject([{ kind: 'decide', gate: 'S2' }]);
  expect(await temporal.update('by-file', 'decide', { gate: 'S2', decision: 'approve', by: 'ana' })).toMatchObject({ applied: true });
  const { status, result } = await temporal.end('by-file');
  const run = result as RunJson;
  expect([status, run.outcome, run.ledger.map(({ task, status: is, verification }) => `${task} ${is} ${verification}`)]).toEqual([
    'COMPLETED',
    'COMPLETED',
    ['S1 done verified', 'S2 done attested'],
  ]);
  expect([readFileSync(join(workspace, 'all.md'), 'utf8'), existsSync(join(workspace, '.donewhen/by-file/pipeline-context.yaml'))]).toEqual(
    ['one\n', true],
  );
});

describe('an input that is no pipeline fails the run at once, with every problem', () => {
  const agents = pipelineOf('x').replace('run: cat docs/1.md > all.md', 'agent: okr.bd\n    promptFile: prompts/bd.md');
  test.each<[string, string[], string, string[]]>([
    ['nothing', [], 'InvalidInput', ['the input is missing; give { "pipeline"']],
    ['a text that is none', given('steps: 7'), 'InvalidPlan', ['pipeline.yaml:1: pipeline is missing', 'steps must be a list']],
    ['wrong keys', given({ pipelin: 'x', files: [] }), 'InvalidInput', ['unknown key pipelin', 'pipeline: the text', 'files: the text of']],
    [
      'a prompt that did not come along',
      given({ pipeline: agents }),
      'InvalidPlan',
      ['pipeline.yaml:9: step 2: promptFile names prompts/bd.md'],
    ],
    ['a part that begins nowhere', given({ pipeline: pipelineOf('x'), from: '9' }), 'InvalidInput', ['there are 1, 2']],
    ['a path that is none', given({ pipeline: pipelineOf('x'), pipelineFile: 'x.yaml' }), 'InvalidInput', ['pipelineFile "x.yaml"']],
  ])('%s', { timeout: TEST_MS }, async (what, words, type, problems) => {
    const slug = `bad-${what.replaceAll(/[^a-z]/g, '')}`;
    expect((await temporal.startPipeline(slug, ...words)).code).toEqual(0);
    const { status, type: failed, message } = await temporal.end(slug);
    expect({ status, failed, missing: problems.filter((problem) => message?.includes(problem) !== true), message }).toEqual({
      status: 'FAILED',
      failed: type,
      missing: [],
      message,
    });
  });
});
