import { UserError } from '../errors.js';
import { EXIT_OK } from '../exit-code.js';
import type { Io } from '../io.js';
import { colorsFor } from '../present/colors.js';
import { failingDocument, failingWords } from '../present/failing.js';
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
    const failing = info.status === 'running' ? await runs.failing({ slug: info.slug }).catch(() => []) : [];
    if (options.json) {
      printJson(io, failing.length === 0 || typeof raw !== 'object' ? raw : { ...raw, failing: failing.map(failingDocument) });
      return EXIT_OK;
    }
    const now = world.now();
    const trouble = failing.map((one) => failingWords(one, now));
    io.out(statusScreen(state, { now, columns: world.columns(io), colors: colorsFor(io) }, trouble));
    const page = runs.pageOf(info);
    if (page !== null) io.out(`\nWeb UI: ${page}`);
    return EXIT_OK;
  });
}
