import { expect, it } from 'vitest';
import { parseConfig } from '../../documents/config.js';
import { parseLedger } from '../../documents/ledger.js';
import { parseContext } from '../../documents/pipeline/context.js';
import { parsePipeline } from '../../documents/pipeline/file.js';
import { parseStepResult } from '../../documents/pipeline/step-result.js';
import { parsePlan } from '../../documents/plan.js';
import { parsePlannerAnswer } from '../../documents/planner-answer.js';
import { parseReturnBlock } from '../../documents/return-block.js';
import { parseSpec, requiredCriteria } from '../../documents/spec.js';
import { parseFactChecks, parseVerifierAnswer } from '../../documents/verifier-answer.js';
import { HOSTILE_TEXTS } from '../../scripts/bench/hostile/texts.mjs';

const READERS: Record<string, (text: string) => unknown> = {
  plan: (text) => parsePlan(text, { file: 'PLAN.md' }),
  spec: (text) => requiredCriteria(parseSpec(text, { file: 'SPEC.md' }).spec),
  ledger: (text) => parseLedger(text, { file: 'LEDGER.md' }),
  'return block': parseReturnBlock,
  planner: parsePlannerAnswer,
  verifier: (text) => [parseVerifierAnswer(text), parseFactChecks(text, 10)],
  config: (text) => parseConfig(text, { file: 'donewhen.yaml' }),
  pipeline: (text) => parsePipeline(text, { file: 'pipeline.yaml', files: new Map() }),
  'STEP-RESULT': parseStepResult,
  context: (text) => parseContext(text, { file: 'pipeline-context.yaml' }),
};
/** Of processor time, and many times what a text takes: only work that grows faster than its text needs it. */
const CPU_MS_MAX = 5_000;

it('every reader has texts that were made to cost it most', () => {
  expect(Object.keys(HOSTILE_TEXTS).sort()).toEqual(Object.keys(READERS).sort());
});

it.each(Object.entries(READERS))('no text of a megabyte keeps the reader of a %s busy', (reader, read) => {
  const slow = Object.entries(HOSTILE_TEXTS[reader] ?? {}).flatMap(([name, make]) => {
    const text = make();
    const before = process.cpuUsage();
    read(text);
    const { user, system } = process.cpuUsage(before);
    return user + system > CPU_MS_MAX * 1000 ? [name] : [];
  });
  expect(slow).toEqual([]);
});
