// What a figure is: one value a run, a goal, and the median of its runs. Ratios are taken within one run, so that a
// machine that is busy with something else slows both sides alike.
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

export function figure({ goal, unit = 'ratio', runs, detail = {} }) {
  return { value: round(median(runs)), goal, unit, runs: runs.map(round), ...detail };
}

export function round(value) {
  return Math.round(value * 1000) / 1000;
}
