import { createHash, type Hash } from 'node:crypto';
import type { Entry } from '../../core/values.js';
import { renderGate } from '../../documents/ledger-gate.js';
import type { Recorded, RecordInput, RecordState } from '../interface.js';
import { additionTo, type EntryLink, type Link, ledgerOf } from './chain.js';
import { renderedEntry, renderedGate } from './entry-text.js';
import { fileOf, NEWEST_BYTES_MAX, newestOf } from './excerpt.js';
import { type Ending, endingOf, grow, rewrite } from './ledger-file.js';
import { pathOf, type Session } from './session.js';

type Write = RecordInput['write'];

/** The running hash of a LEDGER.md as this process last wrote it, so that one more entry does not read all of it again. */
export type LedgerHashes = Map<string, Ending & { hash: Hash }>;
const REMEMBERED_LEDGERS_MAX = 32;

export interface LedgerWrite {
  session: Session;
  state: RecordState;
  hashes: LedgerHashes;
  /** Whether the middle of the file is looked at as well: somebody is known to have touched it. */
  touched: 'no' | 'perhaps';
}

/** Appends one entry, with its gate where the gate is known (seed 002 §5). */
export async function writeEntry(ledger: LedgerWrite, write: Extract<Write, { is: 'entry' }>): Promise<Recorded> {
  const { session } = ledger;
  const { text, gate } = await renderedEntry(session, write.entry, write.planSha256);
  const link: EntryLink = { is: 'entry', previous: session.head, entry: write.entry, planSha256: write.planSha256, text, gate };
  const head = await session.chain.keep(link);
  const recorded = await extend(ledger, { link, head, addition: (end) => additionTo(end, text + gate) });
  return { ...recorded, sha256: head };
}

/** Sets the gate of one entry: the one line that is updated in place. */
export async function writeGate(ledger: LedgerWrite, write: Extract<Write, { is: 'gate' }>): Promise<Recorded> {
  const { session } = ledger;
  const open = await lastIfOpen(session, write.task);
  const gate = open === null ? await renderedGate(session, write.task, write.gates) : renderGate({ ...open, gates: write.gates });
  const link: Link = { is: 'gate', previous: session.head, task: write.task, gates: write.gates, gate };
  const head = await session.chain.keep(link);
  return extend(ledger, { link, head, addition: open === null ? null : () => gate });
}

/** Looks at the whole file, and puts back what the record says. null: nothing is recorded. */
export async function mendLedger(session: Session): Promise<string | null> {
  const text = await ledgerOf(session.texts, session.place.slug, await session.links());
  if (text !== null) await rewrite(session.disk, pathOf(session.place, 'LEDGER.md'), { old: text, next: text }, session.aside);
  return text;
}

/** How LEDGER.md ends if nobody but us wrote it; null: it is not there. */
export async function endLeftBy(session: Session, state: RecordState): Promise<Ending | null> {
  if (state.bytes > 0) return { bytes: state.bytes, tail: state.tail };
  if (state.head !== null || session.head === null) return null;
  const adopted = await ledgerOf(session.texts, session.place.slug, await session.links());
  return adopted === null ? null : endingOf(adopted);
}

interface Extension {
  link: Link;
  head: string;
  /** What the link adds at the end of the file; null: it changes the middle. */
  addition: ((end: string) => string) | null;
}

async function extend(ledger: LedgerWrite, { link, head, addition }: Extension): Promise<Recorded> {
  const { session, state, hashes } = ledger;
  const path = pathOf(session.place, 'LEDGER.md');
  const left = addition === null || ledger.touched === 'perhaps' ? null : await endLeftBy(session, state);
  const grown = left === null || addition === null ? null : await grow(session.disk, path, left, addition);
  if (left !== null && grown !== null) {
    const { added, ...ending } = grown;
    const sha256 = await hashOf(session, hashes, { path, left, added, ending });
    return {
      state: { head, ...ending },
      found: session.aside.names(),
      file: { name: 'LEDGER.md', path, sha256, excerpt: await excerptOf(session, path, ending.bytes) },
    };
  }
  const links = await session.links();
  const old = await ledgerOf(session.texts, session.place.slug, links);
  const next = (await ledgerOf(session.texts, session.place.slug, [...links, link])) ?? '';
  const ending = await rewrite(session.disk, path, { old, next }, session.aside);
  remember(hashes, path, { ...ending, hash: createHash('sha256').update(next) });
  const file = fileOf(session, 'LEDGER.md', next);
  const excerpt = ending.bytes <= NEWEST_BYTES_MAX ? file.excerpt : await excerptOf(session, path, ending.bytes);
  return { state: { head, ...ending }, found: session.aside.names(), file: { ...file, excerpt } };
}

async function hashOf(
  session: Session,
  hashes: LedgerHashes,
  at: { path: string; left: Ending; added: Buffer; ending: Ending },
): Promise<string> {
  const known = hashes.get(at.path);
  const goesOn = known !== undefined && known.bytes === at.left.bytes && known.tail === at.left.tail;
  const hash = goesOn ? known.hash.update(at.added) : createHash('sha256').update((await session.disk.read(at.path)) ?? '');
  remember(hashes, at.path, { ...at.ending, hash });
  return hash.copy().digest('hex');
}

function remember(hashes: LedgerHashes, path: string, known: Ending & { hash: Hash }): void {
  hashes.delete(path);
  const [oldest] = hashes.keys();
  if (hashes.size >= REMEMBERED_LEDGERS_MAX && oldest !== undefined) hashes.delete(oldest);
  hashes.set(path, known);
}

async function excerptOf(session: Session, path: string, bytes: number): Promise<string> {
  if (bytes <= NEWEST_BYTES_MAX) return (await session.disk.readPart(path, 0, bytes)).toString('utf8');
  return newestOf(await session.disk.readPart(path, bytes - NEWEST_BYTES_MAX, NEWEST_BYTES_MAX), path);
}

/** The entry, if it is the last thing in the file and has no gate yet: its gate is then simply added. */
async function lastIfOpen(session: Session, task: string): Promise<Entry | null> {
  for (let sha256 = session.head; sha256 !== null; ) {
    const link = await session.chain.at(sha256);
    if (link.is !== 'plan') return link.is === 'entry' && link.entry.task === task && link.gate === '' ? link.entry : null;
    sha256 = link.previous;
  }
  return null;
}
