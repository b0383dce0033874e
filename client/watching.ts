import { EXIT_BAD_INPUT, EXIT_BLOCKED, EXIT_DEFECT, EXIT_INTERRUPTED, EXIT_STOPPED, exitOfRun } from './exit-code.js';
import { Hosting } from './hosting.js';
import type { Io } from './io.js';
import { colorsFor } from './present/colors.js';
import { endText } from './present/end.js';
import { silenceWords } from './present/events.js';
import { failingWords } from './present/failing.js';
import { quoted } from './present/text.js';
import { recordFiles } from './record-files.js';
import { sha256Of } from './record-text.js';
import { CALM_AFTER_LOOKS, restsAfter } from './rests.js';
import { isAsked, type RunState, readRunState } from './run-state.js';
import type { Ended, RunInfo } from './runs.js';
import { endWords, isDeserted, printJson } from './service.js';
import { openView, type Trouble, type View } from './view.js';
import type { CommonOptions, Hosted, Service, World } from './world.js';

/** Calm enough to read, and far below what a worker notices. */
const LOOK_EVERY_MS = 1000;
const LOOK_DEADLINE_MS = 3000;
/** A run that nobody answers for so long has no worker: this command hosts one. */
const HOST_AFTER_MS = 3000;
/** Said only then: a worker that starts, or a server that is restarted, is silent for a moment. */
const SILENCE_SAID_AFTER_MS = 10_000;
/** How often the server is asked what of the run keeps failing: its own state does not say it. */
const FAILING_EVERY_MS = 2_000;

export interface Watch {
  service: Service;
  run: RunInfo;
  common: CommonOptions;
  until: 'end' | 'waiting';
  /** The worker that this command hosts already; null: one is hosted only when the run has none. */
  hosted: Hosted | null;
  /** How to go on after Ctrl-C. */
  again: string;
  /** How to begin another execution, where this one was ended from outside. */
  anew: string;
}

/**
 * Watches a run to its end, or until it waits for a person, and answers with the exit status. The run does not depend on
 * it: whatever ends the watching, the run is kept.
 */
export async function watchRun(watch: Watch, io: Io, world: World): Promise<number> {
  const signal = world.interrupt.take();
  const view = await openView({ run: watch.run.slug, json: watch.common.json }, io, world);
  const stopWaiting = new AbortController();
  const ended = watch.service.runs.result({ slug: watch.run.slug }, AbortSignal.any([signal, stopWaiting.signal]));
  const worker = new Hosting(watch.hosted);
  try {
    if (!worker.isHere() && isDeserted(watch.service, watch.run, world)) worker.take(await hostHere(watch, view, world));
    const seen = await Promise.race([ended.then((end) => ({ is: 'ended' as const, end })), follow(watch, worker, view, { signal, world })]);
    // What happened since the last look is told, too.
    if (seen.is === 'ended' && seen.end.is === 'closed') view.show(readRunState(seen.end.state), null);
    view.close();
    if (seen.is === 'ended') return conclude(watch, seen.end, io, world);
    if (seen.is === 'waiting') return waits(watch, seen.raw, io);
    return interrupted(watch, io);
  } finally {
    view.close();
    stopWaiting.abort();
    await ended.catch(() => undefined);
    await worker.stop();
  }
}

type Seen = { is: 'ended'; end: Ended } | { is: 'waiting'; raw: unknown } | { is: 'interrupted' };

interface Around {
  signal: AbortSignal;
  world: World;
}

/** Looks again and again. Ends only by what a person wants; the end of the run is heard elsewhere. */
async function follow(watch: Watch, worker: Hosting, view: View, { signal, world }: Around): Promise<Seen> {
  let heardAt = world.now();
  let unansweredSince: number | null = null;
  let standing: Stood = { at: heardAt, trouble: null, happened: null };
  let looked: Looked = NOTHING_SEEN;
  let lookedAt: string | null = null;
  let last = '';
  let sameFor = 0;
  while (!signal.aborted) {
    const isCalm = sameFor >= CALM_AFTER_LOOKS && worker.isHere();
    standing = isCalm ? await standingOf(watch, world.now()) : { ...standing, happened: null };
    // To answer costs its worker more than to say that nothing happened costs the server.
    if (standing.happened === null || standing.happened !== lookedAt) looked = await look(watch);
    lookedAt = standing.happened;
    const { state, raw, why } = looked;
    worker.assertWorks();
    const now = world.now();
    if (state !== null) heardAt = now;
    // A server that is away says nothing about workers.
    unansweredSince = state !== null || why !== null ? null : (unansweredSince ?? now);
    if (state !== null && now - standing.at >= FAILING_EVERY_MS) standing = await standingOf(watch, now);
    view.show(state, state === null ? silenceOf(now - heardAt, why) : standing.trouble);
    if (state !== null && watch.until === 'waiting' && waitsForPerson(state)) return { is: 'waiting', raw };
    if (!worker.isHere() && unansweredSince !== null && now - unansweredSince >= HOST_AFTER_MS) {
      worker.take(await hostHere(watch, view, world));
    }
    const shown = JSON.stringify(raw);
    const sha256 = sha256Of(shown);
    sameFor = state !== null && sha256 === last ? sameFor + 1 : 0;
    last = sha256;
    const rests = restsAfter({ chars: shown.length, sameFor });
    for (let rest = 1; rest <= rests && !signal.aborted; rest += 1) {
      await world.sleep(LOOK_EVERY_MS, signal);
      // The times on a terminal go on by themselves.
      if (rest < rests && state !== null) view.show(state, standing.trouble);
    }
  }
  return { is: 'interrupted' };
}

function silenceOf(ms: number, why: string | null): Trouble | null {
  return ms < SILENCE_SAID_AFTER_MS ? null : { topic: why ?? 'silence', words: why ?? silenceWords(ms) };
}

interface Stood {
  at: number;
  trouble: Trouble | null;
  /** null: nobody knows whether something happened. */
  happened: string | null;
}

async function standingOf({ service, run }: Watch, now: number): Promise<Stood> {
  // A server that is away is said where the run is asked.
  const { failing, happened } = await service.runs.standing({ slug: run.slug }).catch(() => ({ failing: [], happened: null }));
  const [first] = failing;
  const trouble = first === undefined ? null : { topic: `${first.activity}: ${first.reason}`, words: failingWords(first, now) };
  return { at: now, trouble, happened };
}

interface Looked {
  state: RunState | null;
  raw: unknown;
  /** Why there is no state, where it is not that no worker answered. */
  why: string | null;
}

const NOTHING_SEEN: Looked = { state: null, raw: null, why: null };

async function look({ service, run }: Watch): Promise<Looked> {
  try {
    const answered = await service.runs.query({ slug: run.slug }, 'state', LOOK_DEADLINE_MS);
    return answered === null
      ? { state: null, raw: null, why: null }
      : { state: readRunState(answered.value), raw: answered.value, why: null };
  } catch (error) {
    return { state: null, raw: null, why: error instanceof Error ? error.message : String(error) };
  }
}

/** Nothing but a person moves it on. */
function waitsForPerson(state: RunState): boolean {
  return state.phase === 'waiting' && state.waiting.some(isAsked);
}

/** A workspace on another host is not here: a worker of this host could do nothing but fail. */
async function hostHere(watch: Watch, view: View, world: World): Promise<Hosted | null> {
  const { host } = watch.run.memo;
  if (host !== null && host !== world.hostId()) return null;
  view.say(`no worker answers for run ${watch.run.slug}: this command hosts one`);
  return watch.service.host(watch.run.taskQueue);
}

function conclude(watch: Watch, end: Ended, io: Io, world: World): number {
  const { slug } = watch.run;
  switch (end.is) {
    case 'closed':
      return closed(watch, end.state, io, world);
    case 'refused':
      if (watch.common.json)
        printJson(io, { error: { message: `${end.type}: ${end.problems[0] ?? ''}`, problems: end.problems, exit: EXIT_BAD_INPUT } });
      for (const problem of end.problems) io.err(problem);
      return EXIT_BAD_INPUT;
    case 'terminated':
    case 'cancelled':
    case 'timedOut':
      return brokenOff(watch, io, {
        words: `run ${slug} was ${endWords(end.is)}: ${end.words}; ${goesOn(watch, world)}`,
        exit: EXIT_STOPPED,
      });
    case 'broken':
      return brokenOff(watch, io, {
        words: `run ${slug} broke, which is a defect: ${end.words}; ${goesOn(watch, world)}`,
        exit: EXIT_DEFECT,
      });
    case 'abandoned':
      return interrupted(watch, io);
  }
}

function goesOn({ run, anew }: Watch, world: World): string {
  return recordFiles(run, world.hostId()).ledger === null
    ? `nothing is recorded yet, ${anew} begins it again`
    : `${anew} goes on from LEDGER.md`;
}

function brokenOff(watch: Watch, io: Io, end: { words: string; exit: number }): number {
  if (watch.common.json) printJson(io, { error: { message: end.words, exit: end.exit } });
  io.err(end.words);
  return end.exit;
}

function closed(watch: Watch, raw: unknown, io: Io, world: World): number {
  const state = readRunState(raw);
  if (watch.common.json) printJson(io, raw);
  if (state === null) {
    return brokenOff({ ...watch, common: { ...watch.common, json: false } }, io, {
      words: `run ${watch.run.slug} ended with a result that is no run`,
      exit: EXIT_DEFECT,
    });
  }
  if (!watch.common.json)
    io.out(endText(state, { now: world.now(), columns: world.columns(io), colors: colorsFor(io) }, recordFiles(watch.run, world.hostId())));
  return exitOfRun(state);
}

function waits(watch: Watch, raw: unknown, io: Io): number {
  if (watch.common.json) printJson(io, raw);
  io.err(`run ${watch.run.slug} waits for a person and is kept: after the answer, ${watch.again} goes on with it`);
  return EXIT_BLOCKED;
}

function interrupted(watch: Watch, io: Io): number {
  io.err(`interrupted: run ${watch.run.slug} is kept and goes on when a worker is there: ${watch.again}`);
  return EXIT_INTERRUPTED;
}

/** The command that begins another execution of a run, as far as this host knows where its plan is. */
export function runCommandFor({ slug, type, memo }: RunInfo): string {
  const what = type === 'runPipeline' ? 'pipeline' : 'plan';
  const path = what === 'pipeline' ? memo.planFile : memo.folder;
  if (path === null) return `\`donewhen run\` with its ${what}`;
  return `\`donewhen run ${what === 'pipeline' ? '--pipeline ' : ''}${quoted(path)} --slug ${quoted(slug)}\``;
}

/** The command that goes on with a run. */
export function watchCommandFor(slug: string): string {
  return `\`donewhen watch ${quoted(slug)}\``;
}
