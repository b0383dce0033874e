import { EXIT_OK } from '../exit-code.js';
import type { Io } from '../io.js';
import { answerCommand, blockerOf, type WaitingItem, waitingText } from '../present/waiting.js';
import { readRunState } from '../run-state.js';
import type { RunInfo, Runs } from '../runs.js';
import { isDeserted, noWorker, printJson, QUERY_DEADLINE_MS, refuseDeserted, runNamed, withService } from '../service.js';
import type { CommonOptions, Service, World } from '../world.js';

/** So many workers are asked side by side. */
const ASKED_AT_ONCE = 8;

/** What waits for a person, in one run or in all of them, with the command that answers. */
export async function waitingCommand(run: string | undefined, options: CommonOptions, io: Io, world: World): Promise<number> {
  return withService(options, io, world, async (service) => {
    const items =
      run === undefined ? await waitingInAll(service, io, world) : await waitingIn(service, await runNamed(service.runs, run), world);
    if (options.json) printJson(io, items.map(documentOf));
    else io.out(waitingText(items, { now: world.now(), columns: world.columns(io) }));
    return EXIT_OK;
  });
}

/** A closed run waits for nobody. */
async function waitingIn(service: Service, info: RunInfo, world: World): Promise<WaitingItem[]> {
  if (info.status !== 'running') return [];
  refuseDeserted(service, info, world);
  const items = await ask(service.runs, info);
  if (items === null) throw noWorker(info.slug, QUERY_DEADLINE_MS);
  return items;
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

function lastHeard(info: RunInfo): WaitingItem[] {
  return info.seen.waitingFor.map((ask) => ({
    run: info.slug,
    waiting: { kind: 'last heard', task: null, gate: null, ask: `${ask} (as last heard; no worker answers now)`, since: null },
    blocker: null,
  }));
}

function documentOf(item: WaitingItem): Record<string, string | null> {
  const { kind, task, gate, ask, since } = item.waiting;
  return { run: item.run, kind, task, gate, ask, since, answer: answerCommand(item.run, item.waiting, item.blocker) };
}
