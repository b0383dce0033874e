import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { entryPoint } from '../worker/entry-point.js';
import { workersOf } from '../worker/registry.js';
import { lastLine } from '../worker/run-program.js';
import { openSession, type Session } from './connection.js';
import { UserError } from './errors.js';
import { hostHere } from './host-here.js';
import type { Io } from './io.js';
import { createRuns } from './temporal/runs.js';
import type { CommonOptions, Hosted, Service } from './world.js';

/** The service that is found or started, and workers in this process or left behind. */
export async function openService(options: CommonOptions, io: Io, need: 'server' | 'worker'): Promise<Service> {
  const session = await openSession({ ...options, env: io.env, needWorkerless: need === 'server' });
  const runs = createRuns(session);
  return {
    runs,
    host: (queue) => host(session, queue, io),
    servedHere: (queue) => isServedHere(session, queue),
    leaveWorker: (slug) => leaveWorker(session, slug, options, io),
    close: () => runs.close(),
  };
}

async function host(session: Session, queue: string, io: Io): Promise<Hosted> {
  const worker = await hostHere({ session, env: io.env, kind: 'own', taskQueues: [queue] });
  return { failed: worker.failed, stop: () => worker.stop() };
}

function isServedHere({ home, embedded, address, namespace }: Session, queue: string): boolean {
  return workersOf(home.path, queue, { server: embedded ? 'embedded' : address, namespace }).living.length > 0;
}

/** A process of its own, in a session of its own: it outlives this command and its terminal. */
async function leaveWorker(session: Session, slug: string, options: CommonOptions, io: Io): Promise<Pick<Hosted, 'failed'>> {
  const named = (['address', 'namespace', 'profile'] as const).flatMap((name) =>
    options[name] === undefined ? [] : [`--${name}`, options[name]],
  );
  const args = [entryPoint('client/main.js'), 'worker', '--run', slug, '--until-closed', ...named];
  // Its own folder may be removed while the run goes on, so that a relative home would mean another one.
  const env = session.home.from === 'given' ? { ...io.env, DONEWHEN_HOME: session.home.path } : io.env;
  const file = join(session.home.path, `worker-${slug}.log`);
  const log = openSync(file, 'w', 0o600);
  try {
    const child = spawn(process.execPath, args, { detached: true, stdio: ['ignore', log, log], env, cwd: session.home.path });
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', () => resolve());
      child.once('error', (error) =>
        reject(new UserError(`no worker could be left behind for run ${slug}: ${error.message}`, 3, { cause: error })),
      );
    });
    child.unref();
    const failed = new Promise<never>((_resolve, reject) => {
      child.once('exit', (code, signal) => {
        if (code === 0) return;
        const why = lastLine(readFileSync(file, 'utf8')) || `it ended with ${code ?? signal}`;
        reject(new UserError(`the worker that was left behind for run ${slug} broke: ${why} (${file})`, 3));
      });
    });
    failed.catch(() => undefined); // Heard by whoever waits for it.
    return { failed };
  } finally {
    closeSync(log);
  }
}
