import { expect, it } from 'vitest';
import { PIPELINE_TEMPLATE } from '../../client/pipeline-template.js';
import { parsePipeline } from '../../documents/pipeline/file.js';
import { StepSchema } from '../../documents/pipeline/schema.js';
import { renderProblem } from '../../documents/problem.js';

const parse = (text: string) => parsePipeline(text, { file: 'pipeline.yaml', files: new Map() });

it('the pipeline that is written for a beginner is sound as it stands', () => {
  const { pipeline, problems } = parse(PIPELINE_TEMPLATE);
  expect(problems.map(renderProblem)).toEqual([]);
  expect(pipeline?.steps.map(({ step, title }) => `${step} ${title}`)).toEqual([
    '1 specify',
    '2 review-spec',
    '3 mkdir -p out && cp specs/001-example/spec.md out/',
  ]);
});

it('every setting that is a comment is sound, too', () => {
  const settings = PIPELINE_TEMPLATE.split('\n').filter((line) => /^ {4}# (?!performer|when|optional)[a-zA-Z]+: /.test(line));
  expect(settings.length).toBeGreaterThan(7);
  const text = PIPELINE_TEMPLATE.split('\n').map((line) => (settings.includes(line) ? line.replace('# ', '') : line));
  expect(parse(text.join('\n')).problems.map(renderProblem)).toEqual([]);
});

it('it names every key of a step', () => {
  expect(Object.keys(StepSchema.shape).filter((key) => !PIPELINE_TEMPLATE.includes(`${key}:`))).toEqual([]);
});
