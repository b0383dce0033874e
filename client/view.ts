import type { Io } from './io.js';
import { colorsFor } from './present/colors.js';
import { eventsBetween, silenceWords } from './present/events.js';
import { liveFrame } from './present/live.js';
import { oneLine } from './present/text.js';
import type { RunState } from './run-state.js';
import type { Canvas, World } from './world.js';

/** How a watched run is shown while it goes on. */
export interface View {
  /** state null: nobody answered this time. */
  show(state: RunState | null, silence: Silence | null): void;
  /** A word of the command itself, which stays. */
  say(words: string): void;
  /** Leaves what was shown; twice is safe. */
  close(): void;
}

/** Since when nothing is heard, and why, where that is known. */
export interface Silence {
  ms: number;
  why: string | null;
}

/** A picture that stays in its place on a terminal; a line an event on a pipe, in CI, and on standard error beside `--json`. */
export async function openView(watch: { run: string; json: boolean }, io: Io, world: World): Promise<View> {
  const canvas = watch.json ? null : await world.canvas(io);
  return canvas === null ? lineView(io, watch.json ? (line) => io.err(line) : (line) => io.out(line)) : liveView(canvas, io, world);
}

function lineView(io: Io, print: (line: string) => void): View {
  let before: RunState | null = null;
  let said: Silence | null = null;
  return {
    show(state, silence) {
      if (state !== null) {
        for (const line of eventsBetween(before, state)) print(line);
        before = state;
      }
      // Once for each reason, not every second.
      if (silence !== null && (said === null || said.why !== silence.why)) print(wordsOf(silence));
      said = silence;
    },
    say: (words) => io.err(words),
    close() {},
  };
}

function wordsOf(silence: Silence): string {
  return silence.why ?? silenceWords(silence.ms);
}

function liveView(canvas: Canvas, io: Io, world: World): View {
  const since = world.now();
  const colors = colorsFor(io);
  let last: RunState | null = null;
  let open = true;
  return {
    show(state, quiet) {
      if (!open) return;
      last = state ?? last;
      const silence = quiet === null ? null : oneLine(wordsOf(quiet));
      canvas.draw(liveFrame(last, { now: world.now(), columns: canvas.columns(), rows: canvas.rows(), colors, since, silence }));
    },
    say: (words) => (open ? canvas.say(words) : io.err(words)),
    close() {
      if (open) canvas.done();
      open = false;
    },
  };
}
