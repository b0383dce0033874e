import { dirname, join } from 'node:path';
import { ApplicationFailure } from '@temporalio/common';
import type { Disk } from '../files/disk.js';
import { CANNOT_WRITE } from '../files/whole.js';
import type { Place, RecordInput } from '../interface.js';
import type { Plans } from '../plans.js';
import { type Texts, textsIn } from '../texts.js';
import { type Aside, openAside } from './aside.js';
import { keepLink, type Link, linksUpTo } from './chain.js';

export interface RecordPorts {
  disk: Disk;
  plans: Plans;
}

/** One write of the record: what its steps share. */
export interface Session {
  disk: Disk;
  plans: Plans;
  place: Place;
  texts: Texts;
  aside: Aside;
  /** The newest link before this write; null: nothing is recorded, and no LEDGER.md was adopted. */
  head: string | null;
  /** The record before this write, oldest first; read when first asked for. */
  links(): Promise<Link[]>;
}

export async function openSession(ports: RecordPorts, input: RecordInput): Promise<Session> {
  const { disk, plans } = ports;
  const { place } = input;
  await stillThere(disk, place);
  const texts = textsIn(disk, place.folder);
  const head = input.state.head ?? (await adopted(texts, place));
  let links: Promise<Link[]> | null = null;
  return {
    disk,
    plans,
    place,
    texts,
    aside: await openAside(disk, place, writeKey(input)),
    head,
    links: () => {
      links ??= linksUpTo(texts, head);
      return links;
    },
  };
}

/** A run that went on from a LEDGER.md has its text as the beginning of its record. */
async function adopted(texts: Texts, place: Place): Promise<string | null> {
  const ledger = place.ledgerSha256 ?? null;
  return ledger === null ? null : keepLink(texts, { is: 'adopted', previous: null, ledger });
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

/** F05: a folder that has become a link, or is gone, is not written through. */
async function stillThere(disk: Disk, place: Place): Promise<void> {
  for (const folder of [place.out, dirname(dirname(place.folder)), place.folder]) {
    const real = await disk.real(folder);
    if (real === folder) continue;
    const what = real === null ? 'is gone' : `now leads to ${real}`;
    throw ApplicationFailure.create({
      message: `${folder} ${what}; put the folder back and the run goes on by itself`,
      type: CANNOT_WRITE,
      nonRetryable: false,
    });
  }
}

export function pathOf(place: Place, name: 'LEDGER.md' | 'PLAN.md' | 'REPORT.md'): string {
  return join(place.out, name);
}
