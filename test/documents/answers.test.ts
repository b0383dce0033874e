import { describe, expect, it } from 'vitest';
import { parsePlannerAnswer } from '../../documents/planner-answer.js';
import { parseSideChannel, parseSideChannels } from '../../documents/side-channel.js';
import { parseFactChecks, parseVerifierAnswer } from '../../documents/verifier-answer.js';
import { fc } from '../support/fast-check.js';

const PLAN =
  '# PLAN: x\n\nSpec: none\nGoal: g\nPlan version: 2\n\n## T2 — a\nTask: do\n```sh\nmake\n```\nDone when: d\n\n## T3 — b\nTask: do\n```\nmake\n```\nDone when: d\nDepends on: T2\n';

describe('the answer of a planner', () => {
  it.each<[string, string]>([
    ['alone', PLAN],
    ['after prose', `I looked at it.\n\n${PLAN}`],
    ['in a fence with the fences of its tasks', `Here it is:\n\n\`\`\`markdown\n${PLAN}\`\`\`\n\nThat should do.\n`],
    ['in a longer fence', `\`\`\`\`md\n${PLAN}\`\`\`\`\n`],
    ['with CRLF and colours', `\u001b[1m${PLAN.replaceAll('\n', '\r\n')}\u001b[0m`],
    ['after the plan as it was', `${PLAN.replace('version: 2', 'version: 1')}\nbecomes:\n\n${PLAN}`],
    ['after the forms of the prompt', `NO VALID PLAN: <reason>\nPLAN HOLDS: <reason>\n# PLAN: <the slug>\n\n${PLAN}`],
    ['followed by a side channel line', `${PLAN}{"donewhen":{"cost":{"tokens":1}}}\n`],
  ])('is the plan: %s', (_name, output) => {
    expect(parsePlannerAnswer(output)).toEqual({ is: 'plan', text: PLAN });
  });

  it.each<[string, ReturnType<typeof parsePlannerAnswer>]>([
    ['NO VALID PLAN: no key', { is: 'none', reason: 'no key' }],
    ['I tried.\n**NO VALID PLAN:** no key\nSorry.', { is: 'none', reason: 'no key' }],
    ['NO VALID PLAN:', { is: 'none', reason: 'no reason was given' }],
    ['PLAN HOLDS: nothing later depends on it', { is: 'holds', reason: 'nothing later depends on it' }],
    [`${PLAN}\nPLAN HOLDS: on second thoughts`, { is: 'holds', reason: 'on second thoughts' }],
  ])('%j is read', (output, answer) => {
    expect(parsePlannerAnswer(output)).toEqual(answer);
  });

  it.each([
    '',
    'I would simply try again.',
    '# PLAN: x',
    'NO VALID PLAN: <reason>',
    'The plan holds: yes',
    'Say NO VALID PLAN: x in a sentence',
  ])('%j is unreadable, never approval (R11)', (output) => {
    expect(parsePlannerAnswer(output).is).toBe('unreadable');
  });

  it('of any kind is read without an exception', () => {
    const fragments = fc.constantFrom(
      '# PLAN: x\n',
      'Goal: g\n',
      '```\n',
      '```md\n',
      '## T1 — a\n',
      'NO VALID PLAN: r\n',
      'PLAN HOLDS: r\n',
      '\n',
      '<a b>',
      '\u001b[',
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(fragments, fc.string()), { maxLength: 20 }), (parts) => {
        parsePlannerAnswer(parts.join(''));
        parseVerifierAnswer(parts.join(''));
        parseFactChecks(parts.join(''), 3);
      }),
      { numRuns: 3000 },
    );
  });
});

describe('the answer of a verifier', () => {
  it.each<[string, ReturnType<typeof parseVerifierAnswer>]>([
    ['Checks:\n- file: out-T1', { checks: ['file: out-T1'] }],
    ['I thought.\n\n**Checks:**\n\n- run: `npm test`\n- file: out\n- file: out\n\nBye.', { checks: ['run: npm test', 'file: out'] }],
    ['Checks:\n```\n- file: out\n```\n', { checks: ['file: out'] }],
    ['Checks: file: out', { checks: ['file: out'] }],
    ['Checks:\n- file: a\n\nNo, better:\n\nChecks:\n- file: b', { checks: ['file: b'] }],
    ['CANNOT TELL: no way to observe it', { cannotTell: 'no way to observe it' }],
    ['CANNOT TELL:', { cannotTell: 'no reason was given' }],
    ['Checks:\n- file: a\n\nCANNOT TELL: after all', { cannotTell: 'after all' }],
    ['CANNOT TELL: <reason>', null],
    ['Checks:\n- <a check in the grammar>', null],
    ['Checks:', null],
    ['Checks:\n- file: out\n- magic: wand', null],
    ['Checks:\n- file: ../../etc/passwd', null],
    [`Checks:\n${'- file: a\n'.repeat(30)}`, null],
    ['It looks fine to me.', null],
    ['', null],
  ])('%j is %j', (output, answer) => {
    expect(parseVerifierAnswer(output)).toEqual(answer);
  });
});

it('an answer that stands in a fence, or whose lines do, is the whole of it (E08)', () => {
  const fenced = (text: string) => `\`\`\`markdown\n${text}\n\`\`\`\n`;
  const plan = '# PLAN: x\nGoal: g\nPlan version: 2';
  expect([
    parsePlannerAnswer(fenced(plan)),
    parsePlannerAnswer(fenced('NO VALID PLAN: too late')),
    parseVerifierAnswer(fenced('Checks:\n- run: npm test')),
    parseVerifierAnswer(`Checks:\n${fenced('- run: npm test')}`),
    [...parseFactChecks(`Checks:\n${fenced('- 1: file: a')}`, 1)],
  ]).toEqual([
    { is: 'plan', text: `${plan}\n` },
    { is: 'none', reason: 'too late' },
    { checks: ['run: npm test'] },
    { checks: ['run: npm test'] },
    [[1, 'file: a']],
  ]);
});

describe('checks for facts that somebody reported', () => {
  it.each<[string, [number, string][]]>([
    [
      'Checks:\n- 1: file: a contains "7"\n- 3: git: tracked b',
      [
        [1, 'file: a contains "7"'],
        [3, 'git: tracked b'],
      ],
    ],
    ['I looked.\n\n**Checks:**\n\n* Fact 2) `file: a`\n', [[2, 'file: a']]],
    ['Checks:\n- 1: file: a\nNo, better:\nChecks:\n- 1: file: b', [[1, 'file: b']]],
    ['Checks:\n- 1: file: a\n- 1: file: b', [[1, 'file: b']]],
    ['Checks:\n- 2: http: GET http://localhost/ => 200', [[2, 'http: GET http://localhost/ => 200']]],
    ['Checks:\n- 1: run: true\n- 2: file: x absent\n- 3: human: is it so?', []],
    ['Checks:\n- 0: file: a\n- 4: file: a\n- file: a\n- 1: magic: wand\n- 1: <check>', []],
    ['- 1: file: a', []],
    ['', []],
  ])('%j are %j', (output, checks) => {
    expect([...parseFactChecks(output, 3)]).toEqual(checks);
  });
});

describe('a line of the side channel', () => {
  it.each<[string, ReturnType<typeof parseSideChannel>]>([
    ['{"donewhen":{"session":"abc"}}', { is: 'session', session: 'abc' }],
    ['  {"donewhen":{"cost":{"usd":0.1,"tokens":900}}}\r', { is: 'cost', cost: { usd: 0.1, tokens: 900 } }],
    ['{"donewhen":{"cost":{"tokens":900}}}', { is: 'cost', cost: { usd: null, tokens: 900 } }],
    ['{"donewhen":{"cost":{"estimatedUsd":0.1}}}', { is: 'cost', cost: { usd: null, tokens: null, estimatedUsd: 0.1 } }],
    ['{"donewhen":{"cost":{"usd":1,"estimatedUsd":"2"}}}', { is: 'cost', cost: { usd: 1, tokens: null } }],
    ['{"donewhen":{"cost":{"usd":-1,"tokens":"many"}}}', null],
    ['{"donewhen":{"limited":{"until":"2026-12-01T09:00:00Z"}}}', { is: 'limited', until: Date.UTC(2026, 11, 1, 9) }],
    ['{"donewhen":{"limited":{"until":1796115600000}}}', { is: 'limited', until: 1796115600000 }],
    ['{"donewhen":{"limited":{"until":"soon"}}}', { is: 'limited', until: null }],
    ['{"donewhen":{"limited":{}}}', { is: 'limited', until: null }],
    ['{"donewhen":{"limited":true}}', { is: 'limited', until: null }],
    ['{"donewhen":{"limited":false}}', null],
    ['{"donewhen":{"progress":"half  way\\n"}}', { is: 'progress', text: 'half way' }],
    ['{"donewhen":{"session":""}}', null],
    ['{"donewhen":{"other":1}}', null],
    ['{"donewhen":"session"}', null],
    ['{"done":{"session":"a"}}', null],
    ['{"donewhen":{"session":"a"}', null],
    ['donewhen', null],
    ['', null],
  ])('%j is %j', (line, said) => {
    expect(parseSideChannel(line)).toEqual(said);
  });

  it('may say several things, a limit first', () => {
    expect(parseSideChannels('{"donewhen":{"session":"a","cost":{"usd":1},"limited":{}}}')).toEqual([
      { is: 'limited', until: null },
      { is: 'cost', cost: { usd: 1, tokens: null } },
      { is: 'session', session: 'a' },
    ]);
  });

  it('of any kind is read without an exception', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.jsonValue().map((value) => JSON.stringify({ donewhen: value })),
        ),
        (line) => void parseSideChannels(line),
      ),
      { numRuns: 2000 },
    );
  });
});
