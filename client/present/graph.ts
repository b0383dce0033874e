import type { Colors } from './colors.js';
import { columnsOf, count, cut, fit, oneLine } from './text.js';

/** A task of a plan as it is drawn. */
export interface GraphTask {
  id: string;
  title: string;
  performer: string;
  dependsOn: string[];
  /** Usable checks by kind. */
  checks: { machine: number; human: number };
  /** It has an entry: it is not sent again. */
  recorded: boolean;
}

/** Deeper ones stand below each other: a long chain is no staircase out of the terminal. */
const DEPTH_MAX = 12;
const GAP = 2;
/** On a terminal; on a pipe nothing is cut. */
const LEFT_COLUMNS_MAX = 40;
const PERFORMER_COLUMNS_MAX = 16;
const FACT_COLUMNS_MAX = 46;

/** Each task below the last of its dependencies; the others are named. Written order is kept among siblings. */
export function graphLines(tasks: GraphTask[], screen: { columns: number; colors: Colors }): string[] {
  const placed = placedTasks(tasks);
  const lefts = placed.map(({ task, branch }) => `${branch}${task.id}`);
  const most = (columns: number) => (Number.isFinite(screen.columns) ? columns : screen.columns);
  const left = Math.min(most(LEFT_COLUMNS_MAX), Math.max(0, ...lefts.map(columnsOf)));
  const performer = Math.min(most(PERFORMER_COLUMNS_MAX), Math.max(0, ...tasks.map((task) => columnsOf(oneLine(task.performer)))));
  const facts = placed.map(({ task }) => [fit(oneLine(task.performer), performer), checkWords(task)].join(' '.repeat(GAP)));
  const fact = Math.min(most(FACT_COLUMNS_MAX), Math.max(0, ...facts.map(columnsOf)));
  const title = Math.max(
    10,
    Math.min(Math.max(0, ...tasks.map((task) => columnsOf(oneLine(task.title)))), screen.columns - left - fact - 2 * GAP),
  );
  return placed.map(({ task, alsoAfter }, index) => {
    const after = alsoAfter.length === 0 ? '' : `  (also after ${alsoAfter.join(', ')})`;
    const done = task.recorded ? '  (recorded)' : '';
    const usable = task.checks.machine + task.checks.human > 0;
    const words = [
      fit(lefts[index] ?? '', left),
      fit(oneLine(task.title), title),
      (usable ? same : screen.colors.waiting)(fit(facts[index] ?? '', fact)),
    ];
    return cutQuietly(`${words.join(' '.repeat(GAP)).trimEnd()}${after}${done}`, screen);
  });
}

function same(text: string): string {
  return text;
}

/** A line with colours is left alone: escape sequences must not be cut in two. */
function cutQuietly(line: string, screen: { columns: number }): string {
  return line.includes('\u001b') ? line : cut(line, Math.max(screen.columns, 60));
}

function checkWords(task: GraphTask): string {
  const { machine, human } = task.checks;
  if (machine === 0) return human > 0 ? "a person's word" : 'no usable check';
  return human > 0 ? `${count(machine, 'check')} and a person's word` : count(machine, 'check');
}

interface Placed {
  task: GraphTask;
  branch: string;
  alsoAfter: string[];
}

function placedTasks(tasks: GraphTask[]): Placed[] {
  const parents = parentsOf(tasks);
  const children = new Map<string | null, GraphTask[]>();
  for (const task of tasks) {
    const parent = parents.get(task.id) ?? null;
    children.set(parent, [...(children.get(parent) ?? []), task]);
  }
  const placed: Placed[] = [];
  const stack = (children.get(null) ?? []).map((task) => ({ task, depth: 0, prefix: '', last: true })).reverse();
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const { task, depth, prefix, last } = next;
    const flat = depth > DEPTH_MAX;
    const alsoAfter = task.dependsOn.filter((id) => flat || id !== parents.get(task.id));
    placed.push({ task, branch: depth === 0 ? '' : `${prefix}${flat ? '' : last ? '└ ' : '├ '}`, alsoAfter });
    const below = depth === 0 ? '' : flat ? prefix : `${prefix}${last ? '  ' : '│ '}`;
    const those = children.get(task.id) ?? [];
    stack.push(
      ...those.map((child, index) => ({ task: child, depth: depth + 1, prefix: below, last: index === those.length - 1 })).reverse(),
    );
  }
  return placed;
}

/** The last written of a task's dependencies that stand before it, so that the drawing of a broken plan ends, too. */
function parentsOf(tasks: GraphTask[]): Map<string, string | null> {
  const order = new Map(tasks.map((task, index) => [task.id, index]));
  return new Map(
    tasks.map((task, index) => {
      const earlier = task.dependsOn.map((id) => order.get(id) ?? index).filter((place) => place < index);
      return [task.id, earlier.length === 0 ? null : (tasks[Math.max(...earlier)]?.id ?? null)];
    }),
  );
}
