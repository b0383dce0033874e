import { describeAgent } from './every-agent.js';

describeAgent(
  { agent: 'codex', kind: 'codex' },
  {
    without: {
      'that asks permission is denied it, which is a risk (H09)':
        'nobody can be asked by `codex exec`: its sandbox refuses, and tells its model alone',
      'at a quota without a reset time is looked after again later': 'a used-up quota is a bill to pay; its limits name a reset time',
    },
  },
);
