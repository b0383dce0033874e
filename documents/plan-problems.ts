import { didYouMean } from './nearest.js';
import type { PlanDocument, PlanTask } from './plan-document.js';
import { type Block, lineOf, textIn } from './plan-fields.js';
import { errorAt, type Problem, warningAt } from './problem.js';

/** What is wrong with the lines above the first task. */
export function headerProblems(plan: PlanDocument, block: Block, given: { hasTitle: boolean }): Problem[] {
  const { file } = block;
  const at = { file, line: Math.max(1, block.line) };
  const problems: Problem[] = [];
  if (!given.hasTitle) problems.push(errorAt({ file, line: 1 }, 'there is no title; the first line of a plan is # PLAN: <name>'));
  else if (plan.title === '') problems.push(errorAt(at, 'the plan has no name; write # PLAN: <name>'));
  if (plan.goal === '') problems.push(errorAt(at, 'the plan has no Goal; write Goal: and one sentence'));
  problems.push(...versionProblems(block));
  const status = textIn(block, 'Status');
  if (plan.noOp !== null) problems.push(...noOpProblems(plan, block));
  else {
    if (status !== undefined)
      problems.push(warningAt({ file, line: lineOf(block, 'Status') }, `Status "${status.slice(0, 40)}" is not read; only no-op is`));
    if (plan.tasks.length === 0)
      problems.push(errorAt(at, 'the plan has no task; write ## T1 — <title>, or Status: no-op where the goal already holds'));
    if (plan.checks.length > 0)
      problems.push(
        warningAt({ file, line: lineOf(block, 'Checks') }, 'Checks of the plan are run only with Status: no-op; write them under a task'),
      );
  }
  return problems;
}

function versionProblems(block: Block): Problem[] {
  const { file } = block;
  const text = textIn(block, 'Plan version');
  if (text === undefined) return [warningAt({ file, line: Math.max(1, block.line) }, 'the plan has no Plan version; it is taken as 1')];
  if (/^[1-9]\d{0,8}$/.test(text)) return [];
  return [errorAt({ file, line: lineOf(block, 'Plan version') }, `Plan version "${text.slice(0, 40)}" is no whole number from 1`)];
}

function noOpProblems(plan: PlanDocument, block: Block): Problem[] {
  const { file } = block;
  const at = { file, line: lineOf(block, 'Status') };
  const problems: Problem[] = [];
  const [first] = plan.tasks;
  if (first !== undefined)
    problems.push(errorAt(at, `Status: no-op says that nothing is to be done, and ${first.id} is to be done; remove one of the two`));
  if (plan.noOp?.because === '') problems.push(errorAt(at, 'Status: no-op needs Already true because: and the reason'));
  if (plan.noOp?.evidence.length === 0) problems.push(errorAt(at, 'Status: no-op needs Evidence: and what was looked at'));
  if (problems.length === 0 && plan.spec === null && plan.checks.length === 0)
    problems.push(warningAt(at, 'Status: no-op has no Checks: in its header, so nobody looks whether the goal is met; the report says so'));
  return problems;
}

/** Ids of entries that the final check of a run writes. */
const SWEEP_ID = /^F\d+$/;
const ID_CHARS_MAX = 64;

export function taskProblems(task: PlanTask, file: string): Problem[] {
  const at = { file, line: task.line };
  const problems: Problem[] = [];
  if (task.id.length > ID_CHARS_MAX)
    problems.push(errorAt(at, `${task.id.slice(0, 20)}… is longer than ${ID_CHARS_MAX} characters; ids are short, like T1`));
  if (SWEEP_ID.test(task.id))
    problems.push(errorAt(at, `${task.id} is a name that the final check of a run uses; call the task T and a number`));
  if (task.doneWhen === '')
    problems.push(errorAt(at, `${task.id} has no Done when; write the one state that can be observed when it is done`));
  if (task.task === '') problems.push(warningAt(at, `${task.id} has no Task; its performer sees only its title and Done when`));
  if (task.performer === 'inline' && task.run === undefined)
    problems.push(
      errorAt({ file, line: task.lines.performer }, `${task.id} is performed inline and has no Run; write Run: and its command`),
    );
  if (task.run !== undefined && task.performer !== 'inline')
    problems.push(errorAt(at, `${task.id} has a Run, which only Performer: inline carries out; add that line, or make it a run: check`));
  if (task.continues !== undefined && task.reopens !== undefined)
    problems.push(
      errorAt(
        at,
        `${task.id} both continues ${task.continues} and reopens ${task.reopens}; a reopening starts anew, so keep Reopens alone`,
      ),
    );
  return problems;
}

export interface GraphOptions {
  file: string;
  recorded: readonly string[];
}

export function graphProblems(plan: PlanDocument, options: GraphOptions): Problem[] {
  const repeated = duplicates(plan, options);
  // Which of two tasks of one name is waited for nobody can say, so neither can anybody say who waits in a circle.
  return [...repeated, ...danglingDependencies(plan, options), ...(repeated.length > 0 ? [] : cycles(plan, options))];
}

function duplicates(plan: PlanDocument, { file }: GraphOptions): Problem[] {
  const problems: Problem[] = [];
  const seen = new Map<string, PlanTask>();
  for (const task of plan.tasks) {
    const key = task.id.toLowerCase();
    const first = seen.get(key);
    if (first === undefined) seen.set(key, task);
    else {
      const words = first.id === task.id ? `${task.id} is there twice` : `${task.id} differs from ${first.id} only in case`;
      problems.push(errorAt({ file, line: task.line }, `${words}; the first is in line ${first.line}, and an id is never used again`));
    }
  }
  return problems;
}

/** A suggestion compares with every id; so many are made at most. */
const SUGGESTIONS_MAX = 20;

function danglingDependencies(plan: PlanDocument, { file, recorded }: GraphOptions): Problem[] {
  const ids = [...new Set([...plan.tasks.map((task) => task.id), ...recorded])];
  const known = new Set(ids);
  const problems: Problem[] = [];
  for (const task of plan.tasks) {
    const at = { file, line: task.lines.dependsOn };
    for (const id of task.dependsOn) {
      if (id === task.id) problems.push(errorAt(at, `${task.id} depends on itself`));
      else if (!known.has(id)) {
        const others = problems.length < SUGGESTIONS_MAX ? ids.filter((other) => other !== task.id) : [];
        problems.push(
          errorAt(at, `${task.id} depends on ${id.slice(0, ID_CHARS_MAX)}, which this plan does not have${didYouMean(id, others)}`),
        );
      }
    }
  }
  return problems;
}

const CYCLE_IDS_SHOWN_MAX = 12;

/** One message a knot of dependencies, with one way around it. */
function cycles(plan: PlanDocument, { file }: GraphOptions): Problem[] {
  const tasks = new Map(plan.tasks.map((task) => [task.id, task]));
  const knots = componentsOf(tasks).filter((component) => component.size > 1);
  return knots.map((knot) => {
    const around = wayAround(tasks, knot);
    const [first] = around;
    const shown = around.length > CYCLE_IDS_SHOWN_MAX ? [...around.slice(0, CYCLE_IDS_SHOWN_MAX), '…'] : around;
    const line = tasks.get(first ?? '')?.lines.dependsOn ?? 1;
    return errorAt({ file, line }, `these tasks wait for each other: ${[...shown, first].join(' → ')}; remove one of these dependencies`);
  });
}

/** Strongly connected components (Tarjan), with a stack of our own: a long chain must not overflow the call stack. */
function componentsOf(tasks: ReadonlyMap<string, PlanTask>): Set<string>[] {
  const found: Set<string>[] = [];
  const index = new Map<string, number>();
  const low = new Map<string, number>();
  const open: string[] = [];
  const isOpen = new Set<string>();
  const enter = (id: string) => {
    index.set(id, index.size);
    low.set(id, index.size - 1);
    open.push(id);
    isOpen.add(id);
    return { id, next: 0 };
  };
  const lower = (id: string, to: number | undefined) => low.set(id, Math.min(low.get(id) ?? 0, to ?? 0));
  for (const root of tasks.keys()) {
    const path = index.has(root) ? [] : [enter(root)];
    for (let step = path.at(-1); step !== undefined; step = path.at(-1)) {
      const needed = tasks.get(step.id)?.dependsOn[step.next++];
      if (needed !== undefined) {
        if (!tasks.has(needed)) continue;
        if (!index.has(needed)) path.push(enter(needed));
        else if (isOpen.has(needed)) lower(step.id, index.get(needed));
        continue;
      }
      path.pop();
      const parent = path.at(-1);
      if (parent !== undefined) lower(parent.id, low.get(step.id));
      if (low.get(step.id) === index.get(step.id)) found.push(closed(open, isOpen, step.id));
    }
  }
  return found;
}

function closed(open: string[], isOpen: Set<string>, root: string): Set<string> {
  const component = new Set<string>();
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    isOpen.delete(id);
    component.add(id);
    if (id === root) break;
  }
  return component;
}

function wayAround(tasks: ReadonlyMap<string, PlanTask>, knot: ReadonlySet<string>): string[] {
  const walked: string[] = [];
  const at = new Map<string, number>();
  const lineOfTask = (id: string) => tasks.get(id)?.line ?? 0;
  const firstInPlan = [...knot].reduce((first, id) => (lineOfTask(id) < lineOfTask(first) ? id : first));
  for (let id: string | undefined = firstInPlan; id !== undefined; ) {
    const seen = at.get(id);
    if (seen !== undefined) return walked.slice(seen);
    at.set(id, walked.length);
    walked.push(id);
    id = tasks.get(id)?.dependsOn.find((needed) => needed !== id && knot.has(needed));
  }
  return walked;
}
