import type { Io } from '../io.js';
import { runNamed, tell, withWorkers } from '../service.js';
import { runCommandFor, watchCommandFor, watchRun } from '../watching.js';
import type { CommonOptions, World } from '../world.js';

export interface WatchOptions extends CommonOptions {
  until?: string;
}

/** Watches a run that is there; one that is closed already is told at once. */
export async function watchCommand(run: string, options: WatchOptions, io: Io, world: World): Promise<number> {
  return withWorkers(options, io, world, async (service) => {
    const info = await runNamed(service.runs, run);
    const page = service.runs.pageOf(info);
    if (page !== null && info.status === 'running') tell(options, io, `Web UI: ${page}`);
    const until = options.until === 'waiting' ? 'waiting' : 'end';
    return watchRun(
      { service, run: info, common: options, until, hosted: null, again: watchCommandFor(info.slug), anew: runCommandFor(info) },
      io,
      world,
    );
  });
}
