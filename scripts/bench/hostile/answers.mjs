// Texts that cost the reader of an agent's answer most.
import { counted, filled, many, named, UNITS, VALUES } from './units.mjs';

const BLOCK_FIELDS = ['state_delta', 'discovered', 'unresolved', 'deviation', 'blocker', 'odd'];
export const returnBlock = {
  ...named('blocks', [
    'status: done\n',
    'status: done\n\n',
    'status: x\n\n',
    'status: done | failed\n\n',
    'status: <a b>\nrisk:\n- <a b>\n\n',
  ]),
  ...named('in a fence', ['status: done\n', 'a\n', '```\nstatus: done\nrisk: x\n```\n'], '```\n'),
  ...named('a block of', ['- <a b> → <c d>\n', 'aa: b\n', 'risk: b\n', '```\n'], 'status: done\nevidence:\n'),
  'a status of spaces': () => filled(' ', 'status: done', 'x'),
  'an open angle bracket': () => filled('<a ', 'status: done\nevidence:\n- '),
  ...Object.assign({}, ...BLOCK_FIELDS.map((name) => named(name, [...UNITS, ...VALUES], `status: done\n${name}:`))),
};

export const planner = {
  ...named('titles', ['# PLAN: x\n', '# PLAN: <x>\n', '# PLAN: x\nGoal: g\n', 'NO VALID PLAN: <a b>\n', 'PLAN HOLDS: <x>\n']),
  ...named(
    'in a fence',
    ['# PLAN: x\nGoal: g\n```\n', '# PLAN: x\nGoal: g\n', 'Goal: g\n', 'a\n', '\n', '~~~<(\n'],
    '```\n# PLAN: x\nGoal: g\n',
  ),
  ...named('a reason of', UNITS, 'PLAN HOLDS: '),
  ...named('a plan of', UNITS, '# PLAN: x\nGoal: g\n'),
};

export const verifier = {
  ...named('headings', ['Checks:\n- a\n', 'CANNOT TELL: <a>\n', 'Checks: <a>\n']),
  ...named('facts', ['- 1: file: a\n', '- 1: run: `a` => x\n', '- 1: http: GET http://127.0.0.1:1/x => 200\n', '- 1: x\n'], 'Checks:\n'),
  'facts of one word': () => filled(`- 1: file: ${'a contains '.repeat(300)}\n`, 'Checks:\n'),
  'facts of a pattern': () => counted((index) => `- 1: file: a matches /(a|b)*c[^d]{1,${index + 1}}/i\n`, 'Checks:\n'),
  ...named('a reason of', UNITS, 'CANNOT TELL: '),
  ...named('checks of', UNITS, 'Checks:\n'),
  ...named('one check of', UNITS, 'Checks:\n- '),
};

const START = '<!-- STEP-RESULT\n';
const BLOCK = `${START}step: 1\nagent: a\nstatus: SUCCESS\n/STEP-RESULT -->\n`;
const TEMPLATE = BLOCK.replace('SUCCESS', 'SUCCESS | FAILED');
const block = (content) => `${START}${content}/STEP-RESULT -->`;
const form = (content) => TEMPLATE.replace('/STEP', `${content}/STEP`);
export const stepResult = {
  ...named('blocks', [
    START,
    BLOCK,
    TEMPLATE,
    `\`\`\`yaml\n${TEMPLATE}\`\`\`\n`,
    '```\nstep: 1\nagent: a\nstatus: x | y\n```\n',
    '```yaml\n',
  ]),
  ...named('marks', [
    '-->\n',
    '<!-- ',
    '/STEP-RESULT',
    '/STEP-RESULT --> ',
    '```STEP-RESULT\nstep: <a>\n```\n',
    '<!-- STEP-RESULT agent: <a>\n-->\n',
  ]),
  ...named('in a block', ['/STEP-RESULT', '/STEP-RESULT --> ', ' ', '\n', 'a\n'], START),
  'an end of spaces': () => filled(' ', '', '/STEP-RESULT -->'),
  'a start of spaces': () => filled(' ', '<!--', 'STEP-RESULT'),
  'brackets within brackets': () => block(`a: ${'['.repeat(30_000)}\n`),
  'forms with brackets within brackets': () => filled(form(`x: ${'['.repeat(5_000)}${']'.repeat(5_000)}\n`)),
  'forms of many keys': () => filled(form(many(3_000, (index) => `k${index}: 1\n`))),
  'forms of many issues': () => filled(form(`x:\n${'- a: b\n'.repeat(4_000)}`)),
  'keys without end': () => block(many(3_500, (index) => `k${index}: 1\n`)),
  'issues without end': () => block(`critical-issues:\n${'- a: b\n'.repeat(4_000)}`),
  ...Object.fromEntries(
    ['? ', '- ', 'a:\n ', '- a\n', '#\n'].map((unit) => [`a block of ${JSON.stringify(unit)}`, () => block(filled(unit, '', '', 30_000))]),
  ),
};
