import { MASKED, SECRET_SHAPES } from './secret-shapes.js';

/**
 * Keeps secrets out of everything that lasts (R16). It works on bytes, so that no character can be torn by it, and holds
 * back the end of a chunk until it is sure that no secret begins there: a secret may come in two pieces.
 */
export interface Mask {
  /** The bytes of what came so far that are safe to keep. */
  push(chunk: Buffer): Buffer;
  /** What was held back. */
  end(): Buffer;
}

/** Shorter values would mask ordinary words. */
const SECRET_CHARS_MIN = 6;
/** Lines of a secret of several lines are masked one by one, when they are long enough to be nothing else. */
const SECRET_LINE_CHARS_MIN = 16;
/** A line longer than this is let go in pieces. */
const HELD_BYTES_MAX = 64 * 1024;
/** No key of any known kind is nearly as long. */
const KEY_BYTES_MAX = 8 * 1024;
const KEY_BEGINS = '-----BEGIN ';

/** Replaces known secrets, and whatever has the shape of one, in a text that is whole. */
export function maskText(text: string, secrets: readonly string[]): string {
  return maskedBy(text, known(secrets));
}

/** The same value with every text in it masked: what was put together from pieces of a stream may hold what no piece did. */
export function maskTexts<T>(value: T, secrets: readonly string[]): T;
export function maskTexts(value: unknown, secrets: readonly string[]): unknown {
  const values = known(secrets);
  const masked = (inner: unknown): unknown => {
    if (typeof inner === 'string') return maskedBy(inner, values);
    if (Array.isArray(inner)) return inner.map(masked);
    if (typeof inner !== 'object' || inner === null) return inner;
    return Object.fromEntries(Object.entries(inner).map(([name, one]) => [name, masked(one)]));
  };
  return masked(value);
}

/** A mask for a stream of bytes. */
export function createMask(secrets: readonly string[]): Mask {
  // latin1 maps each byte to one character and back, so that a regular expression can run over any bytes.
  const values = known(secrets).map((secret) => Buffer.from(secret, 'utf8').toString('latin1'));
  let held = '';
  return {
    push: (chunk) => {
      held += chunk.toString('latin1');
      const cut = safeLength(held, values);
      const ready = held.slice(0, cut);
      held = held.slice(cut);
      return Buffer.from(maskedBy(ready, values), 'latin1');
    },
    end: () => {
      const rest = maskedBy(held, values);
      held = '';
      return Buffer.from(rest, 'latin1');
    },
  };
}

function known(secrets: readonly string[]): string[] {
  const lines = secrets.flatMap((secret) => secret.split('\n')).filter((line) => line.length >= SECRET_LINE_CHARS_MIN);
  const values = [...secrets, ...lines].filter((secret) => secret.length >= SECRET_CHARS_MIN);
  // The longest first: a secret may contain another.
  return [...new Set(values.flatMap(formsOf))].sort((a, b) => b.length - a.length);
}

/** As it is, and as it stands in JSON, in an address and in a header of basic authentication. */
function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret, 'utf8');
  const inBase64 = bytes.toString('base64').replace(/=+$/, '');
  return [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(bytes.toString('utf8')), inBase64];
}

function maskedBy(text: string, values: readonly string[]): string {
  let masked = text;
  for (const value of values) if (masked.includes(value)) masked = masked.replaceAll(value, MASKED);
  for (const { hints, shape, masked: by } of SECRET_SHAPES)
    if (hints.some((hint) => masked.includes(hint))) masked = masked.replace(shape, by);
  return masked;
}

/** How much of what is held may go: whole lines, except a key of several lines that has only begun. */
function safeLength(held: string, values: readonly string[]): number {
  const begun = held.lastIndexOf(KEY_BEGINS);
  const open = begun >= 0 && !held.includes('-----END ', begun);
  const newline = held.lastIndexOf('\n') + 1;
  const cut = open ? Math.min(newline, begun) : newline;
  return held.length - cut > HELD_BYTES_MAX ? cutInLongLine(held, values) : cut;
}

/** A place in a long line where no key can be cut in two: behind a character that no key contains. */
function cutInLongLine(held: string, values: readonly string[]): number {
  const from = held.length - KEY_BYTES_MAX;
  let cut = held.length;
  while (cut > from && /[A-Za-z0-9._~+/=:@-]/.test(held.charAt(cut - 1))) cut -= 1;
  for (const value of values) {
    const at = held.indexOf(value, Math.max(0, cut - value.length + 1));
    if (at >= 0 && at < cut) cut = at;
  }
  const begun = held.lastIndexOf(KEY_BEGINS, cut);
  return begun >= from && !held.slice(begun, cut).includes('-----END ') ? begun : cut;
}
