import { describeAgent } from './every-agent.js';

describeAgent(
  { agent: 'gemini', kind: 'gemini' },
  {
    without: {
      'that exceeds its budget while it works is ended (D10)': 'it tells what it spent only with its answer',
      'at a usage limit with a reset time waits until then, and uses up no attempt': 'its provider names no reset time',
      'whose provider is overloaded waits, and uses up no attempt': 'it tries again by itself for minutes; read from its recorded stream',
    },
  },
);
