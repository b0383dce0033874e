const NAMED_MAX = 5;

/** `a, b, c and 4 more`. */
export function someOf(names: string[]): string {
  const rest = names.length - NAMED_MAX;
  return names.slice(0, NAMED_MAX).join(', ') + (rest > 0 ? ` and ${rest} more` : '');
}
