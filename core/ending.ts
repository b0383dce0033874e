import { verify, withdrawAttempt } from './attempt.js';
import { sweepEntry } from './entries.js';
import { gateEntry } from './gate.js';
import { isExhausted, isGateOpen, isSettled, lastGate, unitOf } from './ledger.js';
import { ASKS_MAX, DAY_MS } from './limits.js';
import { methodOf } from './methods/registry.js';
import { areDependenciesMet } from './selection.js';
import type { Answer, Entry, Observation, Question, Run, SweepLook, Swept } from './values.js';
import { isHuman } from './verdict.js';
import { withMove, writeReport } from './write-queue.js';

/** How a run ends: it drains, sweeps, waits for a person where it should, and closes through the report (R5). */

/** An exhausted run drains: what was never dispatched is dropped, what waits is looked at once more; what runs may end. */
export function drain(run: Run): Run {
  if (!isExhausted(run)) return run;
  for (const attempt of run.active) {
    const idle = attempt.stage !== 'asking' && attempt.stage !== 'dispatching' && attempt.stage !== 'verifying';
    if (idle && !attempt.dispatched) return withdrawAttempt(run, attempt.task.id);
    if (attempt.stage === 'ready' || attempt.stage === 'limited' || attempt.stage === 'asking') {
      return verify(
        { ...run, questions: run.questions.filter((one) => one.task !== attempt.task.id) },
        { ...attempt, end: { is: 'cut' }, cut: true },
      );
    }
  }
  return run;
}

/** Nothing is under way and nothing more can start. */
function isSpent(run: Run): boolean {
  if (run.active.length > 0 || run.writes.length > 0 || run.planning !== null || run.proposed !== null || run.resolving !== null)
    return false;
  if (run.stopped !== null || isExhausted(run)) return true;
  if (run.paused !== null || run.ledger.some(isGateOpen)) return false;
  return !run.plan.tasks.some((task) => areDependenciesMet(run, task));
}

/** The final sweep (design §2): every check behind a satisfied entry that ran before the last effect, each once. */
export function sweepLooks(run: Run): SweepLook[] {
  const bySeq = new Map<string, number[]>();
  const undone = new Set(run.ledger.flatMap((entry) => (entry.undoes === undefined ? [] : [entry.undoes])));
  const newest = new Map(run.ledger.map((entry) => [unitOf(entry.task), entry.task]));
  for (const entry of run.ledger) {
    if (!isSettled(entry) || undone.has(entry.task) || entry.asOf >= run.effects || newest.get(unitOf(entry.task)) !== entry.task) continue;
    for (const check of entry.checks) if (!isHuman(check)) bySeq.set(check, [...(bySeq.get(check) ?? []), entry.seq]);
  }
  return [...bySeq].map(([check, seqs]) => ({ check, seqs }));
}

export function beginSweep(run: Run): Run {
  if (!run.policy.finalSweep || run.sweep !== null || run.closing || run.sweptAt >= run.effects || !isSpent(run)) return run;
  if (methodOf(run.method).outcome(run) !== 'COMPLETED' || sweepLooks(run).length === 0) return run;
  const { run: next, move } = withMove(run);
  return { ...next, sweep: { move, asOf: run.effects } };
}

/** What no longer holds is an entry of its own, and goes to the gate like any other. */
export function answerSweep(run: Run, answer: Answer): Run {
  if (answer.is === 'observed') return swept(run, answer.observation, answer.at);
  const asks = (run.sweep?.asks ?? 0) + (answer.is === 'unclear' && answer.counts ? 1 : 0);
  if (run.sweep === null || asks >= ASKS_MAX) return swept(run, NOTHING_SEEN, answer.at);
  const { run: next, move } = withMove(run);
  return { ...next, sweep: { ...run.sweep, move, asks } };
}

const NOTHING_SEEN: Observation = { looks: [], tampered: [], deviations: [], discovered: [] };

function swept(run: Run, observation: Observation, at: number): Run {
  const looks = sweepLooks(run);
  let next: Run = { ...run, sweep: null, sweptAt: run.sweep?.asOf ?? run.effects, swept: sweptOf(looks, observation) };
  const broken = new Set(observation.looks.filter((look) => look.is === 'disproved').map((look) => look.check));
  const seqs = new Set(looks.filter((look) => broken.has(look.check)).flatMap((look) => look.seqs));
  for (const seq of [...seqs].sort((a, b) => a - b)) {
    const undone = run.ledger[seq - 1];
    if (undone === undefined) continue;
    const entry = sweepEntry(
      next,
      undone,
      observation.looks.filter((look) => undone.checks.includes(look.check)),
      at,
    );
    next = gateEntry({ ...next, ledger: [...next.ledger, entry] }, entry.seq, at);
  }
  return next;
}

/** R15: a report names so many; of the others it says how many there are. */
const UNSEEN_SHOWN_MAX = 20;

function sweptOf(wanted: SweepLook[], { looks }: Observation): Swept {
  const byCheck = new Map(looks.map((look) => [look.check, look]));
  const unseen = wanted.flatMap(({ check }) => {
    const look = byCheck.get(check);
    if (look === undefined) return [{ check, saw: 'the look could not be made' }];
    return look.is === 'unobservable' ? [{ check, saw: look.saw }] : [];
  });
  const broken = wanted.filter(({ check }) => byCheck.get(check)?.is === 'disproved').length;
  return { checks: wanted.length, broken, unseen: unseen.slice(0, UNSEEN_SHOWN_MAX), unseenInAll: unseen.length };
}

/** `people.onBlocked: wait`: a person is asked before an exhausted run closes, for as long as a wait may last. */
function waitsForPerson(run: Run, at: number): Run | null {
  if (run.policy.onBlocked !== 'wait' || run.stopped !== null) return null;
  const entry = run.ledger.findLast((one) => {
    const gate = lastGate(one);
    return gate?.is === 'exhausted' && !gate.final;
  });
  if (entry === undefined || !isExhausted(run)) return null;
  if (run.questions.some((question) => question.kind === 'resolve')) return run;
  return { ...run, next: run.next + 1, questions: [...run.questions, questionFor(run, entry, at)] };
}

function questionFor(run: Run, entry: Entry, at: number): Question {
  const gate = lastGate(entry);
  const blocker = gate?.is === 'exhausted' ? gate.blocker : (entry.blocker ?? entry.task);
  // A gate with a name of its own says why.
  const why = gate?.is === 'exhausted' && gate.blocker !== (entry.blocker ?? `unresolved-${entry.task}`) ? gate.why : undefined;
  const todo = entry.text?.userAction[0] ?? entry.todo ?? why;
  return {
    id: `q${run.next}`,
    kind: 'resolve',
    task: entry.task,
    gate: entry.task,
    ask: `${blocker} stopped ${entry.task}${todo === undefined ? '' : `: ${todo}`}`,
    since: at,
    until: at + run.limits.waitDays * DAY_MS,
  };
}

export function unresolved(run: Run, question: Question): Run {
  const ledger = run.ledger.map((entry) => {
    const gate = lastGate(entry);
    return entry.task === question.gate && gate?.is === 'exhausted'
      ? { ...entry, gates: [...entry.gates.slice(0, -1), { ...gate, final: true }] }
      : entry;
  });
  return { ...run, ledger, questions: run.questions.filter((one) => one.id !== question.id) };
}

export function close(run: Run, at: number): Run {
  if (run.closing || run.outcome !== null || run.sweep !== null || !isSpent(run)) return run;
  return waitsForPerson(run, at) ?? writeReport({ ...run, closing: true, questions: [] });
}

/** The report is written: the run is closed, unless something came in between. */
export function closed(run: Run): Run {
  if (!run.closing || run.writes.length > 0) return run;
  // A plan that is being read or a resolution that is being checked came in between: it is answered first (R12).
  if (run.proposed !== null || run.resolving !== null) return { ...run, closing: false };
  return { ...run, outcome: methodOf(run.method).outcome(run) };
}
