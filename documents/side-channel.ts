import type { Cost } from '../core/values.js';
import { itemText } from './plain-text.js';

/** What a command says of itself while it runs, in a JSON line with the key `donewhen` (docs/interface.md §9). */
export type SideChannel =
  | { is: 'session'; session: string }
  | { is: 'cost'; cost: Cost }
  /** `until`: epoch milliseconds; null: it does not know. */
  | { is: 'limited'; until: number | null }
  | { is: 'progress'; text: string };

/** What each such line holds. */
export const SIDE_CHANNEL = '"donewhen"';
const LINE_CHARS_MAX = 64 * 1024;
const SESSION_CHARS_MAX = 200;
const PROGRESS_CHARS_MAX = 500;

/** The first thing that the line says; null for any other line. */
export function parseSideChannel(line: string): SideChannel | null {
  return parseSideChannels(line)[0] ?? null;
}

/** Everything that the line says. A limit comes first: it decides how the attempt ended. */
export function parseSideChannels(line: string): SideChannel[] {
  const said = saidIn(line);
  if (said === null) return [];
  const found: SideChannel[] = [];
  const { limited, cost, session, progress } = said;
  if (limited !== undefined && limited !== null && limited !== false) found.push({ is: 'limited', until: untilOf(limited) });
  const spent = costOf(cost);
  if (spent !== null) found.push({ is: 'cost', cost: spent });
  if (typeof session === 'string' && itemText(session) !== '')
    found.push({ is: 'session', session: itemText(session).slice(0, SESSION_CHARS_MAX) });
  if (typeof progress === 'string' && itemText(progress) !== '')
    found.push({ is: 'progress', text: itemText(progress).slice(0, PROGRESS_CHARS_MAX) });
  return found;
}

/** Whether the line is meant for us, even where nothing in it is understood: then it is no part of an answer. */
export function isSideChannel(line: string): boolean {
  return saidIn(line) !== null;
}

type Said = Partial<Record<'limited' | 'cost' | 'session' | 'progress', unknown>>;

function saidIn(line: string): Said | null {
  if (line.length > LINE_CHARS_MAX || !line.includes(SIDE_CHANNEL)) return null;
  const text = line.trim();
  if (!text.startsWith('{') || !text.endsWith('}')) return null;
  try {
    const value: unknown = JSON.parse(text);
    const said = isObject(value) ? value.donewhen : null;
    return isObject(said) ? said : null;
  } catch (error) {
    // Many a line of an agent's output begins like JSON and is none.
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What is no amount is unknown, never 0. */
function costOf(value: unknown): Cost | null {
  if (!isObject(value)) return null;
  const [usd, tokens, estimatedUsd] = [amountOf(value.usd), amountOf(value.tokens), amountOf(value.estimatedUsd)];
  if (usd === null && tokens === null && estimatedUsd === null) return null;
  return { usd, tokens: tokens === null ? null : Math.round(tokens), ...(estimatedUsd === null ? {} : { estimatedUsd }) };
}

function amountOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : null;
}

function untilOf(value: unknown): number | null {
  const until = isObject(value) ? value.until : null;
  if (typeof until === 'number') return Number.isFinite(until) && until > 0 ? until : null;
  const at = typeof until === 'string' ? Date.parse(until) : Number.NaN;
  return Number.isNaN(at) ? null : at;
}
