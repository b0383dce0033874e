import { isNamed } from '../ledger.js';
import type { Entry, Task } from '../values.js';
import type { PipelineAbout } from './pipeline-values.js';
import { placeOf, stepNameOf, stepOf, taskIdOf } from './run-pipeline-about.js';
import { ASKED } from './run-pipeline-counts.js';
import { type Decision, decidedOn, stepNameIn } from './run-pipeline-gate.js';

/** What is still to be done, in order: the course of a pipeline, folded from its ledger and nothing else. */
export interface Coming {
  id: string;
  step: string;
  askedBy: string;
}

/** `deciding`: the entry whose gate is being decided, and how. */
export function courseOf(about: PipelineAbout, ledger: Entry[], deciding?: { seq: number; decision: Decision }): Coming[] {
  let coming = firstOf(about);
  for (const entry of ledger) {
    const decision = entry.seq === deciding?.seq ? deciding.decision : decidedOn(about, ledger, entry);
    coming = after({ about, ledger, entry }, coming, decision);
  }
  return coming;
}

function firstOf({ pipeline, range }: PipelineAbout): Coming[] {
  const inOrder = pipeline.steps.filter(({ optional }) => !optional);
  const wanted = inOrder.filter(({ step }) => {
    if (range === undefined) return true;
    return 'only' in range
      ? step === range.only
      : pipeline.steps.findIndex((one) => one.step === range.from) <= placeIn(pipeline.steps, step);
  });
  return wanted.map(({ step }) => ({ id: taskIdOf(step), step, askedBy: ASKED.start }));
}

function placeIn(steps: { step: string }[], name: string): number {
  return steps.findIndex(({ step }) => step === name);
}

interface Place {
  about: PipelineAbout;
  ledger: Entry[];
  entry: Entry;
}

function after(place: Place, before: Coming[], decision: Decision | null): Coming[] {
  const { entry } = place;
  const rest = before.filter(({ id }) => id !== entry.task);
  const step = stepNameIn(entry);
  switch (decision?.is) {
    case 'again': {
      const again = { id: nextId(place, step), step, askedBy: decision.askedBy };
      // Whoever waited to review this attempt reviews the next one.
      const renamed = rest.map((one) => (one.askedBy === ASKED.reviewOf(entry.task) ? { ...one, askedBy: ASKED.reviewOf(again.id) } : one));
      return entry.undoes === undefined ? [again, ...renamed] : inOrder(place.about, [...renamed, again]);
    }
    case 'fix': {
      const fix = { id: nextId(place, decision.fixer), step: decision.fixer, askedBy: ASKED.fixOf(entry.task) };
      return [fix, { id: nextId(place, step), step, askedBy: ASKED.reviewOf(fix.id) }, ...rest];
    }
    case 'back':
      return fromPlan(place, rest, decision);
    default:
      return rest;
  }
}

/** Looks before closing may find several steps undone: they are made again as they are written. */
function inOrder(about: PipelineAbout, coming: Coming[]): Coming[] {
  return coming.toSorted((a, b) => placeOf(about, a.step) - placeOf(about, b.step));
}

/** From that step on again, in order; what was not begun yet keeps its id. */
function fromPlan(place: Place, rest: Coming[], { to, cycle }: Extract<Decision, { is: 'back' }>): Coming[] {
  const { about } = place;
  const again = about.pipeline.steps.filter(({ step, optional }) => !optional && placeOf(about, step) >= placeOf(about, to));
  return again.map(({ step }) => {
    const notBegun = rest.find((one) => one.step === step && one.askedBy === ASKED.start);
    return notBegun ?? { id: nextId(place, step), step, askedBy: ASKED.backToPlan(cycle) };
  });
}

/** R2: one above what the ledger has of this step up to here. */
function nextId({ ledger, entry }: Place, step: string): string {
  const taken = ledger.filter((one) => one.seq <= entry.seq && one.undoes === undefined && isNamed(one.task, taskIdOf(step)));
  const highest = taken.reduce((max, one) => Math.max(max, Number(/@(\d+)$/.exec(one.task)?.[1] ?? 1)), 0);
  return taskIdOf(step, highest + 1);
}

/** The remaining plan: one task after the other, as they are written. */
export function tasksOf(about: PipelineAbout, coming: Coming[]): Task[] {
  return coming.flatMap(({ id, askedBy }, index) => {
    const step = stepOf(about, stepNameOf(id));
    const previous = coming[index - 1];
    if (step === undefined) return [];
    const task: Task = {
      id,
      title: step.title,
      performer: step.performer,
      dependsOn: previous === undefined ? [] : [previous.id],
      checks: step.checks,
      covers: [],
      writes: step.writes,
      repeatable: true,
      states: step.states,
      askedBy,
      ...(step.timeoutMs === undefined ? {} : { timeoutMs: step.timeoutMs }),
    };
    return [task];
  });
}
