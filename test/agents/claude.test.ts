import { describeAgent } from './every-agent.js';

// A key has no limits with a reset time.
describeAgent({ agent: 'claude', kind: 'claude-code' }, { home: { claudeAccount: 'subscription' }, without: {} });
