import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { keptTextPath, runFolderOf } from './run-folder.js';
import type { QueryName, RunInfo, Runs } from './runs.js';
import { QUERY_DEADLINE_MS } from './service.js';
import { readTextFile } from './text-file.js';

/** LEDGER.md, REPORT.md or PLAN.md of a run, and how far it can be trusted. */
export interface RecordText {
  path: string | null;
  sha256: string;
  text: string;
  /** What the reader must know: only a part, or not confirmed by the run. */
  note: string | null;
}

export interface Asked {
  name: Extract<QueryName, 'ledger' | 'plan' | 'report'>;
  file: string;
}

/**
 * What a run recorded. A running run says through its worker what it wrote, and the file is shown whole where it is that very file; of a closed
 * run, or without a worker, the file on disk is all there is, held against what the run kept when it closed. null: nothing was found.
 */
export async function recordText(runs: Runs, info: RunInfo, asked: Asked, hostId: string): Promise<RecordText | null> {
  const here = info.memo.host === null || info.memo.host === hostId;
  const onDisk = here && info.memo.out !== null ? fileAt(join(info.memo.out, asked.file)) : null;
  if (info.status !== 'running' && onDisk !== null) return { ...onDisk, note: noteOf(info, asked, onDisk.sha256) };
  const answered = await runs.query(
    { slug: info.slug, ...(info.status === 'running' ? {} : { runId: info.runId }) },
    asked.name,
    QUERY_DEADLINE_MS,
  );
  if (answered === null) return onDisk === null ? null : { ...onDisk, note: 'no worker answered: this is the file as it lies on disk' };
  const said = readSaid(answered.value);
  if (said === null) return null;
  const same = isAbsolute(said.path) && here ? fileAt(said.path) : null;
  if (same !== null && same.sha256 === said.sha256) return { ...same, note: null };
  const changed = same === null ? 'the file is not on this host' : 'the file on disk was changed since';
  return { path: said.path, sha256: said.sha256, text: said.excerpt, note: `${changed}: this is what the run wrote, at most 32 KB of it` };
}

/** Two runs may share a folder, and anybody can write there. A run that did not close by itself kept nothing to compare with. */
function noteOf({ slug, status, memo }: RunInfo, { name, file }: Asked, sha256: string): string | null {
  if (name === 'plan' || status !== 'completed' || memo.workspace === null) return null;
  const folder = runFolderOf(memo.workspace, slug);
  const known = `\`donewhen status ${slug}\` shows what the run itself knows`;
  if (!existsSync(folder)) return `whether run ${slug} wrote this file cannot be told, for ${folder} is gone: ${known}`;
  if (existsSync(keptTextPath(memo.workspace, slug, sha256))) return null;
  return `this file is not what run ${slug} wrote (it was changed since, or another run wrote its ${file} in the same folder): ${known}`;
}

function fileAt(path: string): { path: string; sha256: string; text: string } | null {
  const text = readTextFile(path);
  return text === null ? null : { path, sha256: sha256Of(text), text };
}

export function sha256Of(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function readSaid(value: unknown): { path: string; sha256: string; excerpt: string } | null {
  if (typeof value !== 'object' || value === null) return null;
  const { path, sha256, excerpt } = value as Record<string, unknown>;
  if (typeof path !== 'string' || typeof sha256 !== 'string' || typeof excerpt !== 'string' || path === '') return null;
  return { path, sha256, excerpt };
}
