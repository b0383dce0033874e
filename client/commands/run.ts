import { dirname } from 'node:path';
import { runQueueOf } from '../../workflows/names.js';
import { type BeginOptions, findRun, type Startable, startRequest } from '../begin.js';
import { UserError } from '../errors.js';
import type { StepRange } from '../examine-pipeline.js';
import type { Decision } from '../find.js';
import type { Io } from '../io.js';
import type { FolderOptions } from '../plan-folder.js';
import { quoted } from '../present/text.js';
import { putAway } from '../put-away.js';
import type { RunInfo, Runs } from '../runs.js';
import { tell, withWorkers } from '../service.js';
import { type Subject, startableOf } from '../subject.js';
import { watchRun } from '../watching.js';
import type { CommonOptions, Hosted, Service, World } from '../world.js';

export interface RunOptions extends CommonOptions, FolderOptions, BeginOptions, StepRange {
  slug?: string;
  until?: string;
}

/** Carries out a plan or a pipeline and watches it to its end. What is wrong with its files is said before a server is asked. */
export async function runCommand(subject: Subject, options: RunOptions, io: Io, world: World): Promise<number> {
  const examined = await startableOf(subject, options, io);
  return withWorkers(options, io, world, async (service) => {
    const found = await findRun(service.runs, examined, options, world.hostId());
    const { decision } = found;
    if (decision.do === 'refuse') throw new UserError(decision.words, 2);
    tell(options, io, decision.words);
    if (decision.do === 'rejoin') {
      const info = present(found.info);
      if (decision.warning !== null) io.err(decision.warning);
      // On its own queue a run takes any worker; on the standing one it is served by those that stand.
      const hosted = info.taskQueue === runQueueOf(info.slug) ? await service.host(info.taskQueue) : null;
      return watch({ service, info, hosted }, subject, options, io, world);
    }
    const hosted = await service.host(runQueueOf(examined.slug));
    const info = await stoppingOnFault(hosted, () =>
      startFound(service.runs, examined, decision, { ...options, taskQueue: runQueueOf(examined.slug) }, { io, world }),
    );
    return watch({ service, info, hosted }, subject, options, io, world);
  });
}

export function present(info: RunInfo | null): RunInfo {
  if (info === null) throw new Error('a running run without its description');
  return info;
}

/** Starts what was decided, after the old record was moved where that was asked for. */
export async function startFound(
  runs: Runs,
  examined: Startable,
  decision: Extract<Decision, { do: 'start' | 'again' }>,
  options: CommonOptions & { taskQueue: string; allowDirty: boolean },
  around: { io: Io; world: World },
): Promise<RunInfo> {
  const { taskQueue, allowDirty } = options;
  const ledger = decision.do === 'start' && decision.ledger;
  const request = startRequest(examined, { taskQueue, hostId: around.world.hostId(), ledger, allowDirty });
  if (decision.do === 'again') {
    const moved = putAway({ workspace: examined.folder.workspace, slug: examined.slug, out: examined.folder.out });
    if (moved !== null) tell(options, around.io, `moved to ${moved}`);
  }
  return runs.start(request);
}

async function stoppingOnFault<T>(hosted: Hosted, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    await hosted.stop();
    throw error;
  }
}

async function watch(
  run: { service: Service; info: RunInfo; hosted: Hosted | null },
  subject: Subject,
  options: RunOptions,
  io: Io,
  world: World,
): Promise<number> {
  const { service, info, hosted } = run;
  const page = service.runs.pageOf(info);
  if (page !== null) tell(options, io, `Web UI: ${page}`);
  const until = options.until === 'waiting' ? 'waiting' : 'end';
  const again = goOnCommand(subject, options);
  return watchRun({ service, run: info, common: options, until, hosted, again, anew: again }, io, world);
}

/** The same command again: it rejoins the run with this terminal's environment. */
function goOnCommand({ is, path }: Subject, options: RunOptions): string {
  const named = is === 'pipeline' ? ['--pipeline', quoted(path)] : [quoted(path.endsWith('/PLAN.md') ? dirname(path) : path)];
  const more = (['slug', 'workspace', 'out', 'from', 'only'] as const).flatMap((name) =>
    options[name] === undefined ? [] : [`--${name} ${quoted(options[name])}`],
  );
  return `\`${['donewhen run', ...named, ...more].join(' ')}\``;
}
