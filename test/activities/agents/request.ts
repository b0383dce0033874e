import type { AgentRequest } from '../../../activities/agents/adapter.js';

/** A brief for a performer on a plain machine. */
export function request(more: Partial<AgentRequest> = {}): AgentRequest {
  const here = { isRoot: false, isSandbox: false, hasSandbox: false, gitDir: null };
  const asked = { role: 'performer', prompt: 'the brief', mark: 'Run demo of 0, attempt T1#1.1', session: null };
  return { ...asked, workspace: '/w', checks: [], folder: '/w/.donewhen/demo/attempts/T1.1.1', tmp: '/tmp/t', here, ...more };
}
