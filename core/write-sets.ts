/**
 * Whether two write sets may touch the same file. It errs on the safe side: two globs are apart only when their literal
 * beginnings are, and an unknown write set (null) overlaps with everything that writes.
 */
export function mayOverlap(a: string[] | null, b: string[] | null): boolean {
  if (a !== null && a.length === 0) return false;
  if (b !== null && b.length === 0) return false;
  if (a === null || b === null) return true;
  return a.some((left) => b.some((right) => globsMayOverlap(left, right)));
}

function globsMayOverlap(a: string, b: string): boolean {
  const left = literalBeginning(a);
  const right = literalBeginning(b);
  if (left.whole && right.whole) return left.text === right.text;
  if (left.whole) return left.text.startsWith(right.text);
  if (right.whole) return right.text.startsWith(left.text);
  return left.text.startsWith(right.text) || right.text.startsWith(left.text);
}

function literalBeginning(glob: string): { text: string; whole: boolean } {
  const path = glob.replace(/^\.\//, '').toLowerCase();
  const magic = path.search(/[*?[\]{}()!+@]/);
  if (magic >= 0) return { text: path.slice(0, magic), whole: false };
  return path.endsWith('/') ? { text: path, whole: false } : { text: path, whole: true };
}
