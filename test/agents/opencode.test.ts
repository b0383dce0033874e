import { describeAgent } from './every-agent.js';

describeAgent('opencode', { kind: 'opencode', without: {} });
