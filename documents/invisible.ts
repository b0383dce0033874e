/** Letters that nobody sees: they turn the direction of writing around, or make two texts that differ look the same. */
const UNSEEN =
  /[\u00ad\u061c\u115f\u1160\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]/gu;

const NON_JOINER = '\u200c';
const JOINER = '\u200d';
/** Scripts whose letters change with a joiner between them. */
const JOINED_SCRIPT =
  /^[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Mongolian}]/u;
const EMOJI_END = /^(?:[\p{Extended_Pictographic}\p{Emoji_Modifier}]|\ufe0f)$/u;
const EMOJI_BEGIN = /^\p{Extended_Pictographic}/u;
const MARK = /^\p{M}$/u;
/** A flag of a region: a black flag, then its name in tags. */
const FLAG = /\u{1f3f4}[\u{e0020}-\u{e007e}]*$/u;

/** Each of them by its number, where it is no part of a word or of an emoji: `⟨U+202E⟩`. */
export function withVisible(text: string): string {
  return text.replace(UNSEEN, (letter, at: number) => (isPart(text, at, letter) ? letter : shown(letter)));
}

function shown(letter: string): string {
  return `⟨U+${(letter.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`;
}

/** No emoji is longer, and no letter has more marks. */
const CONTEXT = 20;

function isPart(text: string, at: number, letter: string): boolean {
  if (letter !== JOINER && letter !== NON_JOINER)
    return (letter.codePointAt(0) ?? 0) >= 0xe0020 && FLAG.test(text.slice(Math.max(0, at - CONTEXT), at));
  const last = letterBefore(text, at);
  const after = text.slice(at + 1, at + 3);
  if (letter === JOINER && EMOJI_END.test(last) && EMOJI_BEGIN.test(after)) return true;
  const first = Math.max(0, at - CONTEXT);
  let base = last;
  for (let end = at - last.length; end > first && MARK.test(base); end -= base.length) base = letterBefore(text, end);
  return !MARK.test(base) && JOINED_SCRIPT.test(base) && (JOINED_SCRIPT.test(after) || /^\P{L}|^$/u.test(after));
}

/** The letter that ends at a place, of one or two units; empty at the start of the text. */
function letterBefore(text: string, end: number): string {
  const unit = text.charCodeAt(end - 1);
  const pair = unit >= 0xdc00 && unit < 0xe000 ? text.slice(Math.max(0, end - 2), end) : '';
  return pair.length === 2 && (pair.codePointAt(0) ?? 0) > 0xffff ? pair : text.slice(Math.max(0, end - 1), end);
}
