import { readdirSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { claimFileIn, readClaim, readOutcome } from './process/attempt-files.js';
import { hasSupervisor } from './process/attend.js';
import { lifeOf } from './process/identity.js';

/** Under the run's folder: one folder a token. */
const ATTEMPTS = 'attempts';

/** What a task's attempts are found by, as part of a file's name on any disk. */
function safe(text: string): string {
  return text.replace(/[^A-Za-z0-9_@-]/g, (letter) => `%${letter.codePointAt(0)?.toString(16).padStart(2, '0')}`);
}

/** `T1#1.2` is `T1.1.2`: a task's id has no dot, so that two tokens never share a folder. */
function nameOf(token: string): string {
  const at = token.lastIndexOf('#');
  return at < 0
    ? safe(token)
    : `${safe(token.slice(0, at))}.${token
        .slice(at + 1)
        .split('.')
        .map(safe)
        .join('.')}`;
}

/** Relative to the run's folder. */
export function attemptPath(token: string): string {
  return join(ATTEMPTS, nameOf(token));
}

/** What a pipeline's step found of its artifacts before the work; kept with its tries, and set aside with them. */
export function baselinePath(task: string): string {
  return join(ATTEMPTS, `${safe(task)}.baseline`, 'artifacts.json');
}

/**
 * The folders of the tries before this one, the newest first, relative to the run's folder: of this task, and of the earlier
 * attempts at the same step of a pipeline, whose session a fix goes on in.
 */
export function earlierTries(folder: string, token: string): string[] {
  const own = orderOf(nameOf(token));
  return namesIn(join(folder, ATTEMPTS))
    .flatMap((name) => {
      const order = orderOf(name);
      return order !== null && own !== null && order.unit === own.unit && isBefore(order, own) ? [{ name, order }] : [];
    })
    .sort((a, b) => (isBefore(a.order, b.order) ? 1 : -1))
    .map(({ name }) => join(ATTEMPTS, name));
}

interface Order {
  /** `S3` of `S3@2.1.1`; a task's own id where it is no step. */
  unit: string;
  /** Attempts at a step count more than tries after a loss, and these more than legs after a limit. */
  numbers: [attempt: number, number: number, leg: number];
}

/** null: no folder of a try. */
function orderOf(name: string): Order | null {
  const [, unit, attempt = '1', number, leg] = /^(.+?)(?:@(\d+))?\.(\d+)\.(\d+)$/.exec(name) ?? [];
  return unit === undefined ? null : { unit, numbers: [Number(attempt), Number(number), Number(leg)] };
}

function isBefore(a: Order, b: Order): boolean {
  const at = a.numbers.findIndex((count, index) => count !== b.numbers[index]);
  return at >= 0 && (a.numbers[at] ?? 0) < (b.numbers[at] ?? 0);
}

/** Attempts of a run before this one, set aside. */
const EARLIER = 'attempts-before-';

/** Whether an attempt of this task was ever begun here, whatever history knows of it. */
export function wasAttempted(folder: string, task: string): boolean {
  const prefix = `${safe(task)}.`;
  const all = [ATTEMPTS, ...namesIn(folder).filter((name) => name.startsWith(EARLIER))];
  return all.some((attempts) =>
    namesIn(join(folder, attempts)).some((name) => {
      if (!name.startsWith(prefix) || !/^\d+\.\d+$/.test(name.slice(prefix.length))) return false;
      const dir = join(folder, attempts, name);
      return isThere(claimFileIn(dir)) || readOutcome(dir) !== null;
    }),
  );
}

/**
 * A run from nothing asks for the same tokens as the one before it in this folder: its outcomes are no answers to this run
 * (A18), and are set aside. One that somebody still carries out stays: two agents must not work side by side.
 */
export function setEarlierAside(folder: string, now: number): void {
  const attempts = join(folder, ATTEMPTS);
  const claims = namesIn(attempts).map((name) => readClaim(join(attempts, name)));
  const isAlive = claims.some((claim) => claim !== null && claim !== 'unreadable' && lifeOf(claim.supervisor) === 'alive');
  if (claims.length > 0 && !isAlive) renameSync(attempts, join(folder, `${EARLIER}${now}`));
}

/** An attempt that somebody still carries out. */
export interface LivingAttempt {
  slug: string;
  /** Its task. */
  task: string;
  startedAt: number;
  supervisor: number;
}

/**
 * Attempts that still work in a workspace, whatever became of their runs: of a run whose history is lost, its agents may
 * go on for a while, and two of them must not work side by side.
 */
export function livingAttempts(workspace: string): LivingAttempt[] {
  const home = join(workspace, '.donewhen');
  return namesIn(home).flatMap((slug) =>
    namesIn(join(home, slug, ATTEMPTS)).flatMap((name) => {
      const dir = join(home, slug, ATTEMPTS, name);
      const claim = readClaim(dir);
      if (claim === null || claim === 'unreadable' || readOutcome(dir) !== null || !hasSupervisor(dir, claim)) return [];
      const { token, startedAt, supervisor } = claim;
      return [{ slug, task: token.slice(0, Math.max(0, token.lastIndexOf('#'))), startedAt, supervisor: supervisor.pid }];
    }),
  );
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function isThere(file: string): boolean {
  try {
    statSync(file);
    return true;
  } catch {
    return false;
  }
}
