import { EXIT_OK } from '../exit-code.js';
import type { Io } from '../io.js';
import { colorsFor } from '../present/colors.js';
import { listed, listTable } from '../present/list.js';
import { printJson, withService } from '../service.js';
import type { CommonOptions, World } from '../world.js';

/** All runs of the server, newest first; no worker is asked. */
export async function listCommand(options: CommonOptions, io: Io, world: World): Promise<number> {
  return withService(options, io, world, async ({ runs }) => {
    const all = (await runs.list('all')).map(listed);
    if (options.json) printJson(io, all);
    else io.out(listTable(all, { now: world.now(), columns: world.columns(io), colors: colorsFor(io) }));
    return EXIT_OK;
  });
}
