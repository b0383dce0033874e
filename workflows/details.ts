import { phaseOf } from '../core/phase.js';
import type { Attempt, Entry, Question, Run } from '../core/values.js';

/**
 * The run page's details: short lists in markdown, within 4 KB (the Web UI draws tables without borders, and a list only
 * after a blank line). It is a view; the ledger is the record.
 */
const DETAILS_BYTES_MAX = 4_000;
const ENTRIES_SHOWN_MAX = 12;
const TASKS_SHOWN_MAX = 12;

export function detailsOf(run: Run): string {
  const parts = [head(run), waiting(run), active(run), entries(run), remaining(run)].filter((part) => part !== '');
  return withinBytes(parts.join('\n\n'));
}

/** A letter may take four bytes; the one that is cut is left out. */
function withinBytes(text: string): string {
  const bytes = new TextEncoder().encode(text);
  if (bytes.length <= DETAILS_BYTES_MAX) return text;
  return new TextDecoder().decode(bytes.subarray(0, DETAILS_BYTES_MAX)).replace(/\uFFFD$/, '');
}

function head(run: Run): string {
  const done = run.ledger.filter((entry) => entry.status === 'done' || entry.status === 'no_op').length;
  const total = run.ledger.filter((entry) => entry.undoes === undefined).length + run.plan.tasks.length;
  const { usd, estimatedUsd, unknown } = run.spentInAll;
  const estimated = estimatedUsd === undefined ? '' : ` and ${estimatedUsd.toFixed(2)} USD estimated`;
  const cost = `${usd.toFixed(2)} USD${estimated}${unknown ? ' reported, some unknown' : ''}`;
  const state = run.outcome ?? phaseOf(run);
  return `**${run.id}** — ${state} · ${done} of ${total} tasks · plan version ${run.plan.version} · ${cost}\n\n${run.plan.goal}`;
}

/** What is asked, and the input of the signal that answers it: on this page there is a form for it, and no command line. */
function waiting(run: Run): string {
  if (run.questions.length === 0) return '';
  const lines = run.questions.map((question) => {
    const { kind, input } = answerTo(run, question);
    return `- ${question.ask}\n\n  Answer (More Actions → Send a Signal or Update): **${kind}** \`${JSON.stringify(input)}\``;
  });
  return `**Waits for a person**\n\n${lines.join('\n')}`;
}

function answerTo(run: Run, { kind, task, gate }: Question): { kind: Question['kind']; input: Record<string, string> } {
  const about = gate ?? task ?? '';
  switch (kind) {
    case 'attest':
      return { kind, input: { task: task ?? about, happened: 'yes', by: 'NAME' } };
    case 'decide':
      return { kind, input: { gate: about, decision: 'approve', by: 'NAME' } };
    case 'resolve': {
      const blocker = run.ledger.findLast((entry) => entry.task === about)?.blocker ?? about;
      return { kind, input: { blocker, resolution: 'TEXT', by: 'NAME' } };
    }
  }
}

/** What waits for a person is not told twice. */
function active(run: Run): string {
  const attempts = run.active.filter(({ stage }) => stage !== 'handedOver' && stage !== 'asking');
  const limit = run.planning?.limited;
  const lines = [
    ...attempts.map((attempt) => `- ${attempt.task.id} ${attempt.task.title} — ${stageWords(attempt)} · ${attempt.task.performer}`),
    ...(limit === undefined ? [] : [`- the planner ${limitWords(limit)}`]),
  ];
  if (lines.length === 0) return '';
  return `**Now**\n\n${lines.join('\n')}`;
}

function stageWords({ stage, until, why }: Attempt): string {
  switch (stage) {
    case 'checking':
      return 'looked at before the work';
    case 'ready':
      return 'waits for its turn';
    case 'dispatching':
      return 'worked on';
    case 'limited':
      return limitWords({ until: until ?? null, why: why ?? '' });
    case 'verifying':
      return 'looked at after the work';
    case 'handedOver':
    case 'asking':
      return 'with a person';
  }
}

function limitWords({ until, why }: { until: number | null; why: string }): string {
  return `waits for a usage limit${until === null ? '' : ` until ${minuteOf(until)}`}: ${why}`;
}

/** `2026-12-30 23:04 UTC` */
export function minuteOf(at: number): string {
  return `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
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
  return `**${run.outcome === null ? 'Still to do' : 'Not done'}**\n\n${[...lines, ...more].join('\n')}`;
}
