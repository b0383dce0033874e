import { EXIT_BAD_INPUT, EXIT_INTERRUPTED, EXIT_OK } from './exit-code.js';
import type { Interrupt } from './world.js';

/** A worker needs a moment to let go of what it does; a second Ctrl-C does not wait for it. */
const INTERRUPT_GRACE_MS = 20_000;

/** `signal`: somebody wants the command to end. `pipe`: nobody reads it any longer. `disk`: what it says cannot be written. */
export type Cause = 'signal' | 'pipe' | 'disk';

const EXIT_BY: Record<Cause, number> = { signal: EXIT_INTERRUPTED, pipe: EXIT_OK, disk: EXIT_BAD_INPUT };

export interface RaisableInterrupt extends Interrupt {
  raise(cause: Cause): void;
}

/** `end` ends the process with that status. */
export function createInterrupt(end: (code: number) => void): RaisableInterrupt {
  const controller = new AbortController();
  let taken = false;
  return {
    take() {
      taken = true;
      return controller.signal;
    },
    raise(cause) {
      if (!taken) return end(EXIT_BY[cause]);
      if (controller.signal.aborted) return cause === 'signal' ? end(EXIT_INTERRUPTED) : undefined;
      controller.abort();
      setTimeout(() => end(EXIT_INTERRUPTED), INTERRUPT_GRACE_MS).unref();
    },
  };
}
