import { expect, test } from 'vitest';
import { CONFIG_TEMPLATE } from '../../client/config-template.js';
import { parseConfig } from '../../documents/config.js';

const file = { file: 'donewhen.yaml' };

/** The template with every setting switched on: what stands behind "# " and is indented or has a colon right after its name. */
function switchedOn(): string {
  return CONFIG_TEMPLATE.split('\n')
    .map((line) => (/^# ( {2}|[a-z]+:)/.test(line) ? line.slice(2) : line))
    .join('\n');
}

test('the donewhen.yaml that init writes changes nothing', () => {
  expect(parseConfig(CONFIG_TEMPLATE, file)).toEqual(parseConfig('', file));
});

test('every setting in it is right when it is switched on, and the limits are the defaults', () => {
  const { config, problems } = parseConfig(switchedOn(), file);
  const defaults = parseConfig('', file).config;
  expect({ problems, limits: config?.limits, gate: config?.gate, people: config?.people, workspace: config?.workspace }).toEqual({
    problems: [],
    limits: defaults?.limits,
    gate: defaults?.gate,
    people: defaults?.people,
    workspace: defaults?.workspace,
  });
  expect(Object.keys(config?.agents ?? {})).toEqual(['claude', 'codex', 'mine']);
});
