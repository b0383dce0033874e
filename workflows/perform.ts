import { ApplicationFailure, condition, sleep } from '@temporalio/workflow';
import type { CheckInput } from '../activities/interface.js';
import { tokenOf } from '../core/attempt.js';
import { MINUTE_MS } from '../core/limits.js';
import { planningToken } from '../core/planning.js';
import type { Answer, Move, Observation, Run, SweepLook, Write } from '../core/values.js';
import { checksOf } from '../core/verdict.js';
import { acting, looking, writing } from './activity-options.js';
import type { Carried, PlanVersion } from './carried.js';
import { minuteOf } from './details.js';
import { dispatchInput, notifyInput, recordInput, replanInput } from './requests.js';
import type { State } from './serve.js';

/** An answer without its time; null where nothing comes back by itself (a person). */
export type Landed = { [K in Answer['is']]: Omit<Extract<Answer, { is: K }>, 'at'> }[Answer['is']];

/** Makes one move. One exhaustive switch; nothing here decides. */
export async function perform(move: Move, state: State): Promise<Landed | null> {
  const carried = state.carried;
  if (carried === null) throw ApplicationFailure.nonRetryable('a move before the run was opened');
  switch (move.is) {
    case 'observe': {
      const { cost, ...observation } = await observe(move, carried);
      return { move: move.id, is: 'observed', observation, ...(cost === undefined ? {} : { cost }) };
    }
    case 'dispatch':
      return dispatch(move, carried);
    case 'wait':
      await sleep(Math.max(1, move.until - Date.now()), {
        summary: `until ${minuteOf(move.until)} · ${move.why}`.slice(0, SUMMARY_LENGTH_MAX),
      });
      return { move: move.id, is: 'elapsed' };
    case 'person':
      return announce(move, state, carried);
    case 'replan':
      return replan(move, carried);
    case 'read':
      return read(move, carried);
    case 'record':
      return record(move, state, carried);
  }
}

/** The Web UI shows at most this much of a summary. */
const SUMMARY_LENGTH_MAX = 200;
const MARGIN_MS = 10 * MINUTE_MS;

function summary(task: string, step: string): string {
  return `${task} · ${step}`.slice(0, SUMMARY_LENGTH_MAX);
}

async function observe(move: Extract<Move, { is: 'observe' }>, carried: Carried): Promise<Observation> {
  switch (move.when) {
    case 'before':
    case 'after': {
      const { attempt } = move;
      const step = move.when === 'before' ? 'check' : 'verify';
      const checks = checksOf(attempt);
      const input: CheckInput = {
        ...checkInput(carried, checks),
        task: attempt.task.id,
        token: tokenOf(attempt),
        when: move.when,
        planSha256: planOf(carried, attempt.planVersion),
        claim: move.when === 'after' ? move.claim : null,
        writes: attempt.task.writes,
        ...(attempt.task.added === undefined ? {} : { added: attempt.task.added }),
        ...(move.when === 'after' && attempt.before?.baseline !== undefined ? { baseline: attempt.before.baseline } : {}),
        ...(move.when === 'after' && attempt.before?.base !== undefined ? { base: attempt.before.base } : {}),
      };
      const options = { summary: summary(attempt.task.id, step), startToCloseTimeout: lookMs(carried.run, checks.length) };
      return move.when === 'before'
        ? looking.check.executeWithOptions(options, [input])
        : looking.verify.executeWithOptions(options, [input]);
    }
    case 'sweep':
      return sweep(move.looks, carried);
    case 'resolution': {
      const options = { summary: summary('resolution', 'verify'), startToCloseTimeout: lookMs(carried.run, 1) };
      return looking.verify.executeWithOptions(options, [{ ...checkInput(carried, [move.check]), when: 'resolution' }]);
    }
  }
}

function checkInput(carried: Carried, checks: string[]): CheckInput {
  const { place, run, plans } = carried;
  return {
    place,
    task: null,
    token: null,
    checks,
    when: 'sweep',
    planSha256: null,
    plans: plans.map(({ sha256, planner }) => ({ sha256, ...(planner === undefined ? {} : { planner }) })),
    claim: null,
    writes: null,
    checkMinutes: run.limits.checkMinutes,
  };
}

/** Every check may take its whole time, a compiling verifier its own, and what a busy machine adds. */
function lookMs(run: Run, checks: number): number {
  return (run.limits.checkMinutes * (checks + 1) * 2 + run.limits.taskMinutes) * MINUTE_MS + MARGIN_MS;
}

/** Checks of a sweep that go to one activity, so that no payload grows with the plan (R15). */
const SWEEP_CHECKS_MAX = 100;

async function sweep(looks: SweepLook[], carried: Carried): Promise<Observation> {
  const whole: Observation = { looks: [], tampered: [], deviations: [], discovered: [] };
  for (let from = 0; from < looks.length; from += SWEEP_CHECKS_MAX) {
    const checks = looks.slice(from, from + SWEEP_CHECKS_MAX).map((look) => look.check);
    const options = { summary: summary('final sweep', 'verify'), startToCloseTimeout: lookMs(carried.run, checks.length) };
    const part = await looking.verify.executeWithOptions(options, [checkInput(carried, checks)]);
    whole.looks.push(...part.looks);
  }
  return whole;
}

async function dispatch(move: Extract<Move, { is: 'dispatch' }>, carried: Carried): Promise<Landed> {
  const input = dispatchInput(move, carried);
  const options = { summary: summary(move.attempt.task.id, 'dispatch'), startToCloseTimeout: input.timeoutMs + MARGIN_MS };
  const { end, cost, session } = await acting.dispatch.executeWithOptions(options, [input]);
  return { move: move.id, is: 'ended', end, cost, ...(session === undefined ? {} : { session }) };
}

async function replan(move: Extract<Move, { is: 'replan' }>, carried: Carried): Promise<Landed> {
  const input = replanInput(carried, planningToken(carried.run, move.planning), move.planning);
  const task = input.ask?.triggers.at(-1)?.task ?? 'plan';
  const options = {
    summary: summary(task, move.question === 'replan' ? 'replan' : 'does the plan hold?'),
    startToCloseTimeout: (input.ask?.timeoutMs ?? 0) + MARGIN_MS,
  };
  const { planned, cost } = await acting.replan.executeWithOptions(options, [input]);
  return { move: move.id, is: 'planned', planned, cost };
}

async function read(move: Extract<Move, { is: 'read' }>, carried: Carried): Promise<Landed> {
  const input = { ...replanInput(carried, `read-${move.proposed.message}`, null), given: move.proposed.text };
  const { planned } = await acting.replan.executeWithOptions(
    { summary: summary(`plan by ${move.proposed.by}`, 'read'), startToCloseTimeout: MARGIN_MS },
    [input],
  );
  return { move: move.id, is: 'planned', planned };
}

async function record(move: Extract<Move, { is: 'record' }>, state: State, carried: Carried): Promise<Landed> {
  const { write } = move;
  const task = write.is === 'entry' || write.is === 'gate' ? (carried.run.ledger[write.seq - 1]?.task ?? '') : write.is;
  const recorded = await writing.record.executeWithOptions({ summary: summary(task, 'record') }, [recordInput(carried, write)]);
  const latest = state.carried ?? carried;
  const plans = write.is === 'plan' ? [...latest.plans, planVersion(write, recorded.planSha256, latest.plans)] : latest.plans;
  state.carried = { ...latest, record: recorded.state, files: { ...latest.files, [recorded.file.name]: recorded.file }, plans };
  const sha256 = recorded.sha256 ?? recorded.planSha256;
  return { move: move.id, is: 'recorded', found: recorded.found, ...(sha256 === undefined ? {} : { sha256 }) };
}

/** What code edits stays whose it was. */
function planVersion(write: Extract<Write, { is: 'plan' }>, written: string | undefined, plans: readonly PlanVersion[]): PlanVersion {
  const isPlanners = write.edit === undefined ? write.planner === true : plans.at(-1)?.planner === true;
  return { version: write.version, sha256: written ?? write.sha256, ...(isPlanners ? { planner: true } : {}) };
}

/**
 * Announced once, over every execution; then only the person's answer, or the end of the wait, moves the run. It counts as
 * announced when it is: the activity knows by itself what it told before its worker was lost.
 */
async function announce(move: Extract<Move, { is: 'person' }>, state: State, carried: Carried): Promise<null> {
  if (!carried.notified.includes(move.id)) {
    await writing.notify.executeWithOptions({ summary: summary(move.question.task ?? 'run', 'notify') }, [
      notifyInput(carried, move.question),
    ]);
    const latest = state.carried ?? carried;
    state.carried = { ...latest, notified: [...latest.notified, move.id] };
  }
  await condition(() => false);
  return null;
}

export function planOf(carried: Carried, version: number): string {
  return carried.plans.findLast((plan) => plan.version === version)?.sha256 ?? carried.run.plan.sha256;
}
