/** Letters that nobody sees: they turn the direction of writing around, or make two texts that differ look the same. */
const UNSEEN =
  /[\u00ad\u061c\u115f\u1160\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]/gu;

const NON_JOINER = '\u200c';
const JOINER = '\u200d';
/** Scripts whose letters change with a joiner between them. */
const JOINED_SCRIPT =
  /^[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Mongolian}]/u;
const EMOJI_END = /(?:[\p{Extended_Pictographic}\p{Emoji_Modifier}]|\ufe0f)$/u;
const EMOJI_BEGIN = /^\p{Extended_Pictographic}/u;
/** A flag of a region: a black flag, then its name in tags. */
const FLAG = /\u{1f3f4}[\u{e0020}-\u{e007e}]*$/u;

/** Each of them by its number, where it is no part of a word or of an emoji: `⟨U+202E⟩`. */
export function withVisible(text: string): string {
  return text.replace(UNSEEN, (letter, at: number) => {
    if (isPart(letter, text.slice(Math.max(0, at - CONTEXT), at), text.slice(at + letter.length, at + CONTEXT))) return letter;
    return `⟨U+${(letter.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`;
  });
}

/** No emoji is longer. */
const CONTEXT = 20;

function isPart(letter: string, before: string, after: string): boolean {
  if (letter === JOINER && EMOJI_END.test(before) && EMOJI_BEGIN.test(after)) return true;
  const last = [...before.replace(/\p{M}+$/u, '')].at(-1) ?? '';
  if (letter === JOINER || letter === NON_JOINER)
    return JOINED_SCRIPT.test(last) && (JOINED_SCRIPT.test(after) || /^\P{L}|^$/u.test(after));
  return (letter.codePointAt(0) ?? 0) >= 0xe0020 && FLAG.test(before);
}
