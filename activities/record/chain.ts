import type { Entry, GateRecord } from '../../core/values.js';
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

export async function keepLink(texts: Texts, link: Link): Promise<string> {
  return texts.put(JSON.stringify(link));
}

/** What the hash vouches for was written by us: its shape is not looked at again. */
export async function linkAt(texts: Texts, sha256: string): Promise<Link> {
  const link: Link = JSON.parse(await texts.text(sha256));
  return link;
}

/** The whole record up to `head`, oldest first. A chain of hashes has no circle, so the walk ends. */
export async function linksUpTo(texts: Texts, head: string | null): Promise<Link[]> {
  const links: Link[] = [];
  for (let sha256 = head; sha256 !== null; ) {
    const link = await linkAt(texts, sha256);
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
  let text = beginning ?? titleOf(slug);
  for (const entry of entries.values()) text = withEntry(text, entry.text + entry.gate);
  return text;
}

export function titleOf(slug: string): string {
  return `# LEDGER: ${slug}\n`;
}

/** What an entry adds to a ledger that ends as `ledger` does: a blank line first. */
export function additionTo(ledger: string, entry: string): string {
  return `${ledger.endsWith('\n') || ledger === '' ? '' : '\n'}\n${entry}`;
}

function withEntry(ledger: string, entry: string): string {
  return ledger + additionTo(ledger, entry);
}
