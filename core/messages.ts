import { unreachable } from './assert.js';
import { attest, decideAttempt, verify, withdrawAttempt } from './attempt.js';
import { applied, refuse } from './handled.js';
import { entryOf, exhaustedEntries, isNamed, lastGate, withGate } from './ledger.js';
import { NOTES_MAX } from './limits.js';
import { pausePlanning } from './planning.js';
import { reopen, resolving } from './reopening.js';
import type { Attempt, Entry, Message, Run } from './values.js';
import { withMove, writeGate } from './write-queue.js';

/**
 * Human acts (R12): each is applied exactly once, to what was shown, and always answered. What cannot be applied is
 * refused with a reason, recorded and visible; it never fails the run.
 */
export function receive(run: Run, message: Message): Run {
  const known = run.handled.some((one) => one.id === message.id);
  const pending = run.proposed?.message === message.id || run.resolving?.message === message.id;
  if (known || pending) return run;
  if (run.outcome !== null) return refuse(run, message, `the run is closed: ${run.outcome}`);
  const stale = staleness(run, message);
  if (stale !== null) return refuse(run, message, stale);
  if (run.stopped !== null && message.name !== 'attest' && message.name !== 'refused')
    return refuse(run, message, `the run was stopped by ${run.stopped.by}`);
  return apply(run, message);
}

function apply(run: Run, message: Message): Run {
  switch (message.name) {
    case 'attest':
      return receiveAttest(run, message);
    case 'decide':
      return receiveDecide(run, message);
    case 'resolve':
      return receiveResolve(run, message);
    case 'replan':
      return receiveReplan(run, message);
    case 'message':
      return receiveWords(run, message);
    case 'pause':
      if (run.paused !== null) return refuse(run, message, `it is paused already, by ${run.paused.by}`);
      return applied(
        { ...pausePlanning(run), paused: { by: message.by, reason: message.reason ?? '', at: message.at } },
        message,
        'nothing new is dispatched; what runs is judged',
      );
    case 'resume':
      if (run.paused === null) return refuse(run, message, 'it is not paused');
      return applied({ ...run, paused: null }, message, 'the run goes on');
    case 'stop':
      return receiveStop(run, message);
    case 'refused':
      return refuse(run, { ...message, name: 'refused' }, message.reason);
    default:
      return unreachable(message);
  }
}

/** Whose briefs carry words of people. */
const ADDRESSED = ['performer', 'planner'];

function receiveWords(run: Run, message: Extract<Message, { name: 'message' }>): Run {
  const to = message.to.trim().toLowerCase();
  if (!ADDRESSED.includes(to))
    return refuse(run, message, `nobody is called ${message.to.slice(0, NAME_CHARS_MAX)}; a message goes to: ${ADDRESSED.join(', ')}`);
  const notes = [...run.notes, { to, text: message.text, by: message.by }].slice(-NOTES_MAX);
  return applied({ ...run, notes }, message, `shown to the ${to} in its next brief`);
}

const NAME_CHARS_MAX = 60;

/** `shown` is a plan version, or the beginning of the plan's sha256. */
function staleness(run: Run, message: Message): string | null {
  if (message.shown === undefined) return null;
  const version = typeof message.shown === 'number' ? message.shown : /^\d+$/.test(message.shown) ? Number(message.shown) : null;
  if (version !== null)
    return version === run.plan.version ? null : `it was shown plan version ${version}; the plan is at version ${run.plan.version} now`;
  return run.plan.sha256.startsWith(String(message.shown)) ? null : 'what was shown is not what stands now';
}

function receiveAttest(run: Run, message: Extract<Message, { name: 'attest' }>): Run {
  const attempt = run.active.find((one) => one.task.id === message.task && isAsked(run, one, 'attest'));
  if (attempt === undefined) return refuse(run, message, whyNobodyAsked(run, message.task));
  const { happened, by, nowTrue, unexpected } = message;
  const end = {
    is: 'attested',
    happened,
    by,
    ...(nowTrue === undefined ? {} : { nowTrue }),
    ...(unexpected === undefined ? {} : { unexpected }),
  } as const;
  return attest(applied(run, message, `recorded for ${message.task}`), attempt, end, message.at);
}

function isAsked(run: Run, { task, stage }: Attempt, kind: 'attest' | 'decide'): boolean {
  const isWithPerson = stage === 'handedOver' || stage === 'asking';
  return isWithPerson && run.questions.some((question) => question.kind === kind && question.task === task.id);
}

function whyNobodyAsked(run: Run, task: string): string {
  const entry = entryOf(run.ledger, task);
  if (entry !== undefined) return `${task} is ${entry.status} already`;
  const attempt = run.active.find((one) => one.task.id === task);
  if (attempt?.attested !== undefined) return `${task} is answered already, by ${attempt.attested.by}: what that says is being looked at`;
  const known = run.plan.tasks.some((one) => one.id === task);
  return known ? `nobody was asked about ${task} yet` : `the plan has no ${task}`;
}

function receiveDecide(run: Run, message: Extract<Message, { name: 'decide' }>): Run {
  const asked = run.active.find((one) => isNamed(one.task.id, message.gate) && isAsked(run, one, 'decide'));
  if (asked !== undefined) {
    const decided = { approves: message.decision === 'approve', by: message.by, ...reasonOf(message) };
    return decideAttempt(applied(run, message, `recorded for ${asked.task.id}`), asked, decided, message.at);
  }
  const entry = findExhausted(run, message.gate);
  if (entry === undefined) return refuse(run, message, `no open gate is called ${message.gate}; donewhen waiting ${run.id} lists them`);
  if (message.decision === 'reject') return applied(makeFinal(run, entry), message, `${entry.task} stays exhausted, by ${message.by}`);
  const busy = whyNotNow(run, entry);
  if (busy !== null) return refuse(run, message, busy);
  const text = message.reason ?? 'approved';
  const resolution = { text, by: message.by, label: 'attested', approves: true } as const;
  return applied(reopen(run, entry, resolution, message.at), message, `${entry.task} is reopened`);
}

function reasonOf({ reason }: { reason?: string }): { reason?: string } {
  return reason === undefined || reason.trim() === '' ? {} : { reason };
}

/** One word opens one gate once: the second is answered with the first (R12). */
function whyNotNow(run: Run, entry: Entry): string | null {
  const planning = run.planning;
  if (planning === null || !planning.reopening.includes(entry.task)) return null;
  return `${entry.task} is being reopened already, by ${planning.resolution?.by ?? 'somebody'}`;
}

/** A person's no is final: the run does not wait any longer. */
function makeFinal(run: Run, entry: Entry): Run {
  const gate = lastGate(entry);
  if (gate?.is !== 'exhausted') return run;
  const gates = [...entry.gates.slice(0, -1), { ...gate, final: true }];
  const ledger = run.ledger.map((one) => (one.seq === entry.seq ? { ...one, gates } : one));
  const questions = run.questions.filter((question) => question.kind !== 'resolve' || question.gate !== entry.task);
  return { ...run, ledger, questions };
}

export function findExhausted(run: Run, name: string): Entry | undefined {
  const open = exhaustedEntries(run);
  return open.findLast((entry) => {
    const gate = lastGate(entry);
    return isNamed(entry.task, name) || entry.blocker === name || (gate?.is === 'exhausted' && gate.blocker === name);
  });
}

/** What a person resolves it by: its own obstacle, else that of its gate. */
function blockerNameOf(entry: Entry): string {
  const gate = lastGate(entry);
  return entry.blocker ?? (gate?.is === 'exhausted' && gate.blocker !== '' ? gate.blocker : entry.task);
}

function receiveResolve(run: Run, message: Extract<Message, { name: 'resolve' }>): Run {
  const entry = findExhausted(run, message.blocker);
  if (entry === undefined) {
    const open = exhaustedEntries(run).map(blockerNameOf);
    const way = open.length > 0 ? `open: ${open.join(', ')}` : 'nothing is exhausted';
    return refuse(run, message, `no open blocker is called ${message.blocker}; ${way}`);
  }
  const busy = run.resolving !== null ? 'another resolution is being checked' : whyNotNow(run, entry);
  if (busy !== null) return refuse(run, message, busy);
  if (message.check === undefined) {
    const next = reopen(run, entry, { text: message.resolution, by: message.by, label: 'attested' }, message.at);
    return applied(next, message, `${entry.task} is reopened on the word of ${message.by}`);
  }
  return resolving(run, { entry, message: message.id, text: message.resolution, by: message.by, check: message.check });
}

function receiveReplan(run: Run, message: Extract<Message, { name: 'replan' }>): Run {
  if (run.proposed !== null) return refuse(run, message, 'another plan is being read');
  const { run: next, move } = withMove(run);
  return { ...next, proposed: { move, message: message.id, text: message.plan, by: message.by } };
}

/** The running attempt's tree is ended and it is looked at; what was never dispatched is dropped without an entry. */
function receiveStop(run: Run, message: Extract<Message, { name: 'stop' }>): Run {
  const stopped = { by: message.by, reason: message.reason ?? '', at: message.at };
  let next: Run = { ...pendingRefused(run, message), stopped, paused: null, planning: null, proposed: null, resolving: null };
  for (const attempt of run.active) {
    if (attempt.stage === 'dispatching') next = replace(next, { ...attempt, cut: true });
    else if (attempt.stage === 'verifying') next = replace(next, { ...attempt, cut: true });
    else if (attempt.dispatched) next = verify(dropQuestions(next, attempt.task.id), { ...attempt, end: { is: 'cut' }, cut: true });
    else next = withdrawAttempt(next, attempt.task.id);
  }
  for (const entry of run.ledger) if (entry.gates.length === 0) next = settleOnStop(next, entry, message.at);
  return applied(next, message, 'the run ends with a report');
}

/** R12: what is still being read or checked when the run is stopped gets its answer now. */
function pendingRefused(run: Run, { by, at }: { by: string; at: number }): Run {
  const why = `the run was stopped by ${by}`;
  const { proposed, resolving: pending } = run;
  const next = proposed === null ? run : refuse(run, { id: proposed.message, name: 'replan', by: proposed.by, at }, why);
  return pending === null ? next : refuse(next, { id: pending.message, name: 'resolve', by: pending.by, at }, why);
}

function replace(run: Run, attempt: Run['active'][number]): Run {
  return { ...run, active: run.active.map((one) => (one.task.id === attempt.task.id ? attempt : one)) };
}

function dropQuestions(run: Run, task: string): Run {
  return { ...run, questions: run.questions.filter((question) => question.task !== task) };
}

function settleOnStop(run: Run, entry: Entry, at: number): Run {
  const note = 'the planner was not asked: the run was stopped';
  return writeGate(withGate(run, entry.seq, { is: 'holds', at, note }), entry.seq);
}
