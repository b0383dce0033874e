/** A quoted text at the start of another: its value, and what follows it. */
export interface Quoted {
  value: string;
  rest: string;
}

const CLOSING: Record<string, string> = { '"': '"', "'": "'", '“': '”' };
const ESCAPES: Record<string, string> = { n: '\n', t: '\t', '\\': '\\', '"': '"', "'": "'" };

/** `"text"` or `'text'`; `\"`, `\\`, `\n` and `\t` are read, any other backslash stays, so that a pattern need not be doubled. */
export function quotedAt(text: string): Quoted | null {
  const closing = CLOSING[text.charAt(0)];
  if (closing === undefined) return null;
  let value = '';
  for (let index = 1; index < text.length; index++) {
    const letter = text.charAt(index);
    if (letter === closing) return { value, rest: text.slice(index + 1) };
    const escaped = letter === '\\' ? ESCAPES[text.charAt(index + 1)] : undefined;
    if (escaped === undefined) value += letter;
    else {
      value += escaped;
      index++;
    }
  }
  return null;
}

export function quoted(value: string): string {
  const escaped = value.replace(/[\\"\n\t]/g, (letter) => (letter === '\n' ? '\\n' : letter === '\t' ? '\\t' : `\\${letter}`));
  return `"${escaped}"`;
}

/** The code of a span at the start of `text`, and what follows; as many backticks close it as opened it. */
export function codeSpanAt(text: string): Quoted | null {
  const ticks = /^`+/.exec(text)?.[0];
  if (ticks === undefined) return null;
  for (let from = ticks.length; ; ) {
    const at = text.indexOf(ticks, from);
    if (at < 0) return null;
    let end = at + ticks.length;
    while (text.charAt(end) === '`') end++;
    // A longer run of backticks is content.
    if (end === at + ticks.length) return { value: unpadded(text.slice(ticks.length, at)), rest: text.slice(end) };
    from = end;
  }
}

function unpadded(code: string): string {
  const padded = code.startsWith(' ') && code.endsWith(' ') && code.trim() !== '';
  return padded ? code.slice(1, -1) : code;
}

export function codeSpan(code: string): string {
  const longest = [...code.matchAll(/`+/g)].reduce((most, run) => Math.max(most, run[0].length), 0);
  if (longest === 0 && !(code.startsWith(' ') && code.endsWith(' '))) return `\`${code}\``;
  const ticks = '`'.repeat(longest + 1);
  return `${ticks} ${code} ${ticks}`;
}

/** What a text says when all of it is one code span; otherwise the text. */
export function unspanned(text: string): string {
  let bare = text;
  for (let span = codeSpanAt(bare); span !== null && span.rest.trim() === ''; span = codeSpanAt(bare)) bare = span.value.trim();
  return bare;
}
