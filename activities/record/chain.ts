import type { Entry, GateRecord } from '../../core/values.js';
import { ledgerTitle } from '../../documents/ledger-render.js';
import type { Texts } from '../texts.js';
import { withGate } from './gate-line.js';

/**
 * One step of the record. Each names the one before it by the sha256 of its text, so the newest sha256 stands for the
 * whole record, and nobody can change an old step without it showing (R9).
 */
export type Link =
  /** The LEDGER.md, by its sha256, that a run went on from: its beginning, kept letter for letter. */
  | { is: 'adopted'; previous: null; ledger: string }
  /** `text` is the entry as LEDGER.md has it, without its gate; `gate` is its line, or nothing while the gate is open. */
  | { is: 'entry'; previous: string | null; entry: Entry; planSha256: string; text: string; gate: string }
  | { is: 'gate'; previous: string | null; task: string; gates: GateRecord[]; gate: string }
  | { is: 'plan'; previous: string | null; version: number; sha256: string };

export type EntryLink = Extract<Link, { is: 'entry' }>;

/** What the hash vouches for was written by us: its shape is not looked at again. */
export async function linkAt(texts: Texts, sha256: string): Promise<Link> {
  return linkIn(await texts.text(sha256));
}

function linkIn(text: string): Link {
  const link: Link = JSON.parse(text);
  return link;
}

/** The links of the runs that this process writes; the newest stay in memory, so that a long record is not read anew for each gate. */
export interface Chain {
  keep(link: Link): Promise<string>;
  at(sha256: string): Promise<Link>;
  /** The whole record up to `head`, oldest first. A chain of hashes has no circle, so the walk ends. */
  upTo(head: string | null): Promise<Link[]>;
}

const REMEMBERED_CHARS_MAX = 1024 * 1024;

/** The texts of links by hash, oldest first: as values they would take three times as much. One memory serves every run of a process. */
export interface LinkMemory {
  links: Map<string, string>;
  chars: number;
}

export function chainOf(texts: Texts, memory: LinkMemory): Chain {
  const remember = (sha256: string, text: string) => {
    if (memory.links.has(sha256)) return;
    memory.links.set(sha256, text);
    memory.chars += text.length;
    for (const [oldest, old] of memory.links) {
      if (memory.chars <= REMEMBERED_CHARS_MAX) break;
      memory.links.delete(oldest);
      memory.chars -= old.length;
    }
  };
  const at = async (sha256: string) => {
    const known = memory.links.get(sha256);
    if (known !== undefined) return linkIn(known);
    const text = await texts.text(sha256);
    // Who walks back through a long record must not forget its newest links for the oldest.
    if (memory.chars + text.length <= REMEMBERED_CHARS_MAX) remember(sha256, text);
    return linkIn(text);
  };
  return {
    keep: async (link) => {
      const text = JSON.stringify(link);
      const sha256 = await texts.put(text);
      remember(sha256, text);
      return sha256;
    },
    at,
    upTo: (head) => linksUpTo(at, head),
  };
}

async function linksUpTo(at: Chain['at'], head: string | null): Promise<Link[]> {
  const links: Link[] = [];
  for (let sha256 = head; sha256 !== null; ) {
    const link = await at(sha256);
    links.push(link);
    sha256 = link.previous;
  }
  return links.reverse();
}

/** LEDGER.md as the record says it is. null: nothing is recorded, so there is no LEDGER.md. */
export async function ledgerOf(texts: Texts, slug: string, links: Link[]): Promise<string | null> {
  let beginning: string | null = null;
  const entries = new Map<string, { text: string; gate: string }>();
  for (const link of links) {
    if (link.is === 'adopted') beginning = await texts.text(link.ledger);
    if (link.is === 'entry') entries.set(link.entry.task, { text: link.text, gate: link.gate });
    if (link.is === 'gate') {
      const own = entries.get(link.task);
      if (own !== undefined) entries.set(link.task, { ...own, gate: link.gate });
      else if (beginning !== null) beginning = withGate(beginning, link.task, link.gate);
    }
  }
  if (beginning === null && entries.size === 0) return null;
  const parts = [beginning ?? ledgerTitle(slug)];
  for (const { text, gate } of entries.values()) parts.push(additionTo(parts.at(-1) ?? '', text + gate));
  return parts.join('');
}

/** What an entry adds to a ledger that ends as `ledger` does: a blank line first. */
export function additionTo(ledger: string, entry: string): string {
  return `${ledger.endsWith('\n') || ledger === '' ? '' : '\n'}\n${entry}`;
}
