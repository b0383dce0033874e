import { CancellationScope, sleep } from '@temporalio/workflow';
import type { Move } from '../core/values.js';
import { unclearAnswer } from './failures.js';
import type { Inbox } from './inbox.js';
import { perform } from './perform.js';
import type { State } from './serve.js';

/** What is under way. `sync` starts what is newly listed and cancels what is not listed any more. */
export interface Flight {
  sync(moves: Move[], how: { startsNothing: boolean }): void;
  /** Only timers and questions to people are under way. */
  isIdle(): boolean;
}

interface Flying {
  move: Move;
  scope: CancellationScope;
  cut: boolean;
}

/** An activity that fails by itself is asked again after growing pauses: a fault that lasts must not spin. */
const PAUSE_FIRST_MS = 1_000;
const PAUSE_LONGEST_MS = 60_000;

export function createFlight(inbox: Inbox, state: State): Flight {
  const flying = new Map<string, Flying>();
  return { sync, isIdle: () => [...flying.values()].every(({ move }) => isWaiting(move)) };

  function sync(moves: Move[], { startsNothing }: { startsNothing: boolean }): void {
    const listed = new Set(moves.map((move) => move.id));
    for (const [id, { scope }] of flying) {
      if (listed.has(id)) continue;
      flying.delete(id);
      scope.cancel();
    }
    for (const move of moves) {
      const known = flying.get(move.id);
      if (known !== undefined) cutShort(known, move);
      else if (!startsNothing || isWaiting(move)) start(move);
    }
  }

  /** A stopped run ends the attempt's processes: the activity learns it as a cancellation. */
  function cutShort(known: Flying, move: Move): void {
    if (move.is !== 'dispatch' || !move.cut || known.cut) return;
    known.cut = true;
    known.scope.cancel();
  }

  function start(move: Move): void {
    const scope = new CancellationScope();
    const cut = move.is === 'dispatch' && move.cut;
    flying.set(move.id, { move, scope, cut });
    const land = (): void => {
      if (flying.get(move.id)?.scope === scope) flying.delete(move.id);
    };
    scope
      .run(() => perform(move, state))
      .then((answer) => {
        land();
        if (answer !== null) inbox.items.push({ ...answer, at: Date.now() });
      })
      .catch(async (error: unknown) => {
        if (flying.get(move.id)?.scope !== scope) return; // it is not listed any more: nobody waits for it
        const answer = unclearAnswer(error, move.id, Date.now());
        if (answer.counts) await CancellationScope.nonCancellable(() => sleep(pauseOf(move), { summary: 'asked again after a failure' }));
        land();
        inbox.items.push({ ...answer, at: Date.now() });
      });
  }
}

function isWaiting(move: Move): boolean {
  return move.is === 'wait' || move.is === 'person';
}

function pauseOf(move: Move): number {
  const asks = 'attempt' in move ? (move.attempt.asks ?? 0) : 0;
  return Math.min(PAUSE_FIRST_MS * 2 ** asks, PAUSE_LONGEST_MS);
}
