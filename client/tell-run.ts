import { UserError } from './errors.js';
import type { Io } from './io.js';
import { failingWords } from './present/failing.js';
import { type RunState, readRunState } from './run-state.js';
import type { Act, Acted, Failing, RunInfo, Runs } from './runs.js';
import { isDeserted } from './service.js';
import { watchCommandFor } from './watching.js';
import type { Service, World } from './world.js';

const PROBE_DEADLINE_MS = 3_000;
const LOOK_EVERY_MS = 250;
/** What an act brings about is judged and recorded in seconds; a check may take longer than anybody wants to stand there. */
const SETTLED_MS_MAX = 60_000;

/** What the run answered, and what else the person has to know. */
export interface Told {
  acted: Acted;
  note: string | null;
}

export interface Telling {
  service: Service;
  info: RunInfo;
  act: Act;
}

/** Sends an act to a running run. Where that has no worker, this command hosts one until what was said is recorded. */
export async function tellRun(telling: Telling, io: Io, world: World): Promise<Told> {
  const { service, info, act } = telling;
  if (!isDeserted(service, info, world) && (await stateNow(service.runs, info.slug)) !== null) {
    const acted = await service.runs.act({ slug: info.slug }, act);
    if (acted !== null) return { acted, note: await failingNote(telling, acted, world) };
    // Its worker left between the two. The same id again is applied once.
  }
  refuseElsewhere(info, act, world);
  io.err(`no worker answers for run ${info.slug}: this command hosts one until ${act.name} is recorded`);
  return hostingUntilRecorded(telling, () => service.runs.act({ slug: info.slug }, act), world);
}

/** Hosts a worker, sends, and stays until the run has recorded what came of it. */
export async function hostingUntilRecorded(telling: Telling, send: () => Promise<Acted | null>, world: World): Promise<Told> {
  const { service, info, act } = telling;
  const hosted = await service.host(info.taskQueue);
  try {
    const acted = await Promise.race([send(), hosted.failed]);
    if (acted === null) throw untaken(info.slug, act.id);
    return { acted, note: acted.applied ? await Promise.race([endOfHosting(telling, world), hosted.failed]) : null };
  } finally {
    await hosted.stop();
  }
}

/** A worker of this host could do nothing in a workspace on another one. */
export function refuseElsewhere(info: RunInfo, act: Pick<Act, 'name'>, world: World): void {
  const { host } = info.memo;
  if (host === null || host === world.hostId()) return;
  const why =
    info.status === 'running'
      ? `works on another host (${host}), and no worker answers for it: ${act.name} was not recorded; have one there (${watchCommandFor(info.slug)}), then say it again`
      : `worked on another host (${host}): ${act.name} was not recorded; say it there`;
  throw new UserError(`run ${info.slug} ${why}`, 3);
}

/** The server keeps what nobody took for a while: it may still be applied, and must not be twice. */
function untaken(slug: string, id: string): UserError {
  return new UserError(
    `the worker of run ${slug} did not take it in time: ${watchCommandFor(slug)} hosts one; say it again with --id ${id}, so that it is applied once`,
    3,
  );
}

async function endOfHosting({ service, info, act }: Telling, world: World): Promise<string> {
  const goesOn = `${watchCommandFor(info.slug)} follows the run to its end`;
  for (const until = world.now() + SETTLED_MS_MAX; world.now() < until; await world.sleep(LOOK_EVERY_MS)) {
    const state = await stateNow(service.runs, info.slug).catch(() => null);
    if (state?.phase === 'closed') return `run ${info.slug} is closed: ${state.outcome ?? 'without an outcome'}`;
    if (state !== null && isRecorded(state, act)) return goesOn;
    const [failing] = await failingOf(service.runs, info.slug);
    if (failing !== undefined) return `${failingWords(failing, world.now())}; until then nothing more is recorded, and ${goesOn}`;
  }
  return `it is not recorded yet: ${goesOn}`;
}

/** A stopped run closes; any other goes on with what comes next, which is not for this command to wait for. */
function isRecorded(state: RunState, act: Act): boolean {
  return act.name !== 'stop' && !['checking', 'verifying', 'recording'].includes(state.phase);
}

/** An act that is applied and cannot be recorded: whoever acted must not wait for an end that does not come. */
async function failingNote({ service, info, act }: Telling, acted: Acted, world: World): Promise<string | null> {
  const [failing] = acted.applied ? await failingOf(service.runs, info.slug) : [];
  if (failing === undefined) return null;
  const what = act.name === 'stop' ? 'the run ends when it can be recorded' : 'it is kept, and recorded when that is possible';
  return `${what}: ${failingWords(failing, world.now())}`;
}

function failingOf(runs: Runs, slug: string): Promise<Failing[]> {
  return runs.failing({ slug }).catch(() => []);
}

async function stateNow(runs: Runs, slug: string): Promise<RunState | null> {
  const answered = await runs.query({ slug }, 'state', PROBE_DEADLINE_MS);
  return answered === null ? null : readRunState(answered.value);
}
