/** Longer words are not compared: nobody mistypes them, and a hostile text must not cost more than its length. */
const COMPARED_CHARS_MAX = 64;
const COMPARED_WORDS_MAX = 1000;

/** `; did you mean T8?`, or nothing where no candidate is near. */
export function didYouMean(word: string, candidates: readonly string[]): string {
  const near = nearest(word, candidates);
  return near === null ? '' : `; did you mean ${near}?`;
}

/**
 * The candidate with the fewest edits to `word`, at most a third of its letters (and at least one). Of several, the one
 * whose number is nearest: T8 for T9.
 */
export function nearest(word: string, candidates: readonly string[]): string | null {
  if (word.length > COMPARED_CHARS_MAX) return null;
  const allowed = Math.max(1, Math.floor(word.length / 3));
  let best: string | null = null;
  let fewest = allowed + 1;
  for (const candidate of candidates.slice(0, COMPARED_WORDS_MAX)) {
    if (candidate === word || candidate.length > COMPARED_CHARS_MAX || Math.abs(candidate.length - word.length) > fewest) continue;
    const edits = distance(word.toLowerCase(), candidate.toLowerCase());
    if (edits > allowed || edits > fewest) continue;
    if (edits === fewest && best !== null && apart(word, candidate) >= apart(word, best)) continue;
    fewest = edits;
    best = candidate;
  }
  return best;
}

/** How far the numbers at the end of two ids are from each other. */
function apart(a: string, b: string): number {
  const [first, second] = [a, b].map((id) => /\d{1,9}$/.exec(id)?.[0]);
  return first === undefined || second === undefined ? Number.POSITIVE_INFINITY : Math.abs(Number(first) - Number(second));
}

/** Edits between two words; two neighbours swapped are one edit, as typing makes them. */
function distance(a: string, b: string): number {
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1];
      let edits = Math.min((previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1, (previous[column - 1] ?? 0) + (same ? 0 : 1));
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      if (swapped) edits = Math.min(edits, (beforePrevious[column - 2] ?? 0) + 1);
      current.push(edits);
    }
    beforePrevious = previous;
    previous = current;
  }
  return previous[b.length] ?? 0;
}
