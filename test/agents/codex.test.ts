import { describeAgent } from './every-agent.js';

describeAgent('codex', {
  kind: 'codex',
  without: {
    'at a quota without a reset time is looked after again later': 'a used-up quota is a bill to pay; its limits name a reset time',
  },
});
