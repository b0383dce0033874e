import { resultOf } from '../core/entries.js';
import type { Cost, Discovery, Entry, EntryText, LookResult } from '../core/values.js';
import { parseCheck, renderCheck } from './check-line.js';
import { type Field, isFenceLine, PARTS_MAX } from './fields.js';
import { isBlank } from './lines.js';
import { itemText, outputLines } from './plain-text.js';
import { codeSpan, codeSpanAt } from './quoting.js';

/** What one entry's `Evidence:` says. */
export interface ReadEvidence {
  checks: string[];
  evidence: EntryText['evidence'];
  words: string[];
}

const KIND = /^(?:run|file|http|git|human):/i;
const FAILS = ' (does not hold)';
const UNSEEN = ' (could not be observed)';
const SUFFIX: Record<LookResult, string> = { holds: '', disproved: FAILS, unobservable: UNSEEN };
const ASKED = 'asked of a person';
const NOT_LOOKED_AT = 'not looked at';
const STATED = 'stated: ';

/** `` - `npm test` → before: exit 1; after: exit 0 ``, then a person's or a performer's words, which never look like that (R8). */
export function renderEvidence(entry: Pick<Entry, 'checks'>, text: EntryText): string[] {
  const byCheck = new Map(text.evidence.map((item) => [item.check, item]));
  const others = text.evidence.filter((item) => !entry.checks.includes(item.check));
  const own = entry.checks.flatMap((check) => {
    const item = byCheck.get(check);
    return item === undefined ? [`- ${codeSpan(shownCheck(check))} → ${/^human:/.test(check) ? ASKED : NOT_LOOKED_AT}`] : renderItem(item);
  });
  return [...own, ...others.flatMap(renderItem), ...text.words.map((words) => `- ${plainWords(words)}`).filter((line) => line !== '- ')];
}

function renderItem(item: EntryText['evidence'][number]): string[] {
  const before = itemText(item.before).replaceAll('; after:', ', after:');
  const after = itemText(item.after);
  const seen = [before === '' ? '' : `before: ${before}`, after === '' ? '' : `after: ${after}`].filter((words) => words !== '').join('; ');
  const excerpt = item.excerpt === undefined || item.excerpt === '' ? [] : outputLines(item.excerpt).map((line) => `  > ${line}`.trimEnd());
  const hash = item.sha256 === undefined ? [] : [`  sha256: ${item.sha256}`];
  return [`- ${codeSpan(shownCheck(item.check))} → ${seen === '' ? 'before: —' : seen}${SUFFIX[resultOf(item)]}`, ...hash, ...excerpt];
}

/** A command stands for itself; any other check, and a command that looks like one, with its kind. */
function shownCheck(check: string): string {
  const line = check.replace(/\s*\n\s*/g, ' ');
  const command = /^run: (.*)$/.exec(line)?.[1];
  return command === undefined || KIND.test(command) ? line : command;
}

function plainWords(words: string): string {
  const line = itemText(words);
  return line === '' ? '' : readItem(line).is === 'words' ? line : `${STATED}${line}`;
}

export function readEvidence(items: readonly EvidenceItem[]): ReadEvidence {
  const read: ReadEvidence = { checks: [], evidence: [], words: [] };
  for (const { text, excerpt, sha256 } of items) {
    const item = readItem(text);
    if (item.is !== 'words') read.checks.push(item.check);
    if (item.is === 'looked') {
      const { check, before, after, result } = item;
      read.evidence.push({
        check,
        before,
        after,
        holds: result === 'holds',
        is: result,
        ...(excerpt === null ? {} : { excerpt }),
        ...(sha256 === null ? {} : { sha256 }),
      });
    }
    if (item.is === 'words' || item.is === 'said') read.words.push(text);
  }
  return { ...read, checks: [...new Set(read.checks)] };
}

type ReadItem =
  | { is: 'looked'; check: string; before: string; after: string; result: LookResult }
  | { is: 'unlooked'; check: string }
  /** By hand: a check, with a result in free words. */
  | { is: 'said'; check: string }
  | { is: 'words' };

function readItem(text: string): ReadItem {
  const span = codeSpanAt(text);
  const arrow = span === null ? null : /^\s{0,4}(?:→|->|=>)\s{0,4}(.*)$/.exec(span.rest);
  if (span === null || arrow === null) return { is: 'words' };
  const hasKind = KIND.test(span.value);
  const { check } = parseCheck(hasKind ? span.value : `run: ${span.value}`, { file: 'LEDGER.md', line: 0 });
  if (check === null) return { is: 'words' };
  const name = renderCheck(check);
  const result = arrow[1] ?? '';
  if (result === ASKED || result === NOT_LOOKED_AT) return { is: 'unlooked', check: name };
  const sight = result.endsWith(FAILS) ? 'disproved' : result.endsWith(UNSEEN) ? 'unobservable' : 'holds';
  const seen = result.slice(0, result.length - SUFFIX[sight].length);
  const both = /^before: (.*?); after: (.*)$/.exec(seen);
  if (both !== null) return looked(name, sight, both[1], both[2]);
  if (seen.startsWith('before: ')) return looked(name, sight, seen.slice(8), '');
  if (seen.startsWith('after: ')) return looked(name, sight, '', seen.slice(7));
  return hasKind ? { is: 'said', check: name } : { is: 'words' };
}

function looked(check: string, result: LookResult, before = '', after = ''): ReadItem {
  return { is: 'looked', check, before: before.trim(), after: after.trim(), result };
}

export interface EvidenceItem {
  text: string;
  excerpt: string | null;
  sha256: string | null;
}

/** One more than `PARTS_MAX` says that there are too many. */
export function evidenceItems(field: Field | undefined): EvidenceItem[] {
  const items: { parts: string[]; excerpt: string[]; sha256: string | null }[] = [];
  for (const line of field?.value ?? []) {
    if (items.length > PARTS_MAX) break;
    if (isFenceLine(line)) continue;
    const bullet = /^\s{0,3}[-*+]\s+(.*)$/.exec(line);
    const last = items.at(-1);
    if (bullet !== null || (last === undefined && !isBlank(line)))
      items.push({ parts: [(bullet?.[1] ?? line).trim()], excerpt: [], sha256: null });
    else if (last === undefined) continue;
    else if (/^ {2}>/.test(line)) last.excerpt.push(line.slice(4));
    else if (/^ {2}sha256: [0-9a-f]{64}$/.test(line)) last.sha256 = line.slice(10);
    else if (!isBlank(line)) last.parts.push(line.trim());
  }
  return items.map(({ parts, excerpt, sha256 }) => ({
    text: parts.join(' '),
    excerpt: excerpt.length === 0 ? null : excerpt.join('\n'),
    sha256,
  }));
}

export function renderDiscovery(discovery: Discovery): string {
  return `- [${discovery.label}] ${discoveryText(discovery)}`;
}

/** With what looked, for a reader who asks what the label rests on. */
export function discoveryText({ fact, check }: Discovery): string {
  return check === undefined ? itemText(fact) : `${itemText(fact)} (check: ${itemText(check)})`;
}

/** R10: without one of the two labels, or with any other, a discovery is unconfirmed. `labelled`: it had one of them. */
export function readDiscovery(text: string): { discovery: Discovery; labelled: boolean } {
  const end = text.startsWith('[') ? text.indexOf(']') : -1;
  const label = text.slice(1, Math.max(end, 1)).trim().toLowerCase();
  const labelled = label === 'verified' || label === 'reported, unconfirmed';
  const said = end < 0 ? text : text.slice(end + 1).trim();
  const at = said.endsWith(')') ? said.lastIndexOf(' (check: ') : -1;
  const fact = at < 0 ? said : said.slice(0, at);
  const check = at < 0 ? {} : { check: said.slice(at + ' (check: '.length, -1) };
  return { discovery: { label: label === 'verified' ? 'verified' : 'reported, unconfirmed', fact, ...check }, labelled };
}

/** Unknown is shown as unknown, never as 0 (D12), and an estimate never as if it had been reported. */
export function renderCost({ usd, tokens, estimatedUsd }: Cost): string {
  if (usd === null && tokens === null && estimatedUsd === undefined) return 'unknown';
  const reported = usd === null ? (estimatedUsd === undefined ? ['unknown USD'] : []) : [`${money(usd)} USD`];
  const estimated = estimatedUsd === undefined ? [] : [`estimated ${money(estimatedUsd)} USD`];
  return [...reported, ...estimated, `${tokens === null ? 'unknown' : tokens} tokens`].join(', ');
}

export function money(usd: number): string {
  return usd.toFixed(6).replace(/\.?0+$/, '');
}

export function readCost(text: string): Cost {
  const said = text.slice(0, 200);
  const estimate = /\bestimated (\d{1,12}(?:\.\d{1,12})?) USD/.exec(said);
  const reported = estimate === null ? said : said.replace(estimate[0], '');
  const usd = /(\d{1,12}(?:\.\d{1,12})?) USD/.exec(reported)?.[1];
  const tokens = /(\d{1,15}) tokens/.exec(said)?.[1];
  return {
    usd: usd === undefined ? null : Number(usd),
    tokens: tokens === undefined ? null : Number(tokens),
    ...(estimate === null ? {} : { estimatedUsd: Number(estimate[1]) }),
  };
}
