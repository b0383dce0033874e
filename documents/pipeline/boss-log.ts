import type { Entry, GateRecord, Outcome } from '../../core/values.js';
import { itemText } from '../plain-text.js';

/** What is worth a line of 00-boss.log.md, as it happens. */
export type BossEvent =
  | { is: 'start'; at: number; slug: string; resumed: boolean }
  /** The intent: written before the agent is started. */
  | { is: 'begun'; at: number; step: string; agent: string | null; askedBy: string }
  | { is: 'recorded'; step: string; entry: BossEntry }
  | { is: 'end'; at: number; outcome: Outcome };

type BossEntry = Pick<Entry, 'task' | 'status' | 'blocker' | 'verdict' | 'delivery' | 'gates' | 'endedAt' | 'text'>;

export function bossLogTitle(slug: string): string {
  return `# Boss log: ${itemText(slug)}\n\n`;
}

/** One line an event, with the tags that the pipeline's first users know, and a line break at its end. */
export function renderBossEvent(event: BossEvent): string {
  return linesOf(event)
    .map((line) => `- ${line}\n`)
    .join('');
}

function linesOf(event: BossEvent): string[] {
  switch (event.is) {
    case 'start':
      return [stamped(event.at, 'START', `${itemText(event.slug)}${event.resumed ? ', resumed' : ''}`)];
    case 'begun':
      return begunLines(event);
    case 'recorded':
      return recordedLines(event.step, event.entry);
    case 'end':
      return [stamped(event.at, 'END', event.outcome)];
  }
}

function begunLines({ at, step, agent, askedBy }: Extract<BossEvent, { is: 'begun' }>): string[] {
  const [, cycle] = /^back-to-plan (\d+)$/.exec(askedBy) ?? [];
  return [
    ...(cycle === undefined ? [] : [stamped(at, 'BACK-TO-PLAN', `STEP ${step} — cycle ${cycle}`)]),
    stamped(at, 'PROCESSING', `STEP ${step} — ${agent ?? 'command'}, asked by ${itemText(askedBy)}`),
  ];
}

const GATE_LINE = /^\[ARTIFACT GATE\] /;

function recordedLines(step: string, { task, status, blocker, verdict, delivery, gates, endedAt, text }: BossEntry): string[] {
  const say = (tag: string, words: string) => stamped(endedAt, tag, `STEP ${step} — ${words}`);
  const gate = gates.at(-1);
  const gateLines = (text?.words ?? []).filter((words) => GATE_LINE.test(words)).map((words) => `${stamp(endedAt)} ${itemText(words)}`);
  const words = [task, ...(verdict === undefined ? [] : [`verdict ${verdict}`]), ...(blocker === undefined ? [] : [itemText(blocker)])];
  const issues = delivery?.criticalIssues.length ?? 0;
  return [
    ...gateLines,
    say(tagOf(status), words.join(', ')),
    ...(issues === 0 ? [] : [say('ISSUE', `${task}, ${issues} critical issue${issues === 1 ? '' : 's'}`)]),
    ...(gate?.is === 'exhausted' ? [say('ESCALATION', `${itemText(gate.blocker)}: ${itemText(gate.why)}`)] : []),
    ...(gate?.is === 'reopened' ? [stamped(gate.at, 'REOPENED', `STEP ${step} — ${task}${reopenedWords(gate)}`)] : []),
    ...(gate !== undefined && 'debt' in gate && gate.debt !== undefined ? [say('DEBT', itemText(gate.debt))] : []),
  ];
}

function reopenedWords({ by, words }: Extract<GateRecord, { is: 'reopened' }>): string {
  return `${by === undefined ? '' : ` by ${itemText(by)}`}${words === undefined ? '' : `: ${itemText(words)}`}`;
}

/** A line without its time, by which an entry that was read from LEDGER.md is known again. */
export function timeless(line: string): string {
  return line.replace(/^- \S+ /, '');
}

/** Delivered: whether its gate holds is said by its verdict and what follows. */
function tagOf(status: Entry['status']): string {
  if (status === 'done') return 'DELIVERED';
  return status === 'no_op' ? 'SKIPPED' : 'FAILED';
}

function stamped(at: number, tag: string, words: string): string {
  return `${stamp(at)} [${tag}] ${words}`;
}

/** Of an entry that was read from LEDGER.md nobody knows when it was. */
const UNKNOWN = '—';

export function isTimeless(line: string): boolean {
  return line.startsWith(`- ${UNKNOWN} `);
}

function stamp(at: number): string {
  return at === 0 ? UNKNOWN : new Date(at).toISOString().replace(/\.\d{3}Z$/, 'Z');
}
