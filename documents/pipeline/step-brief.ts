import type { BriefedInput, Pipeline, Step, StepBriefing } from '../../core/methods/pipeline-values.js';
import { oneLine } from '../lines.js';

export interface StepBriefInput extends Omit<StepBriefing, 'session' | 'record'> {
  pipeline: Pick<Pipeline, 'goal' | 'featureId' | 'moduleId'>;
  /** `S3@2`. */
  task: string;
  /** Its text, with the values filled in. */
  prompt: string;
  /** Messages by people to this role. */
  notes: { text: string; by: string }[];
  /** An attempt of this task was lost, and may have acted (R3). */
  again: boolean;
}

/** What the agent of a step is told (seed 003, Format): its prompt, what it gets and owes, and the block to answer with. */
export function renderStepBrief(input: StepBriefInput): string {
  const { step, prompt, pipeline, inputs, notes, again } = input;
  const why = whyAsked(input);
  return [
    section('Step', `${input.task} — step ${step.step} of the pipeline, agent ${step.agent}\n\n${prompt.trim()}`),
    ...(why === null ? [] : [section('Why you are asked again', why)]),
    section('Goal context', pipeline.goal),
    ...(inputs.length === 0 ? [] : [section('What earlier steps left', inputs.map(inputLine).join('\n'))]),
    section('What you deliver', deliveryWords(step)),
    ...(notes.length === 0
      ? []
      : [section('Messages from people', notes.map((note) => `- ${oneLine(note.by)}: ${oneLine(note.text)}`).join('\n'))]),
    ...(again ? [section('Before you start', AGAIN)] : []),
    section('Answer', `${ANSWER}\n\n${form(input)}\n\n${answerRules(step)}`),
  ].join('\n');
}

function section(title: string, text: string): string {
  return `## ${title}\n${text.trim()}\n`;
}

/** By who asked (docs/interface.md §10, Asked by). null: nobody was asked before. */
function whyAsked({ askedBy, because, issues }: Pick<StepBriefInput, 'askedBy' | 'because' | 'issues'>): string | null {
  const lines = [...issues, ...because].map((line) => `- ${oneLine(line)}`);
  if (askedBy === 'start' && lines.length === 0) return null;
  return [`${askedWords(askedBy)}`, ...lines].join('\n');
}

function askedWords(askedBy: string): string {
  const [, asker] = /^(?:fix|review|resolution) of (\S+)$/.exec(askedBy) ?? [];
  if (askedBy === 'artifact-gate')
    return 'Your last delivery was not accepted. Write what is missing, keep what is right, and list every artifact again:';
  if (askedBy === 'no-result') return 'Your last answer held no block that could be read. Do what is left, and end with the block:';
  if (askedBy === 'step-failed') return 'Your last attempt failed:';
  if (askedBy === 'contradiction')
    return 'Your last verdict approved nothing and named nothing to mend. Look again: either approve, without critical issues, or reject, with each of them:';
  if (asker !== undefined && askedBy.startsWith('fix'))
    return `The review ${asker} rejected this step's work. Mend exactly these critical issues, change as little as you can, and list every artifact again:`;
  if (asker !== undefined && askedBy.startsWith('review')) return `${asker} was made to mend what you rejected. Review what is there now.`;
  if (asker !== undefined) return `What stopped ${asker} is gone. Do the step again.`;
  if (askedBy.startsWith('back-to-plan')) return 'A later review sent the pipeline back to here. Do the step again with what it found:';
  if (askedBy.startsWith('final check')) return 'What this step delivered no longer holds. Restore it, and list every artifact again:';
  return 'Do the step again:';
}

function inputLine({ name, from, values, absent }: BriefedInput): string {
  const label = `- ${oneLine(name)}`;
  if (values.length === 0) return `${label}: nothing${absent === undefined ? '' : `, because ${oneLine(absent)}`}`;
  return `${label}: ${values.map(oneLine).join(', ')}${from === null ? '' : ` (${from})`}`;
}

function deliveryWords(step: Step): string {
  const artifacts = step.artifacts.map(({ key, pattern }) => `- ${key}: ${pattern}`);
  const owed =
    artifacts.length === 0
      ? ['No file is demanded of this step. What you list must be there.']
      : [
          'Under each of these keys your block lists the files that you wrote; each matches its pattern, is new and is not empty:',
          ...artifacts,
        ];
  const observed = [...step.checks.map((check) => `- ${check}`), ...step.require.map(({ text }) => `- ${text}`)];
  return [...owed, ...(observed.length === 0 ? [] : ['', 'Then these are looked at, and must hold:', ...observed])].join('\n');
}

const AGAIN = `An earlier attempt at this very step was interrupted before it could answer, and it may have acted. Look at what is
already there before you act, and do nothing twice.`;

const ANSWER = 'End your answer with this block, filled in, and write nothing after it:';

/** As it stands it is no answer: its choices are open. */
function form({ step, pipeline }: Pick<StepBriefInput, 'step' | 'pipeline'>): string {
  const keys = step.artifacts.length === 0 ? ['<key>'] : step.artifacts.map(({ key }) => key);
  return [
    '```yaml',
    '<!-- STEP-RESULT',
    `step: ${step.step}`,
    `agent: ${step.agent}`,
    'status: SUCCESS | FAILED',
    `feature-id: ${pipeline.featureId ?? 'N/A'}`,
    `module-id: ${pipeline.moduleId ?? 'N/A'}`,
    'artifacts:',
    ...keys.map((key) => `  ${key}: <file-path>`),
    'metrics:',
    ...metricKeys(step).map((key) => `  ${key}: <value>`),
    `verdict: ${step.gate === 'none' ? 'N/A' : 'APPROVED | APPROVED_WITH_CONDITIONS | REJECTED'}`,
    'critical-issues: []',
    'next-inputs:',
    '  <key>: <file-path>',
    '/STEP-RESULT -->',
    '```',
  ].join('\n');
}

function metricKeys({ require }: Step): string[] {
  const keys = [...new Set(require.map(({ metric }) => metric))];
  return keys.length === 0 ? ['<key>'] : keys;
}

function answerRules(step: Step): string {
  return [
    '- Write {} for what has nothing to list. Paths are relative to the workspace; a key may have a list of them.',
    '- Put texts with a colon, a # or a quote into double quotes.',
    '- SUCCESS says that you did your job and wrote every file. Each file is looked at afterwards, by somebody else.',
    ...(step.gate === 'review'
      ? [
          '- SUCCESS with REJECTED is a review that did its job. REJECTED names every critical issue, one sentence each; APPROVED names none.',
          '- Change nothing but your own report.',
        ]
      : []),
    '- Work in the foreground: whatever still runs when you have answered is ended.',
    '- Leave LEDGER.md, REPORT.md, pipeline-context.yaml and 00-boss.log.md as they are.',
  ].join('\n');
}
