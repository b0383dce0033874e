import { EXIT_INTERRUPTED, EXIT_OK } from './exit-code.js';
import type { Interrupt } from './world.js';

/** A worker needs a moment to let go of what it does; a second Ctrl-C does not wait for it. */
const INTERRUPT_GRACE_MS = 20_000;

/** `signal`: somebody wants the command to end. `pipe`: nobody reads it any longer. */
export type Cause = 'signal' | 'pipe';

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
      if (!taken) return end(cause === 'pipe' ? EXIT_OK : EXIT_INTERRUPTED);
      if (controller.signal.aborted) return cause === 'pipe' ? undefined : end(EXIT_INTERRUPTED);
      controller.abort();
      setTimeout(() => end(EXIT_INTERRUPTED), INTERRUPT_GRACE_MS).unref();
    },
  };
}
