import { describeAgent } from './every-agent.js';

describeAgent(
  { agent: 'opencode', kind: 'opencode' },
  {
    without: {
      'at a quota without a reset time is looked after again later': 'a used-up quota is a bill to pay',
      'whose provider is overloaded waits, and uses up no attempt': 'it tries again by itself for minutes; read from its recorded stream',
    },
  },
);
