import { describeAgent } from './every-agent.js';

describeAgent('claude', { kind: 'claude-code', without: {} });
