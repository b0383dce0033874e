/**
 * A program of its own: the warden of one home. It owns the embedded server for as long as somebody uses it, and belongs
 * to no command: whichever comes first starts it, and the last one to go ends it.
 *   node warden.js '{"home": …, "executable": …, "version": …, "ports": …}'
 * Exit 0: it ended its server, or another warden is there already. Exit 1: it could not begin; the last line of <home>/warden.log says why.
 */
import { join } from 'node:path';
import { openLog } from './bounded-log.js';
import { readWardenSettings } from './config.js';
import { takeLock } from './lock.js';
import { keepServer } from './warden-loop.js';

let asked = false;
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    asked = true;
  });
}
// The terminal that started us may close.
process.on('SIGHUP', () => undefined);

const { options, env } = readWardenSettings(process.argv[2]);
const log = openLog(join(options.home, 'warden.log'));
try {
  const taken = takeLock(join(options.home, 'lock'));
  if (taken.is === 'held' && taken.where === 'elsewhere') {
    throw new Error(`${options.home} is in use on another machine or in another container: set DONEWHEN_HOME to a folder of this one`);
  }
  if (taken.is === 'taken') {
    await keepServer(options, { env, lock: taken.lock, isAsked: () => asked, log });
    taken.lock.release();
  }
} catch (error) {
  log.write(`${new Date().toISOString()} ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
