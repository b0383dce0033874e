import { isMap, LineCounter } from 'yaml';
import type { ReadResult } from '../../core/methods/pipeline-values.js';
import { isForm, isPlaceholder } from '../answer-lines.js';
import { bytesOf } from '../plain-text.js';
import { documentOf, firstAlias } from '../yaml-document.js';
import { type ResultBlock, resultBlocksIn } from './result-blocks.js';
import {
  artifactsIn,
  criticalIssuesIn,
  type FieldsRead,
  fieldsIn,
  metricsIn,
  nextInputsIn,
  othersIn,
  textIn,
  type Wrong,
} from './result-fields.js';
import { verdictIn } from './verdict.js';

/** R15: a result travels through history. Nothing of it is ever cut: what a review found must reach whoever mends it. */
export const BLOCK_BYTES_MAX = 32 * 1024;
/** An answer that ends with more unfilled forms than this is not looked through for what may stand before them. */
const FORMS_CHARS_MAX = 64 * 1024;
/** What the smallest of them counts. */
const FORM_CHARS_MIN = 1024;

/**
 * What an agent says of its step (seed 003, Format): the last complete block of its answer. The form that we gave is no
 * answer (E24), and what was meant as a block and cannot be read is none either. Never throws.
 */
export function parseStepResult(output: string): ReadResult {
  const { blocks, open } = resultBlocksIn(output);
  let room = FORMS_CHARS_MAX;
  for (const block of blocks.reverse()) {
    const read = readBlock(block);
    if (read.is !== 'template') return read;
    room -= Math.max(block.text.length, FORM_CHARS_MIN);
    if (room < 0) break;
  }
  if (blocks.length > 0) return { is: 'template' };
  return open === null
    ? { is: 'none' }
    : { is: 'unparsed', line: open, why: 'the block begins here and does not end; close it with /STEP-RESULT -->' };
}

function readBlock(block: ResultBlock): ReadResult {
  const { text, line } = block;
  if (bytesOf(text) > BLOCK_BYTES_MAX)
    return {
      is: 'unparsed',
      line,
      why: `the block is larger than ${BLOCK_BYTES_MAX / 1024} KiB; put what is long into a file and list its path`,
    };
  const lines = new LineCounter();
  const yaml = documentOf(text, lines, 'failsafe');
  if (yaml.is === 'too-deep') return { is: 'unparsed', line, why: 'the block is nested too deeply' };
  if (yaml.is === 'too-large')
    return { is: 'unparsed', line, why: 'the block has too many parts; put what is long into a file and list its path' };
  const { document } = yaml;
  const unparsed = ({ offset, why }: Wrong): ReadResult => ({ is: 'unparsed', line: line + lines.linePos(offset).line - 1, why });
  const [broken] = document.errors;
  if (broken !== undefined) return unparsed({ offset: broken.pos[0], why: `it is no YAML: ${broken.message.split('\n')[0]}` });
  const alias = firstAlias(document);
  if (alias !== null) return unparsed({ offset: alias, why: 'it has an alias; put a value that begins with * or & into quotes' });
  if (!isMap(document.contents))
    return unparsed({ offset: 0, why: 'it has no keys; write step:, agent:, status: and the rest, one a line' });
  const read = fieldsIn(document.contents);
  return isTemplate(read) ? { is: 'template' } : resultOf(read, unparsed);
}

const KNOWN = ['step', 'agent', 'status', 'feature-id', 'module-id', 'artifacts', 'metrics', 'verdict', 'critical-issues', 'next-inputs'];
/** Where our form has a choice or a name in angle brackets. What else of it was left unfilled lists nothing. */
const FORM_FIELDS = ['step', 'agent', 'status', 'verdict'];

function isTemplate({ fields }: FieldsRead): boolean {
  const words = FORM_FIELDS.map((name) => textIn({ fields, wrong: [] }, name));
  return words.some((word) => word.includes('|') || isForm(word) || isPlaceholder(word));
}

function resultOf(read: FieldsRead, unparsed: (wrong: Wrong) => ReadResult): ReadResult {
  const { fields, wrong } = read;
  const status = textIn(read, 'status').toUpperCase();
  const [featureId, moduleId] = ['feature-id', 'module-id'].map((name) => textIn(read, name));
  const result = {
    step: textIn(read, 'step'),
    agent: textIn(read, 'agent'),
    ...(featureId === undefined || featureId === '' ? {} : { featureId }),
    ...(moduleId === undefined || moduleId === '' ? {} : { moduleId }),
    artifacts: artifactsIn(read),
    metrics: metricsIn(read),
    verdict: verdictIn(textIn(read, 'verdict')),
    criticalIssues: criticalIssuesIn(read),
    nextInputs: nextInputsIn(read),
    other: othersIn(read, KNOWN),
  };
  for (const name of ['step', 'agent', 'status'])
    if (textIn(read, name) === '') wrong.push({ offset: fields.get(name)?.offset ?? 0, why: `it has no ${name}` });
  const [first] = wrong;
  if (first !== undefined) return unparsed(first);
  if (status === 'SUCCESS' || status === 'FAILED') return { is: 'result', result: { ...result, status } };
  return unparsed({ offset: fields.get('status')?.offset ?? 0, why: `status ${status.slice(0, 40)} is neither SUCCESS nor FAILED` });
}
