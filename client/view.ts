import type { Io } from './io.js';
import { colorsFor } from './present/colors.js';
import { eventsBetween } from './present/events.js';
import { liveFrame } from './present/live.js';
import { oneLine } from './present/text.js';
import type { RunState } from './run-state.js';
import type { Canvas, World } from './world.js';

/** How a watched run is shown while it goes on. */
export interface View {
  /** state null: nobody answered this time. */
  show(state: RunState | null, trouble: Trouble | null): void;
  /** A word of the command itself, which stays. */
  say(words: string): void;
  /** Leaves what was shown; twice is safe. */
  close(): void;
}

/** Why a run does not go on, though nothing is said of it in its state. */
export interface Trouble {
  /** What it is, however long it lasts. */
  topic: string;
  words: string;
}

/** A picture that stays in its place on a terminal; a line an event on a pipe, in CI, and on standard error beside `--json`. */
export async function openView(watch: { run: string; json: boolean }, io: Io, world: World): Promise<View> {
  const canvas = watch.json ? null : await world.canvas(io);
  return canvas === null ? lineView(io, watch.json ? (line) => io.err(line) : (line) => io.out(line)) : liveView(canvas, io, world);
}

function lineView(io: Io, print: (line: string) => void): View {
  let before: RunState | null = null;
  let said: string | null = null;
  let open = true;
  return {
    show(state, trouble) {
      // A look that was under way when the run ended knows less than what was told of the end.
      if (!open) return;
      if (state !== null) {
        for (const line of eventsBetween(before, state)) print(line);
        before = state;
      }
      // Once for each reason, not every second.
      if (trouble !== null && said !== trouble.topic) print(trouble.words);
      said = trouble?.topic ?? null;
    },
    say: (words) => io.err(words),
    close() {
      open = false;
    },
  };
}

function liveView(canvas: Canvas, io: Io, world: World): View {
  const since = world.now();
  const colors = colorsFor(io);
  let last: RunState | null = null;
  let open = true;
  return {
    show(state, trouble) {
      if (!open) return;
      last = state ?? last;
      const words = trouble === null ? null : oneLine(trouble.words);
      canvas.draw(liveFrame(last, { now: world.now(), columns: canvas.columns(), rows: canvas.rows(), colors, since, trouble: words }));
    },
    say: (words) => (open ? canvas.say(words) : io.err(words)),
    close() {
      if (open) canvas.done();
      open = false;
    },
  };
}
