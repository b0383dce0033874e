import { unreachable } from './assert.js';
import { entryFor } from './entries.js';
import { gateEntry } from './gate.js';
import { unitOf } from './ledger.js';
import { ASKS_MAX, addCost, DAY_MS, limitLookAt, limitWords, moneyReached } from './limits.js';
import type { Judgement } from './method.js';
import { methodOf } from './methods/registry.js';
import type { Answer, Attempt, Budget, Decided, End, Move, Question, Run, Stage } from './values.js';
import { labelOfLooks } from './verdict.js';
import { withMove } from './write-queue.js';

/** The life of one attempt: checking → ready → dispatching → verifying → entry, with its waits. */

/** The attempt token: task, try after a loss, leg after a limit. A token never names two different starts. */
export function tokenOf(attempt: Attempt): string {
  return `${attempt.task.id}#${attempt.number}.${attempt.leg}`;
}

export function attemptMoves(run: Run, attempt: Attempt): Move[] {
  const id = attempt.move;
  switch (attempt.stage) {
    case 'checking':
      return [{ id, is: 'observe', when: 'before', attempt }];
    case 'dispatching':
      return [
        { id, is: 'dispatch', token: tokenOf(attempt), attempt, cut: attempt.cut === true, again: attempt.number > 1 || attempt.leg > 1 },
      ];
    case 'verifying':
      return [{ id, is: 'observe', when: 'after', attempt, claim: attempt.end?.is === 'answered' ? attempt.end.claim : null }];
    case 'limited':
      return run.planning !== null ? [] : [{ id, is: 'wait', until: attempt.until ?? 0, why: attempt.why ?? 'usage limit' }];
    case 'ready':
    case 'handedOver':
    case 'asking':
      return [];
    default:
      return unreachable(attempt.stage);
  }
}

export function replaceAttempt(run: Run, attempt: Attempt): Run {
  return { ...run, active: run.active.map((one) => (one.task.id === attempt.task.id ? attempt : one)) };
}

export function dropAttempt(run: Run, task: string): Run {
  const dropsQuestion = (question: Question) => question.task === task && question.kind !== 'resolve';
  return {
    ...run,
    active: run.active.filter((one) => one.task.id !== task),
    questions: run.questions.filter((question) => !dropsQuestion(question)),
  };
}

/** A person who was asked is asked no more: the report says so, for the task was not left untouched. */
export function withdrawAttempt(run: Run, task: string): Run {
  const isAsked = run.questions.some((question) => question.task === task && question.kind !== 'resolve');
  const next = dropAttempt(run, task);
  return isAsked ? { ...next, withdrawn: [...new Set([...(run.withdrawn ?? []), task])] } : next;
}

type Asked = Pick<Extract<Judgement, { is: 'ask' }>, 'ask' | 'kind'>;

/** Moves an attempt to a stage that waits for a new move; failures are counted per stage. */
export function inStage(run: Run, attempt: Attempt, stage: Stage): Run {
  const { run: next, move } = withMove(run);
  const { asks, ...rest } = attempt;
  return replaceAttempt(next, { ...rest, stage, move, ...(stage === attempt.stage && asks !== undefined ? { asks } : {}) });
}

export function ask(run: Run, attempt: Attempt, { ask: words, kind }: Asked, at: number): Run {
  const question: Question = {
    id: `q${run.next}`,
    kind: kind ?? 'attest',
    task: attempt.task.id,
    ...(kind === 'decide' ? { gate: unitOf(attempt.task.id) } : {}),
    ask: words,
    since: at,
    until: at + run.limits.waitDays * DAY_MS,
  };
  return replaceAttempt({ ...run, next: run.next + 1, questions: [...run.questions, question] }, attempt);
}

/** An answer to an attempt's move. */
export function answerAttempt(run: Run, attempt: Attempt, answer: Answer): Run {
  switch (answer.is) {
    case 'observed': {
      if (attempt.stage === 'checking' && answer.observation.limited !== undefined && !isWaitedOut(run, attempt, answer.at))
        return limit(run, { ...attempt, cost: costOf(attempt, answer) }, answer.observation.limited, answer.at);
      if (attempt.stage === 'checking')
        return judge(run, { ...attempt, before: answer.observation, cost: costOf(attempt, answer) }, answer.at);
      return judge(run, { ...attempt, after: answer.observation, cost: costOf(attempt, answer) }, answer.at);
    }
    case 'ended':
      return verify(run, {
        ...attempt,
        end: believable(attempt, answer.end),
        cost: costOf(attempt, answer),
        ...(answer.session === undefined ? {} : { session: answer.session }),
      });
    case 'unclear':
      return unclear(run, attempt, answer);
    case 'elapsed':
      return tryAgain(run, attempt, answer.at);
    case 'recorded':
    case 'planned':
      throw new Error(`${answer.is} is no answer to an attempt`);
    default:
      return unreachable(answer);
  }
}

/**
 * What stood in the folder of an attempt before this history began it is not known to be its performer's: an earlier
 * performer can write there. It is not begun twice (R3), and its words count for nothing (R8).
 */
function believable(attempt: Attempt, end: End): End {
  if (attempt.before?.attempted !== true || (end.is !== 'answered' && end.is !== 'limited')) return end;
  return {
    is: 'exited',
    code: end.is === 'answered' ? (end.code ?? 0) : 0,
    note: 'files of this attempt stood there before it was begun: what they say is not taken',
  };
}

/**
 * R3: the same token again attaches to what runs, or finds its outcome; it never starts a second one. An activity that
 * keeps failing by itself ends somewhere all the same: looks count as none, a dispatch as refused.
 */
function unclear(run: Run, attempt: Attempt, answer: Extract<Answer, { is: 'unclear' }>): Run {
  const asks = (attempt.asks ?? 0) + (answer.counts ? 1 : 0);
  if (asks < ASKS_MAX) return inStage(run, { ...attempt, asks }, attempt.stage);
  const { asks: _asks, ...rest } = attempt;
  const nothing = { looks: [], tampered: [], deviations: [], discovered: [] };
  if (attempt.stage === 'checking') return judge(run, { ...rest, before: nothing }, answer.at);
  if (attempt.stage === 'verifying') return judge(run, { ...rest, after: nothing }, answer.at);
  const why = 'the dispatch kept failing; the worker log says why';
  return verify(run, { ...rest, end: { is: 'refused', why, blocker: 'dispatch-failing', userAction: why } });
}

function costOf(attempt: Attempt, answer: Answer): Attempt['cost'] {
  return answer.cost === undefined ? attempt.cost : addCost(attempt.cost, answer.cost);
}

/** The look after the work: stamped with the effects it can have seen (a later effect makes it stale for the sweep). */
export function verify(run: Run, attempt: Attempt): Run {
  const effects = run.effects + 1;
  return inStage({ ...run, effects }, { ...attempt, asOf: effects }, 'verifying');
}

function judge(run: Run, attempt: Attempt, at: number): Run {
  const judgement = methodOf(run.method).judge(run, attempt);
  switch (judgement.is) {
    case 'go':
      return replaceAttempt(run, { ...attempt, stage: 'ready' });
    case 'again': {
      const { end: _end, after: _after, ...rest } = attempt;
      return replaceAttempt(run, { ...rest, stage: 'ready', number: attempt.number + 1, leg: 1 });
    }
    case 'wait':
      return limit(run, attempt, judgement, at);
    case 'ask':
      if (run.stopped !== null)
        return close(run, attempt, { is: 'entry', status: 'partial', label: 'unverified', unresolved: [judgement.ask] }, at);
      return ask(run, { ...attempt, stage: 'asking' }, judgement, at);
    case 'entry':
      return close(run, attempt, judgement, at);
    default:
      return unreachable(judgement);
  }
}

/** R13: a usage limit consumes no attempt. What its tries cost counts all the same: where no money is left, nobody waits. */
function limit(run: Run, attempt: Attempt, { until, why }: { until: number | null; why: string }, at: number): Run {
  const label = labelOfLooks(attempt);
  if (run.stopped !== null) return close(run, attempt, { is: 'entry', status: 'partial', label, unresolved: [why] }, at);
  if (isWaitedOut(run, attempt, at))
    return close(run, attempt, { is: 'entry', status: 'blocked', label, blocker: 'no-answer', unresolved: [why] }, at);
  const budget = moneyReached(run);
  if (budget !== null) return stopAtBudget(run, attempt, budget, at);
  const waitEnds = attempt.startedAt + run.limits.waitDays * DAY_MS;
  const { end: _end, after: _after, ...rest } = attempt;
  return inStage(run, { ...rest, until: Math.min(limitLookAt({ until, leg: attempt.leg }, at), waitEnds), why }, 'limited');
}

/** The wait for a limit is over; others may have spent meanwhile what was left. */
function tryAgain(run: Run, attempt: Attempt, at: number): Run {
  if (attempt.before !== undefined) return replaceAttempt(run, { ...attempt, stage: 'ready', leg: attempt.leg + 1 });
  // Not even looked at yet: it was the verifier that was limited.
  const budget = moneyReached(run);
  return budget === null ? inStage(run, attempt, 'checking') : stopAtBudget(run, attempt, budget, at);
}

/** A budget is used up: nobody is sent, or sent again, until a person grants it once more. */
export function stopAtBudget(run: Run, attempt: Attempt, budget: Budget, at: number): Run {
  const used = `${limitWords(run, budget)} is used up`;
  const blocker = `budget-${budget}`;
  const userAction = `${used}: donewhen resolve ${run.id} ${blocker} --resolution TEXT --by NAME grants it once more`;
  const label = labelOfLooks(attempt);
  const refused: End = { is: 'refused', why: used, blocker, userAction };
  return close(run, { ...attempt, end: refused }, { is: 'entry', status: 'blocked', label, blocker, unresolved: [userAction] }, at);
}

function isWaitedOut(run: Run, { startedAt }: Attempt, at: number): boolean {
  return at >= startedAt + run.limits.waitDays * DAY_MS;
}

/** Work has begun, here or with a person; a look before the work is none. */
export function isBegun({ stage, dispatched }: Attempt): boolean {
  return dispatched || stage === 'handedOver' || stage === 'asking';
}

/** A person's answer to a handed-over task or to the human checks of one that was done. */
export function attest(run: Run, attempt: Attempt, end: NonNullable<Attempt['attested']>, at: number): Run {
  const free = { ...run, questions: run.questions.filter((question) => question.task !== attempt.task.id || question.kind !== 'attest') };
  if (attempt.stage === 'asking') return judge(free, { ...attempt, attested: end }, at);
  return verify(free, { ...attempt, end, attested: end });
}

/** A person's word on a step that is delivered. */
export function decideAttempt(run: Run, attempt: Attempt, decided: Decided, at: number): Run {
  const free = { ...run, questions: run.questions.filter((question) => question.task !== attempt.task.id || question.kind !== 'decide') };
  return judge(free, { ...attempt, decided }, at);
}

/** The wait for a person is over (R11: no answer is no yes). */
export function unanswered(run: Run, attempt: Attempt, at: number): Run {
  const judged: Judgement = {
    is: 'entry',
    status: 'blocked',
    label: labelOfLooks(attempt),
    blocker: 'no-answer',
    unresolved: ['nobody answered in time'],
  };
  return close(run, attempt, judged, at);
}

/** The attempt becomes an entry, and the entry goes to the gate (R5). */
export function close(run: Run, attempt: Attempt, judged: Extract<Judgement, { is: 'entry' }>, at: number): Run {
  const entry = entryFor(run, attempt, judged, at);
  const dropped = dropAttempt(run, attempt.task.id);
  const tasks = dropped.plan.tasks.filter((task) => task.id !== attempt.task.id);
  return gateEntry({ ...dropped, plan: { ...dropped.plan, tasks }, ledger: [...dropped.ledger, entry] }, entry.seq, at);
}
