import { STANDING_QUEUE } from '../../workflows/names.js';
import { startRequest } from '../begin.js';
import { UserError } from '../errors.js';
import { examine, refuseProblems } from '../examine.js';
import type { Io } from '../io.js';
import { oneLine } from '../present/text.js';
import { type RunState, readRunState } from '../run-state.js';
import type { Act, Acted, RunInfo } from '../runs.js';
import { noWorker, runNamed, stateOf, withWorkers } from '../service.js';
import type { Hosted, Service, World } from '../world.js';
import { type ActOptions, actor, sayActed } from './act.js';

export interface ResolveOptions extends ActOptions {
  resolution?: string;
  check?: string;
}

/** A resolution's check runs before the answer, as long as a check may (limits.checkMinutes, 10 by default). */
const RESOLVE_ANSWER_MS = 11 * 60_000;
const PROBE_DEADLINE_MS = 3_000;
const BOOT_DEADLINE_MS = 60_000;

/** A blocker is gone. A running run is told; a closed one is begun again, with its record and this resolution. */
export async function resolveCommand(run: string, blocker: string, options: ResolveOptions, io: Io, world: World): Promise<number> {
  const resolution = options.resolution?.trim() ?? '';
  if (resolution === '') throw new UserError('resolve needs --resolution TEXT: what changed is what the planner is told', 2);
  const id = options.id ?? world.newId();
  const payload = {
    blocker,
    resolution,
    ...(options.check === undefined ? {} : { check: options.check }),
    ...actor('resolve', options),
    id,
  };
  const act: Act = { name: 'resolve', id, payload, answerMs: RESOLVE_ANSWER_MS };
  return withWorkers(options, io, world, async (service) => {
    const info = await runNamed(service.runs, run);
    const acted =
      info.status === 'running' ? await tellRunning(service, info, act, io, world) : await beginAgain(service, info, act, io, world);
    if (acted === null) throw noWorker(info.slug, BOOT_DEADLINE_MS);
    const exit = sayActed({ run: info.slug, name: 'resolve', id, acted }, options, io);
    if (acted.applied) io.err(`\`donewhen watch ${info.slug}\` follows the run to its end`);
    return exit;
  });
}

async function tellRunning(service: Service, info: RunInfo, act: Act, io: Io, world: World): Promise<Acted | null> {
  const served = (await service.runs.query({ slug: info.slug }, 'state', PROBE_DEADLINE_MS)) !== null;
  if (served) return service.runs.act({ slug: info.slug }, act);
  onThisHost(info, world);
  io.err(`no worker answers for run ${info.slug}: this command hosts one until it has its answer`);
  return hosting(await service.host(info.taskQueue), () => service.runs.act({ slug: info.slug }, act));
}

/** Start and resolution go in together: both happen or neither does. */
async function beginAgain(service: Service, info: RunInfo, act: Act, io: Io, world: World): Promise<Acted | null> {
  const state = readRunState(await stateOf(service, info, world));
  if (state !== null) refuseUnknownBlocker(info, state, String(act.payload.blocker));
  onThisHost(info, world);
  const { planFile, folder, out, workspace } = info.memo;
  if (planFile === null || folder === null || out === null || workspace === null) {
    throw new UserError(
      `run ${info.slug} was not started by this command, so its files are not known here: \`donewhen run DIR\` with a newer plan goes on`,
      2,
    );
  }
  const examined = await examine(planFile, { slug: info.slug, workspace, out }, io);
  refuseProblems(examined, io);
  if (examined.ledger === null)
    throw new UserError(`LEDGER.md of run ${info.slug} is missing in ${out}: put it back, there is nothing to go on from`, 2);
  const request = startRequest(examined, { taskQueue: info.taskQueue, hostId: world.hostId(), ledger: true, allowDirty: true });
  return hosting(await service.host(info.taskQueue), async () => {
    const acted = await service.runs.reopen(request, act);
    // As `start` left it: the reopened run has a worker when this command is gone.
    if (acted?.applied === true && info.taskQueue === STANDING_QUEUE) await service.leaveWorker(info.slug);
    return acted;
  });
}

async function hosting(hosted: Hosted, act: () => Promise<Acted | null>): Promise<Acted | null> {
  try {
    return await Promise.race([act(), hosted.failed]);
  } finally {
    await hosted.stop();
  }
}

function refuseUnknownBlocker(info: RunInfo, state: RunState, blocker: string): void {
  const open = state.ledger.filter((entry) => entry.gates.at(-1) === 'replan exhausted');
  if (open.some((entry) => entry.blocker === blocker || entry.task === blocker)) return;
  const names = open.map((entry) => oneLine(entry.blocker ?? entry.task));
  const way = names.length === 0 ? 'nothing of it is exhausted' : `open: ${names.join(', ')}`;
  throw new UserError(`run ${info.slug} has no open blocker ${blocker}; ${way}`, 2);
}

function onThisHost(info: RunInfo, world: World): void {
  if (info.memo.host === null || info.memo.host === world.hostId()) return;
  throw new UserError(`run ${info.slug} works on another host (${info.memo.host}): resolve it there, or have a worker there`, 2);
}
