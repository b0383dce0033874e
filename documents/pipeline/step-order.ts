import { didYouMean } from '../nearest.js';
import { errorAt, type Problem, warningAt } from '../problem.js';
import type { StepGiven } from './schema.js';
import { VERDICTS, verdictIn } from './verdict.js';

/** A step that can be read by itself, whatever is wrong with its neighbours. */
export interface WellFormed {
  index: number;
  id: string;
  given: StepGiven;
}

export interface OrderAround {
  /** Of every step as written, also of one that cannot be read. */
  ids: readonly string[];
  file: string;
  lineOf(path: readonly PropertyKey[]): number;
}

/** What is wrong between the steps, and between the keys of one. */
export function orderProblems(steps: readonly WellFormed[], around: OrderAround): Problem[] {
  const found: Problem[] = [];
  for (const step of steps) {
    const say = speaker(step, around, found);
    if (around.ids.indexOf(step.id) < step.index)
      say('step', `stands twice; the first is in line ${around.lineOf(['steps', around.ids.indexOf(step.id), 'step'])}`);
    performerProblems(step.given, say);
    if (step.given.run !== undefined && step.given.require.length > 0)
      found.push(
        warningAt(
          { file: around.file, line: around.lineOf(['steps', step.index, 'require']) },
          `step ${step.id}: require never holds, because a command gives no metrics; use checks`,
        ),
      );
    gateProblems(step.given, say);
    referenceProblems(step, { steps, ids: around.ids, say });
    found.push(...unknownVerdict(step, around));
    if (step.given.optional) optionalProblems(step, { steps, say, around, found });
  }
  const inOrder = steps.filter(({ given }) => !given.optional);
  if (steps.length > 0 && steps.length === around.ids.length && inOrder.length === 0)
    found.push(errorAt({ file: around.file, line: around.lineOf(['steps']) }, 'every step is optional, so that none would run'));
  return found;
}

type Say = (key: string, words: string) => void;

function speaker({ index, id }: WellFormed, { file, lineOf }: OrderAround, found: Problem[]): Say {
  return (key, words) => {
    const name = key === 'step' ? '' : `: ${key}`;
    found.push(errorAt({ file, line: lineOf(['steps', index, ...key.split('.')]) }, `step ${id}${name} ${words}`));
  };
}

/** An agent with a prompt, or a command. */
function performerProblems(given: StepGiven, say: Say): void {
  if (given.run !== undefined) {
    const spare = (['agent', 'performer', 'prompt', 'promptFile', 'inputs', 'permissions'] as const).filter(
      (key) => given[key] !== undefined,
    );
    for (const key of spare) say(key, 'is for an agent, and run: is a command; leave one of them out');
    if (given.gate === 'review') say('gate', 'is review, and a command gives no verdict; use checks, or gate: human');
    return;
  }
  if (given.agent === undefined)
    say('step', 'has neither agent nor run; write agent: and what its STEP-RESULT says, or run: and a command');
  if (given.prompt !== undefined && given.promptFile !== undefined) say('promptFile', 'stands beside prompt; leave one of them out');
  if (given.agent !== undefined && given.prompt === undefined && given.promptFile === undefined)
    say('agent', 'is asked nothing; write prompt: or promptFile:');
}

/** What follows a gate means nothing without one. */
function gateProblems(given: StepGiven, say: Say): void {
  if (given.gate === 'none') {
    const spare = (['fix', 'rounds', 'backToPlan', 'conditions'] as const).filter((key) => given[key] !== undefined);
    for (const key of spare) say(key, 'needs a gate that can reject; write gate: review or gate: human');
    return;
  }
  if (given.gate === 'human' && given.conditions !== undefined) say('conditions', 'is for gate: review; a person approves or rejects');
  if (given.fix !== undefined) return;
  if (given.rounds !== undefined && given.rounds > 0) say('rounds', 'needs fix: and the step that mends what is rejected');
  if (given.conditions === 'fix') say('conditions', 'is fix, and no step is named to do it; write fix:');
}

/** An agent may say any verdict, but nobody waits for one that is mistyped. */
function unknownVerdict({ id, index, given }: WellFormed, { file, lineOf }: OrderAround): Problem[] {
  const verdict = given.when === undefined ? null : (verdictIn(given.when.verdict) ?? '');
  if (verdict === null || VERDICTS.some((known) => known === verdict)) return [];
  const hint = didYouMean(verdict, VERDICTS) || `; known verdicts: ${VERDICTS.join(', ')}`;
  const line = lineOf(['steps', index, 'when', 'verdict']);
  return [warningAt({ file, line }, `step ${id}: when.verdict is ${verdict.slice(0, 60)}, which reviews do not say${hint}`)];
}

interface References {
  steps: readonly WellFormed[];
  ids: readonly string[];
  say: Say;
}

function referenceProblems({ index, given }: WellFormed, { steps, ids, say }: References): void {
  const named = (key: string, step: string): WellFormed | undefined => {
    const at = ids.indexOf(step);
    if (at < 0) say(key, `names step ${step.slice(0, 60)}, which this pipeline does not have${didYouMean(step, ids)}`);
    else if (at === index) say(key, 'names this very step; it must be an earlier one');
    else if (at > index) say(key, `names step ${step}, which comes later; it must be an earlier one`);
    return at < 0 || at >= index ? undefined : steps.find((one) => one.index === at);
  };
  if (given.fix !== undefined && named('fix', String(given.fix))?.given.run !== undefined)
    say('fix', `names step ${given.fix}, which is a command and cannot be told what to mend; name a step with an agent`);
  if (given.backToPlan !== undefined && named('backToPlan', String(given.backToPlan))?.given.optional === true)
    say('backToPlan', `names step ${given.backToPlan}, which is optional and never runs in order`);
  if (given.when !== undefined && named('when.step', String(given.when.step))?.given.run !== undefined)
    say('when.step', `names step ${given.when.step}, which is a command and gives no verdict`);
  for (const [name, text] of Object.entries(given.inputs ?? {})) {
    const [step = '', key = ''] = text.split(/\.(.*)/s);
    const source = key === '' ? undefined : named(`inputs.${name}`, step);
    if (source?.given.run === undefined || Object.hasOwn(source.given.artifacts, key)) continue;
    say(
      `inputs.${name}`,
      `names ${text}, and the command of step ${step} leaves only ${Object.keys(source.given.artifacts).join(', ') || 'nothing'}`,
    );
  }
}

interface OptionalAround {
  steps: readonly WellFormed[];
  say: Say;
  around: OrderAround;
  found: Problem[];
}

/** It only mends: nothing waits for it, and the review that asked for it is its gate. */
function optionalProblems({ id, index, given }: WellFormed, { steps, say, around, found }: OptionalAround): void {
  if (given.when !== undefined) say('when', 'is never asked of an optional step; leave one of them out');
  if (given.gate !== 'none') say('gate', 'is of no use to an optional step: the review that asks for it decides');
  if (steps.some((one) => String(one.given.fix) === id)) return;
  const line = around.lineOf(['steps', index, 'optional']);
  found.push(warningAt({ file: around.file, line }, `step ${id} is optional and no fix names it, so that it never runs`));
}
