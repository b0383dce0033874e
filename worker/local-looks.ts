import { join, resolve } from 'node:path';
import { performerEnvironment } from '../activities/environment.js';
import { createDisk } from '../activities/files/disk.js';
import { isOurs } from '../activities/load/examine.js';
import { uncommitted, uncommittedWords } from '../activities/load/workspace.js';
import type { Prose } from '../activities/observe/compile-prompt.js';
import { readCompiled } from '../activities/observe/compiled-cache.js';
import { type LocalLooks, openLocalLooks } from '../activities/observe/local.js';
import { oursIn } from '../activities/observe/ours.js';
import { type Sight, sightOf } from '../activities/pipeline/artifacts.js';
import type { Config } from '../documents/config.js';

export interface LooksOptions {
  /** Real path; checks are relative to it. */
  workspace: string;
  /** Folder of LEDGER.md, REPORT.md and PLAN.md, which never make a tree dirty. */
  out: string;
  /** What a run saved beside, relative to the workspace. */
  found?: string[];
  config: Config;
  env: NodeJS.ProcessEnv;
}

const MINUTE_MS = 60_000;

/** Looks with checks as a worker would, outside of a run: in process trees of their own, with what the configuration passes on. */
export function openLooks({ workspace, out, config, env, found = [] }: LooksOptions): LocalLooks & {
  artifact(path: string): Promise<Sight>;
} {
  const ours = oursIn({ workspace, out });
  const at = { disk: createDisk(), workspace, out };
  const looks = openLocalLooks({
    ...performerEnvironment(config.environment, env),
    workspace,
    timeoutMs: config.limits.checkMinutes * MINUTE_MS,
    ours: { ...ours, written: [...ours.written, ...found.map((path) => resolve(workspace, path))] },
    // Ctrl-C ends the process, and its supervisor what was started.
    signal: new AbortController().signal,
    searchPath: env.PATH ?? '',
  });
  return { ...looks, artifact: (path) => sightOf(at, path, { isFolder: null }) };
}

/** Why a new run would be refused for what is not committed; null: nothing is. `ours` and our record never count. */
export async function uncommittedHere(place: { workspace: string; ours: string[]; env: NodeJS.ProcessEnv }): Promise<string | null> {
  const { workspace, ours, env } = place;
  return uncommittedWords(workspace, await uncommitted({ environment: env }, workspace, (path) => isOurs({ pinnedOurs: ours }, path)));
}

/** Checks that the verifier role once proposed for a task with these words, in a run of that name; null: none is kept. */
export function compiledChecks(run: { workspace: string; slug: string; home: string }, prose: Prose): Promise<string[] | null> {
  const { workspace, slug, home } = run;
  return readCompiled(createDisk(), { folder: join(workspace, '.donewhen', slug), slug, home }, prose);
}
