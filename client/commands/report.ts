import { UserError } from '../errors.js';
import { EXIT_OK } from '../exit-code.js';
import type { Io } from '../io.js';
import { REPORT_FILE } from '../plan-folder.js';
import { harmless } from '../present/text.js';
import { recordText } from '../record-text.js';
import type { RunInfo } from '../runs.js';
import { printJson, runNamed, stateOf, withService } from '../service.js';
import type { CommonOptions, Service, World } from '../world.js';

/** REPORT.md of a closed run; with `--json` the facts that it is made of, too. */
export async function reportCommand(run: string, options: CommonOptions, io: Io, world: World): Promise<number> {
  return withService(options, io, world, async (service) => {
    const { runs } = service;
    const info = await runNamed(runs, run);
    if (info.status === 'running')
      throw new UserError(
        `run ${info.slug} is not closed, so there is no report yet: \`donewhen status ${info.slug}\` shows where it is`,
        2,
      );
    const found = await recordText(runs, info, { name: 'report', file: REPORT_FILE }, world.hostId());
    if (found === null)
      throw new UserError(
        `run ${info.slug} has no REPORT.md${info.memo.out === null ? '' : ` in ${info.memo.out}`}: \`donewhen status ${info.slug}\` shows its outcome`,
        2,
      );
    if (found.note !== null) io.err(found.note);
    if (options.json)
      printJson(io, {
        ...(await factsOf(service, info, world)),
        path: found.path,
        sha256: found.sha256,
        text: found.text,
        note: found.note,
      });
    else io.out(harmless(found.text));
    return EXIT_OK;
  });
}

const FACTS = ['run', 'workflowId', 'outcome', 'stopped', 'criteria', 'cost', 'dispatches'];

async function factsOf(service: Service, info: RunInfo, world: World): Promise<Record<string, unknown>> {
  const state = await stateOf(service, info, world);
  const all = typeof state === 'object' && state !== null ? Object.entries(state) : [];
  return Object.fromEntries(all.filter(([name]) => FACTS.includes(name)));
}
