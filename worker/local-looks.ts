import { join } from 'node:path';
import { performerEnvironment } from '../activities/environment.js';
import { type LocalLooks, openLocalLooks } from '../activities/observe/local.js';
import type { Config } from '../documents/config.js';

export interface LooksOptions {
  /** Real path; checks are relative to it. */
  workspace: string;
  /** Folder of LEDGER.md, REPORT.md and PLAN.md, which never make a tree dirty. */
  out: string;
  config: Config;
  env: NodeJS.ProcessEnv;
}

const MINUTE_MS = 60_000;

/** Looks with checks as a worker would, outside of a run: in process trees of their own, with what the configuration passes on. */
export function openLooks({ workspace, out, config, env }: LooksOptions): LocalLooks {
  return openLocalLooks({
    ...performerEnvironment(config.environment, env),
    workspace,
    timeoutMs: config.limits.checkMinutes * MINUTE_MS,
    ours: [...['PLAN.md', 'LEDGER.md', 'REPORT.md'].map((name) => join(out, name)), join(workspace, '.donewhen/')],
    // Ctrl-C ends the process, and its supervisor what was started.
    signal: new AbortController().signal,
    searchPath: env.PATH ?? '',
  });
}
