import { UserError } from '../errors.js';
import { EXIT_OK } from '../exit-code.js';
import type { Io } from '../io.js';
import { LEDGER_FILE } from '../plan-folder.js';
import { harmless } from '../present/text.js';
import { recordText } from '../record-text.js';
import { noWorker, printJson, QUERY_DEADLINE_MS, runNamed, withService } from '../service.js';
import type { CommonOptions, World } from '../world.js';

/** LEDGER.md of a run. */
export async function ledgerCommand(run: string, options: CommonOptions, io: Io, world: World): Promise<number> {
  return withService(options, io, world, async ({ runs }) => {
    const info = await runNamed(runs, run);
    const found = await recordText(runs, info, { name: 'ledger', file: LEDGER_FILE }, world.hostId());
    if (found === null && info.status === 'running' && (await runs.query({ slug: info.slug }, 'state', QUERY_DEADLINE_MS)) === null) {
      throw noWorker(info.slug, QUERY_DEADLINE_MS);
    }
    if (found === null) {
      throw new UserError(
        `run ${info.slug} has no LEDGER.md${info.memo.out === null ? '' : ` in ${info.memo.out}`}${info.status === 'running' ? ': nothing is recorded yet' : ''}`,
        2,
      );
    }
    if (found.note !== null) io.err(found.note);
    if (options.json) printJson(io, { run: info.slug, path: found.path, sha256: found.sha256, text: found.text, note: found.note });
    else io.out(harmless(found.text));
    return EXIT_OK;
  });
}
