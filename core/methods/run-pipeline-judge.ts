import { failureOf } from '../blocker.js';
import { endWords } from '../end-words.js';
import { TRIES_MAX } from '../limits.js';
import type { Judgement } from '../method.js';
import type { Attempt, End, Entry, LookResult, Run } from '../values.js';
import { machineResult } from '../verdict.js';
import type { EntryDelivery, PipelineAbout, SeenDelivery, Step, StepResult } from './pipeline-values.js';
import { pipelineOf, stepNameOf, stepOf } from './run-pipeline-about.js';
import { artifactGate, type Fault, gateLine, handedNextInputs, nextInputFaults } from './run-pipeline-artifacts.js';
import { asked, type Done } from './run-pipeline-asking.js';
import { attemptsAt } from './run-pipeline-counts.js';
import { isLastDelivery } from './run-pipeline-gate.js';
import { unmetOf } from './run-pipeline-require.js';
import { NO_RESULT, STEP_FAILED, TIMED_OUT } from './run-pipeline-rows.js';

/**
 * What counts as the delivery of a step (docs/interface.md §10): a block of this attempt, of the right step and agent, that
 * says SUCCESS; its artifacts accepted; checks and requirements holding. Only what code saw is believed (R8).
 */
export function judgeStep(run: Run, attempt: Attempt): Judgement {
  const about = pipelineOf(run);
  const step = stepOf(about, stepNameOf(attempt.task.id));
  if (step === undefined) return blocked('step-unknown', `the pipeline does not have step ${stepNameOf(attempt.task.id)}`);
  if (attempt.end === undefined) return beforeWork(about, run.ledger, step);
  const scene: Scene = { about, run, step, attempt, end: attempt.end, earlier: earlierAt(run.ledger, step) };
  const seen = attempt.after?.delivery;
  if (seen === undefined) return unseen(scene);
  if (step.run) return deliveredBy(scene, { seen, result: null });
  const read = readOf(step, seen);
  return 'wrong' in read ? remembering(scene, seen, withoutResult(scene, read.wrong)) : deliveredBy(scene, { seen, result: read.result });
}

interface Scene {
  about: PipelineAbout;
  run: Run;
  step: Step;
  attempt: Attempt;
  end: End;
  earlier: Entry[];
}

function earlierAt(ledger: Entry[], step: Step): Entry[] {
  const last = ledger.at(-1);
  return last === undefined ? [] : attemptsAt(ledger, step.step, last);
}

/** A condition that is false, or that no verdict answers, skips the step; checks that hold already never do. */
function beforeWork({ pipeline }: PipelineAbout, ledger: Entry[], { when }: Step): Judgement {
  if (when === null) return { is: 'go' };
  const asked = pipeline.steps.some(({ step }) => step === when.step);
  const last = asked ? ledger.findLast((one) => stepNameOf(one.task) === when.step && one.undoes === undefined) : undefined;
  const verdict = last?.status === 'done' ? last.verdict : undefined;
  if (verdict === when.verdict) return { is: 'go' };
  const words = `skipped: when step ${when.step} says ${when.verdict}; it says ${verdict ?? 'nothing'}`;
  return { is: 'entry', status: 'no_op', label: 'verified', observed: 'holds', words: [words], delta: [words] };
}

/** Nobody could look: that delivers nothing, and disproves nothing (R11). */
function unseen(scene: Scene): Judgement {
  const end = withoutLooking(scene);
  return (
    end ?? {
      is: 'entry',
      status: 'partial',
      label: 'unverified',
      blocker: NO_RESULT,
      unresolved: ['could not be observed: its answer and its artifacts were not looked at'],
    }
  );
}

function readOf({ step, agent }: Step, { read }: SeenDelivery): { result: StepResult } | { wrong: string } {
  switch (read.is) {
    case 'none':
      return { wrong: 'the answer holds no STEP-RESULT block' };
    case 'template':
      return { wrong: 'the answer holds the form of the block, unfilled' };
    case 'unparsed':
      return { wrong: `the STEP-RESULT block cannot be read, line ${read.line}: ${read.why}` };
    case 'result': {
      const { result } = read;
      if (result.step !== step) return { wrong: `the block is of step ${result.step}, not of step ${step}` };
      return result.agent === agent ? { result } : { wrong: `the block is of agent ${result.agent}, not of ${agent}` };
    }
  }
}

/** What it wrote is kept, so that the next attempt may list it as it is. */
function remembering({ step, earlier }: Scene, seen: SeenDelivery, judged: Judgement): Judgement {
  if (judged.is !== 'entry') return judged;
  const { accepted, unlisted } = artifactGate(step, { seen, earlier });
  const artifacts = [...accepted, ...unlisted];
  return artifacts.length === 0 ? judged : { ...judged, delivery: { artifacts, metrics: [], criticalIssues: [], nextInputs: [] } };
}

/** No block of its own: what is there may be anybody's, so files alone never deliver. */
function withoutResult(scene: Scene, why: string): Judgement {
  const end = withoutLooking(scene);
  if (end !== null) return end;
  const words = scene.end.is === 'exited' && scene.end.code !== 0 ? [`exited ${scene.end.code}`] : [];
  return failed(NO_RESULT, { unresolved: [why], words: [why, ...words] });
}

/** How it ended says what follows where nothing was delivered; null: it ended like any other. */
function withoutLooking({ attempt, end }: Scene): Judgement | null {
  switch (end.is) {
    case 'limited':
      return { is: 'wait', until: end.until, why: end.why };
    case 'refused':
      return { ...blocked(end.blocker, end.why), unresolved: [end.userAction] };
    case 'signalled':
    case 'lost':
      if (attempt.cut === undefined && attempt.number < TRIES_MAX && attempt.task.repeatable) return { is: 'again' };
      return partial(NO_RESULT, endWords(end));
    case 'cut':
      return partial(undefined, endWords(end));
    case 'timeout':
      return failed(TIMED_OUT, { unresolved: [endWords(end)], words: [endWords(end)] });
    default:
      return null;
  }
}

interface Delivered {
  seen: SeenDelivery;
  /** null: of a command. */
  result: StepResult | null;
}

function deliveredBy(scene: Scene, delivered: Delivered): Judgement {
  const { step, attempt, end } = scene;
  const { result } = delivered;
  const gate = artifactGate(step, { seen: delivered.seen, earlier: scene.earlier });
  const next = nextInputFaults(scene.about, step, delivered.seen);
  const delivery: EntryDelivery = {
    artifacts: gate.accepted,
    metrics: result?.metrics ?? [],
    criticalIssues: result?.criticalIssues ?? [],
    nextInputs: handedNextInputs(result?.nextInputs ?? [], delivered.seen),
  };
  const said = { delivery, risk: next.warnings, ...(result === null || result.verdict === null ? {} : { verdict: result.verdict }) };
  const short = shortOf(scene, { ...delivered, faults: [...gate.faults, ...next.faults] });
  if (short !== null && end.is === 'limited') return { is: 'wait', until: end.until, why: end.why };
  if (short?.is === 'entry') return { ...short, ...said, delivery: { ...delivery, artifacts: [...gate.accepted, ...gate.unlisted] } };
  if (short !== null) return short;
  const unchanged = attempt.task.askedBy?.startsWith('fix of ') === true && gate.isUnchanged;
  const words = [...seenWords(result, end), ...(unchanged ? ['the fix changed nothing'] : [])];
  const risk = [...next.warnings, ...(isClean(end) ? [] : [endRisk(end)])];
  const done: Done = { ...said, words, risk, delta: unchanged ? [] : deltaOf(step, delivery) };
  return asked(step, attempt, done);
}

/** What code saw of the delivery itself, whatever it looked at beside; what the block says is no more than said. */
function seenWords(result: StepResult | null, end: End): string[] {
  if (result !== null) return [`a STEP-RESULT block of this attempt: step ${result.step}, agent ${result.agent}, ${result.status}`];
  return exitOf(end) === 0 ? ['its command exited 0'] : [];
}

/** What keeps it from being a delivery; null: nothing. */
function shortOf(scene: Scene, { result, faults }: Delivered & { faults: Fault[] }): Judgement | null {
  const { run, step, attempt } = scene;
  if (result?.status === 'FAILED') return failed(STEP_FAILED, { unresolved: ['its agent says FAILED'], words: [] });
  const nothing = step.run ? commandFault(scene, faults) : null;
  if (nothing !== null) return nothing;
  const isLast = isLastDelivery(run.ledger, step, { task: attempt.task.id, askedBy: attempt.task.askedBy });
  const lines = faults.map((fault) => gateLine(step, fault, isLast));
  const unmet = unmetOf(step.require, result);
  const checks = machineResult(attempt, attempt.after);
  const unresolved = [
    ...faults.map(({ is, what }) => `${is}: ${what}`),
    ...unmet.map(({ words }) => words),
    ...openChecks(attempt, checks),
  ];
  const blocker = blockerOf(faults) ?? (checks === 'disproved' ? failureOf(attempt) : null) ?? requireBlocker(unmet);
  if (blocker !== null) return failed(blocker, { unresolved, words: lines });
  return unresolved.length === 0 ? null : { ...partial(undefined, ...unresolved), words: lines };
}

/** A command that leaves nothing to look at is judged by its exit; one that does, by what it left. */
function commandFault(scene: Scene, faults: Fault[]): Judgement | null {
  const { step, attempt } = scene;
  const code = exitOf(scene.end);
  const hasMore = step.artifacts.length + step.require.length + step.checks.length > 0;
  const looks = machineResult(attempt, attempt.after);
  const isThere = hasMore && faults.length === 0 && (looks === null || looks === 'holds');
  if (code === 0 || isThere) return null;
  if (code === null) return withoutLooking(scene);
  const words = faults.map(({ is, what }) => `${is}: ${what}`);
  return failed(`agent-exit-${code}`, { unresolved: [`exited ${code}`, ...words], words: [] });
}

/** null: it did not end by itself. */
function exitOf(end: End): number | null {
  return end.is === 'exited' || end.is === 'answered' ? end.code : null;
}

function blockerOf(faults: Fault[]): string | null {
  const fault = faults.find(({ is }) => is !== 'unobservable');
  return fault === undefined ? null : `artifact-${fault.is}-${fault.key}`;
}

function openChecks(attempt: Attempt, result: LookResult | null): string[] {
  const open = (attempt.after?.looks ?? [])
    .filter(({ is }) => is !== 'holds')
    .map(({ check, is, saw }) => (is === 'disproved' ? `does not hold: ${check} (${saw})` : `could not be observed: ${check} (${saw})`));
  return open.length === 0 && result === 'unobservable' ? ['could not be observed: its checks brought nothing back'] : open;
}

function requireBlocker([unmet]: { metric: string }[]): string | null {
  return unmet === undefined ? null : `require-${unmet.metric.toLowerCase()}`;
}

function deltaOf({ title }: Step, { artifacts }: EntryDelivery): string[] {
  if (artifacts.length === 0) return [`${title}: delivered`];
  return artifacts.map(({ key, path }) => `${key}: ${path}`);
}

function isClean(end: End): boolean {
  return end.is === 'answered' || (end.is === 'exited' && end.code === 0);
}

function endRisk(end: End): string {
  return end.is === 'exited' ? `exited ${end.code}` : endWords(end);
}

type Judged = Extract<Judgement, { is: 'entry' }>;

function failed(blocker: string, { unresolved, words }: { unresolved: string[]; words: string[] }): Judged {
  return { is: 'entry', status: 'failed', label: 'verified', observed: 'disproved', blocker, unresolved, words };
}

function partial(blocker: string | undefined, ...unresolved: string[]): Judged {
  const observed: LookResult = 'unobservable';
  return { is: 'entry', status: 'partial', label: 'unverified', observed, ...(blocker === undefined ? {} : { blocker }), unresolved };
}

function blocked(blocker: string, why: string): Judged {
  return { is: 'entry', status: 'blocked', label: 'unverified', blocker, words: [why], unresolved: [why] };
}
