import { STANDING_QUEUE } from '../../workflows/names.js';
import { startRequest } from '../begin.js';
import { UserError } from '../errors.js';
import type { Io } from '../io.js';
import { oneLine } from '../present/text.js';
import { type RunState, readRunState } from '../run-state.js';
import type { Act, Acted, RunInfo } from '../runs.js';
import { runNamed, stateOf, withWorkers } from '../service.js';
import { type Subject, startableOf } from '../subject.js';
import { hostingUntilRecorded, refuseElsewhere, type Telling, type Told, tellRun } from '../tell-run.js';
import type { World } from '../world.js';
import { type ActOptions, actor, sayTold } from './act.js';

export interface ResolveOptions extends ActOptions {
  resolution?: string;
  check?: string;
}

/** A resolution's check runs before the answer, as long as a check may (limits.checkMinutes, 10 by default). */
const RESOLVE_ANSWER_MS = 11 * 60_000;

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
    const told = await resolved({ service, info, act }, io, world);
    return sayTold({ run: info.slug, name: 'resolve', id, told }, options, io);
  });
}

async function resolved(telling: Telling, io: Io, world: World): Promise<Told> {
  const { service, info } = telling;
  if (info.status !== 'running') return beginAgain(telling, io, world);
  try {
    return await tellRun(telling, io, world);
  } catch (error) {
    // It may have closed at this very moment, as a blocker that is not gone makes it.
    const now = await service.runs.find(info.slug);
    if (now === null || now.status === 'running') throw error;
    return beginAgain({ ...telling, info: now }, io, world);
  }
}

/** Start and resolution go in together: both happen or neither does. */
async function beginAgain(telling: Telling, io: Io, world: World): Promise<Told> {
  const { service, info, act } = telling;
  const state = readRunState(await stateOf(service, info, world));
  if (state !== null) refuseUnknownBlocker(info, state, String(act.payload.blocker));
  refuseElsewhere(info, act, world);
  const { planFile, folder, out, workspace, from, only } = info.memo;
  if (planFile === null || folder === null || out === null || workspace === null) {
    throw new UserError(
      `run ${info.slug} was not started by this command, so its files are not known here: \`donewhen run DIR\` with a newer plan goes on`,
      2,
    );
  }
  const subject: Subject = { is: info.type === 'runPipeline' ? 'pipeline' : 'plan', path: planFile };
  const examined = await startableOf(subject, { slug: info.slug, workspace, out, from, only }, io);
  if (examined.ledger === null)
    throw new UserError(`LEDGER.md of run ${info.slug} is missing in ${out}: put it back, there is nothing to go on from`, 2);
  const request = startRequest(examined, { taskQueue: info.taskQueue, hostId: world.hostId(), ledger: true, allowDirty: true });
  const reopen = async (): Promise<Acted | null> => {
    const acted = await service.runs.reopen(request, act);
    // As `start` left it: the reopened run has a worker when this command is gone.
    if (acted?.applied === true && info.taskQueue === STANDING_QUEUE) await service.leaveWorker(info.slug);
    return acted;
  };
  return hostingUntilRecorded(telling, reopen, world);
}

function refuseUnknownBlocker(info: RunInfo, state: RunState, blocker: string): void {
  const open = state.ledger.filter((entry) => entry.gates.at(-1) === 'replan exhausted');
  if (open.some((entry) => [entry.blocker, entry.gateBlocker, entry.task].includes(blocker))) return;
  const names = open.map((entry) => oneLine(entry.blocker ?? entry.gateBlocker ?? entry.task));
  const way = names.length === 0 ? 'nothing of it is exhausted' : `open: ${names.join(', ')}`;
  throw new UserError(`run ${info.slug} has no open blocker ${blocker}; ${way}`, 2);
}
