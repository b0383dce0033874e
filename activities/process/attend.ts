import { statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ClaimRecord, claimFileIn, type Outcome, readClaim, readOutcome, SIGN_OF_LIFE_MS } from './attempt-files.js';
import type { Supervisor } from './client.js';
import { type Connection, ConnectionEnded, openConnection } from './connection.js';
import { commandLineOf, lifeOf } from './identity.js';
import { endMarked } from './marks.js';
import type { AttemptSpec, AttemptState } from './wire.js';

/** How whoever attends an attempt lets go of it before its end. */
export interface Orders {
  signal: AbortSignal;
  /** Once the signal is given: `stop` ends the attempt, `leave` leaves it to whoever asks for its token next. */
  order(): 'stop' | 'leave';
}

export interface Attending {
  supervisor: Supervisor;
  orders: Orders;
  onLook(look: Look): void;
  /** How long beyond all its own limits a supervisor is believed to be alive. */
  overdueMs?: number;
}

/** Looks at the attempt where it is carried out; null when that is not known at the moment. */
export type Look = () => Promise<AttemptState | null>;

const UNREACHABLE_RETRY_MS = 500;
const AFTER_LOSS_MS = 50;
/** Longer than the supervisor's own limits: it ends its attempts before anybody has to end it. */
const OVERDUE_MS = 60_000;
const ELSEWHERE_SILENT_MS = 6 * SIGN_OF_LIFE_MS;
/** Supervisors that may die over one start, with nothing claimed, before it is called a fault. */
const STARTS_MAX = 3;
const STOPPED_WAIT_MS = 5_000;
const TIMER_MS_MAX = 2 ** 31 - 1;

/**
 * Carries an attempt out exactly once, whoever asks for its token and how often (design.md §4): returns the outcome that
 * is written, attaches to a living supervisor, starts one only where nobody has claimed the token, and says `lost` of an
 * attempt that began and left neither. On `leave` it rejects with the signal's reason and the attempt goes on.
 */
export async function carryOut(spec: AttemptSpec, context: Attending): Promise<Outcome | 'lost'> {
  const overdueMs = context.overdueMs ?? OVERDUE_MS;
  const overdueAt = performance.now() + spec.timeoutMs + spec.graceMs + spec.attendMs + overdueMs;
  for (let starts = 0; ; ) {
    const outcome = readOutcome(spec.dir);
    if (outcome !== null) return ofToken(spec, outcome);
    leaveIfOrdered(context.orders);
    const claim = readClaim(spec.dir);
    if (claim === 'unreadable') return readOutcome(spec.dir) ?? 'lost';
    if (claim === null) {
      if (context.orders.signal.aborted) return neverStarted(spec);
      starts += 1;
      await startAndAttend(spec, context, { time: starts, leftMs: overdueAt - performance.now() });
      continue;
    }
    ofToken(spec, claim);
    if (!hasSupervisor(spec.dir, claim)) return await settled(spec.dir, claim);
    const leftMs = overdueAt - performance.now();
    if (leftMs <= 0) return await endSupervisor(spec.dir, claim);
    if (!(await attach(claim, spec, context, leftMs))) return await settled(spec.dir, claim);
  }
}

/**
 * Both asked at once: who starts an attempt attends it from its first moment. A supervisor that dies over it may have
 * claimed the token before: the files tell, not the missing answer.
 */
async function startAndAttend(spec: AttemptSpec, context: Attending, { time, leftMs }: { time: number; leftMs: number }): Promise<void> {
  const { supervisor } = context;
  const started = supervisor.ask({ is: 'start', attempt: spec });
  const attended = attend((asked, signal) => supervisor.ask(asked, signal), spec, context, leftMs);
  attended.catch(() => undefined);
  try {
    await started;
  } catch (error) {
    if (!(error instanceof ConnectionEnded) || time >= STARTS_MAX) throw error;
  }
  await attended;
}

function ofToken<T extends { token: string }>(spec: AttemptSpec, found: T): T {
  if (found.token === spec.token) return found;
  throw new Error(`${spec.dir} belongs to ${found.token}, not to ${spec.token}: on this disk their names are the same; rename the task`);
}

/** Nothing was started and nothing will be: as if it had been stopped at its first moment. */
function neverStarted(spec: AttemptSpec): Outcome {
  const now = Date.now();
  return { token: spec.token, end: { is: 'cut', why: 'stop' }, startedAt: now, endedAt: now, bytes: 0, sha256: '' };
}

function leaveIfOrdered(orders: Orders): void {
  if (orders.signal.aborted && orders.order() === 'leave') throw orders.signal.reason;
}

/** Whether somebody still carries it out. Of another container or boot only the sign of life tells. */
export function hasSupervisor(dir: string, claim: ClaimRecord): boolean {
  const life = lifeOf(claim.supervisor);
  if (life !== 'elsewhere') return life === 'alive';
  try {
    return Date.now() - statSync(claimFileIn(dir)).mtimeMs < ELSEWHERE_SILENT_MS;
  } catch {
    return false;
  }
}

/** What the dead supervisor left: its outcome, if that was its last act, else nothing that still runs. */
async function settled(dir: string, claim: ClaimRecord): Promise<Outcome | 'lost'> {
  const last = readOutcome(dir);
  if (last !== null) return last;
  // Where trees are only marked they outlive their supervisor; looking at what they left comes after their end.
  await endMarked(claim.mark);
  return readOutcome(dir) ?? 'lost';
}

/** Attends an attempt where it is carried out; false: its supervisor lives and knows nothing of it. */
async function attach(claim: ClaimRecord, spec: AttemptSpec, context: Attending, leftMs: number): Promise<boolean> {
  let connection: Connection;
  try {
    connection = await openConnection(claim.socket);
  } catch {
    await sleep(UNREACHABLE_RETRY_MS);
    return true;
  }
  try {
    return await attend(connection.ask, spec, context, leftMs);
  } finally {
    connection.close();
  }
}

/** Attends until the attempt has ended, the supervisor has, or it is time to let go of it. */
async function attend(ask: Connection['ask'], spec: AttemptSpec, { orders, onLook }: Attending, leftMs: number): Promise<boolean> {
  const { dir } = spec;
  const letGo = new AbortController();
  const gone = new Promise<'gone'>((resolve) => letGo.signal.addEventListener('abort', () => resolve('gone'), { once: true }));
  const obey = () => {
    if (orders.order() === 'leave') letGo.abort();
    else ask({ is: 'stop', dir }).catch(() => undefined);
  };
  const limit = setTimeout(() => letGo.abort(), Math.min(leftMs, TIMER_MS_MAX));
  try {
    onLook(async () => {
      const reply = await ask({ is: 'look', dir });
      return reply.is === 'seen' ? reply.state : null;
    });
    const ended = ask({ is: 'attach', dir }, letGo.signal);
    ended.catch(() => undefined);
    if (orders.signal.aborted) obey();
    orders.signal.addEventListener('abort', obey, { once: true });
    const reply = await Promise.race([ended, gone]);
    return reply === 'gone' || (reply.is !== 'unknown' && !(reply.is === 'ended' && readOutcome(dir) === null));
  } catch {
    // The supervisor died: the next look at the files tells.
    await sleep(AFTER_LOSS_MS);
    return true;
  } finally {
    clearTimeout(limit);
    orders.signal.removeEventListener('abort', obey);
  }
}

/**
 * A supervisor that keeps none of its own limits hangs; its trees end with it. The claim stands where a performer can
 * write: a process that is no supervisor of this claim is left alone.
 */
async function endSupervisor(dir: string, claim: ClaimRecord): Promise<Outcome | 'lost'> {
  const { pid } = claim.supervisor;
  if (lifeOf(claim.supervisor) === 'alive' && commandLineOf(pid).includes(claim.socket)) {
    process.kill(pid, 'SIGKILL');
    await sleep(STOPPED_WAIT_MS);
  }
  return settled(dir, claim);
}
