import Table from 'cli-table3';
import type { Ended, RunInfo } from '../runs.js';
import type { Colors } from './colors.js';
import { cut, elapsed, oneLine } from './text.js';

/** One run in a list, from what the server knows without a worker; also what `list --json` prints. */
export interface ListedRun {
  run: string;
  workflowId: string;
  method: string;
  phase: string;
  outcome: string | null;
  /** Why it ended without an outcome, where that was looked up. */
  reason: string | null;
  tasksDone: number | null;
  tasksTotal: number | null;
  costUsd: number | null;
  waitingFor: string[];
  startedAt: string;
  endedAt: string | null;
  folder: string | null;
}

/** `ended`: of a run whose workflow failed, because that alone does not tell a refused start from a broken run. */
export function listed(info: RunInfo, ended: Ended | null = null): ListedRun {
  const closed = info.status !== 'running';
  const withoutOutcome = ended?.is === 'refused' ? 'refused' : info.status;
  return {
    run: info.slug,
    workflowId: info.workflowId,
    method: info.type,
    phase: closed ? 'closed' : (info.seen.phase ?? 'unknown'),
    outcome: closed ? (info.status === 'completed' ? info.seen.outcome : withoutOutcome) : null,
    reason: ended === null ? null : reasonOf(ended),
    tasksDone: info.seen.done,
    tasksTotal: info.seen.total,
    // Agents that tell no cost leave it at 0, and what is unknown is never shown as 0.
    costUsd: info.seen.costUsd === 0 ? null : info.seen.costUsd,
    waitingFor: info.seen.waitingFor,
    startedAt: new Date(info.startedAt).toISOString(),
    endedAt: info.endedAt === null ? null : new Date(info.endedAt).toISOString(),
    folder: info.memo.folder,
  };
}

function reasonOf(ended: Ended): string | null {
  if (ended.is === 'refused') return ended.problems.map(oneLine).join('; ');
  return ended.is === 'broken' ? oneLine(ended.words) : null;
}

const NO_LINES = {
  ...{ top: '', 'top-mid': '', 'top-left': '', 'top-right': '', bottom: '', 'bottom-mid': '', 'bottom-left': '', 'bottom-right': '' },
  ...{ left: '', 'left-mid': '', mid: '', 'mid-mid': '', right: '', 'right-mid': '', middle: '  ' },
};

/** Six columns; the folder takes what the terminal leaves. Below, why a run never began or broke: the way out must not be cut. */
export function listTable(runs: ListedRun[], screen: { now: number; columns: number; colors: Colors }): string {
  if (runs.length === 0) return 'There are no runs yet: `donewhen run DIR` starts one.';
  const { colors } = screen;
  const head = ['RUN', 'STATE', 'TASKS', 'COST', 'AGE', 'FOLDER'];
  const cells = runs.map((run) => [
    run.run,
    stateWords(run),
    taskWords(run),
    moneyWords(run),
    ageWords(run, screen.now),
    oneLine(run.folder ?? ''),
  ]);
  const widths = head.slice(0, -1).map((title, index) => Math.max(title.length, ...cells.map((row) => row[index]?.length ?? 0)));
  const room = Math.max(10, screen.columns - widths.reduce((sum, width) => sum + width + 2, 0));
  const table = new Table({ chars: NO_LINES, style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [] } });
  table.push(head.map((title) => colors.quiet(title)));
  for (const [index, row] of cells.entries()) {
    const run = runs[index];
    const paint = run === undefined ? colors.quiet : paintOf(run, colors);
    table.push(row.map((cell, column) => (column === 1 ? paint(cell) : column === 5 ? cutFront(cell, room) : cell)));
  }
  const lines = table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd());
  const reasons = runs.flatMap(({ run, outcome, reason }) => (reason === null ? [] : [`${run} ${endWords(outcome)}: ${reason}`]));
  return [...lines, ...(reasons.length === 0 ? [] : ['', ...reasons])].join('\n');
}

function endWords(outcome: string | null): string {
  return outcome === 'refused' ? 'never began, its start was refused' : 'broke, which is a defect';
}

function stateWords(run: ListedRun): string {
  if (run.phase === 'closed') return run.outcome ?? 'closed';
  return run.waitingFor.length > 0 ? `waiting: ${run.waitingFor.map(oneLine).join(', ')}` : run.phase;
}

function paintOf(run: ListedRun, colors: Colors): (text: string) => string {
  if (run.phase !== 'closed') return run.waitingFor.length > 0 ? colors.waiting : colors.strong;
  return run.outcome === 'COMPLETED' || run.outcome === 'NO_OP' ? colors.good : colors.bad;
}

function taskWords(run: ListedRun): string {
  return run.tasksDone === null || run.tasksTotal === null ? '' : `${run.tasksDone}/${run.tasksTotal}`;
}

function moneyWords(run: ListedRun): string {
  return run.costUsd === null ? '' : `$${run.costUsd.toFixed(2)}`;
}

function ageWords(run: ListedRun, now: number): string {
  return elapsed(now - Date.parse(run.startedAt));
}

/** Of a path the end says most. */
function cutFront(path: string, columns: number): string {
  return path.length <= columns ? path : `…${cut(path.slice(path.length - columns + 1), columns)}`;
}
