import { join } from 'node:path';
import { ApplicationFailure } from '@temporalio/common';
import { livingAttempts } from '../attempt-folder.js';
import { makeRunFolder } from '../files/run-folder.js';
import { CANNOT_WRITE, writing } from '../files/whole.js';
import type { FilePorts } from '../ports.js';
import { invalid } from './examine.js';
import { leasePath, type Taking, takeLease } from './lease.js';
import { uncommitted, uncommittedWords } from './workspace.js';

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

/** The workspace is this run's alone from here on, and what somebody has not committed stays theirs. */
export async function takeWorkspace(ports: FilePorts, input: { workflowId: string; allowDirty?: boolean }, claim: Claim): Promise<string> {
  const { workspace, slug } = claim;
  if (!claim.isResumed && input.allowDirty !== true) {
    const words = uncommittedWords(workspace, await uncommitted(ports, workspace, claim.isOurs));
    if (words !== null) throw invalid('InvalidInput', [words]);
  }
  noneAtWork(claim);
  const folder = folderOf(workspace, slug);
  await leadsNowhere(ports, [join(workspace, '.donewhen'), folder]);
  const out = await makeFolders(ports, { folder, out: claim.out });
  const taking = await takeLease(ports.disk, workspace, { slug, workflowId: input.workflowId, host: ports.hostId }, ports.isOpen);
  if (taking.is === 'taken') return out;
  throw invalid('InvalidInput', [leaseWords(workspace, taking)]);
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
