// parsers: milliseconds of processor time that each reader of documents takes at most for a megabyte, over texts that are made
// to cost it most. A donewhen.yaml and a pipeline file are measured at the size that they may have.
import { parseConfig } from '../../dist/documents/config.js';
import { parseLedger } from '../../dist/documents/ledger.js';
import { parseContext } from '../../dist/documents/pipeline/context.js';
import { parsePipeline } from '../../dist/documents/pipeline/file.js';
import { parseStepResult } from '../../dist/documents/pipeline/step-result.js';
import { parsePlan } from '../../dist/documents/plan.js';
import { parsePlannerAnswer } from '../../dist/documents/planner-answer.js';
import { parseReturnBlock } from '../../dist/documents/return-block.js';
import { parseSpec, requiredCriteria } from '../../dist/documents/spec.js';
import { parseFactChecks, parseVerifierAnswer } from '../../dist/documents/verifier-answer.js';
import { figure } from './figures.mjs';
import { HOSTILE_TEXTS } from './hostile/texts.mjs';

const GOAL_MS = 100;
/** Of one text; the quickest counts, as the first also compiles. */
const READINGS = 3;

const READERS = {
  plan: (text) => parsePlan(text, { file: 'PLAN.md' }),
  spec: (text) => requiredCriteria(parseSpec(text, { file: 'SPEC.md' }).spec),
  ledger: (text) => parseLedger(text, { file: 'LEDGER.md' }),
  'return block': parseReturnBlock,
  planner: parsePlannerAnswer,
  verifier: (text) => parseVerifierAnswer(text) ?? parseFactChecks(text, 10),
  config: (text) => parseConfig(text, { file: 'donewhen.yaml' }),
  pipeline: (text) => parsePipeline(text, { file: 'pipeline.yaml', files: new Map() }),
  'STEP-RESULT': parseStepResult,
  context: (text) => parseContext(text, { file: 'pipeline-context.yaml' }),
};

function cpuMs(read, text) {
  const before = process.cpuUsage();
  read(text);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** Of each reader the texts that cost it most, dearest first. */
export function dearestTexts(reader) {
  return Object.entries(HOSTILE_TEXTS[reader])
    .map(([name, make]) => {
      const text = make();
      const readings = Array.from({ length: READINGS }, () => cpuMs(READERS[reader], text));
      return { name, ms: Math.min(...readings), firstMs: readings[0], chars: text.length };
    })
    .sort((a, b) => b.ms - a.ms);
}

export function parsers(bench) {
  return Object.fromEntries(
    Object.keys(READERS).map((reader) => {
      const [dearest] = dearestTexts(reader);
      bench.log(`parsers ${reader}: ${dearest.ms.toFixed(0)} ms for ${(dearest.chars / 1000).toFixed(0)} KB of ${dearest.name}`);
      return [reader, figure({ goal: GOAL_MS, unit: 'ms', runs: [dearest.ms], detail: { text: dearest.name, chars: dearest.chars } })];
    }),
  );
}
