// Texts that cost a reader most, by the reader: each repeats one thing as often as fits. `npm run bench -- parsers` measures
// them, and test/documents/hostile.test.ts reads them all.
import { planner, returnBlock, stepResult, verifier } from './answers.mjs';
import { ledger, plan, spec } from './documents.mjs';
import { named, UNITS } from './units.mjs';
import { CONFIG_CHARS, config, context, PIPELINE_CHARS, pipeline } from './yaml.mjs';

const CHARS_OF = { config: CONFIG_CHARS, pipeline: PIPELINE_CHARS, context: PIPELINE_CHARS };
const OWN = { plan, spec, ledger, 'return block': returnBlock, planner, verifier, config, pipeline, 'STEP-RESULT': stepResult, context };

/** Of each reader its texts by name, made when they are asked for. */
export const HOSTILE_TEXTS = Object.fromEntries(
  Object.entries(OWN).map(([reader, own]) => [reader, { ...named('only', UNITS, '', CHARS_OF[reader]), ...own }]),
);
