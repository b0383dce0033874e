import { constants, mkdirSync, realpathSync, renameSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import type { AgentAdapter, AgentStart, Glance } from './agents/adapter.js';
import { attemptPath } from './attempt-folder.js';
import { createBudget, type Left, type Spent } from './dispatch-budget.js';
import type { AttemptLimits, PerformerEnvironment } from './dispatch-ports.js';
import { makeTmp, removeTmp } from './dispatch-start.js';
import { textIn } from './files/regular.js';
import { BEAT_MS, whileBeating } from './heartbeat.js';
import type { Place } from './interface.js';
import { type Outcome, readClaim } from './process/attempt-files.js';
import { carryOut, type Look } from './process/attend.js';
import type { Supervisor } from './process/client.js';
import { GRACE_MS } from './process/job.js';

/** One attempt of an agent or a command, as it is handed to its supervisor. */
export interface AttemptRequest {
  place: Place;
  token: string;
  role: string;
  /** For `DONEWHEN_TASK`. */
  task: string;
  start: AgentStart;
  timeoutMs: number;
  /** `begin`: nobody has claimed the token yet. `go on`: somebody has. `end`: stop what runs, start nothing. */
  how: 'begin' | 'go on' | 'end';
  /** What the run may still spend on it; absent: no limit. */
  left?: Left;
}

export interface Attempted {
  outcome: Outcome | 'lost';
  /** It was ended because it had spent what was left. */
  usedUp: Spent | null;
  stdout: string;
  stderr: string;
  endedAt: number;
  /** Relative to the run's folder. */
  log: string;
}

const LIMITS: AttemptLimits = {
  graceMs: GRACE_MS,
  attendMs: 10 * 60_000,
  logBytesMax: 16 * 1024 * 1024,
  beatMs: BEAT_MS,
};
const LINE_CHARS_MAX = 200;
const GLANCE_BYTES_MAX = 1024 * 1024;

/** Carries the attempt out, exactly once by its token, and brings back what it printed. Its cancellation is obeyed. */
export async function runAttempt(
  request: AttemptRequest,
  world: { supervisor: Supervisor; environment: PerformerEnvironment; adapter: AgentAdapter; limits?: Partial<AttemptLimits> },
): Promise<Attempted> {
  const { place, token, start } = request;
  const limits = { ...LIMITS, ...world.limits };
  const log = join(attemptPath(token), 'output.log');
  const dir = join(place.folder, attemptPath(token));
  const logFile = join(place.folder, log);
  const stdinFile = join(dir, 'brief.md');
  mkdirSync(dir, { recursive: true });
  if (request.how === 'begin') {
    writeWhole(stdinFile, start.stdin);
    for (const [name, text] of Object.entries(start.files ?? {})) writeWhole(join(dir, name), text);
    if (start.env.TMPDIR !== undefined) makeTmp(dir);
  }
  const { variables, secrets } = world.environment;
  const env = { ...variables, ...start.env, ...variablesOf(request) };
  const { graceMs, attendMs, logBytesMax } = limits;
  const { idleMs } = world.adapter;
  const files = { dir, logFile, stdinFile };
  const spec = {
    token,
    argv: start.argv,
    cwd: place.workspace,
    env,
    secrets,
    timeoutMs: request.timeoutMs,
    ...(idleMs === undefined ? {} : { idleMs }),
    graceMs,
    attendMs,
    logBytesMax,
    ...files,
  };
  const watch = createWatch(world.adapter, logFile);
  const budget = createBudget(world.adapter, logFile, { left: request.left, variables: env, begunAt: () => begunAt(dir) });
  const stopping = new AbortController();
  let usedUp: Spent | null = null;
  const details = async () => {
    usedUp ??= await budget();
    if (usedUp !== null) stopping.abort();
    return watch.details();
  };
  if (request.how === 'end') stopping.abort();
  const outcome = await whileBeating(
    (signal, order) => {
      const either = { signal: AbortSignal.any([signal, stopping.signal]), order: () => (stopping.signal.aborted ? 'stop' : order()) };
      return carryOut(spec, { supervisor: world.supervisor, orders: either, onLook: watch.onLook });
    },
    { details, beatMs: limits.beatMs },
  );
  removeTmp(dir);
  const endedAt = outcome === 'lost' ? Date.now() : outcome.endedAt;
  return { outcome, usedUp, stdout: textIn(logFile), stderr: textIn(`${logFile}.err`), endedAt, log };
}

/** Whether the workspace is still the folder that it was when the run began, and not a link that somebody put there (F05). */
export function isWorkspaceThere(place: Place): boolean {
  try {
    return realpathSync(place.workspace) === place.workspace;
  } catch {
    return false;
  }
}

function variablesOf({ place, token, role, task }: AttemptRequest): Record<string, string> {
  return {
    DONEWHEN_RUN: place.slug,
    DONEWHEN_TASK: task,
    DONEWHEN_ATTEMPT: token,
    DONEWHEN_ROLE: role,
    DONEWHEN_WORKSPACE: place.workspace,
  };
}

function begunAt(dir: string): number | null {
  const claim = readClaim(dir);
  return claim === null || claim === 'unreadable' ? null : claim.startedAt;
}

/** Under a new name first: another worker's performer may be reading the text that stands there. */
function writeWhole(file: string, text: string): void {
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, text, { mode: 0o600 });
  renameSync(draft, file);
}

/** What a heartbeat tells: the process, and what was last heard of it. All of it comes from the masked log (R16). */
function createWatch(adapter: AgentAdapter, logFile: string) {
  const tail = createTail(logFile);
  let look: Look | null = null;
  let glance: Glance = { session: null, progress: null };
  return {
    onLook: (given: Look) => {
      look = given;
    },
    details: async () => {
      const state = (await look?.()) ?? null;
      const heard = adapter.glance(await tail());
      glance = { session: heard.session ?? glance.session, progress: heard.progress ?? glance.progress };
      return {
        pid: state?.pid ?? null,
        startedAt: state?.startedAt ?? null,
        session: glance.session,
        phase: state === null ? 'starting' : 'working',
        ...(state?.fault === undefined ? {} : { fault: state.fault }),
        lastLine: (glance.progress ?? state?.lastLine ?? '').slice(0, LINE_CHARS_MAX),
      };
    },
  };
}

/** Whole lines that were added to a file since the last call. */
function createTail(file: string): () => Promise<string[]> {
  const decoder = new StringDecoder('utf8');
  let at = 0;
  let held = '';
  return async () => {
    const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK).catch(() => null);
    if (handle === null) return [];
    try {
      const found = await handle.stat();
      const more = found.isFile() ? Math.min(found.size - at, GLANCE_BYTES_MAX) : 0;
      if (more <= 0) return [];
      const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(more), 0, more, at);
      at += bytesRead;
      const lines = (held + decoder.write(buffer.subarray(0, bytesRead))).split('\n');
      held = (lines.pop() ?? '').slice(-GLANCE_BYTES_MAX);
      return lines;
    } finally {
      await handle.close();
    }
  };
}
