import { randomBytes } from 'node:crypto';
import { dirname, join } from 'node:path';
import { codeOf, type Disk } from '../files/disk.js';
import { writeWhole, writing } from '../files/whole.js';

/** Who works in a workspace. A run outlives its workers, so it is the run that holds the lease, never a process. */
export interface Lease {
  slug: string;
  workflowId: string;
  host: string;
}

export type Taking = { is: 'taken' } | { is: 'held'; by: Lease } | { is: 'unreadable' };

const TAKES_MAX = 3;

export function leasePath(workspace: string): string {
  return join(workspace, '.donewhen', 'lease.json');
}

/**
 * Takes the workspace for this run, or says who has it. Two runs in one place would judge each other's work (I13). The
 * same run may take it again; the lease of a run that is closed is nobody's.
 */
export async function takeLease(
  disk: Disk,
  workspace: string,
  lease: Lease,
  isOpen: (workflowId: string) => Promise<boolean | null>,
): Promise<Taking> {
  const path = leasePath(workspace);
  for (let take = 0; take < TAKES_MAX; take += 1) {
    const held = await leaseAt(disk, path);
    if (held === 'free') {
      if (await createLease(disk, path, lease)) return { is: 'taken' };
      continue; // Another run was faster: look again who it is.
    }
    if (held === 'unreadable') return { is: 'unreadable' };
    if (held.workflowId === lease.workflowId) return { is: 'taken' };
    if ((await isOpen(held.workflowId)) !== false) return { is: 'held', by: held };
    await writeWhole(disk, path, rendered(lease));
    return { is: 'taken' };
  }
  return { is: 'unreadable' };
}

/** Gives the workspace back, if this run has it. */
export async function leaveLease(disk: Disk, workspace: string, workflowId: string): Promise<void> {
  const path = leasePath(workspace);
  const held = await leaseAt(disk, path);
  if (held === 'free' || held === 'unreadable' || held.workflowId !== workflowId) return;
  await writing(path, async () => {
    await disk.remove(path);
    await disk.sync(dirname(path));
  });
}

async function leaseAt(disk: Disk, path: string): Promise<Lease | 'free' | 'unreadable'> {
  const standing = await disk.standing(path);
  if (standing === null) return 'free';
  const content = standing.kind === 'file' ? await disk.read(path) : null;
  if (content === null) return 'unreadable';
  try {
    const value: unknown = JSON.parse(content.toString('utf8'));
    return isLease(value) ? value : 'unreadable';
  } catch {
    return 'unreadable';
  }
}

function isLease(value: unknown): value is Lease {
  if (typeof value !== 'object' || value === null) return false;
  const fields = new Map<string, unknown>(Object.entries(value));
  return ['slug', 'workflowId', 'host'].every((key) => typeof fields.get(key) === 'string');
}

/** A second name for a finished file: whoever sees the lease sees all of it, and only one run can make it. */
async function createLease(disk: Disk, path: string, lease: Lease): Promise<boolean> {
  const beside = `${path}.${randomBytes(8).toString('hex')}.tmp`;
  try {
    await disk.create(beside, Buffer.from(rendered(lease)));
    await disk.link(beside, path);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  } finally {
    await disk.remove(beside);
  }
}

function rendered(lease: Lease): string {
  return `${JSON.stringify(lease, null, 2)}\n`;
}
