import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { identityOf, ownIdentity } from '../activities/process/identity.js';
import { type BoundedLog, openLog } from './bounded-log.js';
import { sleep } from './files.js';
import type { Lock } from './lock.js';
import { freePort, isFree, WELL_KNOWN_PORT, WELL_KNOWN_UI_PORT } from './ports.js';
import { causeOfDeath, type Death, explainDeath } from './server-death.js';
import { databaseOf, deathGuard, endProcess, orphansOn, type ServerOptions, startServer } from './server-process.js';
import { setUpServer } from './server-setup.js';
import { readServerState, type ServerPhase, type ServerState, writeServerState } from './server-state.js';
import { countUsers } from './users.js';

export interface WardenOptions {
  home: string;
  executable: string;
  version: string;
  /** `well-known`: 7233 and 8233 when they are free, as everybody expects of the only server of this user. */
  ports: 'well-known' | 'any';
}

/** What a warden looks at. */
export interface WardenWorld {
  env: NodeJS.ProcessEnv;
  lock: Lock;
  /** Whether this process was asked to end. */
  isAsked: () => boolean;
  log: BoundedLog;
}

type Reason = 'unused' | 'asked' | 'overtaken';
/** How one life of the server came to its end. */
type Served = { is: Reason } | { is: 'died'; death: Death; servedMs: number };

const TICK_MS = 250;
/** Two commands one after the other need one server, not two. */
const UNUSED_MS_MAX = 2_000;
const END_GRACE_MS = 10_000;
const FAILURES_MAX = 5;
const PORT_FAILURES_MAX = 3;
const BACKOFF_FIRST_MS = 100;
/** A server that served this long had come up well: counting begins anew. */
const STEADY_MS = 10_000;

/**
 * Keeps the home's server until nobody uses it, this process is asked to end, or the lock is lost. Starts it again on the
 * same file and port when it dies. The caller holds the lock.
 */
export async function keepServer(options: WardenOptions, world: WardenWorld): Promise<void> {
  const { home, version, executable } = options;
  const database = databaseOf(home, version);
  const before = readServerState(home);
  // Before anything that takes time: whoever waits must see that somebody is at work. A forerunner's pid is kept in view.
  const ports = { port: before?.port ?? WELL_KNOWN_PORT, uiPort: before?.uiPort ?? WELL_KNOWN_UI_PORT };
  publish(
    { server: { executable, home, database, ...ports, guard: [] }, version, lock: world.lock },
    { phase: 'starting', child: before, why: null },
  );
  await endForerunners(before, database);
  const guard = await deathGuard(world.env);
  let server: ServerOptions = { executable, home, database, guard, ...(await choosePorts(options.ports, before)) };
  for (let failures = 0; ; ) {
    const served = await serveOnce(server, version, world);
    if (served.is !== 'died') return;
    world.log.write(`${new Date().toISOString()} the server ended: ${served.death.why}\n`);
    failures = served.servedMs >= STEADY_MS ? 1 : failures + 1;
    if (served.death.is === 'database' || failures >= FAILURES_MAX) {
      const why = explainDeath(served.death, { database, log: join(home, 'server.log'), failures });
      publish({ server, version, lock: world.lock }, { phase: 'failed', child: null, why });
      return;
    }
    publish({ server, version, lock: world.lock }, { phase: 'starting', child: null, why: served.death.why });
    await sleep(BACKOFF_FIRST_MS * 2 ** (failures - 1));
    // Commands know the old port, so it is given up only when somebody else keeps it.
    if (served.death.is === 'port' && failures >= PORT_FAILURES_MAX) server = { ...server, ...(await choosePorts('any', null)) };
  }
}

/** One life of the server: start, set up, serve. */
async function serveOnce(server: ServerOptions, version: string, world: WardenWorld): Promise<Served> {
  const log = openLog(join(server.home, 'server.log'));
  const told = { server, version, lock: world.lock };
  const child = startServer(server, log, world.env);
  const life = watch(child, log);
  const serverProcess = { pid: child.pid ?? null, startTime: child.pid === undefined ? null : (identityOf(child.pid)?.start ?? null) };
  publish(told, { phase: 'starting', child: serverProcess, why: null });
  const problem = await setUpServer(server, world.env, () => life.isOver() || mustEnd(world) !== null);
  const servedFrom = Date.now();
  if (problem === null) publish(told, { phase: 'ready', child: serverProcess, why: null });
  const reason = problem === null ? await serve(told, serverProcess, life, world) : mustEnd(world);
  if (reason === null && life.isOver()) {
    await life.over;
    return { is: 'died', death: causeOfDeath(log.tail()), servedMs: problem === null ? Date.now() - servedFrom : 0 };
  }
  if (serverProcess.pid !== null) await endProcess(serverProcess.pid, reason === 'overtaken' ? 0 : END_GRACE_MS);
  return reason === null ? { is: 'died', death: { is: 'other', why: problem ?? 'it stopped serving' }, servedMs: 0 } : { is: reason };
}

/** Serves until there is a reason to end, or the server dies (null). */
async function serve(told: Told, serverProcess: ServerProcess, life: Life, world: WardenWorld): Promise<Reason | null> {
  let unusedSince: number | null = null;
  for (;;) {
    await pause(TICK_MS, undefined, { signal: life.ended }).catch(() => undefined);
    if (life.isOver()) return null;
    const reason = mustEnd(world);
    if (reason !== null) return reason;
    world.lock.touch();
    unusedSince = countUsers(told.server.home) > 0 ? null : (unusedSince ?? Date.now());
    if (unusedSince === null || Date.now() - unusedSince < UNUSED_MS_MAX) continue;
    // First the word, then the last count: a command registers first and reads after, so one of us sees the other.
    publish(told, { phase: 'ending', child: serverProcess, why: null });
    if (countUsers(told.server.home) === 0) return 'unused';
    publish(told, { phase: 'ready', child: serverProcess, why: null });
    unusedSince = null;
  }
}

function mustEnd(world: WardenWorld): 'asked' | 'overtaken' | null {
  if (!world.lock.isHeld()) return 'overtaken';
  return world.isAsked() ? 'asked' : null;
}

interface Life {
  isOver(): boolean;
  /** Resolves when it is over and its last words are in the log. */
  over: Promise<void>;
  /** Aborted then, too: a rest that it cuts short leaves nothing behind, as a race against `over` would. */
  ended: AbortSignal;
}

function watch(child: ChildProcess, log: BoundedLog): Life {
  let isOver = false;
  const ended = new AbortController();
  const over = new Promise<void>((resolve) => {
    child.once('error', (error) => {
      isOver = true;
      log.write(`Error: ${error.message}\n`);
      resolve();
      ended.abort();
    });
    child.once('exit', () => {
      isOver = true;
    });
    child.once('close', () => {
      resolve();
      ended.abort();
    });
  });
  return { isOver: () => isOver, over, ended: ended.signal };
}

type ServerProcess = Pick<ServerState, 'pid' | 'startTime'>;

interface Told {
  server: ServerOptions;
  version: string;
  lock: Lock;
}

function publish({ server, version, lock }: Told, news: { phase: ServerPhase; child: ServerProcess | null; why: string | null }): void {
  // Whoever overtook us speaks for this home now.
  if (!lock.isHeld()) return;
  const { phase, child, why } = news;
  const { pid, startTime } = child ?? { pid: null, startTime: null };
  writeServerState(server.home, { phase, pid, startTime, why, warden: ownIdentity(), port: server.port, uiPort: server.uiPort, version });
}

/** Ends servers that a dead warden left behind: where the kernel could not, or while it is still at it. */
async function endForerunners(before: ServerState | null, database: string): Promise<void> {
  const named = before !== null && before.pid !== null && identityOf(before.pid)?.start === before.startTime ? [before.pid] : [];
  for (const pid of new Set([...named, ...orphansOn(database)])) await endProcess(pid, END_GRACE_MS);
}

/** The ports of the last time where they are free, so that addresses stay good across restarts. */
async function choosePorts(kind: WardenOptions['ports'], before: ServerState | null): Promise<{ port: number; uiPort: number }> {
  const wellKnown = kind === 'well-known' ? [{ port: WELL_KNOWN_PORT, uiPort: WELL_KNOWN_UI_PORT }] : [];
  for (const pair of [...(before === null ? [] : [{ port: before.port, uiPort: before.uiPort }]), ...wellKnown]) {
    if ((await isFree(pair.port)) && (await isFree(pair.uiPort))) return pair;
  }
  return { port: await freePort(), uiPort: await freePort() };
}
