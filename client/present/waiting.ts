import { isAsked, type RunState, type Waiting } from '../run-state.js';
import { columnsOf, cut, elapsedSince, oneLine, quoted } from './text.js';

/** The command that answers, ready to be pasted; null where nothing is asked. */
export function answerCommand(run: string, waiting: Waiting, blocker: string | null): string | null {
  const slug = quoted(run);
  switch (waiting.kind) {
    case 'attest':
      return `donewhen attest ${slug} ${quoted(waiting.task ?? 'TASK')} --happened yes --by NAME`;
    case 'decide':
      return `donewhen decide ${slug} ${quoted(waiting.gate ?? waiting.task ?? 'GATE')} approve --by NAME`;
    case 'resolve':
      return resolveCommand(run, blocker ?? waiting.gate ?? 'BLOCKER');
    default:
      return null;
  }
}

export function resolveCommand(run: string, blocker: string): string {
  return `donewhen resolve ${quoted(run)} ${quoted(blocker)} --resolution TEXT --by NAME`;
}

/** The blocker that a question about a task is about: that of its entry, else of its gate. */
export function blockerOf(state: RunState, waiting: Waiting): string | null {
  const task = waiting.task ?? waiting.gate;
  const entry = state.ledger.findLast((one) => one.task === task && (one.blocker ?? one.gateBlocker) !== null);
  return entry?.blocker ?? entry?.gateBlocker ?? null;
}

export interface WaitingItem {
  run: string;
  waiting: Waiting;
  blocker: string | null;
}

/** Two lines a question: what is asked, and how to answer. Nothing is folded away: a question nobody sees is never answered. */
export function waitingLines(items: WaitingItem[], screen: { now: number; columns: number }): string[] {
  const ordered = [...items.filter((item) => isAsked(item.waiting)), ...items.filter((item) => !isAsked(item.waiting))];
  return ordered.flatMap(({ run, waiting, blocker }) => {
    const since = elapsedSince(waiting.since, screen.now);
    const about = [waiting.task ?? waiting.gate ?? '', since === '' ? '' : `(${since})`].filter((part) => part !== '').join(' ');
    const head = about === '' ? '  ' : `  ${about}  `;
    const ask = cut(oneLine(waiting.ask), Math.max(20, screen.columns - columnsOf(head)));
    const command = answerCommand(run, waiting, blocker);
    return [`${head}${ask}`, ...(command === null ? [] : [`      ${command}`])];
  });
}

/** What `donewhen waiting` prints. */
export function waitingText(items: WaitingItem[], screen: { now: number; columns: number }): string {
  if (items.length === 0) return 'Nothing waits for a person.';
  const runs = [...new Set(items.map((item) => item.run))];
  return runs
    .map((run) =>
      [
        run,
        ...waitingLines(
          items.filter((item) => item.run === run),
          screen,
        ),
      ].join('\n'),
    )
    .join('\n\n');
}
