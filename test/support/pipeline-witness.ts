import type { Pipeline, SeenDelivery, Step } from '../../core/methods/pipeline-values.js';
import { stepNameOf } from '../../core/methods/run-pipeline-about.js';
import { pipelineCriteria } from '../../core/methods/run-pipeline-ending.js';
import { nextMoves } from '../../core/run.js';
import type { Answer, Entry, Message, Observation, Run } from '../../core/values.js';
import { stepIn } from './random-pipeline.js';

/**
 * Watches a pipeline from the world's side, and believes nothing that the run says of itself: what was really delivered,
 * who really approved, how often each step was really sent.
 */
export class PipelineWitness {
  private readonly seen = new Map<string, Observation>();
  private readonly approved = new Set<string>();
  private readonly sent = new Map<string, number>();
  private reopened = 0;

  constructor(private readonly pipeline: Pipeline) {}

  /** Before the answer is taken. */
  answered(run: Run, answer: Answer): void {
    const move = nextMoves(run).find((one) => one.id === answer.move);
    if (move?.is === 'observe' && move.when === 'after' && answer.is === 'observed')
      this.seen.set(move.attempt.task.id, answer.observation);
    if (move?.is === 'dispatch' && answer.is === 'ended') this.sent.set(move.token, (this.sent.get(move.token) ?? 0) + 1);
  }

  /** After the message is taken. */
  said(message: Message, before: Run, after: Run): void {
    if (message.name === 'decide' && message.decision === 'approve')
      for (const { kind, task } of before.questions)
        if (kind === 'decide' && task !== undefined && isNew(task, before, after)) this.approved.add(task);
    this.reopened = after.ledger.flatMap(({ gates }) => gates.filter(({ is }) => is === 'reopened')).length;
  }

  /** What does not agree with what was seen; empty: everything does. */
  objections(run: Run): string[] {
    return [...run.ledger.flatMap((entry) => this.undelivered(entry)), ...this.unapproved(run), ...this.tooMany(run), ...insisting(run)];
  }

  /** Nothing is done that was not delivered. */
  private undelivered(entry: Entry): string[] {
    if (entry.status !== 'done') return [];
    const step = stepIn(this.pipeline, entry.task);
    const observation = this.seen.get(entry.task);
    if (observation?.delivery === undefined) return [`${entry.task} is done and nobody looked`];
    if (!isDelivered(step, observation, observation.delivery)) return [`${entry.task} is done and was not delivered`];
    return this.isOwn(step, entry.task) ? [] : [`${entry.task} is done with a file that none of its attempts wrote`];
  }

  /** Every demanded file was written by this attempt, or by an earlier one of its step. */
  private isOwn(step: Step, task: string): boolean {
    const wrote = [...this.seen].filter(([one]) => stepNameOf(one) === step.step && attemptOf(one) <= attemptOf(task));
    const fresh = wrote
      .flatMap(([, { delivery }]) => [...(delivery?.artifacts ?? []), ...(delivery?.unlisted ?? [])])
      .filter(({ sha256, before }) => sha256 !== before);
    const own = new Set(fresh.map(({ path, sha256 }) => `${sha256} ${path}`));
    const demanded = new Set(step.artifacts.map(({ key }) => key));
    const listed = (this.seen.get(task)?.delivery?.artifacts ?? []).filter(({ key }) => demanded.has(key));
    const isOwn = listed.map(({ path, sha256 }) => own.has(`${sha256} ${path}`));
    return step.run ? listed.length === 0 || isOwn.some(Boolean) : isOwn.every(Boolean);
  }

  /** No criterion is satisfied by an approval that nobody gave. */
  private unapproved(run: Run): string[] {
    return pipelineCriteria(run).flatMap(({ id, state, by }) => {
      if (state !== 'satisfied') return [];
      const task = by[0] ?? '';
      const step = stepIn(this.pipeline, id);
      const read = this.seen.get(task)?.delivery?.read;
      const isClean = read?.is === 'result' && read.result.criticalIssues.every((issue) => issue.trim() === '');
      const says = read?.is === 'result' ? (read.result.verdict ?? '') : '';
      const allowed = ['APPROVED', 'PASS', ...(step.conditions === 'debt' ? ['APPROVED_WITH_CONDITIONS'] : [])];
      if (step.gate === 'review' && !(isClean && allowed.includes(says))) return [`${id} is satisfied by ${task}, which says ${says}`];
      return step.gate === 'human' && !this.approved.has(task) ? [`${id} is satisfied by ${task}, which nobody approved`] : [];
    });
  }

  /** However the answers fall: no step is sent more often than its bounds allow, each episode anew. */
  private tooMany(run: Run): string[] {
    const twice = [...this.sent].filter(([, times]) => times > 1).map(([token]) => `${token} ended twice`);
    const cycles = 1 + 3 * this.pipeline.steps.filter(({ backToPlan }) => backToPlan !== null).length;
    const rounds = this.pipeline.steps.reduce((sum, { rounds: of }) => sum * (1 + of), 1);
    const most = this.pipeline.steps.map(({ step, attempts }) => {
      const entries = run.ledger.filter(({ task, undoes }) => undoes === undefined && stepIn(this.pipeline, task).step === step).length;
      // Each asking may take its attempts, each delivery may contradict itself once, each look before closing may ask again.
      const bound = (1 + this.reopened) * cycles * rounds * 2 * attempts * (1 + attempts) * (1 + this.pipeline.steps.length);
      return entries > bound ? `step ${step} was tried ${entries} times, of ${bound}` : '';
    });
    return [...twice, ...most.filter((words) => words !== '')];
  }
}

function isNew(task: string, before: Run, after: Run): boolean {
  return !before.ledger.some((entry) => entry.task === task) && after.ledger.some((entry) => entry.task === task);
}

function isDelivered(step: Step, { looks }: Observation, { read, artifacts }: SeenDelivery): boolean {
  const block =
    step.run ||
    (read.is === 'result' && read.result.status === 'SUCCESS' && read.result.step === step.step && read.result.agent === step.agent);
  const files = step.artifacts.every(({ key }) => {
    const listed = artifacts.filter((one) => one.key === key);
    const good = listed.filter(({ is, matches, sha256 }) => is === 'there' && matches && sha256 !== null);
    return step.run ? good.length > 0 : listed.length > 0 && good.length === listed.length;
  });
  const checks = step.checks
    .filter((check) => !check.startsWith('human:'))
    .every((check) => looks.some((one) => one.check === check && one.is === 'holds'));
  const metrics = step.require.every(({ metric }) => {
    const value = read.is === 'result' ? read.result.metrics.find(({ key }) => key === metric)?.value : undefined;
    return value === 0 || value === '0%';
  });
  return block && files && checks && metrics;
}

const RETRIES = ['artifact-gate', 'no-result', 'step-failed'];

/** A reviewer who says neither yes nor no is asked once more, not twice. */
function insisting(run: Run): string[] {
  const last = new Map<string, string>();
  return run.ledger.flatMap(({ task, askedBy = '', undoes }) => {
    const step = stepNameOf(task);
    if (undoes !== undefined || RETRIES.includes(askedBy)) return [];
    const found = askedBy === 'contradiction' && last.get(step) === askedBy ? [`${task} is asked a third time to say yes or no`] : [];
    last.set(step, askedBy);
    return found;
  });
}

function attemptOf(task: string): number {
  return Number(/@(\d+)$/.exec(task)?.[1] ?? 1);
}
