import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { homeOf, hostIdOf } from '../worker/home.js';
import type { Io } from './io.js';
import { isCi } from './present/colors.js';
import type { Canvas, Interrupt, World } from './world.js';

const COLUMNS_DEFAULT = 80;
const ROWS_DEFAULT = 24;
/** Nothing has to fit on a pipe, so that nothing is cut there. */
const COLUMNS_PIPED = Number.POSITIVE_INFINITY;

/** The world of the command as it is. Whatever is costly to load is loaded where it is needed. */
export function realWorld(env: NodeJS.ProcessEnv, interrupt: Interrupt): World {
  return {
    open: async (options, io, need) => (await import('./real-service.js')).openService(options, io, need),
    hostId: () => hostIdOf(homeOf(env)),
    newId: randomUUID,
    now: Date.now,
    sleep: async (ms, signal) => {
      // Ended early by the signal is ended, too.
      await setTimeout(ms, undefined, signal === undefined ? {} : { signal }).catch(() => undefined);
    },
    looker: async (place, io) => (await import('../worker/local-looks.js')).openLooks({ ...place, env: io.env }),
    compiled: async (run, prose) => (await import('../worker/local-looks.js')).compiledChecks({ ...run, home: homeOf(env).path }, prose),
    uncommitted: async (place, io) => (await import('../worker/local-looks.js')).uncommittedHere({ ...place, env: io.env }),
    canvas: openCanvas,
    columns: (io) => (io.isTTY ? (process.stdout.columns ?? COLUMNS_DEFAULT) : COLUMNS_PIPED),
    interrupt,
  };
}

async function openCanvas(io: Io): Promise<Canvas | null> {
  if (!io.isTTY || isCi(io.env) || io.env.TERM === 'dumb') return null;
  const { createLogUpdate } = await import('log-update');
  const update = createLogUpdate(process.stdout, { showCursor: true });
  return {
    columns: () => process.stdout.columns ?? COLUMNS_DEFAULT,
    rows: () => process.stdout.rows ?? ROWS_DEFAULT,
    draw: (frame) => update(frame),
    say: (line) => update.persist(line),
    done: () => update.done(),
  };
}
