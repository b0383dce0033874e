import { join } from 'node:path';
import { ApplicationFailure } from '@temporalio/common';
import { type LedgerDocument, parseLedger } from '../../documents/ledger.js';
import type { Disk } from '../files/disk.js';
import { makeRealFolder } from '../files/real-folder.js';
import { makeRunFolder } from '../files/run-folder.js';
import { CANNOT_WRITE, writing } from '../files/whole.js';
import type { Place, RecordInput } from '../interface.js';
import { leasePath, takeLease } from '../load/lease.js';
import { isInside } from '../load/workspace.js';
import type { Plans } from '../plans.js';
import { type Texts, textsOf } from '../texts.js';
import { type Aside, openAside } from './aside.js';
import { type Chain, chainOf, type Link, type LinkMemory } from './chain.js';

export interface RecordPorts {
  disk: Disk;
  plans: Plans;
}

/** What one process remembers between writes. */
export interface RecordMemory {
  links: LinkMemory;
}

/** One write of the record: what its steps share. */
export interface Session {
  disk: Disk;
  plans: Plans;
  place: Place;
  texts: Texts;
  chain: Chain;
  aside: Aside;
  /** The newest link before this write; null: nothing is recorded, and no LEDGER.md was adopted. */
  head: string | null;
  /** The record before this write, oldest first; read when first asked for. */
  links(): Promise<Link[]>;
  /** The LEDGER.md that the run went on from, read; null: none. */
  adopted(): Promise<LedgerDocument | null>;
}

export async function openSession(ports: RecordPorts, memory: RecordMemory, input: RecordInput): Promise<Session> {
  const { disk, plans } = ports;
  const { place } = input;
  await stillThere(disk, place);
  await makeRunFolder(disk, place);
  if (input.write.is !== 'report') await keepLease(disk, place);
  const texts = textsOf(disk, place);
  const chain = chainOf(texts, memory.links);
  const head = input.state.head ?? (await adopted(chain, place));
  let links: Promise<Link[]> | null = null;
  let ledger: Promise<LedgerDocument | null> | null = null;
  return {
    disk,
    plans,
    place,
    texts,
    chain,
    aside: await openAside(disk, place, `${place.startedAt ?? 0} ${writeKey(input)}`),
    head,
    links: () => {
      links ??= chain.upTo(head);
      return links;
    },
    adopted: () => {
      ledger ??= adoptedLedger(texts, place);
      return ledger;
    },
  };
}

async function adoptedLedger(texts: Texts, place: Place): Promise<LedgerDocument | null> {
  const sha256 = place.ledgerSha256 ?? null;
  return sha256 === null ? null : parseLedger(await texts.text(sha256), { file: 'LEDGER.md' }).ledger;
}

/** A run that went on from a LEDGER.md has its text as the beginning of its record. */
async function adopted(chain: Chain, place: Place): Promise<string | null> {
  const ledger = place.ledgerSha256 ?? null;
  return ledger === null ? null : chain.keep({ is: 'adopted', previous: null, ledger });
}

/** The same for every try of one write, and for no other write. */
function writeKey({ state, write }: RecordInput): string {
  switch (write.is) {
    case 'entry':
      return `${state.head} entry ${write.entry.task}`;
    case 'gate':
      return `${state.head} gate ${write.task}`;
    case 'plan':
      return `${state.head} plan ${write.version}`;
    case 'report':
      return `${state.head} report ${write.report.at}`;
  }
}

/**
 * F05: a folder that has become a link is not written through. Ours is put back: performers clear away what git ignores.
 * Any other that is gone is made again.
 */
async function stillThere(disk: Disk, place: Place): Promise<void> {
  for (const folder of [place.workspace, place.folder, place.out]) {
    const real = await disk.real(folder);
    if (real === folder) continue;
    if (folder === place.folder) {
      await writing(folder, () => makeRealFolder(disk, folder, place.workspace));
      continue;
    }
    if (real === null && folder !== place.workspace && (await disk.standing(folder)) === null && isInside(place.workspace, folder)) {
      await writing(folder, () => disk.makeFolder(folder));
      continue;
    }
    throw ApplicationFailure.create({
      message: `${folder} ${real === null ? 'is gone' : `now leads to ${real}`}; put the folder back and the run goes on by itself`,
      type: CANNOT_WRITE,
      nonRetryable: false,
    });
  }
}

/** A performer that clears away what git ignores takes the lease with it; the workspace is this run's all the same (I13). */
async function keepLease(disk: Disk, { workspace, slug, workflowId, host }: Place): Promise<void> {
  if ((await disk.standing(leasePath(workspace))) === null) await takeLease(disk, workspace, { slug, workflowId, host }, async () => true);
}

export function pathOf(place: Place, name: 'LEDGER.md' | 'PLAN.md' | 'REPORT.md'): string {
  return join(place.out, name);
}
