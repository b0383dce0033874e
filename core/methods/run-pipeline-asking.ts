import type { Judgement } from '../method.js';
import type { Attempt } from '../values.js';
import { askOf, humanChecks } from '../verdict.js';
import type { EntryDelivery, Step } from './pipeline-values.js';

/** What a delivery is recorded with, as far as code could see. */
export interface Done {
  delivery: EntryDelivery;
  verdict?: string;
  words: string[];
  risk: string[];
  delta: string[];
}

/** Delivered, says code; then whom the step asks of a person: its `human:` checks, and its gate. */
export function asked(step: Step, attempt: Attempt, done: Done): Judgement {
  const { attested, decided } = attempt;
  const checks = humanChecks(attempt);
  if (checks.length > 0 && attested === undefined) return { is: 'ask', ask: askOf(checks) };
  const said = checks.length === 0 || attested === undefined ? [] : [`${attested.by} attests: ${attested.happened}`];
  const words = [...done.words, ...said];
  if (checks.length > 0 && attested !== undefined && attested.happened !== 'yes') {
    const unresolved = [attested.unexpected ?? `${attested.by} attests: ${attested.happened}`];
    const blocker = `attested-${attested.happened}`;
    return { is: 'entry', ...done, status: 'failed', label: 'attested', observed: 'disproved', blocker, unresolved, words };
  }
  const label = checks.length > 0 || step.gate === 'human' ? 'attested' : 'verified';
  const entry = { is: 'entry', ...done, status: 'done', label, observed: 'holds', words } as const;
  if (step.gate !== 'human') return entry;
  if (decided !== undefined) return { ...entry, ...decidedOf({ ...done, words }, decided) };
  return { is: 'ask', kind: 'decide', ask: `step ${step.step} (${step.title}) is delivered: approve it, or reject it with the reason` };
}

/** The person's word is the verdict; what the agent said of itself is kept as words. */
function decidedOf(done: Done, { approves, by, reason }: NonNullable<Attempt['decided']>): Done {
  const own = done.verdict === undefined ? [] : [`its own verdict: ${done.verdict}`];
  const issues = done.delivery.criticalIssues.map((issue) => `its own critical issue: ${issue}`);
  const said = `${by} ${approves ? 'approves' : 'rejects'}${reason === undefined ? '' : `: ${reason}`}`;
  const delivery = { ...done.delivery, criticalIssues: approves || reason === undefined ? [] : [reason] };
  return { ...done, verdict: approves ? 'APPROVED' : 'REJECTED', delivery, words: [...done.words, ...own, ...issues, said] };
}
