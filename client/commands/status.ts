import { UserError } from '../errors.js';
import { EXIT_OK } from '../exit-code.js';
import type { Io } from '../io.js';
import { colorsFor } from '../present/colors.js';
import { statusScreen } from '../present/status.js';
import { readRunState } from '../run-state.js';
import { printJson, runNamed, stateOf, withService } from '../service.js';
import type { CommonOptions, World } from '../world.js';

/** One screen about a run, running or closed. */
export async function statusCommand(run: string, options: CommonOptions, io: Io, world: World): Promise<number> {
  return withService(options, io, world, async (service) => {
    const { runs } = service;
    const info = await runNamed(runs, run);
    const raw = await stateOf(service, info, world);
    const state = readRunState(raw);
    if (state === null) throw new UserError(`what run ${info.slug} answered is no run: its worker is of another release`, 3);
    if (options.json) {
      printJson(io, raw);
      return EXIT_OK;
    }
    io.out(statusScreen(state, { now: world.now(), columns: world.columns(io), colors: colorsFor(io) }));
    const page = runs.pageOf(info);
    if (page !== null) io.out(`\nWeb UI: ${page}`);
    return EXIT_OK;
  });
}
