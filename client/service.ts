import { runQueueOf } from '../workflows/names.js';
import { UserError } from './errors.js';
import type { Io } from './io.js';
import { recordFiles } from './record-files.js';
import type { RunId, RunInfo, Runs } from './runs.js';
import type { CommonOptions, Service, World } from './world.js';

/** A worker that is there answers in milliseconds; one whose predecessor just died within two seconds. */
export const QUERY_DEADLINE_MS = 5_000;

type Act = (service: Service) => Promise<number>;

/** Opens the service for a command that only looks or says something, and closes it whatever happens. */
export function withService(options: CommonOptions, io: Io, world: World, act: Act): Promise<number> {
  return closing(world.open(options, io, 'server'), act);
}

/** As `withService`, for a command that may host a worker. */
export function withWorkers(options: CommonOptions, io: Io, world: World, act: Act): Promise<number> {
  return closing(world.open(options, io, 'worker'), act);
}

async function closing(opening: Promise<Service>, act: Act): Promise<number> {
  const service = await opening;
  try {
    return await act(service);
  } finally {
    await service.close();
  }
}

/** A run by the name that people type: its slug, or the workflow id. */
export async function runNamed(runs: Runs, name: string): Promise<RunInfo> {
  const slug = slugNamed(name);
  if (slug === '') throw new UserError('the name of the run is empty: `donewhen list` shows all', 2);
  const info = await runs.find(slug);
  if (info === null) throw new UserError(await unknownWords(runs, slug), 2);
  return info;
}

export function slugNamed(name: string): string {
  return name.startsWith('donewhen-') ? name.slice('donewhen-'.length) : name;
}

const NAMES_SHOWN_MAX = 5;

async function unknownWords(runs: Runs, slug: string): Promise<string> {
  const known = (await runs.list('all').catch(() => [])).map((info) => info.slug);
  if (known.length === 0) return `there is no run ${slug}: this server has no runs yet`;
  const alike = known.filter((name) => name.includes(slug) || slug.includes(name)).slice(0, NAMES_SHOWN_MAX);
  if (alike.length > 0) return `there is no run ${slug}: did you mean ${alike.join(', ')}?`;
  const more = known.length > NAMES_SHOWN_MAX ? ', …' : '';
  return `there is no run ${slug}: this server has ${known.slice(0, NAMES_SHOWN_MAX).join(', ')}${more}`;
}

export function noWorker(slug: string, deadlineMs: number): UserError {
  return new UserError(`no worker answered for run ${slug} in ${deadlineMs / 1000} s: ${hostsOne(slug)}`, 3);
}

function hostsOne(slug: string): string {
  return `\`donewhen watch ${slug}\` hosts one here, \`donewhen worker\` a standing one`;
}

/** The run's own queue is served by nobody but workers of the host where it was started: no need to wait for silence. */
export function isDeserted(service: Service, info: RunInfo, world: World): boolean {
  if (info.status !== 'running' || info.memo.host !== world.hostId() || info.taskQueue !== runQueueOf(info.slug)) return false;
  return !service.servedHere(info.taskQueue);
}

/** Said at once, before anything is sent that nobody would take. */
export function refuseDeserted(service: Service, info: RunInfo, world: World): void {
  if (isDeserted(service, info, world)) throw new UserError(`run ${info.slug} has no worker now: ${hostsOne(info.slug)}`, 3);
}

/**
 * The JSON of a run: of a running one by asking its worker, of a closed one from its result, for which none is needed.
 * Throws where nobody answered, or where the run ended without a state.
 */
export async function stateOf(service: Service, info: RunInfo, world: World): Promise<unknown> {
  const { runs } = service;
  if (info.status === 'running') {
    refuseDeserted(service, info, world);
    const answered = await runs.query(idOf(info), 'state', QUERY_DEADLINE_MS);
    if (answered === null) throw noWorker(info.slug, QUERY_DEADLINE_MS);
    return answered.value;
  }
  const ended = await runs.result(idOf(info), null);
  switch (ended.is) {
    case 'closed':
      return ended.state;
    case 'refused':
      throw new UserError([`run ${info.slug} never began, its input was refused:`, ...ended.problems].join('\n'), 2);
    case 'terminated':
    case 'cancelled':
    case 'timedOut':
    case 'broken':
      throw new UserError(`run ${info.slug} ended without a result (${endWords(ended.is)}): ${wayOn(info, world)}`, 2);
    case 'abandoned':
      throw new UserError(`interrupted while run ${info.slug} was read`, 3);
  }
}

/** Of the execution that was found: a later one of the same name must not answer in its place. */
export function idOf(info: RunInfo): RunId {
  return info.status === 'running' ? { slug: info.slug } : { slug: info.slug, runId: info.runId };
}

export function endWords(is: 'terminated' | 'cancelled' | 'timedOut' | 'broken'): string {
  switch (is) {
    case 'terminated':
      return 'terminated';
    case 'cancelled':
      return 'cancelled';
    case 'timedOut':
      return 'timed out';
    case 'broken':
      return 'the workflow failed';
  }
}

function wayOn(info: RunInfo, world: World): string {
  const { ledger } = recordFiles(info, world.hostId());
  return ledger === null
    ? 'nothing of it is recorded, `donewhen run` begins it again'
    : `${ledger} is the record, and \`donewhen run\` goes on from it`;
}

/** A word beside the answer: beside `--json` it goes to standard error. */
export function tell(options: CommonOptions, io: Io, words: string): void {
  if (options.json) io.err(words);
  else io.out(words);
}

/** One JSON document on standard output. */
export function printJson(io: Io, value: unknown): void {
  io.out(JSON.stringify(value, null, 2));
}
