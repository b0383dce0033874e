import { join } from 'node:path';
import { ApplicationFailure } from '@temporalio/common';
import { livingAttempts } from '../attempt-folder.js';
import { makeRunFolder } from '../files/run-folder.js';
import { CANNOT_WRITE, writing } from '../files/whole.js';
import type { FilePorts } from '../ports.js';
import { hideRecord } from '../record/hidden.js';
import { invalid } from './examine.js';
import { leasePath, type Taking, takeLease } from './lease.js';
import { dirtyWords, uncommitted, uncommittedWords } from './workspace.js';

/** What a run takes for itself, whatever its method. */
export interface Claim {
  slug: string;
  /** Real path. */
  workspace: string;
  /** Absolute; it may have to be made. */
  out: string;
  isResumed: boolean;
  /** Whether the run would dispatch this task itself. */
  isOpen(task: string): boolean;
  /** Of a path: whether it may change under our hands. */
  isOurs(path: string): boolean;
}

export interface Taken {
  /** Real path of the folder for LEDGER.md. */
  out: string;
  warnings: string[];
}

/** The workspace is this run's alone from here on, and what somebody has not committed stays theirs. */
export async function takeWorkspace(ports: FilePorts, input: { workflowId: string; allowDirty?: boolean }, claim: Claim): Promise<Taken> {
  const { workspace, slug } = claim;
  const dirty = claim.isResumed ? [] : ((await uncommitted(ports, workspace, claim.isOurs)) ?? []);
  const refused = input.allowDirty === true ? null : uncommittedWords(workspace, dirty);
  if (refused !== null) throw invalid('InvalidInput', [refused]);
  noneAtWork(claim);
  const folder = folderOf(workspace, slug);
  await leadsNowhere(ports, [join(workspace, '.donewhen'), folder]);
  const out = await makeFolders(ports, { folder, out: claim.out });
  const taking = await takeLease(ports.disk, workspace, { slug, workflowId: input.workflowId, host: ports.hostId }, ports.isOpen);
  if (taking.is !== 'taken') throw invalid('InvalidInput', [leaseWords(workspace, taking)]);
  const seen = await hidden(ports, { workspace, out, slug });
  return { out, warnings: [...(dirty.length === 0 ? [] : [dirtyWords(dirty)]), ...seen] };
}

async function hidden(ports: FilePorts, place: Parameters<typeof hideRecord>[1]): Promise<string[]> {
  try {
    await hideRecord(ports.disk, place);
    return [];
  } catch (error) {
    return [`git is not told to leave out what the run writes itself, which agents may commit: ${messageOf(error)}`];
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** What this run would dispatch itself finds its living attempt by its token, and goes on with it (R3). */
function noneAtWork({ workspace, slug, isOpen }: Claim): void {
  const other = livingAttempts(workspace).find((attempt) => attempt.slug !== slug || !isOpen(attempt.task));
  if (other === undefined) return;
  const since = new Date(other.startedAt).toISOString();
  throw invalid('InvalidInput', [
    `an attempt of run ${other.slug} still works in ${workspace} (${other.task}, since ${since}, kept by process ${other.supervisor}); wait for its end, end it with kill ${other.supervisor}, or give --workspace`,
  ]);
}

/** Answers the real path of the folder for LEDGER.md. */
async function makeFolders(ports: FilePorts, { folder, out }: { folder: string; out: string }): Promise<string> {
  try {
    await makeRunFolder(ports.disk, { folder });
    await writing(out, () => ports.disk.makeFolder(out));
  } catch (error) {
    // Somebody is there who can mend it now: a start does not wait for a disk.
    if (error instanceof ApplicationFailure && error.type === CANNOT_WRITE) throw invalid('InvalidInput', [error.message]);
    throw error;
  }
  return (await ports.disk.real(out)) ?? out;
}

function leaseWords(workspace: string, taking: Exclude<Taking, { is: 'taken' }>): string {
  const path = leasePath(workspace);
  if (taking.is === 'unreadable') return `${path} cannot be read; if no other run works here, delete it`;
  const { slug, workflowId, host } = taking.by;
  return `${workspace} is in use by run ${slug} (${workflowId} on ${host}); wait for it, end it with donewhen stop ${slug}, or give --workspace; if that run is gone, delete ${path}`;
}

/** F09: our folders inside the workspace must not lead out of it. */
async function leadsNowhere(ports: FilePorts, folders: string[]): Promise<void> {
  for (const folder of folders) {
    const standing = await ports.disk.standing(folder);
    if (standing === null || standing.kind === 'folder') continue;
    throw invalid('InvalidInput', [`${folder} is no folder; move it away, the runs of this workspace are kept there`]);
  }
}

export function folderOf(workspace: string, slug: string): string {
  return join(workspace, '.donewhen', slug);
}
