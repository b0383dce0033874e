import { randomUUID } from 'node:crypto';
import { utimesSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { createDisk } from '../files/disk.js';
import { faultWords } from '../files/faults.js';
import { makeRealFolder } from '../files/real-folder.js';
import {
  type AttemptEnd,
  type ClaimRecord,
  claimFileIn,
  claimToken,
  isInPlace,
  type Outcome,
  SIGN_OF_LIFE_MS,
  writeOutcome,
} from './attempt-files.js';
import { createBoundedLog } from './bounded-log.js';
import { createCapture } from './capture.js';
import { ownIdentity } from './identity.js';
import { type RunningJob, startJob } from './job.js';
import type { Forest } from './tree.js';
import type { AttemptSpec, AttemptState } from './wire.js';

/** The attempts that this supervisor carries out, by their folders. */
export interface Attempts {
  /** `claimed`: somebody has this token, perhaps we. */
  start(spec: AttemptSpec): 'started' | 'claimed';
  /** Attends an attempt until it has ended; null: it is not carried out here. `leave` ends the attendance early. */
  attend(dir: string): { ended: Promise<void>; leave(): void } | null;
  stop(dir: string): void;
  look(dir: string): AttemptState | null;
  count(): number;
}

/** What is kept in memory of an output, for its last line. */
const KEPT_BYTES = 4 * 1024;
/** Nobody who watches an attempt notices. */
const REST_MS = 500;
/** A full disk is often a matter of a minute; after that the attempt counts as lost. */
const OUTCOME_TRIES_MAX = 30;
const OUTCOME_RETRY_MS = 2_000;

const disk = createDisk();

export function createAttempts(options: { forest: Promise<Forest>; socket: string; onEmpty(): void }): Attempts {
  const attempts = new Map<string, Attempt>();
  const start = (spec: AttemptSpec): 'started' | 'claimed' => {
    const [mark, startedAt, supervisor] = [randomUUID(), Date.now(), ownIdentity()];
    const { token, timeoutMs } = spec;
    const claim = { token, supervisor, socket: options.socket, mark, startedAt, timeoutMs };
    if (!claimToken(spec.dir, claim)) return 'claimed';
    // Known before anything is awaited: a claimed attempt that nobody knows of would be taken for lost.
    const attempt = new Attempt({ spec, claim, forest: options.forest });
    attempts.set(spec.dir, attempt);
    void attempt.ended.then(() => {
      attempts.delete(spec.dir);
      if (attempts.size === 0) options.onEmpty();
    });
    return 'started';
  };
  return {
    start,
    attend: (dir) => attempts.get(dir)?.attend() ?? null,
    stop: (dir) => attempts.get(dir)?.stop('stop'),
    look: (dir) => attempts.get(dir)?.state() ?? null,
    count: () => attempts.size,
  };
}

/** An attempt whose token is ours. */
interface Claimed {
  spec: AttemptSpec;
  claim: ClaimRecord;
}

/** One attempt from its claim to its outcome. It never rejects: whatever goes wrong is an outcome, or no outcome at all. */
class Attempt {
  readonly ended: Promise<void>;
  private job: RunningJob | null = null;
  private stopped: 'stop' | 'unattended' | null = null;
  private attendants = 0;
  private unattended: NodeJS.Timeout | null = null;
  /** Whether the performer took the folder of its attempt away. */
  private cleared = false;
  private fault: string | null = null;
  private output: { bytes(): number; lastLine(): string } | null = null;

  constructor(private readonly about: Claimed & { forest: Promise<Forest> }) {
    this.countDown();
    const signs = setInterval(() => {
      if (isInPlace(about.spec.dir)) return touchClaim(about.spec.dir);
      this.cleared = true;
      void renewClaim(about);
    }, SIGN_OF_LIFE_MS);
    this.ended = this.carryOut().finally(() => {
      clearInterval(signs);
      if (this.unattended !== null) clearTimeout(this.unattended);
    });
  }

  attend(): { ended: Promise<void>; leave(): void } {
    let attends = true;
    this.attendants += 1;
    if (this.unattended !== null) clearTimeout(this.unattended);
    const leave = () => {
      if (!attends) return;
      attends = false;
      this.attendants -= 1;
      if (this.attendants === 0) this.countDown();
    };
    return { ended: this.ended, leave };
  }

  stop(why: 'stop' | 'unattended'): void {
    this.stopped ??= why;
    this.job?.stop(why);
  }

  state(): AttemptState {
    const { startedAt } = this.about.claim;
    const fault = this.fault === null ? {} : { fault: this.fault };
    return { pid: this.job?.pid ?? null, startedAt, bytes: this.output?.bytes() ?? 0, lastLine: this.output?.lastLine() ?? '', ...fault };
  }

  /** Nobody asks for its end any more: perhaps the run was terminated. It must not work on for ever (R14). */
  private countDown(): void {
    this.unattended = setTimeout(() => this.stop('unattended'), this.about.spec.attendMs);
  }

  private async carryOut(): Promise<void> {
    const { token, startedAt } = this.about.claim;
    let outcome: Outcome;
    try {
      outcome = { token, startedAt, ...(await this.perform()), endedAt: Date.now() };
    } catch (error) {
      const end: AttemptEnd = { is: 'unspawned', error: error instanceof Error ? error.message : String(error) };
      outcome = { token, startedAt, end, bytes: 0, sha256: '', endedAt: Date.now() };
    }
    await this.keep(outcome);
  }

  private async keep(outcome: Outcome): Promise<void> {
    const { dir, cwd } = this.about.spec;
    for (let tries = 0; tries < OUTCOME_TRIES_MAX; tries += 1) {
      try {
        // The performer may have put a link in its place: nothing of ours is written through it (F05).
        await makeRealFolder(disk, dir, cwd);
        writeOutcome(dir, outcome);
        return;
      } catch (error) {
        this.fault = `the end of ${outcome.token} cannot be written (${dir}): ${faultWords(error) ?? String(error)}`;
        await sleep(OUTCOME_RETRY_MS);
      }
    }
  }

  private async perform(): Promise<Omit<Outcome, 'token' | 'startedAt' | 'endedAt'>> {
    const { spec, claim, forest } = this.about;
    const { mark } = claim;
    const kept = { headBytes: 0, tailBytes: KEPT_BYTES, secrets: spec.secrets };
    const [log, errorLog] = [spec.logFile, `${spec.logFile}.err`].map((file) => createBoundedLog({ file, bytesMax: spec.logBytesMax }));
    const output = createCapture({ ...kept, next: log?.write });
    const errors = createCapture({ ...kept, next: errorLog?.write });
    this.output = output;
    const tree = await (await forest).take(mark, 'act');
    const { cwd, env, stdinFile, timeoutMs, idleMs, graceMs } = spec;
    const limits = { timeoutMs, graceMs, ...(idleMs === undefined ? {} : { idleMs }) };
    const streams = { restMs: REST_MS, onStdout: output.write, onStderr: errors.write };
    const release = async () => (await forest).giveBack(tree);
    this.job = startJob({ program: { argv: spec.argv }, cwd, env, mark, stdinFile, ...limits, ...streams }, tree, release);
    if (this.stopped !== null) this.job.stop(this.stopped);
    const end = await this.job.ended;
    const [{ bytes, sha256 }, said] = [output.close(), errors.close()];
    const faults = [log?.close(), errorLog?.close()].filter((fault) => typeof fault === 'string');
    const logFault = faults.length === 0 ? {} : { logFault: faults.join('; ') };
    const cleared = this.cleared || !isInPlace(spec.dir) ? { cleared: true as const } : {};
    return { end, bytes: bytes + said.bytes, sha256, ...logFault, ...cleared };
  }
}

function touchClaim(dir: string): void {
  try {
    const now = new Date();
    utimesSync(claimFileIn(dir), now, now);
  } catch {
    // It was taken away at this very moment: the next time it is renewed.
  }
}

/** Without it the next worker would begin a second attempt beside this one. */
async function renewClaim({ spec: { dir, cwd }, claim }: Claimed): Promise<void> {
  try {
    await makeRealFolder(disk, dir, cwd);
    claimToken(dir, claim);
  } catch {
    // The outcome makes the folder again, whatever is wrong with it now.
  }
}
