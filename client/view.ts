import type { Io } from './io.js';
import { colorsFor } from './present/colors.js';
import { eventsBetween, silenceWords } from './present/events.js';
import { liveFrame } from './present/live.js';
import type { RunState } from './run-state.js';
import type { Canvas, World } from './world.js';

/** How a watched run is shown while it goes on. */
export interface View {
  /** state null: nobody answered this time. */
  show(state: RunState | null, silentMs: number | null): void;
  /** Leaves what was shown; twice is safe. */
  close(): void;
}

/** A picture that stays in its place on a terminal; a line an event on a pipe, in CI, and on standard error beside `--json`. */
export async function openView(watch: { run: string; json: boolean }, io: Io, world: World): Promise<View> {
  const canvas = watch.json ? null : await world.canvas(io);
  return canvas === null ? lineView(watch.json ? (line) => io.err(line) : (line) => io.out(line)) : liveView(canvas, io, world);
}

function lineView(print: (line: string) => void): View {
  let before: RunState | null = null;
  let silent = false;
  return {
    show(state, silentMs) {
      if (state !== null) {
        for (const line of eventsBetween(before, state)) print(line);
        before = state;
      }
      if (silentMs !== null && !silent) print(silenceWords(silentMs));
      silent = silentMs !== null;
    },
    close() {},
  };
}

function liveView(canvas: Canvas, io: Io, world: World): View {
  const since = world.now();
  const colors = colorsFor(io);
  let last: RunState | null = null;
  let open = true;
  return {
    show(state, silentMs) {
      if (!open) return;
      last = state ?? last;
      const silence = silentMs === null ? null : silenceWords(silentMs);
      canvas.draw(liveFrame(last, { now: world.now(), columns: canvas.columns(), rows: canvas.rows(), colors, since, silence }));
    },
    close() {
      if (open) canvas.done();
      open = false;
    },
  };
}
