/** The progress of an objective in percent: the mean of its key results, with one decimal. */
export function progressOf(keyResults) {
  const sum = keyResults.reduce((before, { current, target }) => before + (100 * current) / target, 0);
  return Math.round((10 * sum) / keyResults.length) / 10;
}
