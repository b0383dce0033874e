import { didYouMean } from '../nearest.js';

export interface Value {
  name: string;
  text: string;
}

/** `$${…}` is the way to write `${…}` itself. */
const PLACE = /(\$?)\$\{([A-Za-z][A-Za-z0-9_-]*)\}/g;

export interface Filled {
  text: string;
  /** Each place that no value fills: the line within the text, from 1, and what is wrong. */
  problems: { line: number; words: string }[];
}

/** A text with its values in place of `${name}`. What no value fills is a problem and never empty. */
export function filledIn(text: string, values: readonly Value[]): Filled {
  const problems: Filled['problems'] = [];
  const byName = new Map(values.map((value) => [value.name, value.text]));
  const filled = text.replace(PLACE, (place: string, dollar: string, name: string, at: number) => {
    if (dollar !== '') return place.slice(1);
    const value = byName.get(name);
    if (value !== undefined) return value;
    const hint = didYouMean(name, [...byName.keys()]);
    const way = hint === '' ? `; add ${name} under values, or write $\${${name}} for the text itself` : hint;
    problems.push({ line: text.slice(0, at).split('\n').length, words: `names \${${name}}, which values does not have${way}` });
    return place;
  });
  return { text: filled, problems };
}
