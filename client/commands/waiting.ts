import { EXIT_OK } from '../exit-code.js';
import type { Io } from '../io.js';
import { answerCommand, blockerOf, type WaitingItem, waitingText } from '../present/waiting.js';
import { readRunState } from '../run-state.js';
import type { RunInfo, Runs } from '../runs.js';
import { isDeserted, noWorker, printJson, QUERY_DEADLINE_MS, refuseDeserted, runNamed, withWorkers } from '../service.js';
import type { CommonOptions, Service, World } from '../world.js';

/** So many workers are asked side by side. */
const ASKED_AT_ONCE = 8;

/** What waits for a person, in one run or in all of them, with the command that answers. */
export async function waitingCommand(run: string | undefined, options: CommonOptions, io: Io, world: World): Promise<number> {
  return withWorkers(options, io, world, async (service) => {
    const items =
      run === undefined ? await waitingInAll(service, io, world) : await waitingIn(service, await runNamed(service.runs, run), io, world);
    if (options.json) printJson(io, items.map(documentOf));
    else io.out(waitingText(items, { now: world.now(), columns: world.columns(io) }));
    return EXIT_OK;
  });
}

/** A closed run waits for nobody. */
async function waitingIn(service: Service, info: RunInfo, io: Io, world: World): Promise<WaitingItem[]> {
  if (info.status !== 'running') return [];
  // One that waits for a person has nothing else to do: a worker that is there for a moment sets nothing going.
  const mayHost = info.seen.waitingFor.length > 0 && (info.memo.host === null || info.memo.host === world.hostId());
  if (!mayHost) refuseDeserted(service, info, world);
  const items = isDeserted(service, info, world) ? null : await ask(service.runs, info);
  if (items !== null) return items;
  if (!mayHost) throw noWorker(info.slug, QUERY_DEADLINE_MS);
  io.err(`no worker answers for run ${info.slug}: this command hosts one to ask it`);
  const hosted = await service.host(info.taskQueue);
  try {
    return (await Promise.race([ask(service.runs, info), hosted.failed])) ?? lastHeard(info);
  } finally {
    await hosted.stop();
  }
}

/** A run without a worker is not left out: what it waited for when it was last heard of is known to the server. */
async function waitingInAll(service: Service, io: Io, world: World): Promise<WaitingItem[]> {
  const running = await service.runs.list('running');
  const items: WaitingItem[] = [];
  for (let from = 0; from < running.length; from += ASKED_AT_ONCE) {
    const group = running.slice(from, from + ASKED_AT_ONCE);
    const answers = await Promise.all(
      group.map(async (info) => ({ info, answer: isDeserted(service, info, world) ? null : await ask(service.runs, info) })),
    );
    for (const { info, answer } of answers) {
      if (answer === null) io.err(`no worker answers for run ${info.slug}: \`donewhen watch ${info.slug}\` hosts one`);
      items.push(...(answer ?? lastHeard(info)));
    }
  }
  return items;
}

async function ask(runs: Runs, info: RunInfo): Promise<WaitingItem[] | null> {
  const answered = await runs.query({ slug: info.slug }, 'state', QUERY_DEADLINE_MS);
  const state = answered === null ? null : readRunState(answered.value);
  if (state === null) return null;
  return state.waiting.map((waiting) => ({ run: info.slug, waiting, blocker: blockerOf(state, waiting) }));
}

/** The server knows what is waited for, and about what (workflows/search-attributes.ts); the question's own words only a worker knows. */
function lastHeard(info: RunInfo): WaitingItem[] {
  return info.seen.waitingFor.map((heard) => {
    const [kind = '', ...rest] = heard.split(' ');
    const about = rest.join(' ') || null;
    const named = kind === 'decide' ? { task: null, gate: about } : { task: about, gate: null };
    return {
      run: info.slug,
      waiting: { kind, ...named, ask: `${heard} (as last heard; no worker answers now)`, since: null },
      blocker: kind === 'resolve' ? about : null,
    };
  });
}

function documentOf(item: WaitingItem): Record<string, string | null> {
  const { kind, task, gate, ask, since } = item.waiting;
  return { run: item.run, kind, task, gate, ask, since, answer: answerCommand(item.run, item.waiting, item.blocker) };
}
