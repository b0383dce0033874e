import { EXIT_OK } from '../exit-code.js';
import type { Io } from '../io.js';
import { colorsFor } from '../present/colors.js';
import { type ListedRun, listed, listTable } from '../present/list.js';
import type { RunInfo, Runs } from '../runs.js';
import { idOf, printJson, withService } from '../service.js';
import type { CommonOptions, World } from '../world.js';

/** Each costs a call. */
const FAILED_LOOKED_UP_MAX = 20;

/** All runs of the server, newest first; no worker is asked. */
export async function listCommand(options: CommonOptions, io: Io, world: World): Promise<number> {
  return withService(options, io, world, async ({ runs }) => {
    const infos = await runs.list('all');
    const looked = infos.filter(({ status }) => status === 'failed').slice(0, FAILED_LOOKED_UP_MAX);
    const all = await Promise.all(infos.map((info) => (looked.includes(info) ? withReason(runs, info) : listed(info))));
    if (options.json) printJson(io, all);
    else io.out(listTable(all, { now: world.now(), columns: world.columns(io), colors: colorsFor(io) }));
    return EXIT_OK;
  });
}

/** A run whose history is gone by now is listed all the same. */
async function withReason(runs: Runs, info: RunInfo): Promise<ListedRun> {
  return listed(info, await runs.result(idOf(info), null).catch(() => null));
}
