const NUMBER = /^-?\d{1,15}(?:\.\d{1,17})?(?:e[+-]?\d{1,2})?$/i;

/** A number where the text is one; anything else, as `85%` or `N/A`, stays the text that it is. */
export function metricValue(text: string): string | number {
  // Without the sign of nothing, which no text keeps.
  return NUMBER.test(text) ? Number(text) + 0 : text;
}
