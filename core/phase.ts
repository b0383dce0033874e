import type { Phase, Run } from './values.js';

/** What a run is doing, in one word, for lists and clocks. */
export function phaseOf(run: Run): Phase {
  if (run.outcome !== null) return 'closed';
  const stages = new Set(run.active.map((attempt) => attempt.stage));
  if (stages.has('dispatching')) return 'dispatching';
  if (stages.has('verifying') || run.sweep !== null || run.resolving !== null) return 'verifying';
  if (stages.has('checking')) return 'checking';
  if (run.paused !== null) return 'paused';
  if (run.writes.length > 0) return 'recording';
  if (run.planning?.limited !== undefined && run.proposed === null) return 'limited';
  if (run.planning !== null || run.proposed !== null) return 'replanning';
  if (run.questions.length > 0) return 'waiting';
  if (stages.has('limited')) return 'limited';
  return 'recording';
}

/** Whether time in this phase counts as the run's own (`runHours` excludes waits, limits and pauses). */
export function works(phase: Phase): boolean {
  return phase !== 'waiting' && phase !== 'limited' && phase !== 'paused' && phase !== 'closed';
}
