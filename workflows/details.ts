import { phaseOf } from '../core/phase.js';
import type { Entry, Run } from '../core/values.js';

/**
 * The run page's details: short lists in markdown (the Web UI draws tables without borders), within 4 KB. It is a view;
 * the ledger is the record.
 */
const DETAILS_LENGTH_MAX = 3_900;
const ENTRIES_SHOWN_MAX = 12;
const TASKS_SHOWN_MAX = 12;

export function detailsOf(run: Run): string {
  const parts = [head(run), waiting(run), active(run), entries(run), remaining(run)].filter((part) => part !== '');
  return parts.join('\n\n').slice(0, DETAILS_LENGTH_MAX);
}

function head(run: Run): string {
  const done = run.ledger.filter((entry) => entry.status === 'done' || entry.status === 'no_op').length;
  const total = run.ledger.filter((entry) => entry.undoes === undefined).length + run.plan.tasks.length;
  const cost = `${run.spentInAll.usd.toFixed(2)} USD${run.spentInAll.unknown ? ' reported, some unknown' : ''}`;
  const state = run.outcome ?? phaseOf(run);
  return `**${run.id}** — ${state} · ${done} of ${total} tasks · plan version ${run.plan.version} · ${cost}\n\n${run.plan.goal}`;
}

function waiting(run: Run): string {
  if (run.questions.length === 0) return '';
  const lines = run.questions.map((question) => `- **${question.kind} ${question.task ?? ''}**: ${question.ask}`);
  return `**Waits for a person**\n\n${lines.join('\n')}`;
}

function active(run: Run): string {
  const limited = run.planning?.limited;
  const planner = limited === undefined ? [] : [`- the planner — limited until ${new Date(limited.until).toISOString()}: ${limited.why}`];
  if (run.active.length + planner.length === 0) return '';
  const lines = run.active.map((attempt) => {
    const until =
      attempt.stage === 'limited' && attempt.until ? ` until ${new Date(attempt.until).toISOString()}: ${attempt.why ?? ''}` : '';
    return `- ${attempt.task.id} ${attempt.task.title} — ${attempt.stage}${until} · ${attempt.task.performer}`;
  });
  return `**Now**\n\n${[...lines, ...planner].join('\n')}`;
}

function entries(run: Run): string {
  if (run.ledger.length === 0) return '';
  const shown = run.ledger.slice(-ENTRIES_SHOWN_MAX);
  const earlier = run.ledger.length > shown.length ? [`- … ${run.ledger.length - shown.length} earlier entries`] : [];
  return `**Ledger**\n\n${[...earlier, ...shown.map(entryLine)].join('\n')}`;
}

function entryLine(entry: Entry): string {
  const blocker = entry.blocker === undefined ? '' : ` · ${entry.blocker}`;
  return `- ${entry.task} ${entry.title} — **${entry.status}** (${entry.label})${blocker}`;
}

function remaining(run: Run): string {
  const rest = run.plan.tasks.filter((task) => !run.active.some((attempt) => attempt.task.id === task.id));
  if (rest.length === 0) return '';
  const lines = rest.slice(0, TASKS_SHOWN_MAX).map((task) => `- ${task.id} ${task.title}`);
  const more = rest.length > TASKS_SHOWN_MAX ? [`- … ${rest.length - TASKS_SHOWN_MAX} more`] : [];
  return `**Still to do**\n\n${[...lines, ...more].join('\n')}`;
}
