import { describeAgent } from './every-agent.js';

// A key has no limits with a reset time.
describeAgent('claude', { kind: 'claude-code', home: { claudeAccount: 'subscription' }, without: {} });
