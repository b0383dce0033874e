import type { Pipeline, ReadResult, SeenArtifact, SeenDelivery, Step, StepResult } from '../../core/methods/pipeline-values.js';
import { stepNameOf } from '../../core/methods/run-pipeline-about.js';
import type { Answer, Attempt, End, Look, LookResult, Message, Move, Observation, Run } from '../../core/values.js';
import type { Dice } from './dice.js';
import { artifact, commandOf, pipelineOf, read, reviewOf, stepOf } from './pipeline-values.js';
import { NOTHING_SEEN } from './run-values.js';

/** Pipelines of every shape that the file's grammar allows, and agents and people who say and leave anything. */
export function randomPipeline(dice: Dice): Pipeline {
  const steps: Step[] = [];
  const count = 1 + dice.roll(5);
  for (let place = 1; place <= count; place++) steps.push(randomStep(dice, String(place), steps));
  return pipelineOf(...steps);
}

function randomStep(dice: Dice, step: string, before: Step[]): Step {
  const common: Partial<Step> = {
    artifacts: dice.oneIn(2) ? [{ key: 'doc', pattern: `docs/${step}-*.md` }] : [],
    attempts: 1 + dice.roll(3),
    checks: dice.oneIn(4) ? [`file: out-${step}`] : dice.oneIn(8) ? ['human: is it good?'] : [],
    onExhausted: dice.pick('ask', 'stop', 'continue-with-debt'),
    ...(before.length > 0 && dice.oneIn(5) ? { when: { step: anyOf(dice, before).step, verdict: dice.pick('APPROVED', 'REJECTED') } } : {}),
  };
  if (dice.oneIn(6)) return commandOf(step, common);
  const asked: Partial<Step> = {
    ...common,
    inputs: before.length > 0 && dice.oneIn(3) ? [{ name: 'it', step: anyOf(dice, before).step, key: dice.pick('doc', 'next') }] : null,
    require: dice.oneIn(6) ? [{ metric: 'count', is: '==', value: 0, text: 'metrics.count == 0' }] : [],
  };
  const inOrder = before.filter(({ optional }) => !optional);
  if (inOrder.length === 0) return stepOf(step, asked);
  if (dice.oneIn(6)) {
    const { when: _when, ...rest } = asked;
    return stepOf(step, { ...rest, optional: true });
  }
  if (dice.oneIn(3)) return stepOf(step, asked);
  const fixers = before.filter(({ run }) => !run);
  const fix = fixers.length > 0 && !dice.oneIn(5) ? anyOf(dice, fixers).step : null;
  const back = dice.oneIn(2) ? anyOf(dice, inOrder).step : null;
  const conditions = fix === null ? 'debt' : dice.pick<Step['conditions']>('debt', 'fix');
  const gated = { ...asked, rounds: fix === null ? 0 : dice.roll(3), backToPlan: back, conditions };
  return dice.oneIn(4) ? stepOf(step, { ...gated, gate: 'human', fix }) : reviewOf(step, fix ?? '', { ...gated, fix });
}

function anyOf(dice: Dice, steps: Step[]): Step {
  const [first, ...rest] = steps;
  if (first === undefined) throw new Error('there is no step to choose from');
  return dice.pick(first, ...rest);
}

export function stepIn(pipeline: Pipeline, task: string): Step {
  const step = pipeline.steps.find((one) => one.step === stepNameOf(task));
  if (step === undefined) throw new Error(`no step has ${task}`);
  return step;
}

/** Any answer to a move of a pipeline's run. */
export function answerTo(dice: Dice, pipeline: Pipeline, move: Move, at: number): Answer | null {
  const head = { move: move.id, at };
  if (move.is !== 'wait' && move.is !== 'person' && dice.oneIn(20)) return { ...head, is: 'unclear', counts: dice.oneIn(2) };
  switch (move.is) {
    case 'observe':
      return { ...head, is: 'observed', observation: observed(dice, pipeline, move) };
    case 'dispatch':
      return { ...head, is: 'ended', end: randomEnd(dice, at), session: `of ${move.token}`, cost: { usd: null, tokens: 7 } };
    case 'record':
      return { ...head, is: 'recorded', sha256: `record ${move.id}` };
    case 'wait':
      return { ...head, is: 'elapsed' };
    case 'read':
      return { ...head, is: 'planned', planned: { is: 'none', reason: 'no plan' } };
    case 'replan':
    case 'person':
      return null;
  }
}

function randomEnd(dice: Dice, at: number): End {
  return dice.pick<End>(
    { is: 'exited', code: 0 },
    { is: 'exited', code: 0 },
    { is: 'exited', code: 0 },
    { is: 'exited', code: 0 },
    { is: 'exited', code: 3 },
    { is: 'lost' },
    { is: 'signalled', signal: 'SIGKILL' },
    { is: 'timeout' },
    { is: 'limited', until: at + 60_000, why: 'usage limit' },
    { is: 'refused', why: 'no program', blocker: 'agent-missing', userAction: 'install it' },
  );
}

function observed(dice: Dice, pipeline: Pipeline, move: Extract<Move, { is: 'observe' }>): Observation {
  if (move.when === 'resolution') return { ...NOTHING_SEEN, looks: [look(dice, move.check)] };
  if (move.when === 'sweep') return { ...NOTHING_SEEN, looks: move.looks.map(({ check }) => look(dice, check)) };
  const looks = move.attempt.task.checks
    .filter((check) => !check.startsWith('human:') && !dice.oneIn(20))
    .map((check) => look(dice, check));
  if (move.when === 'before' || dice.oneIn(20)) return { ...NOTHING_SEEN, looks };
  return { ...NOTHING_SEEN, looks, delivery: randomDelivery(dice, stepIn(pipeline, move.attempt.task.id), move.attempt) };
}

function look(dice: Dice, check: string): Look {
  const is = dice.pick<LookResult>('holds', 'holds', 'holds', 'disproved', 'unobservable');
  return { check, is, saw: is };
}

export function randomDelivery(dice: Dice, step: Step, { task }: Pick<Attempt, 'task'>): SeenDelivery {
  const artifacts: SeenArtifact[] = step.artifacts.flatMap(({ key }) => (dice.oneIn(10) ? [] : [randomArtifact(dice, key, task.id)]));
  const extra = dice.oneIn(5) ? [randomArtifact(dice, 'report', task.id)] : [];
  const unlisted = step.artifacts.flatMap(({ key }) => (dice.oneIn(4) ? [randomArtifact(dice, key, task.id)] : []));
  const nextInputs = dice.oneIn(3) ? [{ key: 'next', value: 'docs/next.md', there: !dice.oneIn(3) }] : [];
  return { read: step.run ? { is: 'none' } : randomRead(dice, step), artifacts: [...artifacts, ...extra], unlisted, nextInputs };
}

function randomArtifact(dice: Dice, key: string, task: string): SeenArtifact {
  const sha256 = dice.pick('a', 'b', `by ${task}`);
  return artifact(key, `docs/${stepNameOf(task)}-x.md`, {
    sha256,
    before: dice.oneIn(3) ? sha256 : null,
    matches: !dice.oneIn(12),
    ...(dice.oneIn(8) ? { is: dice.pick<SeenArtifact['is']>('missing', 'outside', 'empty', 'irregular', 'unobservable') } : {}),
  });
}

function randomRead(dice: Dice, { step, agent }: Step): ReadResult {
  if (dice.oneIn(8)) return dice.pick<ReadResult>({ is: 'none' }, { is: 'template' }, { is: 'unparsed', line: 1, why: 'a tab' });
  const issue = dice.pick('No boundary.', 'no boundary', 'another one', '');
  const more: Partial<StepResult> = {
    agent: dice.oneIn(20) ? 'somebody' : (agent ?? ''),
    status: dice.oneIn(8) ? 'FAILED' : 'SUCCESS',
    verdict: dice.pick(null, 'APPROVED', 'APPROVED', 'REJECTED', 'REJECTED', 'FAIL', 'PASS', 'N/A', 'APPROVED_WITH_CONDITIONS', 'FINE'),
    criticalIssues: dice.oneIn(2) ? [issue] : [],
    metrics: dice.oneIn(3) ? [] : [{ key: 'count', value: dice.pick<string | number>(0, 0, '0%', 3, 'many') }],
  };
  return read(dice.oneIn(20) ? '9' : step, more);
}

/** What people may say at any time, to whatever and however late. */
export function randomPipelineMessage(dice: Dice, run: Run, at: number): Message {
  const head = { id: `msg-${dice.roll(200)}`, by: dice.pick('ana', 'ben'), at };
  const known = [...run.ledger.map(({ task }) => task), ...run.plan.tasks.map(({ id }) => id), 'S1', 'S9@4'];
  const [first = 'S1', ...rest] = known;
  const task = dice.pick(first, ...rest);
  const asked = run.questions[0]?.gate ?? task;
  return dice.pick<Message>(
    {
      ...head,
      name: 'decide',
      gate: dice.pick(asked, stripped(task)),
      decision: dice.pick('approve', 'reject'),
      ...(dice.oneIn(2) ? { reason: 'too long' } : {}),
    },
    { ...head, name: 'decide', gate: asked, decision: 'approve' },
    { ...head, name: 'attest', task: run.questions[0]?.task ?? task, happened: dice.pick('yes', 'no', 'partly') },
    {
      ...head,
      name: 'resolve',
      blocker: dice.pick(`gate-${stripped(task)}-exhausted`, 'agent-missing', task),
      resolution: 'mended by hand',
      ...(dice.oneIn(3) ? { check: 'run: true' } : {}),
    },
    { ...head, name: 'replan', plan: '# PLAN: other' },
    { ...head, name: 'pause' },
    { ...head, name: 'resume' },
    { ...head, name: 'message', to: 'performer', text: 'be brief' },
    ...(dice.oneIn(6) ? [{ ...head, name: 'stop' } as const] : []),
  );
}

function stripped(task: string): string {
  return task.split('@')[0] ?? task;
}
