import { entryOf, isSettled, lastGate, withGate } from './ledger.js';
import { BUDGETS, grantAgain } from './limits.js';
import type { Gate } from './method.js';
import { methodOf } from './methods/registry.js';
import { closeGates } from './planning.js';
import type { Budget, Entry, Label, Planning, Run, Task } from './values.js';
import { withMove, writeGate, writePlan } from './write-queue.js';

/**
 * A confirmed external change opens a new episode (seed 002 §7 and Resuming): a new lineage whose first task carries
 * `Reopens`. A resolution that nobody confirmed and no check observed reopens nothing.
 */
export interface Resolution {
  text: string;
  by: string;
  label: Label;
  /** A person lets the run go on without it, where the method knows what that means. */
  approves?: boolean;
}

/** The check of a resolution is run before anything is reopened. */
export function resolving(run: Run, resolution: { entry: Entry; message: string; text: string; by: string; check: string }): Run {
  const { entry, message, text, by, check } = resolution;
  const { run: next, move } = withMove(run);
  return {
    ...next,
    resolving: {
      move,
      message,
      seq: entry.seq,
      text,
      by,
      check: check.includes(':') && /^(run|file|http|git)\s*:/.test(check) ? check : `run: ${check}`,
    },
  };
}

export function reopen(run: Run, entry: Entry, resolution: Resolution, at: number): Run {
  const free = {
    ...run,
    closing: false,
    questions: run.questions.filter((question) => question.kind !== 'resolve'),
    writes: run.writes.filter((write) => write.is !== 'report' || write === run.writes[0]),
  };
  const budget = budgetOf(entry);
  const renewed = budget === null ? free : { ...free, spent: grantAgain(free.spent, budget) };
  const { text, by, approves } = resolution;
  const gate = methodOf(run.method).gate(renewed, entry, { is: 'reopening', approves: approves === true, text, by });
  if (gate.is === 'revised') return goOnWith(renewed, entry, { gate, resolution }, at);
  const isOwn = budget !== null && entry.blocker === `budget-${budget}`;
  if (isOwn || !run.policy.planner) return byCode(renewed, entry, resolution, at);
  const { run: next, move } = withMove(renewed);
  const planning: Planning = {
    question: 'replan',
    triggers: [entry.seq],
    move,
    refusals: 0,
    problems: [],
    reopening: [entry.task],
    resolution: { text, by, label: resolution.label },
    asking: renewed.next,
  };
  return { ...next, planning };
}

/** Its own, or that of the planner who was to be asked about it. */
function budgetOf(entry: Entry): Budget | null {
  const gate = lastGate(entry);
  const blockers = [entry.blocker, ...(gate?.is === 'exhausted' ? [gate.blocker] : [])];
  return BUDGETS.find((budget) => blockers.includes(`budget-${budget}`)) ?? null;
}

/** The next plan version, made by code: the same task under the next id, with `Reopens`. */
function byCode(run: Run, entry: Entry, resolution: Resolution, at: number): Run {
  if (isSettled(entry)) return goOn(run, entry, resolution, at);
  const version = run.plan.version + 1;
  const id = nextId(run);
  const work = workOf(run, entry);
  const task: Task = {
    id,
    title: work.title,
    performer: entry.terms?.performer ?? work.performer,
    dependsOn: [],
    checks: entry.checks,
    ...(entry.added === undefined ? {} : { added: entry.added }),
    covers: entry.covers,
    // Of an entry from a ledger without history nobody knows whether its work may be repeated: it is not (R3).
    ...(entry.terms ?? { writes: null, repeatable: false }),
    states: entry.states,
    reopens: entry.task,
    ...(entry.restates === undefined ? {} : { restates: entry.restates }),
  };
  const because = `${entry.blocker ?? entry.task} is resolved: ${shortened(resolution.text)}`;
  const tasks = [
    task,
    ...run.plan.tasks.map((one) => ({ ...one, dependsOn: one.dependsOn.map((dep) => (dep === entry.task ? id : dep)) })),
  ];
  const edit = { task: entry.task, as: id, reopens: entry.task, because };
  const next = writePlan({ ...run, plan: { ...run.plan, version, tasks, because } }, { version, sha256: run.plan.sha256, edit });
  return closeGates(next, version, { at, reopening: { reopening: [entry.task], resolution } });
}

/** A plan says why it changed in a sentence or two; the whole words stand in the ledger, beside the gate that they reopened. */
const BECAUSE_CHARS_MAX = 500;

function shortened(words: string): string {
  if (words.length <= BECAUSE_CHARS_MAX) return words;
  // Never half of a letter that takes two places.
  const head = words.slice(0, BECAUSE_CHARS_MAX).replace(/[\uD800-\uDBFF]$/, '');
  return `${head.trimEnd()}… (whole in LEDGER.md)`;
}

/** The next plan version, as the method makes it from the ledger. */
function goOnWith(
  run: Run,
  entry: Entry,
  { gate, resolution }: { gate: Extract<Gate, { is: 'revised' }>; resolution: Resolution },
  at: number,
): Run {
  const { tasks, because, debt } = gate;
  const version = run.plan.version + 1;
  const { by, label, text } = resolution;
  const record = { is: 'reopened', version, at, by, label, words: text, ...(debt === undefined ? {} : { debt }) } as const;
  const planned = { ...run, plan: { ...run.plan, version, tasks, because } };
  return writeGate(withGate(planned, entry.seq, record), entry.seq);
}

/** What is done is not done again: the run goes on with the plan that stands. */
function goOn(run: Run, entry: Entry, { by, label, text }: Resolution, at: number): Run {
  return writeGate(withGate(run, entry.seq, { is: 'reopened', version: run.plan.version, at, by, label, words: text }), entry.seq);
}

/** Whose work it is: a sweep's entry names what is undone, and that is done again. */
function workOf(run: Run, entry: Entry): Entry {
  const undone = entry.undoes === undefined ? undefined : entryOf(run.ledger, entry.undoes);
  return undone ?? entry;
}

/** Ids are never reused: one above the highest number in the ledger and in every plan version. */
function nextId(run: Run): string {
  const ids = [...run.ledger.map((entry) => entry.task), ...[...run.plan.tasks, ...(run.retired ?? [])].map((one) => one.id)];
  const highest = ids.reduce((max, id) => Math.max(max, Number(/^T(\d+)$/.exec(id)?.[1] ?? 0)), 0);
  return `T${highest + 1}`;
}
