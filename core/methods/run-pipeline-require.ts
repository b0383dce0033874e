import type { Requirement, StepResult } from './pipeline-values.js';

/** Requirements on the metrics of a block. A metric that is missing, or is no number, does not hold (R11). `null`: of a command. */
export function unmetOf(requirements: Requirement[], result: StepResult | null): { metric: string; words: string }[] {
  return requirements
    .filter((requirement) => !isMet(requirement, result))
    .map((requirement) => ({ metric: requirement.metric, words: `${requirement.text} does not hold: ${metricOf(requirement, result)}` }));
}

function isMet({ metric, is, value }: Requirement, result: StepResult | null): boolean {
  const seen = numberOf(result?.metrics.find(({ key }) => key === metric)?.value);
  if (seen === null) return false;
  switch (is) {
    case '==':
      return seen === value;
    case '!=':
      return seen !== value;
    case '<':
      return seen < value;
    case '<=':
      return seen <= value;
    case '>':
      return seen > value;
    case '>=':
      return seen >= value;
  }
}

/** `85%` reads as 85; what is no number does not hold. */
function numberOf(value: string | number | undefined): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  const digits = /^\s*(-?\d+(?:\.\d+)?)\s*%?\s*$/.exec(value ?? '')?.[1];
  return digits === undefined ? null : Number(digits);
}

function metricOf({ metric }: Requirement, result: StepResult | null): string {
  return String(result?.metrics.find(({ key }) => key === metric)?.value ?? 'the block does not say');
}
