import type { AgentReading } from './adapter.js';
import type { Failure } from './failures.js';

/** What was read of an agent that could not go on. */
export function withFailure(
  read: Pick<AgentReading, 'output' | 'session' | 'cost'> & Partial<AgentReading>,
  failure: Failure,
): AgentReading {
  const base = { ...read, claim: null, problem: null, limited: null };
  switch (failure.is) {
    case 'limited':
      return { ...base, limited: { until: failure.until, why: failure.why } };
    case 'refused': {
      const { is: _is, ...refused } = failure;
      return { ...base, refused };
    }
    case 'failed':
      return { ...base, problem: failure.why };
  }
}
