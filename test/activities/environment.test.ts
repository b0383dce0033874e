import { expect, it } from 'vitest';
import { performerEnvironment } from '../../activities/environment.js';

it('agents and checks get what the configuration passes on, an agent its own as well; naming a secret passes nothing on (L03)', () => {
  const environment = { PATH: '/bin', HOME: '/home/ana', ANTHROPIC_API_KEY: 'a-key', AWS_SECRET: 'other', DONEWHEN_HOME: '/x', EMPTY: '' };
  const names = { pass: ['PATH', 'LANG', 'EMPTY', 'DONEWHEN_HOME'], secrets: ['ANTHROPIC_API_KEY', 'OPENAI_API_KEY'] };
  expect(performerEnvironment(names, environment)).toEqual({
    variables: { PATH: '/bin', EMPTY: '' },
    secrets: ['a-key'],
  });
  expect(performerEnvironment(names, environment, ['HOME', 'CODEX_HOME']).variables).toEqual({
    PATH: '/bin',
    EMPTY: '',
    HOME: '/home/ana',
  });
});
