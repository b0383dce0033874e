import { describeAgent } from './every-agent.js';

describeAgent('gemini', {
  kind: 'gemini',
  without: {
    'at a usage limit waits until it is over, and uses up no attempt': 'its provider names no reset time',
    'whose provider is overloaded waits, and uses up no attempt': 'it tries again by itself for minutes; read from its recorded stream',
  },
});
