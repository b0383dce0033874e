import { isAsked, type RunState, type UsageLimit, type Waiting } from '../run-state.js';
import { elapsed, oneLine } from './text.js';
import { answerCommand, blockerOf } from './waiting.js';

/** What happened between two looks at a run, a plain line each: for pipes, logs and CI. null: the first look. */
export function eventsBetween(before: RunState | null, after: RunState): string[] {
  return [
    ...entryEvents(before, after),
    ...planEvents(before, after),
    ...dispatchEvents(before, after),
    ...limitEvents(before, after),
    ...plannerEvents(before, after),
    ...questionEvents(before, after),
    ...steeringEvents(before, after),
    ...after.found
      .filter((file) => before?.found.includes(file) !== true)
      .map((file) => `saved beside, written by somebody else: ${oneLine(file)}`),
  ];
}

function planEvents(before: RunState | null, after: RunState): string[] {
  // Version 0: the plan was still being read.
  if (before === null || before.plan.version === 0 || before.plan.version === after.plan.version) return [];
  const written = new Set(after.ledger.map((entry) => entry.task));
  const tasks = after.plan.tasks.filter((task) => !written.has(task.id)).map((task) => task.id);
  return [`plan version ${after.plan.version}${tasks.length === 0 ? '' : `: ${tasks.join(', ')}`}`];
}

function dispatchEvents(before: RunState | null, after: RunState): string[] {
  const works = (state: RunState | null) => (state?.active ?? []).filter((attempt) => attempt.stage === 'dispatching');
  const known = new Set(works(before).map(attemptKey));
  return works(after)
    .filter((attempt) => !known.has(attemptKey(attempt)))
    .map((attempt) => {
      const again = attempt.attempt > 1 ? ` again (attempt ${attempt.attempt})` : '';
      return `${attempt.task} dispatched${again}${attempt.performer === '' ? '' : ` to ${attempt.performer}`}`;
    });
}

function attemptKey(attempt: { task: string; attempt: number }): string {
  return `${attempt.task}#${attempt.attempt}`;
}

function entryEvents(before: RunState | null, after: RunState): string[] {
  return after.ledger.flatMap((entry) => {
    const earlier = before?.ledger.find((other) => other.seq === entry.seq);
    const gate = entry.gates.at(-1);
    const changed = gate !== undefined && gate !== earlier?.gates.at(-1) && gate !== 'plan holds';
    const blocker = entry.blocker === null ? '' : `, blocker ${oneLine(entry.blocker)}`;
    return [
      ...(earlier === undefined ? [`${entry.task} ${entry.status} (${entry.verification}${blocker})`] : []),
      ...(changed ? [`${entry.task}: ${oneLine(gate)}`] : []),
    ];
  });
}

function limitEvents(before: RunState | null, after: RunState): string[] {
  const known = new Set((before?.active ?? []).filter((attempt) => attempt.stage === 'limited').map(attemptKey));
  return after.active
    .filter((attempt) => attempt.stage === 'limited' && !known.has(attemptKey(attempt)))
    .map((attempt) => limitWords(attempt.task, attempt));
}

function plannerEvents(before: RunState | null, { planner }: RunState): string[] {
  return planner === null || before?.planner?.until === planner.until ? [] : [limitWords('the planner', planner)];
}

function limitWords(who: string, { until, why }: UsageLimit): string {
  return `${who} waits for a usage limit${until === null ? '' : ` until ${until}`}${why === '' ? '' : `: ${oneLine(why)}`}`;
}

function questionEvents(before: RunState | null, after: RunState): string[] {
  const known = new Set((before?.waiting ?? []).map(waitingKey));
  return after.waiting.filter((waiting) => !known.has(waitingKey(waiting))).map((waiting) => questionWords(after, waiting));
}

function waitingKey(waiting: Waiting): string {
  return JSON.stringify([waiting.kind, waiting.task, waiting.gate, waiting.ask]);
}

function questionWords(state: RunState, waiting: Waiting): string {
  if (!isAsked(waiting)) return `note: ${oneLine(waiting.ask)}`;
  const command = answerCommand(state.run, waiting, blockerOf(state, waiting));
  const about = waiting.task === null ? '' : `${waiting.task}: `;
  return `waiting for a person: ${about}${oneLine(waiting.ask)}${command === null ? '' : `: ${command}`}`;
}

function steeringEvents(before: RunState | null, after: RunState): string[] {
  const words = (act: { by: string; reason: string }) => `${oneLine(act.by)}${act.reason === '' ? '' : `: ${oneLine(act.reason)}`}`;
  return [
    ...(after.paused !== null && (before?.paused ?? null) === null ? [`paused by ${words(after.paused)}`] : []),
    ...(after.paused === null && (before?.paused ?? null) !== null ? ['resumed'] : []),
    ...(after.stopped !== null && (before?.stopped ?? null) === null ? [`stopped by ${words(after.stopped)}`] : []),
  ];
}

/** Said when a run did not answer for a while; a pipe hears it once, not every second. */
export function silenceWords(ms: number): string {
  return `no worker has answered for ${elapsed(ms)}; the run is kept and goes on when one is there`;
}
