import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { cacheOf } from '../../worker/home.js';
import { answers, freePort, LOOPBACK } from '../../worker/ports.js';
import { endProcess } from '../../worker/server-process.js';
import { findTemporalExecutable } from '../../worker/temporal-executable.js';
import { until } from './homes.js';

/** A Temporal server as somebody else would start it: none of our search attributes, nothing in common with our home. */
export interface PlainServer {
  address: string;
  stop(): Promise<void>;
}

const END_GRACE_MS = 10_000;

export async function startPlainServer(folder: string, port?: number): Promise<PlainServer> {
  const [frontend, executable] = [
    port ?? (await freePort()),
    await findTemporalExecutable({ env: process.env, cache: cacheOf(process.env) }),
  ];
  const options = [
    '--ip',
    LOOPBACK,
    '--port',
    String(frontend),
    '--headless',
    '--db-filename',
    join(folder, 'plain.db'),
    '--log-level',
    'never',
  ];
  const child: ChildProcess = spawn(executable.path, ['server', 'start-dev', ...options], { stdio: 'ignore' });
  await until('the plain server answers', () => answers(LOOPBACK, frontend, 500));
  return {
    address: `${LOOPBACK}:${frontend}`,
    stop: async () => {
      if (child.pid !== undefined) await endProcess(child.pid, END_GRACE_MS);
    },
  };
}
