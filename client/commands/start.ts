import { STANDING_QUEUE } from '../../workflows/names.js';
import { type BeginOptions, findRun } from '../begin.js';
import { UserError } from '../errors.js';
import type { StepRange } from '../examine-pipeline.js';
import { EXIT_OK } from '../exit-code.js';
import type { Io } from '../io.js';
import type { FolderOptions } from '../plan-folder.js';
import type { RunInfo } from '../runs.js';
import { noWorker, printJson, withWorkers } from '../service.js';
import { type Subject, startableOf } from '../subject.js';
import type { CommonOptions, Hosted, Service, World } from '../world.js';
import { present, startFound } from './run.js';

export interface StartOptions extends CommonOptions, FolderOptions, BeginOptions, StepRange {
  slug?: string;
}

/** The worker that is left behind has to boot first. */
const BEGUN_DEADLINE_MS = 45_000;
const LOOK_DEADLINE_MS = 2_000;
const LOOK_EVERY_MS = 250;

/** As `run`, but detached: ends as soon as the worker that it leaves behind has the run. */
export async function startCommand(subject: Subject, options: StartOptions, io: Io, world: World): Promise<number> {
  const examined = await startableOf(subject, options, io);
  return withWorkers(options, io, world, async (service) => {
    const starting = { taskQueue: STANDING_QUEUE };
    const found = await findRun(service.runs, examined, options, world.hostId());
    const { decision } = found;
    if (decision.do === 'refuse') throw new UserError(decision.words, 2);
    // Standard output is for what was started.
    io.err(decision.words);
    if (decision.do === 'rejoin' && decision.warning !== null) io.err(decision.warning);
    const info =
      decision.do === 'rejoin'
        ? present(found.info)
        : await startFound(service.runs, examined, decision, { ...starting, ...options }, { io, world });
    const served = decision.do === 'rejoin' && (await answersNow(service, info));
    const left = served ? null : await service.leaveWorker(info.slug);
    await begun(service, info, left, world);
    return sayStarted(service, info, options, io);
  });
}

async function answersNow(service: Service, info: RunInfo): Promise<boolean> {
  return (await service.runs.query({ slug: info.slug }, 'state', LOOK_DEADLINE_MS)) !== null;
}

/** Until a worker answers for the run, or the run is over: its input may be refused. */
async function begun(service: Service, info: RunInfo, left: Pick<Hosted, 'failed'> | null, world: World): Promise<void> {
  const watching = new AbortController();
  const ended = service.runs.result({ slug: info.slug }, watching.signal).then((end) => ({ end }));
  ended.catch(() => undefined);
  try {
    const until = world.now() + BEGUN_DEADLINE_MS;
    while (world.now() < until) {
      const looked = answersNow(service, info).then((answers) => ({ answers }));
      const seen = await Promise.race([ended, looked, ...(left === null ? [] : [left.failed])]);
      if ('end' in seen) {
        if (seen.end.is === 'refused') throw new UserError(seen.end.problems.join('\n'), 2);
        return;
      }
      if (seen.answers) return;
      await world.sleep(LOOK_EVERY_MS);
    }
    throw noWorker(info.slug, BEGUN_DEADLINE_MS);
  } finally {
    watching.abort();
  }
}

function sayStarted(service: Service, info: RunInfo, options: StartOptions, io: Io): number {
  const { slug, workflowId, runId, taskQueue } = info;
  const url = service.runs.pageOf(info);
  if (options.json) {
    printJson(io, { run: slug, workflowId, runId, taskQueue, address: service.runs.address, namespace: service.runs.namespace, url });
    return EXIT_OK;
  }
  io.out(
    [
      `run:         ${slug}`,
      `workflow id: ${workflowId}`,
      ...(url === null ? [] : [`Web UI:      ${url}`]),
      `watch:       donewhen watch ${slug}`,
    ].join('\n'),
  );
  return EXIT_OK;
}
