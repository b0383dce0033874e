import { describeAgent } from './every-agent.js';

describeAgent('gemini', { kind: 'gemini', without: {} });
